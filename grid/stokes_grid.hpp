// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gridiron {

/// Q2-Q1 Taylor-Hood elements on nx × ny equal rectangles, for
///
///     a u − ∇·(ν∇u) + ∇p = f,  −∇·u = 0,  u given on the whole boundary.
///
/// Velocity nodes are the points (I, J) of a lattice with half the spacing of the elements, 0 <= I <= 2 nx. By parity
/// they form four structured arrays: nodes, x-edges (I odd), y-edges (J odd) and centres. Unknown are the velocities
/// inside and the pressure at all nodes. Order: u at nodes, x-edges, y-edges, centres, then v likewise, then p; x runs
/// fastest within each array.
struct StokesGrid {
  using Index = std::array<int64_t, 2>;
  enum Kind { nodes, x_edges, y_edges, centres };  ///< bit 0: halfway along x, bit 1: halfway along y

  Index elements{};                    ///< nx, ny
  std::array<double, 2> spacing{};     ///< sides of an element
  std::vector<double> viscosity{1.0};  ///< one for all elements, or one per element, x fastest
  double reaction = 0;                 ///< a: 1/Δt in an implicit step in time

  /// The array of one kind of velocity: its first element along each axis that is not on the boundary, and their
  /// number.
  struct Extent {
    Index first{}, count{};
    int64_t size() const { return count[0] * count[1]; }
  };
  Extent extent(int kind) const {
    Extent extent;
    for (int axis = 0; axis < 2; ++axis) {
      const bool is_halfway = kind >> axis & 1;
      extent.first[axis] = is_halfway ? 0 : 1;
      extent.count[axis] = is_halfway ? elements[axis] : elements[axis] - 1;
    }
    return extent;
  }

  /// Unknowns of one velocity component.
  int64_t velocities() const { return (2 * elements[0] - 1) * (2 * elements[1] - 1); }
  int64_t pressures() const { return (elements[0] + 1) * (elements[1] + 1); }
  int64_t unknowns() const { return 2 * velocities() + pressures(); }

  /// The unknown velocity of a component at a point of the lattice; -1 on the boundary and outside.
  int64_t velocity(int component, const Index& at) const {
    for (int axis = 0; axis < 2; ++axis)
      if (at[axis] <= 0 || at[axis] >= 2 * elements[axis]) return -1;
    const int kind = static_cast<int>((at[0] & 1) | (at[1] & 1) << 1);
    int64_t start = component * velocities();
    for (int before = 0; before < kind; ++before) start += extent(before).size();
    const Extent here = extent(kind);
    return start + ((at[1] >> 1) - here.first[1]) * here.count[0] + (at[0] >> 1) - here.first[0];
  }
  /// The pressure at node (i, j).
  int64_t pressure(int64_t i, int64_t j) const { return 2 * velocities() + j * (elements[0] + 1) + i; }

  double viscosity_of(int64_t i, int64_t j) const {
    return viscosity.size() == 1 ? viscosity[0] : viscosity[j * elements[0] + i];
  }
  bool has_constant_viscosity() const { return viscosity.size() == 1; }

  /// Pressure is determined up to a constant. This unknown, in the middle, gets `ground()` on its diagonal. As the
  /// pressure's rows sum to zero, so does what flows through the ground if the data are compatible: the other unknowns
  /// are those of the singular system, with this one zero.
  int64_t grounded_unknown() const { return pressure(elements[0] / 2, elements[1] / 2); }
  double ground() const { return -spacing[0] * spacing[1] / viscosity_of(elements[0] / 2, elements[1] / 2); }
};

/// One-dimensional matrices of an element of length 1: quadratic functions with nodes 0, ½, 1, linear ones with nodes
/// 0, 1.
namespace taylor_hood {

inline constexpr double kMass[3][3] = {
    {4. / 30, 2. / 30, -1. / 30}, {2. / 30, 16. / 30, 2. / 30}, {-1. / 30, 2. / 30, 4. / 30}};
inline constexpr double kStiffness[3][3] = {
    {7. / 3, -8. / 3, 1. / 3}, {-8. / 3, 16. / 3, -8. / 3}, {1. / 3, -8. / 3, 7. / 3}};
inline constexpr double kMixedMass[2][3] = {{1. / 6, 1. / 3, 0}, {0, 1. / 3, 1. / 6}};              ///< ∫ q v
inline constexpr double kGradient[2][3] = {{-5. / 6, 2. / 3, 1. / 6}, {-1. / 6, -2. / 3, 5. / 6}};  ///< ∫ q v'

}  // namespace taylor_hood

}  // namespace gridiron
