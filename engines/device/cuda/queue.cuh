// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>
#include <utility>

#include "support/error.hpp"

namespace gridiron {

/// Throws the error for a CUDA status, with the location of the call. (No fmt: nvcc cannot compile its compile-time
/// checks.)
inline void check(cudaError_t status, std::source_location where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  throw ResourceError(std::string("CUDA: ") + cudaGetErrorString(status) + " (" + where.file_name() + ":" +
                      std::to_string(where.line()) + ")");
}

namespace cuda_kernels {

/// Scratch of a grid-wide reduction: partial sums, and the number of blocks that are done.
struct Reduction {
  static constexpr int kBlocks = 1024, kMostSums = 48;
  double partial[kBlocks * kMostSums];
  double total[kMostSums];
  unsigned done;
};

inline void copy_in_parallel(char* to, const char* from, std::size_t bytes) {
  const std::size_t parts = bytes / (std::size_t{1} << 20) + 1;
#pragma omp parallel for schedule(static) if (parts > 2)
  for (std::size_t p = 0; p < parts; ++p)
    std::memcpy(to + p * bytes / parts, from + p * bytes / parts, (p + 1) * bytes / parts - p * bytes / parts);
}

/// A double buffer of pinned memory: the host copies one half while the other is in transfer to or from the device. The
/// driver's own copy from and to pageable memory uses a single thread.
class Staging {
 public:
  Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Enqueues the copy of `bytes` from host memory to the device, part by part.
  void send(char* device, const char* host, std::size_t bytes, cudaStream_t stream) {
    int turn = 0;
    for (std::size_t at = 0; at < bytes; at += kHalf, turn ^= 1) {
      const std::size_t part = std::min(kHalf, bytes - at);
      check(cudaEventSynchronize(halves_[turn].sent));
      copy_in_parallel(halves_[turn].data, host + at, part);
      check(cudaMemcpyAsync(device + at, halves_[turn].data, part, cudaMemcpyHostToDevice, stream));
      check(cudaEventRecord(halves_[turn].sent, stream));
    }
  }

  /// Copies `bytes` from the device to host memory, part by part. Complete on return.
  void receive(char* host, const char* device, std::size_t bytes, cudaStream_t stream) {
    const std::size_t parts = (bytes + kHalf - 1) / kHalf;
    for (std::size_t p = 0; p <= parts; ++p) {
      if (p < parts) {
        Half& half = halves_[p % 2];
        check(cudaMemcpyAsync(half.data, device + p * kHalf, std::min(kHalf, bytes - p * kHalf), cudaMemcpyDeviceToHost,
                              stream));
        check(cudaEventRecord(half.sent, stream));
      }
      if (p == 0) continue;
      const Half& arrived = halves_[(p - 1) % 2];
      check(cudaEventSynchronize(arrived.sent));
      copy_in_parallel(host + (p - 1) * kHalf, arrived.data, std::min(kHalf, bytes - (p - 1) * kHalf));
    }
  }

 private:
  static constexpr std::size_t kHalf = std::size_t{16} << 20;
  struct Half {
    char* data = nullptr;
    cudaEvent_t sent = nullptr;

    Half() {
      check(cudaMallocHost(&data, kHalf));
      const cudaError_t created = cudaEventCreateWithFlags(&sent, cudaEventDisableTiming);
      if (created != cudaSuccess) cudaFreeHost(data);
      check(created);
    }
    Half(const Half&) = delete;
    Half& operator=(const Half&) = delete;
    ~Half() {
      cudaEventDestroy(sent);
      cudaFreeHost(data);
    }
  };
  Half halves_[2];
};

/// Gridiron's memory pool on the calling thread's GPU, kept for the next engine; the device's default pool stays as the
/// process has configured it.
inline cudaMemPool_t memory_pool() {
  static std::mutex guard;
  static std::map<int, cudaMemPool_t> pool_of_device;
  int device = 0;
  check(cudaGetDevice(&device));
  const std::lock_guard lock(guard);
  cudaMemPool_t& pool = pool_of_device[device];
  if (!pool) {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    check(cudaMemPoolCreate(&pool, &properties));
    std::uint64_t keep_all = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
  }
  return pool;
}

}  // namespace cuda_kernels

/// Where work is enqueued: a stream of the GPU that was current at construction, and the scratch shared by the work on
/// it. A handle: arrays hold one, so that their memory is released in order on the stream it was used on, whenever that
/// happens.
class CudaQueue {
  struct State;

