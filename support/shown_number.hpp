// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>

namespace gridiron {

/// A number in a text for people, formatted as a double; "n/a" if it is not finite.
struct Shown {
  double value;
};

}  // namespace gridiron

/// @cond Doxygen does not know what this specializes.
template <>
struct fmt::formatter<gridiron::Shown> : fmt::formatter<double> {
  auto format(gridiron::Shown number, auto& context) const {
    if (!std::isfinite(number.value)) return fmt::format_to(context.out(), "n/a");
    return fmt::formatter<double>::format(number.value, context);
  }
};
/// @endcond
