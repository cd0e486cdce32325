// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// What all limits of a run come to.
class Verdict {
 public:
  /// Adds a limit, and `words` for it. `open`: why some of it cannot be judged, however exact the results are; empty
  /// where all is.
  template <class Limit>
  void add(const Limit& limit, const std::string& words, const std::string& open = "") {
    ++(limit.exceeded ? exceeded_ : limit.undecided || !open.empty() ? undecided_ : kept_);
    if (limit.exceeded) join(exceeded_text_, words);
    if (limit.undecided) join(undecided_text_, words);
    if (!open.empty()) join(open_text_, open);
    if (limit.undecided && can_be_decided(limit)) (needs_steps(limit) ? needs_steps_ : needs_tolerance_) = true;
  }

  /// Adds a limit that cannot be judged, in words that say why.
  void leave_open(const std::string& words) {
    ++undecided_;
    join(open_text_, words);
  }

  /// Limits are also on islands that the run leaves out, as `words` say.
  void leave_out(const std::string& words) { left_out_text_ = words; }

  enum class Outcome : uint8_t { none, kept, undecided, exceeded };
  /// What is exceeded is so whatever else is not known; none: there are no limits.
  Outcome outcome() const;

  int64_t exceeded() const { return exceeded_; }
  int64_t undecided() const { return undecided_; }
  int64_t all() const { return exceeded_ + undecided_ + kept_; }
  /// A lower tolerance, shorter steps in time may decide one that is undecided.
  bool needs_tolerance() const { return needs_tolerance_; }
  bool needs_steps() const { return needs_steps_; }

  const std::string& exceeded_text() const { return exceeded_text_; }
  const std::string& left_out_text() const { return left_out_text_; }
  /// Which are undecided, and what would decide them: the tolerance `of_what`, steps. Empty if none is.
  std::string undecided_text(std::string_view of_what = "") const;

 private:
  static void join(std::string& list, const std::string& words) { list += (list.empty() ? "" : "; ") + words; }

  /// By more exact results; otherwise its words say what to do.
  template <class Limit>
  static bool can_be_decided(const Limit& limit) {
    if constexpr (requires { limit.is_accepted; })
      return !limit.is_estimated || limit.is_accepted;
    else if constexpr (requires { limit.is_estimated; })
      return !limit.is_estimated;
    else if constexpr (requires { limit.is_certain; })
      return limit.is_certain;
    else
      return true;
  }
  template <class Limit>
  static bool needs_steps(const Limit& limit) {
    if constexpr (requires { limit.needs_steps(); })
      return limit.needs_steps();
    else if constexpr (requires { limit.time_error_v; })
      return limit.is_open || limit.value_v + limit.bound_v <= limit.limit_v;
    else if constexpr (requires { limit.is_open; })
      return limit.is_open;
    else
      return false;
  }

  int64_t exceeded_ = 0, undecided_ = 0, kept_ = 0;
  bool needs_tolerance_ = false, needs_steps_ = false;
  std::string exceeded_text_, undecided_text_, open_text_, left_out_text_;
};

/// "none", "kept", "undecided", "exceeded".
const char* name_of(Verdict::Outcome outcome);

/// Of all limits of a run, static or dynamic: on drops, on currents, on rules, on stress, on lifetimes, over a budget.
Verdict verdict_of(const IrReport& result);

}  // namespace gridiron
