// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nvtx3/nvtx3.hpp>

#include <cstddef>

#include "device/cuda/queue.cuh"
#include "device/device.hpp"

namespace gridiron {

/// Arrays in Gridiron's memory pool on the GPU, and copies, all in order on the current queue.
struct CudaMemory {
  static constexpr bool shares_host_memory = false;
  template <class T>
  using View = PlainView<T>;
  using Queue = CudaQueue;
  using Scope = CudaQueue::Scope;
  using Range = nvtx3::scoped_range;

  static cudaStream_t stream() { return CudaQueue::current().stream(); }

  template <class T>
  static T* allocate(int64_t size) {
    void* data = nullptr;
    check(cudaMallocFromPoolAsync(&data, size * sizeof(T), cuda_kernels::memory_pool(), stream()));
    return static_cast<T*>(data);
  }
  template <class T>
  static void release(T* data, int64_t, const Queue& queue) {
    cudaFreeAsync(data, queue.stream());
  }
  template <class T>
  static View<T> view(T* data, int64_t size) {
    return {data, size};
  }
  template <class T>
  static void copy_to_device(T* device, const T* host, int64_t size) {
    send_to_device(device, host, size);
    synchronize();
  }
  template <class T>
  static void send_to_device(T* device, const T* host, int64_t size) {
    const Range range("to the device");
    const cuda_kernels::StagingLoan staging;
    staging->send(reinterpret_cast<char*>(device), reinterpret_cast<const char*>(host), size * sizeof(T), stream());
  }
  template <class T>
  static void copy_to_host(T* host, const T* device, int64_t size) {
    const Range range("to the host");
    const size_t bytes = size * sizeof(T);
    if (bytes > CudaQueue::kPinned) {
      const cuda_kernels::StagingLoan staging;
      staging->receive(reinterpret_cast<char*>(host), reinterpret_cast<const char*>(device), bytes, stream());
    } else {
      const CudaQueue& queue = CudaQueue::current();
      check(cudaMemcpyAsync(queue.pinned(), device, bytes, cudaMemcpyDeviceToHost, stream()));
      synchronize();
      std::memcpy(host, queue.pinned(), bytes);
    }
  }
  static void synchronize() { check(cudaStreamSynchronize(stream())); }
};

}  // namespace gridiron
