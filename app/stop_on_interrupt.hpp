// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <thread>

namespace gridiron {

/// While there is one, the first Ctrl-C or SIGTERM requests a stop, so that a search ends with what it has found; the
/// second one ends the process.
class StopOnInterrupt {
 public:
  StopOnInterrupt();
  ~StopOnInterrupt();
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread watcher_;
};

}  // namespace gridiron
