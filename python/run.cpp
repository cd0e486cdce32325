// SPDX-License-Identifier: Apache-2.0
#include "python/run.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "support/error_text.hpp"
#include "support/threads.hpp"

namespace gridiron::python {
namespace {

/// Looks for signals until `done`. Only Python's main thread ever finds one.
class Watch {
 public:
  void until_done(std::stop_source& stop) {
    constexpr std::chrono::milliseconds kPeriod{20};
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kPeriod, [this] { return is_done_; })) {
      lock.unlock();
      {
        const py::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) {
          raised_.emplace();
          stop.request_stop();
        }
      }
      lock.lock();
    }
  }
  void done() {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    changed_.notify_one();
  }
  void throw_what_was_raised() const {
    if (raised_) throw *raised_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::optional<py::error_already_set> raised_;
};

}  // namespace

void run(std::stop_source stop, const std::function<void()>& work) {
  Watch watch;
  std::exception_ptr error;
  {
    const py::gil_scoped_release release;
    const std::jthread worker([&] {
      try {
        work();
      } catch (...) {
        error = std::current_exception();
      }
      watch.done();
    });
    watch.until_done(stop);
  }
  watch.throw_what_was_raised();
  if (error) std::rethrow_exception(error);
}

int threads_given(int threads) {
  if (threads < 0 || threads > kMostThreads)
    throw field_error("threads", "{}: expected 0 to {}", threads, kMostThreads);
  return usable_threads(threads);
}

void throw_busy(const char* what) {
  throw input_error("this {} is at work; wait until it returns, or use another one", what);
}

}  // namespace gridiron::python
