// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "device/cuda/memory.cuh"

namespace gridiron {

/// PlainReport in pinned memory, which kernels write to themselves; the host waits for no more than the work before
/// send(). One at a time on a queue.
template <class T>
class CudaReport {
  static_assert(sizeof(T) <= CudaQueue::kReport);

 public:
  PlainView<T> view() { return {reinterpret_cast<T*>(queue_.report()), 1}; }
  void send() { check(cudaEventRecord(queue_.reported(), queue_.stream())); }
  T read() const {
    check(cudaEventSynchronize(queue_.reported()));
    T value;
    std::memcpy(&value, queue_.report(), sizeof value);
    return value;
  }

 private:
  CudaQueue queue_ = CudaQueue::current();
};

}  // namespace gridiron
