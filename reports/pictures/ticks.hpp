// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gridiron {

inline constexpr int kTickLength = 5;  ///< pixels

/// Ticks of an axis: multiples of 1, 2 or 5 times a power of ten.
struct Tick {
  double value = 0;
  std::string label;
};

/// About `count` ticks within [low, high], low < high; labels have as many decimals as they need.
std::vector<Tick> ticks(double low, double high, int count);

/// At most about `count` ticks for a logarithmic axis, 0 < low < high: powers of ten, and 2 and 5 times these if there
/// is room; within less than a decade those of ticks().
std::vector<Tick> logarithmic_ticks(double low, double high, int count);

}  // namespace gridiron
