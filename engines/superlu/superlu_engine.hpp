// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"

namespace gridiron {

/// Sparse LU factorization by sequential SuperLU (Demmel, Eisenstat, Gilbert, Li, Liu, SIAM J. Matrix Anal. Appl. 20,
/// 1999) with iterative refinement; a second reference solver for symmetric systems, and the first for others.
struct SuperluParams {
  std::string ordering = "auto";
  double most_operations = 2e11;

  void visit(auto& v) {
    v("ordering", ordering, "",
      "fill-reducing ordering: amd or mmd (minimum degree of A + A^T), colamd, or auto: amd where most entries have "
      "one in the transposed place and few rows lack a diagonal");
    v("most_operations", most_operations, "", "multiplications that a factorization may take");
  }
};

std::optional<std::string> superlu_declines(const Problem& problem);
std::unique_ptr<Engine> make_superlu(const Settings& settings);
ParamList superlu_defaults();

}  // namespace gridiron
