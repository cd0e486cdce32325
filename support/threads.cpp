// SPDX-License-Identifier: Apache-2.0
#include "support/threads.hpp"

#include <omp.h>
#include <sys/resource.h>

#include <algorithm>

namespace gridiron {
namespace {

int threads_that_fit() {
  constexpr rlim_t kStackAndArena = rlim_t{256} << 20;
  rlimit address_space{};
  if (getrlimit(RLIMIT_AS, &address_space) != 0) return kMostThreads;
  return static_cast<int>(std::clamp<rlim_t>(address_space.rlim_cur / kStackAndArena, 1, kMostThreads));
}

}  // namespace

int usable_threads(int threads) { return std::min({threads, omp_get_num_procs(), threads_that_fit()}); }

}  // namespace gridiron
