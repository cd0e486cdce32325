// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"

namespace gridiron {

/// Sparse Cholesky factorization on the GPU by NVIDIA's cuDSS, which is loaded at run time, with iterative refinement.
struct CudssParams {
  std::string ordering = "auto";
  std::string memory = "auto";

  void visit(auto& v) {
    v("ordering", ordering, "",
      "fill-reducing ordering: geometric (nested dissection by coordinates), library (cuDSS's own nested dissection, "
      "on "
      "the host), or auto (geometric where coordinates divide the unknowns well)");
    v("memory", memory, "", "where factors are kept: device, host (they visit the device), or auto by what is free");
  }
};

/// Errors: InputError for a setting that it has not.
CudssParams read_cudss(const Settings& settings);

std::optional<std::string> cudss_declines(const Problem& problem);
/// One that cannot be set up, where there is no GPU.
std::unique_ptr<Engine> make_cudss(const Settings& settings);
std::unique_ptr<Engine> make_cudss_on_cuda(const Settings& settings);
ParamList cudss_defaults();

}  // namespace gridiron
