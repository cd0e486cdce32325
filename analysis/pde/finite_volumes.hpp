// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// The volumes that belong to the unknowns of a regular grid, and the faces through which they exchange flow. A point
/// on a Neumann face owns half a cell there, so that all volumes together fill the box.
class FiniteVolumes {
 public:
  using Index = RegularGrid::Index;

  /// Flow through a face is conductance × (value beyond − value here).
  struct Face {
    double conductance;
    std::int64_t neighbour;  ///< the unknown beyond; −1: a Dirichlet boundary, whose value holds at `boundary`
    Point boundary;
  };

  explicit FiniteVolumes(const RegularGrid& grid) : grid_(grid) {
    for (int axis = 0; axis < 3; ++axis) {
      first_[axis] = grid.first_unknown(axis);
      count_[axis] = grid.unknowns(axis);
    }
    for (int steps = 1; steps <= 3; ++steps) radial_weight_[steps] = radial_factor(grid.dimensions) / std::sqrt(steps);
  }

  std::int64_t unknowns() const { return count_[0] * count_[1] * count_[2]; }

  Index index_of(std::int64_t unknown) const {
    const std::int64_t row = unknown / count_[0];
    return {first_[0] + unknown % count_[0], first_[1] + row % count_[1], first_[2] + row / count_[1]};
  }

  bool is_unknown(const Index& at) const {
    for (int axis = 0; axis < 3; ++axis)
      if (at[axis] < first_[axis] || at[axis] >= first_[axis] + count_[axis]) return false;
    return true;
  }

  std::int64_t unknown_at(const Index& at) const {
    return ((at[2] - first_[2]) * count_[1] + at[1] - first_[1]) * count_[0] + at[0] - first_[0];
  }

  Point place_of(const Index& at) const {
    Point place{};
    for (int axis = 0; axis < grid_.dimensions; ++axis)
      place[axis] = (static_cast<double>(at[axis]) + (cells() ? 0.5 : 0.0)) * grid_.spacing[axis];
    return place;
  }

  double volume_of(const Index& at) const { return width(0, at[0]) * width(1, at[1]) * width(2, at[2]); }

  /// Calls f(Face) for each face of the volume at `at` that lets something through, in ascending order of neighbours.
  template <class F>
  void for_each_face(const Index& at, F&& f) const {
    if (grid_.stencil == RegularGrid::Stencil::radial) return for_each_radial(at, f);
    for (int axis = grid_.dimensions - 1; axis >= 0; --axis) visit(at, axis, 0, f);
    for (int axis = 0; axis < grid_.dimensions; ++axis) visit(at, axis, 1, f);
  }

  /// Calls f(axis, end, area, place) for each Neumann face of the box that the volume at `at` touches: through this
  /// much of the face passes what passes at that place.
  template <class F>
  void for_each_wall(const Index& at, F&& f) const {
    for (int axis = 0; axis < grid_.dimensions; ++axis)
      for (int end = 0; end < 2; ++end) {
        if (!is_neumann(axis, end) || at[axis] != (end == 0 ? 0 : grid_.size[axis] - 1)) continue;
        if (grid_.stencil == RegularGrid::Stencil::radial)
          for_each_radial_wall(at, axis, end, f);
        else
          f(axis, end, area(axis, at), cells() ? on_face(axis, end, at) : place_of(at));
      }
  }

  /// s of the consistent radial stencil, 2 / Σ o_x² / |o| over its offsets o.
  static double radial_factor(int dimensions) {
    return dimensions == 2 ? 1 / (1 + std::sqrt(2.0)) : 1 / (1 + 2 * std::sqrt(2.0) + 4 / std::sqrt(3.0));
  }

 private:
  bool cells() const { return grid_.places == RegularGrid::Places::cells; }

  bool is_neumann(int axis, int end) const { return grid_.boundary[axis][end] == RegularGrid::Boundary::neumann; }

  double width(int axis, std::int64_t i) const {
    const bool at_start = i == 0, at_end = i == grid_.size[axis] - 1;
    const bool halved = axis < grid_.dimensions && !cells() && (at_start || at_end);
    return halved ? grid_.spacing[axis] / 2 : grid_.spacing[axis];
  }

