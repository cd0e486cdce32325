// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace gridiron::test {

/// CPU seconds of the calling thread since construction: suitable for bounds on growth, as other jobs on the machine do
/// not count.
class ThreadTime {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  double start_ = now();
};

}  // namespace gridiron::test
