// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/stokes_kernel_study.hpp"
#include "engines/device/cuda_device.cuh"

namespace gridiron {

std::vector<double> stokes_kernel_seconds_on_cuda(std::int64_t n) { return stokes_kernel_seconds<CudaDevice>(n); }
double flop_rate_of_cuda() { return flop_rate<CudaDevice>(); }

}  // namespace gridiron
