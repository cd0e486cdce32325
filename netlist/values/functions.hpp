// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "netlist/values/quantity.hpp"

namespace gridiron {

/// A function that expressions may use without defining it. Internal to netlist/.
struct BuiltIn {
  std::string_view name;
  size_t least, most;  ///< arguments
  double (*call)(const double* arguments, size_t count, Dialect dialect);
};

/// The function of that name, in any case, or null.
const BuiltIn* find_built_in(std::string_view name);

/// All of them, by name.
std::span<const BuiltIn> built_in_functions();

/// `base ** exponent`, on whose value for a negative base programs disagree. Errors: ExpressionError.
double raised(double base, double exponent, Dialect dialect);

}  // namespace gridiron
