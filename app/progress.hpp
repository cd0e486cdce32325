// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/context.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// A line on stderr that shows the current stage of a run, how much of it is done and the time left, rewritten in
/// place; silent unless stderr is a terminal. Calls must not overlap.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  /// A stage begins, or is taken up again.
  void stage(std::string_view name);
  /// The current stage goes on under another name.
  void rename(std::string_view stage);
  /// The share of the current work that is done, 0 to 1; it may go on over several stages, and a smaller one is
  /// ignored.
  void share(double done);
  void part(int64_t done, int64_t all) { share(static_cast<double>(done) / static_cast<double>(all)); }
  /// Shows what a run tells its context; the line must outlive the context's use.
  void follow(Context& context);
  /// Removes the line.
  void finish();

 private:
  void print();

  bool active_;
  std::vector<std::string> stages_;
  double begun_s_ = 0, printed_s_ = -1;
  double share_ = 0;  ///< done since begun_s_
  Stopwatch watch_;
};

/// "3 s", "2 min 5 s", "1 h 12 min".
std::string duration(double seconds);

/// What ProgressLine shows: the stages, the share of the last one and the time left, in `columns` characters at most.
std::string progress_text(double elapsed_s, const std::vector<std::string>& stages, double share, double since_s,
                          size_t columns);

}  // namespace gridiron
