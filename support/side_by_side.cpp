// SPDX-License-Identifier: Apache-2.0
#include "support/side_by_side.hpp"

#include <omp.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace gridiron {
namespace {

class SecondThread {
 public:
  SecondThread() : thread_([this] { work(); }) {}
  ~SecondThread() {
    set(kEnd);
    thread_.join();
  }
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;

  void begin(const std::function<void()>& job) {
    job_ = &job;
    set(kBusy);
  }
  void finish() { wait_while(kBusy); }

 private:
  enum State { kIdle, kBusy, kEnd };

  void set(State state) {
    state_.store(state, std::memory_order_release);
    state_.notify_one();
  }

  /// To sleep and be woken takes longer than the jobs of small grids are apart.
  void wait_while(State state) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds kAwake(200);
    for (const Clock::time_point end = Clock::now() + kAwake; Clock::now() < end; std::this_thread::yield())
      if (state_.load(std::memory_order_acquire) != state) return;
    state_.wait(state, std::memory_order_acquire);
  }

  void work() {
    omp_set_num_threads(1);
    for (;;) {
      wait_while(kIdle);
      if (state_.load(std::memory_order_acquire) == kEnd) return;
      (*job_)();
      set(kIdle);
    }
  }

  const std::function<void()>* job_ = nullptr;
  std::atomic<State> state_{kIdle};
  std::thread thread_;
};

SecondThread& second_thread() {
  thread_local SecondThread second;
  return second;
}

}  // namespace

void begin_beside(const std::function<void()>& job) { second_thread().begin(job); }
void finish_beside() { second_thread().finish(); }

}  // namespace gridiron
