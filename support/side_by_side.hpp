// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

#include <exception>

#include "support/parallel_arrays.hpp"

namespace gridiron {

/// Runs f on the calling thread and g on another one; within both, loops have one thread. Where there is no other
/// thread, g comes before f. Rethrows the exception of g, or else that of f.
template <class F, class G>
void side_by_side(F&& f, G&& g) {
  if (!has_several_threads()) {
    g();
    f();
    return;
  }
  std::exception_ptr of_f, of_g;
  const auto run = [](auto& job, std::exception_ptr& error) {
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
  };
#pragma omp parallel
  {
    const int thread = omp_get_thread_num(), last = omp_get_num_threads() - 1;
    if (thread == last) run(g, of_g);
    if (thread == 0) run(f, of_f);
  }
  if (of_g) std::rethrow_exception(of_g);
  if (of_f) std::rethrow_exception(of_f);
}

}  // namespace gridiron