  double sigma(int axis, const Index& at) const {
    const std::vector<double>& field = grid_.sigma[axis];
    return field.size() == 1 ? field[0] : field[(at[2] * grid_.size[1] + at[1]) * grid_.size[0] + at[0]];
  }

  /// Two half cells in series, so that the flow is right where σ jumps at the face.
  static double harmonic_mean(double p, double q) {
    const double low = std::min(p, q), high = std::max(p, q);
    return 2 * low / (1 + low / high);  // the same to the last bit from either side, and never beyond the range
  }

  double area(int axis, const Index& at) const {
    double product = 1;
    for (int other = 0; other < 3; ++other)
      if (other != axis) product *= width(other, at[other]);
    return product;
  }

  Point on_face(int axis, int end, const Index& at) const {
    Point place = place_of(at);
    place[axis] = end == 0 ? 0.0 : static_cast<double>(grid_.size[axis]) * grid_.spacing[axis];
    return place;
  }

  template <class F>
  void visit(const Index& at, int axis, int end, F&& f) const {
    const double h = grid_.spacing[axis];
    Index beyond = at;
    beyond[axis] += end == 0 ? -1 : 1;
    const bool leaves_grid = beyond[axis] < 0 || beyond[axis] >= grid_.size[axis];
    if (leaves_grid && is_neumann(axis, end)) return;
    if (leaves_grid) return f(Face{2 * area(axis, at) / h * sigma(axis, at), -1, on_face(axis, end, at)});
    const double conductance = area(axis, at) / h * harmonic_mean(sigma(axis, at), sigma(axis, beyond));
    if (is_unknown(beyond)) return f(Face{conductance, unknown_at(beyond), {}});
    f(Face{conductance, -1, place_of(beyond)});
  }

  template <class F>
  void for_each_radial(const Index& at, F&& f) const {
    const int flat = grid_.dimensions == 2;
    for (int dz = flat - 1; dz <= 1 - flat; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dx != 0 || dy != 0 || dz != 0) visit_radial(at, {dx, dy, dz}, f);
  }

  /// The image of a neighbour beyond a Neumann face is the neighbour's mirror point: halving the widths along the face
  /// counts both, so nothing beyond has to be visited.
  template <class F>
  void visit_radial(const Index& at, const std::array<int, 3>& offset, F&& f) const {
    Index beyond = at;
    double extent = 1;
    int steps = 0;
    for (int axis = 0; axis < grid_.dimensions; ++axis) {
      beyond[axis] += offset[axis];
      if (beyond[axis] < 0 || beyond[axis] >= grid_.size[axis]) return;
      extent *= offset[axis] == 0 ? width(axis, at[axis]) : grid_.spacing[axis];
      steps += offset[axis] != 0;
    }
    const double h = grid_.spacing[0];
    const double conductance = radial_weight_[steps] * extent / (h * h) * (sigma(0, at) + sigma(0, beyond)) / 2;
    if (is_unknown(beyond)) return f(Face{conductance, unknown_at(beyond), {}});
    f(Face{conductance, -1, place_of(beyond)});
  }

  /// A neighbour beyond the face differs from its mirror point by 2h times the slope half-way between them. Half-way
  /// lies on the face; where the neighbour is beyond another Neumann face too, on the edge of both.
  template <class F>
  void for_each_radial_wall(const Index& at, int axis, int end, F&& f) const {
    std::array<int, 3> low{-1, -1, grid_.dimensions == 3 ? -1 : 0}, high{1, 1, grid_.dimensions == 3 ? 1 : 0};
    low[axis] = high[axis] = 0;
    for (int dz = low[2]; dz <= high[2]; ++dz)
      for (int dy = low[1]; dy <= high[1]; ++dy)
        for (int dx = low[0]; dx <= high[0]; ++dx) {
          const std::array<int, 3> offset{dx, dy, dz};
          Index half_way = at;
          for (int other = 0; other < grid_.dimensions; ++other)
            half_way[other] = std::clamp<std::int64_t>(at[other] + offset[other], 0, grid_.size[other] - 1);
          const int steps = 1 + (dx != 0) + (dy != 0) + (dz != 0);
          f(axis, end, area(axis, at) * radial_weight_[steps], place_of(half_way));
        }
  }

  const RegularGrid& grid_;
  Index first_, count_;
  std::array<double, 4> radial_weight_{};  ///< by the number of axes along which a neighbour lies
};

}  // namespace gridiron
