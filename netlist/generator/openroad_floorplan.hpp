// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "netlist/generator/deck_writer.hpp"
#include "netlist/generator/random.hpp"

namespace gridiron::generator {

// Where style openroad has metal and loads, in database units (2000 per µm). Generated layouts have the same floorplan.

/// Parallel rails or straps of one net.
struct Straps {
  int number;  ///< of the metal
  bool horizontal;
  int64_t pitch, offset;
};
/// The contest decks end at m9; our layers above are alike.
inline constexpr Straps kOpenroadStraps[] = {
    {1, true, 4800, 0},     {4, false, 28000, 4000},  {7, true, 80000, 4000},  {8, false, 22400, 4000},
    {9, true, 22400, 4000}, {10, false, 44800, 4000}, {11, true, 44800, 4000}, {12, false, 44800, 4000},
};
inline constexpr int64_t kRegionSize = 200'000;

/// Square parts of the die that differ in the density of straps, occupancy and power.
class Regions {
 public:
  explicit Regions(Random random) : random_(random) {}

  struct Region {
    int64_t key;
    int64_t strap_stride;      ///< every strap, every second, every third
    int64_t occupied_percent;  ///< places with a load
    int64_t power_percent;
  };
  Region at(Point p) const {
    static constexpr int64_t kStrides[] = {1, 2, 2, 3};
    const int64_t u = p.x / kRegionSize, v = p.y / kRegionSize;
    return {.key = (u << 32) + v,
            .strap_stride = kStrides[random_.below(4, {kStride, u, v})],
            .occupied_percent = 40 + 20 * random_.below(4, {kDensity, u, v}),
            .power_percent = 50 + 20 * random_.below(6, {kPower, u, v})};
  }
  /// Whether there is the strap of this number, counted from 0. The first one crosses all regions, so that every rail
  /// is fed.
  bool has_strap(int64_t number, Point p) const { return number % at(p).strap_stride == 0; }

  /// The highest current per strap of a region of the die, where 1e4 is that of a fully occupied region of 100 % power
  /// with every strap.
  int64_t highest_current(int64_t width, int64_t height) const {
    int64_t highest = 0;
    for (int64_t y = 0; y <= height; y += kRegionSize) {
      for (int64_t x = 0; x <= width; x += kRegionSize) {
        const Region r = at({x, y});
        highest = std::max(highest, r.strap_stride * r.occupied_percent * r.power_percent);
      }
    }
    return highest;
  }

  /// Keys of random numbers from here on are free.
  static constexpr int64_t kFirstFreeKey = 3;

 private:
  enum Stream : int64_t { kStride, kDensity, kPower };
  Random random_;
};

}  // namespace gridiron::generator
