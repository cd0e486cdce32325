// SPDX-License-Identifier: Apache-2.0
#include "support/short_waits.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>

#include "support/threads.hpp"

namespace gridiron {
namespace {

/// No loop over so few items is divided.
constexpr int64_t kFewItems = 1 << 12;

/// What the OpenMP library, loaded together with this one at the latest, was told.
const bool is_told = std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT");

/// Threads of a team that, beside one of the calling thread, makes more than there are processors. OpenMP's library
/// counts all threads of teams but the first ones of all teams except one.
int sleepers_needed() { return std::max(2, omp_get_num_procs() - omp_get_max_threads() + 2); }

}  // namespace

/// A team of threads that sleep.
class ShortWaits::Sleepers {
 public:
  explicit Sleepers(int count) : first_([this, count] { sleep(count); }) {}
  ~Sleepers() { end_.count_down(); }
  Sleepers(const Sleepers&) = delete;
  Sleepers& operator=(const Sleepers&) = delete;

 private:
  void sleep(int count) {
#pragma omp parallel num_threads(count)
    is_team_ = omp_get_num_threads() > 1;  // or the compiler leaves the region out, and the threads with it
    end_.wait();
  }

  std::latch end_{1};
  std::atomic<bool> is_team_ = false;
  std::jthread first_;  ///< last: it uses all of the above
};

ShortWaits::ShortWaits(int64_t items) {
  if (is_told || items <= kFewItems || omp_get_max_threads() < 2 || omp_in_parallel()) return;
  static std::mutex mutex;
  static std::weak_ptr<Sleepers> present;
  const std::lock_guard lock(mutex);
  sleepers_ = present.lock();
  if (sleepers_) return;
  const int needed = sleepers_needed();
  if (!can_start_threads(omp_get_max_threads() + needed)) return;
  try {
    present = sleepers_ = std::make_shared<Sleepers>(needed);
  } catch (const std::system_error&) {  // a thread was denied: waits stay long
  }
}

ShortWaits::~ShortWaits() = default;

}  // namespace gridiron
