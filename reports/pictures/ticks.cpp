// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridiron {

std::vector<Tick> ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  const int exponent = static_cast<int>(std::floor(std::log10(rough)));
  const double power = std::pow(10.0, exponent);
  const double step = rough <= 1.5 * power   ? power
                      : rough <= 3.5 * power ? 2 * power
                      : rough <= 7.5 * power ? 5 * power
                                             : 10 * power;
  const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 15);

  std::vector<Tick> result;
  const double slack = 1e-9 * step;
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k)
    result.push_back({k * step, fmt::format("{:.{}f}", k * step + 0.0, decimals)});
  return result;
}

std::vector<Tick> logarithmic_ticks(double low, double high, int count) {
  const double decades = std::log10(high / low);
  if (decades < 1) {
    std::vector<Tick> result = ticks(low, high, count);
    for (Tick& tick : result) tick.label = fmt::format("{:g}", tick.value);
    return result;
  }
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, count))));
  const bool has_room = decades * 3 <= count;
  constexpr double kSlack = 1e-9;
  std::vector<Tick> result;
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); exponent <= std::log10(high) + kSlack; ++exponent)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, exponent);
      const bool is_chosen = factor == 1 ? exponent % every == 0 : has_room;
      if (is_chosen && value >= low * (1 - kSlack) && value <= high * (1 + kSlack))
        result.push_back({value, fmt::format("{:g}", value)});
    }
  return result;
}

}  // namespace gridiron
