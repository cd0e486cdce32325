// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace gridiron {

/// Reads a SPICE number at `first`: digits, exponent, one of the scale suffixes t g meg k m u n p f a mil (any case),
/// then letters of a unit, which are ignored: 1.5, .5k, 10uV, 3MEGohm. Returns the end of what was read, or nullptr
/// when no number stands there or it does not fit a double. Correctly rounded.
const char* parse_spice_number(const char* first, const char* last, double& value);

/// The whole text as a number, or nothing.
std::optional<double> spice_number(std::string_view text);

}  // namespace gridiron
