// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/verdict.hpp"

#include <fmt/format.h>

#include "support/error_text.hpp"

namespace gridiron {

Verdict::Outcome Verdict::outcome() const {
  if (exceeded_ > 0) return Outcome::exceeded;
  if (undecided_ > 0 || !left_out_text_.empty()) return Outcome::undecided;
  return kept_ > 0 ? Outcome::kept : Outcome::none;
}

std::string Verdict::undecided_text(std::string_view of_what) const {
  if (!open_text_.empty())
    return fmt::format("{}{}{}", undecided_text_, undecided_text_.empty() ? "" : "; ", open_text_);
  return fmt::format(
      "{}{}{}{}{}", undecided_text_, needs_tolerance_ || needs_steps_ ? "; " : "",
      needs_tolerance_ ? fmt::format("lower {}{}", field("tolerance"), of_what) : "",
      needs_tolerance_ && needs_steps_ ? ", and " : "",
      needs_steps_ ? fmt::format("give a shorter {}, or {}", field("step"), field("time_tolerance")) : "");
}

const char* name_of(Verdict::Outcome outcome) {
  constexpr const char* kNames[] = {"none", "kept", "undecided", "exceeded"};
  return kNames[static_cast<int>(outcome)];
}

}  // namespace gridiron
