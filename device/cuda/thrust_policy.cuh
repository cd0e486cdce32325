// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>

#include "device/cuda/memory.cuh"

namespace gridiron {

/// How Thrust's algorithms run: on the current queue, with temporary memory from the pool.
inline auto thrust_policy() {
  struct Temporary {
    using value_type = char;
    char* allocate(ptrdiff_t bytes) { return CudaMemory::allocate<char>(bytes > 0 ? bytes : 1); }
    void deallocate(char* data, size_t) { CudaMemory::release(data, 0, CudaQueue::current()); }
  };
  static Temporary temporary;
  return thrust::cuda::par_nosync(temporary).on(CudaMemory::stream());
}

}  // namespace gridiron
