// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>

namespace gridiron {

/// Runs f(i) for i in [0, n) on all threads, one index at a time (for coarse work such as chunks of a file).
/// The exception of the lowest failing index that ran is rethrown on the calling thread.
template <class F>
void parallel_tasks(int64_t n, F&& f) {
  if (n <= 1) {  // without a team of one thread, in which every loop that f divides would start its threads anew
    if (n == 1) f(int64_t{0});
    return;
  }
  std::exception_ptr error;
  int64_t failed = n;
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < n; ++i) {
    try {
      f(i);
    } catch (...) {
#pragma omp critical(gridiron_parallel_tasks)
      if (i < failed) {
        failed = i;
        error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

/// Which of its scratch a thread uses in loops that the owner of this object starts: a number from 0 to
/// omp_get_max_threads() − 1, also where the owner is itself a thread of a team, or a loop runs without one.
class ScratchIndex {
 public:
  size_t operator()() const { return static_cast<size_t>(std::max(0, omp_get_ancestor_thread_num(level_ + 1))); }

 private:
  int level_ = omp_get_level();
};

/// make(i, made) for i in [0, n) on all threads, and use(made) in the order of i, by one thread at a time, while others
/// make what follows. `made`, of which every thread has one, comes as it was left. The exception of the lowest failing
/// index is rethrown; nothing from there on is used.
template <class Made, class Make, class Use>
void parallel_in_order(int64_t n, Make&& make, Use&& use) {
  if (n <= 1) {  // see parallel_tasks()
    Made made{};
    if (n == 1) make(int64_t{0}, made), use(made);
    return;
  }
  std::exception_ptr error;
  std::atomic<bool> has_failed = false;
#pragma omp parallel
  {
    Made made{};
#pragma omp for ordered schedule(dynamic, 1)
    for (int64_t i = 0; i < n; ++i) {
      std::exception_ptr failure;
      const auto attempt = [&](auto&& step) {
        if (has_failed || failure) return;
        try {
          step();
        } catch (...) {
          failure = std::current_exception();
        }
      };
      attempt([&] { make(i, made); });
#pragma omp ordered
      {
        attempt([&] { use(made); });
        if (failure && !error) error = failure;
        if (failure) has_failed = true;
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

/// Runs f(begin, end) on consecutive ranges that cover [0, n). The ranges depend only on n, never on the number of
/// threads, so results that depend on the split are the same on every machine.
template <class F>
void parallel_ranges(int64_t n, F&& f, int64_t grain = 1 << 14) {
  const int64_t ranges = (n + grain - 1) / grain;
  parallel_tasks(ranges, [&](int64_t r) { f(r * grain, std::min(n, (r + 1) * grain)); });
}

/// f(i) for every i in [0, n), in any order. A thread takes `grain` of them at a time.
template <class F>
void parallel_each(int64_t n, F&& f, int64_t grain = 1 << 14) {
  parallel_ranges(
      n,
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) f(i);
      },
      grain);
}

}  // namespace gridiron
