// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/copy_rate.hpp"
#include "device/cuda_device.cuh"

namespace gridiron {

/// The driver's own copy, which is faster than any kernel of ours.
double copy_rate_of_cuda() {
  const int64_t n = int64_t{1} << 27;
  Array<CudaDevice, double> from(n), to(n);
  fill<CudaDevice, double>(from.view(), 1.0);
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    CudaDevice::synchronize();
    Stopwatch watch;
    check(cudaMemcpyAsync(to.view().data(), from.view().data(), 8 * n, cudaMemcpyDeviceToDevice, CudaDevice::stream()));
    CudaDevice::synchronize();
    best = std::max(best, 16.0 * static_cast<double>(n) / watch.lap());
  }
  return best;
}

}  // namespace gridiron
