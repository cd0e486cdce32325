// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>
#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "support/error.hpp"
#include "support/parallel.hpp"

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
  static constexpr int kBlocks = 2048, kMostSums = 48;
  double partial[kBlocks * kMostSums];
  unsigned done;
};

/// Pinned memory, by whose parts threads copy between host and device: each has two of its own, one of which is in
/// transfer while it copies to or from the other. The driver's own copy from and to pageable memory uses a single
/// thread.
class Staging {
 public:
  Staging() {
    check(cudaGetDevice(&device_));
    check(cudaMallocHost(&data_, kThreads * 2 * kPart));
    try {
      for (auto& of_thread : moved_)
        for (cudaEvent_t& moved : of_thread) check(cudaEventCreateWithFlags(&moved, cudaEventDisableTiming));
    } catch (...) {
      release();
      throw;
    }
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() { release(); }

  /// Enqueues the copy of `bytes` from host memory to the device.
  void send(char* device, const char* host, size_t bytes, cudaStream_t stream) {
    for_each_thread(bytes, [&](size_t thread, size_t threads) {
      int turn = 0;
      for (size_t at = thread * kPart; at < bytes; at += threads * kPart, turn ^= 1) {
        const size_t part = std::min(kPart, bytes - at);
        check(cudaEventSynchronize(moved_[thread][turn]));
        std::memcpy(pinned(thread, turn), host + at, part);
        check(cudaMemcpyAsync(device + at, pinned(thread, turn), part, cudaMemcpyHostToDevice, stream));
        check(cudaEventRecord(moved_[thread][turn], stream));
      }
    });
  }

  /// Copies `bytes` from the device to host memory. Complete on return.
  void receive(char* host, const char* device, size_t bytes, cudaStream_t stream) {
    for_each_thread(bytes, [&](size_t thread, size_t threads) {
      const size_t step = threads * kPart;
      int turn = 0;
      for (size_t at = thread * kPart; at < bytes + step; at += step, turn ^= 1) {
        if (at < bytes) {
          check(cudaEventSynchronize(moved_[thread][turn]));  // a send() on another stream may still read it
          check(cudaMemcpyAsync(pinned(thread, turn), device + at, std::min(kPart, bytes - at), cudaMemcpyDeviceToHost,
                                stream));
          check(cudaEventRecord(moved_[thread][turn], stream));
        }
        if (at < step) continue;
        const size_t before = at - step;
        check(cudaEventSynchronize(moved_[thread][turn ^ 1]));
        std::memcpy(host + before, pinned(thread, turn ^ 1), std::min(kPart, bytes - before));
      }
    });
  }

 private:
  /// Parts of a copy. Of 77 MB on the host of an H200 parts of 512 KB and 256 KB take 1.3 and 1.8 times as long, those
  /// of 2 MB as long as these: a copy from host memory to host memory by all threads is what bounds them.
  static constexpr size_t kPart = size_t{1} << 20, kThreads = 16;

  char* pinned(size_t thread, int turn) const { return data_ + (2 * thread + turn) * kPart; }

  template <class F>
  void for_each_thread(size_t bytes, F&& f) const {
    const size_t parts = (bytes + kPart - 1) / kPart;
    const size_t threads = std::min({parts, kThreads, static_cast<size_t>(omp_get_max_threads())});
    parallel_tasks(static_cast<int64_t>(threads), [&](int64_t thread) {
      check(cudaSetDevice(device_));
      f(thread, threads);
    });
  }

  void release() {
    for (auto& of_thread : moved_)
      for (const cudaEvent_t moved : of_thread)
        if (moved) cudaEventDestroy(moved);
    cudaFreeHost(data_);
  }

  int device_ = 0;
  char* data_ = nullptr;
  cudaEvent_t moved_[kThreads][2] = {};
};

/// A Staging of the calling thread's GPU for a copy, until the host has done its part of it. What is given back, 32 MB
/// for each copy that there was at a time, is kept for the next one: to pin memory takes longer than most copies. Never
/// freed, as the driver may be gone before statics are.
class StagingLoan {
 public:
  StagingLoan() {
    check(cudaGetDevice(&device_));
    const std::lock_guard lock(all().guard);
    OfDevice& own = all().of_device[device_];
    if (own.idle.empty()) {
      own.idle.reserve(own.made + 1);  // so that it can be given back in any case
      staging_ = std::make_unique<Staging>();
      ++own.made;
    } else {
      staging_ = std::move(own.idle.back());
      own.idle.pop_back();
    }
  }
  StagingLoan(const StagingLoan&) = delete;
  StagingLoan& operator=(const StagingLoan&) = delete;
  ~StagingLoan() {
    const std::lock_guard lock(all().guard);
    all().of_device[device_].idle.push_back(std::move(staging_));
  }
  Staging* operator->() const { return staging_.get(); }

 private:
  struct OfDevice {
    std::vector<std::unique_ptr<Staging>> idle;
    size_t made = 0;
  };
  struct All {
    std::mutex guard;
    std::map<int, OfDevice> of_device;
  };
  static All& all() {
    static All* const kept = new All;
    return *kept;
  }

  int device_ = 0;
  std::unique_ptr<Staging> staging_;
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
    uint64_t keep_all = UINT64_MAX;
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
  /// Pinned host memory of kPinned bytes for results that the host waits for, one at a time. With a copy to
  /// pageable memory a sum for the host takes 22 us on an H200, this way 11.
  char* pinned() const {
    if (!state_->pinned) check(cudaMallocHost(&state_->pinned, kPinned + kReport));
    return state_->pinned;
  }
  static constexpr size_t kPinned = size_t{64} << 10;
  /// Pinned host memory of kReport bytes for a report, and the event after which the host may read it.
  char* report() const { return pinned() + kPinned; }
  cudaEvent_t reported() const {
    if (!state_->reported) check(cudaEventCreateWithFlags(&state_->reported, cudaEventDisableTiming));
    return state_->reported;
  }
  static constexpr size_t kReport = 1 << 10;

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
      if (pinned) cudaFreeHost(pinned);
      if (reported) cudaEventDestroy(reported);
      if (owns_stream) cudaStreamDestroy(stream);
    }

    bool owns_stream;
    int device = 0;
    cudaStream_t stream;  ///< of the current Capture, if any
    cuda_kernels::Reduction* reduction = nullptr;
    char* pinned = nullptr;          ///< none before the first result
    cudaEvent_t reported = nullptr;  ///< none before the first report
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
