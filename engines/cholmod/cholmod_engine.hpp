// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"

namespace gridiron {

/// Sparse Cholesky factorization by CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM TOMS 887) with iterative refinement.
struct CholmodParams {
  std::string ordering = "auto";
  std::string factorization = "auto";

  void visit(auto& v) {
    v("ordering", ordering, "",
      "fill-reducing ordering: geometric (nested dissection by coordinates), amd, metis, best (the one with the fewest "
      "nonzeros), or auto (geometric from 20 000 unknowns with coordinates that divide them well, else amd)");
    v("factorization", factorization, "",
      "simplicial, supernodal (dense blocks), or auto by the arithmetic per nonzero");
  }
};

std::optional<std::string> cholmod_declines(const Problem& problem);
std::unique_ptr<Engine> make_cholmod(const Settings& settings);
ParamList cholmod_defaults();

}  // namespace gridiron
