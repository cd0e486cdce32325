// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

namespace gridiron {

/// RAII guard for programs that use the library: OpenMP threads that wait for others go to sleep within microseconds.
/// By default GCC's OpenMP library has them spin for milliseconds at the end of every loop, in the way of the threads
/// that they wait for where other jobs are running. Its settings are read when it is loaded, but it lets threads spin
/// 100 times instead of 300 000 while it has more of them than there are processors (GOMP_SPINCOUNT in its manual). So
/// the first of several guards starts as many as that takes, which sleep until the last one ends.
///
/// Does nothing where the environment set OMP_WAIT_POLICY or GOMP_SPINCOUNT when the library was loaded, as the tool
/// and the Python package do.
class ShortWaits {
 public:
  /// For the calling thread's loops over at most so many items: short ones run on one thread, which waits for none.
  explicit ShortWaits(int64_t items = std::numeric_limits<int64_t>::max());
  ~ShortWaits();
  ShortWaits(const ShortWaits&) = delete;
  ShortWaits& operator=(const ShortWaits&) = delete;

 private:
  class Sleepers;
  std::shared_ptr<Sleepers> sleepers_;
};

}  // namespace gridiron
