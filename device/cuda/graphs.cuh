// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "device/cuda/memory.cuh"

namespace gridiron {
namespace cuda_kernels {

static __global__ void set_conditional(cudaGraphConditionalHandle handle, const double* flag) {
  cudaGraphSetConditional(handle, *flag > 0);
}

}  // namespace cuda_kernels

/// A point in the work of a queue that other queues wait for.
class CudaEvent {
 public:
  explicit CudaEvent(const CudaQueue& queue) {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    check(cudaEventRecord(event_, queue.stream()));
  }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  ~CudaEvent() { cudaEventDestroy(event_); }
  void hold_up(const CudaQueue& queue) const { check(cudaStreamWaitEvent(queue.stream(), event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A timestamp in the work of the current queue, recorded graphs included.
class CudaMark {
 public:
  CudaMark() { check(cudaEventCreate(&event_)); }
  CudaMark(const CudaMark&) = delete;
  CudaMark& operator=(const CudaMark&) = delete;
  ~CudaMark() { cudaEventDestroy(event_); }

  void set() {
    cudaStreamCaptureStatus status;
    check(cudaStreamIsCapturing(CudaMemory::stream(), &status));
    const bool is_recorded = status != cudaStreamCaptureStatusNone;
    check(cudaEventRecordWithFlags(event_, CudaMemory::stream(),
                                   is_recorded ? cudaEventRecordExternal : cudaEventRecordDefault));
  }
  /// Waits until the stream has reached this mark.
  double seconds_since(const CudaMark& earlier) const {
    float milliseconds = 0;
    check(cudaEventSynchronize(event_));
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_));
    return 1e-3 * milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// PlainRecording as a CUDA graph, with marks inside for timing.
class CudaRecording {
 public:
  CudaRecording() = default;
  CudaRecording(const CudaRecording&) = delete;
  CudaRecording& operator=(const CudaRecording&) = delete;
  ~CudaRecording() {
    if (graph_) cudaGraphExecDestroy(graph_);
  }
  template <class F>
  void run(F kernels) {
    const CudaMemory::Range range("cycle");
    collect_time();
    if (!graph_) {
      check(cudaStreamBeginCapture(CudaMemory::stream(), cudaStreamCaptureModeThreadLocal));
      Graph recorded;
      {
        const CudaQueue::Capture capture(CudaMemory::stream(), &recorded.graph);
        kernels();
      }
      check(cudaGraphInstantiate(&graph_, recorded.graph, 0));
    }
    check(cudaGraphLaunch(graph_, CudaMemory::stream()));
    has_new_time_ = is_timed_;
  }
  template <class F>
  void timed(F part) {
    begin_.set();
    part();
    end_.set();
    is_timed_ = true;
  }
  double seconds() {
    collect_time();
    return seconds_;
  }

 private:
  struct Graph {
    cudaGraph_t graph = nullptr;
    ~Graph() {
      if (graph) cudaGraphDestroy(graph);
    }
  };

  /// Marks hold only the time of the last run.
  void collect_time() {
    if (std::exchange(has_new_time_, false)) seconds_ += end_.seconds_since(begin_);
  }

  cudaGraphExec_t graph_ = nullptr;
  CudaMark begin_, end_;
  bool is_timed_ = false, has_new_time_ = false;
  double seconds_ = 0;
};

/// Recordings, decisions made on the device inside them, and work on several queues.
struct CudaGraphs {
  using Recording = CudaRecording;

  /// Inside a recording the parts become branches of the graph. Those of the current queue come last, as they may wait
  /// for their own work.
  template <class F>
  static void side_by_side(std::span<const CudaQueue> others, int64_t parts, F f) {
    const CudaQueue here = CudaQueue::current();
    const auto used = others.first(std::min<size_t>(others.size(), std::max<int64_t>(parts - 1, 0)));
    const auto queues = std::ssize(used) + 1;
    const auto run = [&](int64_t queue) {
      for (int64_t part = queue; part < parts; part += queues) f(part);
    };
    const auto join = [&] {
      for (const CudaQueue& queue : used) CudaEvent(queue).hold_up(here);
    };
    const CudaEvent begun(here);
    for (const CudaQueue& queue : used) begun.hold_up(queue);
    try {
      for (int64_t q = 1; q < queues; ++q) {
        const CudaQueue::Scope scope(used[q - 1]);
        run(q);
      }
      run(0);
    } catch (...) {  // what the caller frees now may still be in use there
      join();
      throw;
    }
    join();
  }

  /// Runs the kernels of `body` if flag[0] > 0. Inside a recording the decision is made on the device: the body becomes
  /// a conditional node of the graph.
  template <class F>
  static void when(PlainView<const double> flag, F body) {
    cudaStreamCaptureStatus status;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* before = nullptr;
    size_t count = 0;
    check(cudaStreamGetCaptureInfo(CudaMemory::stream(), &status, nullptr, &graph));
    if (status == cudaStreamCaptureStatusNone) {
      double value = 0;
      CudaMemory::copy_to_host(&value, flag.data(), 1);
      if (value > 0) body();
      return;
    }
    cudaGraphConditionalHandle handle;
    check(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault));
    cuda_kernels::set_conditional<<<1, 1, 0, CudaMemory::stream()>>>(handle, flag.data());
    check(cudaPeekAtLastError());
    check(cudaStreamGetCaptureInfo(CudaMemory::stream(), &status, nullptr, &graph, &before, nullptr, &count));
    cudaGraphNodeParams node = {};
    node.type = cudaGraphNodeTypeConditional;
    node.conditional.handle = handle;
    node.conditional.type = cudaGraphCondTypeIf;
    node.conditional.size = 1;
    cudaGraphNode_t added;
    check(cudaGraphAddNode(&added, graph, before, nullptr, count, &node));
    check(cudaStreamUpdateCaptureDependencies(CudaMemory::stream(), &added, nullptr, 1,
                                              cudaStreamSetCaptureDependencies));

    cudaStream_t inner;
    check(cudaStreamCreateWithFlags(&inner, cudaStreamNonBlocking));
    check(cudaStreamBeginCaptureToGraph(inner, node.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeThreadLocal));
    const CudaQueue::Capture capture(inner);
    body();
  }
};

}  // namespace gridiron
