// SPDX-License-Identifier: Apache-2.0
#include "support/threads.hpp"

#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace gridiron {
namespace {

int threads_that_fit() {
  constexpr rlim_t kStackAndArena = rlim_t{256} << 20;
  rlimit address_space{};
  if (getrlimit(RLIMIT_AS, &address_space) != 0) return kMostThreads;
  return static_cast<int>(std::clamp<rlim_t>(address_space.rlim_cur / kStackAndArena, 1, kMostThreads));
}

/// Threads of this process; −1 where the system does not tell.
ptrdiff_t running_threads() {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return error ? -1 : std::distance(begin(tasks), end(tasks));
}

/// Of `most`, with the calling one: the system may deny more (`ulimit -u`, a container's limit of processes), which
/// shows only when they are started.
int threads_that_start(int most) {
  static std::atomic<int> granted = 1;
  if (most <= granted) return most;
  const ptrdiff_t before = running_threads();
  std::latch all_started(1);
  std::vector<std::jthread> others;
  try {
    while (std::ssize(others) < most - 1) others.emplace_back([&] { all_started.wait(); });
  } catch (const std::system_error&) {  // that many it is
  }
  all_started.count_down();
  const int started = 1 + static_cast<int>(others.size());
  others.clear();
  // A thread that was joined counts for a moment more.
  constexpr int kTries = 1000;
  for (int k = 0; k < kTries && running_threads() > before; ++k) std::this_thread::yield();
  granted = started;
  return started;
}

}  // namespace

int usable_threads(int threads) {
  const int worth_starting = std::min({threads, omp_get_num_procs(), threads_that_fit()});
  return worth_starting > 1 ? threads_that_start(worth_starting) : worth_starting;
}

bool can_start_threads(int threads) { return threads <= threads_that_fit() && threads_that_start(threads) >= threads; }

}  // namespace gridiron
