// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace gridiron {

/// Reads a SPICE number at `first`: digits, exponent, one of the scale suffixes t g meg k m u n p f a mil (any case),
/// then letters of a unit, which are ignored: 1.5, .5k, 10uV, 3MEGohm. Returns the end of the number, or nullptr if
/// there is none or it is out of range for a double. Correctly rounded.
const char* parse_spice_number(const char* first, const char* last, double& value);

/// The whole text as a number, if it is one.
std::optional<double> spice_number(std::string_view text);

/// A voltage as users write it: 10uV, 50mV, 0.05; none for other units, such as 50mA.
std::optional<double> volts(std::string_view text);
/// The same of currents, where "1a" is an ampere, of resistances, and of times.
std::optional<double> amperes(std::string_view text);
std::optional<double> ohms(std::string_view text);
std::optional<double> seconds(std::string_view text);

}  // namespace gridiron
