// SPDX-License-Identifier: Apache-2.0
#include "app/session/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "support/nearest_names.hpp"

namespace gridiron {

std::string Argument::fault(const std::string& text) const {
  if (!choices.empty() && std::ranges::find(choices, text) == choices.end())
    return fmt::format("'{}': expected {}{}{}", text, choices.size() > 1 ? "one of " : "", fmt::join(choices, ", "),
                       did_you_mean(text, choices));
  if (text.empty() && kind == Kind::text)
    return is_positional ? "is empty" : "is empty; give a value, or leave the option out";
  return check ? check(text) : "";
}

const Argument* Command::find(std::string_view field) const {
  const auto found = std::ranges::find_if(arguments, [&](const Argument& a) { return a.field == field; });
  return found == arguments.end() ? nullptr : &*found;
}

std::string declaring::shown(double value) { return value == 0 ? "" : fmt::format("{}", value); }

}  // namespace gridiron
