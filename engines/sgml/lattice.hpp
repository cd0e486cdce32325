// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/device.hpp"

namespace gridiron::sgml {

/// The points of one level and the memory layout of a field on them. Unknowns are the points not on a Dirichlet face;
/// they form a box, stored line after line (along x) with a ring of zeros (ghost points) around it: Dirichlet values,
/// or points beyond a Neumann face, which have no weight.
struct Lattice {
  int dimensions = 2;
  int64_t points[3] = {1, 1, 1};  ///< per axis, boundary included
  bool fixed[3][2] = {};          ///< is the face at the start or end of an axis a Dirichlet face?

  bool operator==(const Lattice&) const = default;

  GRIDIRON_HOST_DEVICE int64_t unknowns(int axis) const { return points[axis] - fixed[axis][0] - fixed[axis][1]; }
  GRIDIRON_HOST_DEVICE int64_t unknowns() const { return unknowns(0) * lines(); }
  GRIDIRON_HOST_DEVICE int64_t lines() const { return unknowns(1) * unknowns(2); }
  GRIDIRON_HOST_DEVICE int64_t pitch() const { return unknowns(0) + 2; }
  GRIDIRON_HOST_DEVICE int64_t plane() const { return dimensions == 3 ? pitch() * (unknowns(1) + 2) : 0; }
  int64_t size() const { return pitch() * (unknowns(1) + 2) * (dimensions == 3 ? unknowns(2) + 2 : 1); }

  /// Where unknown (x, y, z) is stored; −1 and unknowns(axis) are the ring.
  GRIDIRON_HOST_DEVICE int64_t at(int64_t x, int64_t y, int64_t z) const {
    return (z + 1) * plane() + (y + 1) * pitch() + x + 1;
  }
  // Lines are fewer than 2³², and a GPU divides 32-bit integers several times faster than 64-bit ones.
  GRIDIRON_HOST_DEVICE int64_t y_of(int64_t line) const {
    return static_cast<uint32_t>(line) % static_cast<uint32_t>(unknowns(1));
  }
  GRIDIRON_HOST_DEVICE int64_t z_of(int64_t line) const {
    return static_cast<uint32_t>(line) / static_cast<uint32_t>(unknowns(1));
  }
  GRIDIRON_HOST_DEVICE int64_t at(int64_t line, int64_t x) const { return at(x, y_of(line), z_of(line)); }

  GRIDIRON_HOST_DEVICE int64_t point_of(int axis, int64_t unknown) const { return unknown + fixed[axis][0]; }
  GRIDIRON_HOST_DEVICE int64_t unknown_of(int axis, int64_t point) const { return point - fixed[axis][0]; }

  /// The share of its cell along an axis that a point owns: half at a face.
  GRIDIRON_HOST_DEVICE double share_of_point(int axis, int64_t point) const {
    return axis < dimensions && (point == 0 || point == points[axis] - 1) ? 0.5 : 1.0;
  }
  GRIDIRON_HOST_DEVICE double share(int axis, int64_t unknown) const {
    return share_of_point(axis, point_of(axis, unknown));
  }
};

/// A lattice of fewer than 2³¹ entries, for kernels that would spend most of their time on 64-bit places.
class SmallLattice {
 public:
  explicit SmallLattice(const Lattice& lattice)
      : pitch_(static_cast<int32_t>(lattice.pitch())), plane_(static_cast<int32_t>(lattice.plane())) {
    for (int axis = 0; axis < 3; ++axis) {
      unknowns_[axis] = static_cast<int32_t>(lattice.unknowns(axis));
      first_[axis] = lattice.fixed[axis][0];
    }
  }
  static bool holds(const Lattice& lattice) { return lattice.size() < int64_t{1} << 31; }

  GRIDIRON_HOST_DEVICE int32_t unknowns(int axis) const { return unknowns_[axis]; }
  GRIDIRON_HOST_DEVICE int32_t pitch() const { return pitch_; }
  GRIDIRON_HOST_DEVICE int32_t plane() const { return plane_; }
  GRIDIRON_HOST_DEVICE int32_t at(int32_t x, int32_t y, int32_t z) const {
    return (z + 1) * plane_ + (y + 1) * pitch_ + x + 1;
  }
  GRIDIRON_HOST_DEVICE int32_t point_of(int axis, int32_t unknown) const { return unknown + first_[axis]; }
  GRIDIRON_HOST_DEVICE int32_t unknown_of(int axis, int32_t point) const { return point - first_[axis]; }

 private:
  int32_t pitch_, plane_, unknowns_[3];
  int32_t first_[3];  ///< the point that is unknown 0
};

/// For kernels of for_each_line that need only the number of their line.
struct LineNumber {
  GRIDIRON_HOST_DEVICE int64_t operator()(int64_t line) const { return line; }
};

}  // namespace gridiron::sgml
