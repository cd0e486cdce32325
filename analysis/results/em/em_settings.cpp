// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/em/em_settings.hpp"

#include <cmath>

#include "netlist/tables/temperatures.hpp"
#include "support/error_text.hpp"

namespace gridiron {

void require_ranges(const EmSettings& settings) {
  const auto require_celsius = [](const char* name, const std::optional<double>& celsius) {
    if (celsius && !(*celsius > kColdestC && *celsius <= kHottestC))
      throw field_error(name, "{:g}: expected a temperature in °C above {}, of at most {:g}", *celsius, kColdestC,
                        kHottestC);
  };
  const auto require_above_0 = [](const char* name, double value, double most) {
    if (!(value > 0 && value <= most))
      throw field_error(name, "{:g}: expected a number above 0, of at most {:g}", value, most);
  };
  require_celsius("em_temperature", settings.temperature_c);
  require_celsius("em_rule_temperature", settings.of_rules_c);
  constexpr double kMostEv = 10, kMostExponent = 100, kMostHz = 1e15;
  require_above_0("em_ea", settings.activation_ev, kMostEv);
  require_above_0("em_n", settings.exponent, kMostExponent);
  if (settings.frequency_hz) require_above_0("em_frequency", *settings.frequency_hz, kMostHz);
  if (!(settings.recovery >= 0 && settings.recovery <= 1))
    throw field_error("em_recovery", "{:g}: expected a number from 0 to 1", settings.recovery);
}

}  // namespace gridiron
