// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gridiron {

using Point = std::array<double, 3>;

/// ∇·(σ∇u) + a u = f in a box, on a regular grid. FiniteVolumes is its discretisation. The last axis of a 2-D grid has
/// size 1 and spacing 1.
struct RegularGrid {
  /// Location of the values: at points, of which the first and last lie on the boundary, or at cell centres.
  enum class Places : uint8_t { points, cells };
  enum class Boundary : uint8_t { dirichlet, neumann };
  /// Which points are coupled. axes: nearest neighbours along each axis, five points in 2-D and seven in 3-D, with the
  /// harmonic mean of σ. radial: all adjacent points, nine and 27 points, weighted by 1 / distance, with the arithmetic
  /// mean of σ: eq. (5) of the SGML paper with the factor that makes it consistent; requires points, one σ and one
  /// spacing for all axes, and uses mirror images at Neumann faces.
  enum class Stencil : uint8_t { axes, radial };
  using Index = std::array<int64_t, 3>;

  int dimensions = 2;
  Places places = Places::points;
  Stencil stencil = Stencil::axes;
  Index size{1, 1, 1};  ///< points, boundary included, or cells, per axis
  std::array<double, 3> spacing{1, 1, 1};
  std::array<std::vector<double>, 3> sigma;  ///< σ along each axis: one value, or one per point or cell, x fastest
  double shift = 0;                          ///< a
  std::array<std::array<Boundary, 2>, 3> boundary{};  ///< [axis][0 at its start, 1 at its end]

  /// Unknowns are numbered with x running fastest. Points on a Dirichlet face are not unknowns: along each axis the
  /// unknowns are the points from first_unknown(axis) on, unknowns(axis) of them.
  int64_t first_unknown(int axis) const { return is_known(axis, 0); }
  int64_t unknowns(int axis) const { return size[axis] - is_known(axis, 0) - is_known(axis, 1); }
  int64_t unknowns() const { return unknowns(0) * unknowns(1) * unknowns(2); }

  /// Points or cells, boundary included, numbered with x running fastest.
  int64_t points() const { return size[0] * size[1] * size[2]; }
  Index point(int64_t i) const { return {i % size[0], i / size[0] % size[1], i / size[0] / size[1]}; }
  int64_t number(const Index& at) const { return (at[2] * size[1] + at[1]) * size[0] + at[0]; }

  /// How many spacings long the grid is along an axis.
  int64_t steps(int axis) const { return size[axis] - (places == Places::points); }

  /// The share of a spacing along an axis that belongs to point i: half at a face.
  double share(int axis, int64_t i) const {
    const bool is_at_face = i == 0 || i == size[axis] - 1;
    return axis < dimensions && places == Places::points && is_at_face ? 0.5 : 1.0;
  }

  bool is_all_neumann() const {
    for (int axis = 0; axis < dimensions; ++axis)
      for (const Boundary face : boundary[axis])
        if (face != Boundary::neumann) return false;
    return true;
  }

  /// With Neumann conditions everywhere and no shift, u is determined only up to a constant. Then the diagonal entry of
  /// this unknown, in the middle of the grid, is doubled in the matrix: as right-hand sides sum to 0, that fixes u at 0
  /// there and changes nothing else. −1: there is no such unknown.
  int64_t grounded_unknown() const {
    if (!is_all_neumann() || shift != 0) return -1;
    return number({size[0] / 2, size[1] / 2, size[2] / 2});
  }

 private:
  bool is_known(int axis, int end) const {
    return axis < dimensions && places == Places::points && boundary[axis][end] == Boundary::dirichlet;
  }
};

/// Whether a field is constant.
bool is_constant(const std::vector<double>& field);

/// Whether σ is constant along each axis.
bool is_uniform(const RegularGrid& grid);

}  // namespace gridiron
