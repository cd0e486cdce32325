// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace gridiron {

/// Told before each stage of a run ("read", "check", …).
using Progress = std::function<void(std::string_view stage)>;

/// Where and how work is done. It is passed in; nothing is switched on or off for the whole process.
struct Context {
  std::string device = "auto";   ///< auto, cpu or cuda
  void* stream = nullptr;        ///< cudaStream_t to work on; none: an engine on the GPU makes one of its own
  int threads = 0;               ///< of loops on the host; 0: as many as the calling thread would use
  void* communicator = nullptr;  ///< MPI_Comm* of engines that span processes
  std::stop_token stop = {};     ///< a request ends the solve that runs with SolverError
  Progress progress = [](std::string_view) {};
};

/// Sets how many OpenMP threads the calling thread uses, as long as it lives; other threads of the process keep theirs.
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
