// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// Along x and y (horizontal) and along z, millidarcy.
struct Permeability {
  double horizontal, vertical;
};

/// Synthetic rock in the style of the SPE10 benchmark's second model (M. Christie, M. Blunt, "Tenth SPE comparative
/// solution project", 2001): 35 layers of near-shore sand, lognormal and correlated along the layer, above 50 layers of
/// fluvial deposits, where winding channels of clean sand are embedded in tight rock. A function of seed and position
/// alone, so every resolution samples the same rock.
class PorousRock {
 public:
  /// The benchmark's cells, the units of the coordinates of at().
  static constexpr std::array<int64_t, 3> kCells{60, 220, 85};

  explicit PorousRock(uint64_t seed);

  /// x in [0, 60], y in [0, 220], depth z in [0, 85].
  Permeability at(double x, double y, double z) const;

 private:
  /// A river bed in plan view: its centre line is a sine along y.
  struct Channel {
    double middle, swing, wavelength, phase, half_width;
  };
  static constexpr int kBelts = 10, kChannelsPerBelt = 4;

  Permeability sand(double x, double y, double z) const;
  Permeability river_deposit(double x, double y, double z) const;
  bool in_channel(double x, double y, double z) const;

  uint64_t seed_;
  std::array<std::array<Channel, kChannelsPerBelt>, kBelts> belts_;
};

/// Cells in the ratio 60 : 220 : 85, `size` of them along the longest side.
RegularGrid::Index porous_shape(int64_t size);

/// Pressure 1 at the start of the y axis and 0 at its end, no flow through the other faces; 365.76 m × 670.56 m ×
/// 51.816 m of PorousRock.
PdeModel porous_model(const RegularGrid::Index& shape, uint64_t seed);

}  // namespace gridiron
