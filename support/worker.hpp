// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

namespace gridiron {

/// A thread that runs jobs in the order of submission.
class Worker {
 public:
  Worker() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

  /// The future holds any exception thrown by the job.
  std::future<void> submit(std::function<void()> job) {
    std::packaged_task<void()> task(std::move(job));
    std::future<void> done = task.get_future();
    {
      const std::lock_guard lock(guard_);
      waiting_.push_back(std::move(task));
    }
    changed_.notify_one();
    return done;
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(guard_);
    while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
      std::packaged_task<void()> task = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex guard_;
  std::condition_variable_any changed_;
  std::deque<std::packaged_task<void()>> waiting_;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace gridiron
