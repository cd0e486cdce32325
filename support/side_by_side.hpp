// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>

#include "support/context.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Begins a job on a second thread of the calling one, which stays for later jobs and waits for them awake for a while;
/// finish_beside() returns when the job is done. One at a time. The job must not throw, and has loops of one thread
/// unless it asks for more.
void begin_beside(const std::function<void()>& job);
void finish_beside();

/// Runs f on the calling thread and g on another one; within both, loops have so many threads. Where there is no other
/// thread, g comes before f. Rethrows the exception of g, or else that of f.
template <class F, class G>
void side_by_side(F&& f, G&& g, int threads = 1) {
  if (!has_several_threads()) {
    g();
    f();
    return;
  }
  std::exception_ptr of_f, of_g;
  const auto run = [threads](auto& job, std::exception_ptr& error) {
    const ThreadCount some(threads);
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
  };
  const std::function<void()> beside = [&] { run(g, of_g); };
  begin_beside(beside);
  run(f, of_f);
  finish_beside();
  if (of_g) std::rethrow_exception(of_g);
  if (of_f) std::rethrow_exception(of_f);
}

}  // namespace gridiron
