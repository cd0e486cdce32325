// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/stokes_kernel_study.hpp"
#include "support/error.hpp"

namespace gridiron {

std::vector<double> stokes_kernel_seconds_on_cuda(int64_t, int) { throw ResourceError("built without CUDA"); }
double flop_rate_of_cuda() { throw ResourceError("built without CUDA"); }

}  // namespace gridiron