 public:
  CudaQueue() = default;  ///< none
  /// On the cudaStream_t `stream`, which must outlive this and all memory allocated through it; nullptr: on a new
  /// stream.
  explicit CudaQueue(void* stream) : state_(std::make_shared<State>(static_cast<cudaStream_t>(stream))) {}

  /// The queue of the calling thread's innermost scope; outside any scope, a default queue of the thread.
  static const CudaQueue& current() {
    if (const CudaQueue* const queue = entered()) return *queue;
    thread_local const CudaQueue own(nullptr);
    return own;
  }

  cudaStream_t stream() const { return state_->stream; }
  /// Scratch on the device, for one reduction at a time.
  cuda_kernels::Reduction* reduction() const { return state_->reduction; }
  cuda_kernels::Staging& staging() const {
    if (!state_->staging) state_->staging = std::make_unique<cuda_kernels::Staging>();
    return *state_->staging;
  }

  class Scope;

  /// RAII guard: work of the current queue goes into the graph that `inner` captures. Ends the capture even when
  /// recording throws.
  class Capture {
   public:
    explicit Capture(cudaStream_t inner, cudaGraph_t* recorded = nullptr)
        : state_(current().state_), recorded_(recorded), outer_(std::exchange(state_->stream, inner)) {}
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() {
      const cudaStream_t inner = std::exchange(state_->stream, outer_);
      cudaGraph_t part = nullptr;
      cudaStreamEndCapture(inner, recorded_ ? recorded_ : &part);
      if (inner != outer_) cudaStreamDestroy(inner);
    }

   private:
    std::shared_ptr<State> state_;
    cudaGraph_t* recorded_;
    cudaStream_t outer_;
  };

 private:
  struct State {
    explicit State(cudaStream_t given) : owns_stream(!given), stream(given) {
      check(cudaGetDevice(&device));
      if (owns_stream) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      try {
        check(
            cudaMallocFromPoolAsync(&reduction, sizeof(cuda_kernels::Reduction), cuda_kernels::memory_pool(), stream));
        check(cudaMemsetAsync(reduction, 0, sizeof(cuda_kernels::Reduction), stream));
      } catch (...) {
        if (owns_stream) cudaStreamDestroy(stream);
        throw;
      }
    }
    ~State() {
      cudaFreeAsync(reduction, stream);
      cudaStreamSynchronize(stream);  // pinned memory may still be in use by a copy
      if (owns_stream) cudaStreamDestroy(stream);
    }

    bool owns_stream;
    int device = 0;
    cudaStream_t stream;  ///< of the current Capture, if any
    cuda_kernels::Reduction* reduction = nullptr;
    std::unique_ptr<cuda_kernels::Staging> staging;  ///< none before the first copy
  };
  static const CudaQueue*& entered() {
    thread_local const CudaQueue* queue = nullptr;
    return queue;
  }

  std::shared_ptr<State> state_;
};

/// RAII guard that makes a queue current for the calling thread, and its GPU the current GPU.
class CudaQueue::Scope {
 public:
  explicit Scope(CudaQueue queue) : queue_(std::move(queue)) {
    check(cudaGetDevice(&device_before_));
    check(cudaSetDevice(queue_.state_->device));
    before_ = std::exchange(entered(), &queue_);
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    entered() = before_;
    cudaSetDevice(device_before_);
  }

 private:
  CudaQueue queue_;
  const CudaQueue* before_ = nullptr;
  int device_before_ = 0;
};

}  // namespace gridiron
