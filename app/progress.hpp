// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "support/stopwatch.hpp"

namespace gridiron {

/// A line on stderr that shows the current stage of a run, rewritten in place; silent unless stderr is a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  void stage(std::string_view name);
  /// Removes the line.
  void finish();

 private:
  bool active_;
  std::string shown_;
  Stopwatch watch_;
};

}  // namespace gridiron
