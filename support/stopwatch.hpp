// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace gridiron {

/// Wall-clock seconds since construction or the last lap().
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  double lap() {
    const double elapsed = seconds();
    start_ = Clock::now();
    return elapsed;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace gridiron
