// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace gridiron {

/// Called before each stage of a run ("read", "check", …).
using Progress = std::function<void(std::string_view stage)>;

/// Called during an iterative solve with the share of it that is done, 0 to 1: how far residuals have come, in
/// logarithms.
using ShareDone = std::function<void(double share)>;

/// Where and how work is done. Passed in explicitly; nothing is set for the whole process.
struct Context {
  std::string device = "auto";   ///< auto, cpu or cuda
  void* stream = nullptr;        ///< cudaStream_t to work on; null: an engine on the GPU creates its own
  int threads = 0;               ///< for loops on the host; 0: as many as the calling thread would use
  void* communicator = nullptr;  ///< MPI_Comm* of engines that span processes
  std::stop_token stop = {};     ///< a request ends a solve with Stopped; set-ups and updates run to their end
  Progress progress = [](std::string_view) {};
  ShareDone share_done = [](double) {};
};

/// RAII guard that sets the number of OpenMP threads for the calling thread; other threads of the process are
/// unaffected.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : before_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
  }
  ~ThreadCount() { omp_set_num_threads(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

}  // namespace gridiron
