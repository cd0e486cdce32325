// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/stokes_kernel_study.hpp"
#include "device/cuda_device.cuh"

namespace gridiron {
namespace {

/// nvcc keeps pointers to the functions of a kernel per translation unit. The engine's kernels are in the library
/// already, so that the study needs a type of its own for its copies of them.
struct StudyDevice : CudaDevice {};

}  // namespace

std::vector<double> stokes_kernel_seconds_on_cuda(int64_t n, int rounds_of_each) {
  return stokes_kernel_seconds<StudyDevice>(n, rounds_of_each);
}
double flop_rate_of_cuda() { return flop_rate<StudyDevice>(); }

}  // namespace gridiron
