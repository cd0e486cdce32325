// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "device/host_device.hpp"

namespace gridiron {

/// One axis of two grids over the same interval, and linear interpolation (hat functions) between them. Usually every
/// second point is one of the coarse grid; an axis that is not coarsened keeps all points, and a grid whose size is not
/// 2ⁿ+1 is embedded: its points do not coincide with those of the coarse one. A single coarse point stands in the
/// middle and takes the sum of all.
struct AxisMap {
  int64_t fine = 1, coarse = 1;  ///< points, boundary included

  bool operator==(const AxisMap&) const = default;

  GRIDIRON_HOST_DEVICE bool is_halved() const { return coarse > 1 && fine - 1 == 2 * (coarse - 1); }
  GRIDIRON_HOST_DEVICE bool is_kept() const { return fine == coarse; }
  GRIDIRON_HOST_DEVICE bool is_nested() const { return is_halved() || is_kept(); }
  GRIDIRON_HOST_DEVICE int step() const { return is_halved() ? 2 : 1; }  ///< of nested grids

  /// Two neighbouring points and the weight of the second one.
  struct Between {
    int64_t first;
    double weight;
  };
  /// The position of fine point p among the coarse ones, and vice versa.
  GRIDIRON_HOST_DEVICE Between in_coarse(int64_t p) const { return between(p, fine, coarse); }
  GRIDIRON_HOST_DEVICE Between in_fine(int64_t p) const { return between(p, coarse, fine); }

  /// Weight of coarse point `c` at fine point `p`.
  GRIDIRON_HOST_DEVICE double hat(int64_t c, int64_t p) const {
    const Between b = in_coarse(p);
    return c == b.first ? 1 - b.weight : c == b.first + 1 ? b.weight : 0.0;
  }
  /// The support of the hat of coarse point `c`: its first and last fine points.
  GRIDIRON_HOST_DEVICE int64_t support_begin(int64_t c) const {
    return c == 0 || coarse == 1 ? 0 : (c - 1) * (fine - 1) / (coarse - 1);
  }
  GRIDIRON_HOST_DEVICE int64_t support_end(int64_t c) const {
    return c + 1 >= coarse ? fine - 1 : ((c + 1) * (fine - 1) + coarse - 2) / (coarse - 1);
  }

 private:
  GRIDIRON_HOST_DEVICE static Between between(int64_t p, int64_t from, int64_t to) {
    if (to == 1) return {0, 0.0};
    if (from == 1) return {(to - 1) / 2, (to - 1) % 2 == 0 ? 0.0 : 0.5};
    const int64_t scaled = p * (to - 1), first = scaled / (from - 1);
    return {first, static_cast<double>(scaled % (from - 1)) / (from - 1)};
  }
};

/// One per axis.
using AxisMaps = std::array<AxisMap, 3>;

}  // namespace gridiron
