// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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
    for (int axis = grid_.dimensions - 1; axis >= 0; --axis) visit(at, axis, 0, f);
    for (int axis = 0; axis < grid_.dimensions; ++axis) visit(at, axis, 1, f);
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
  static double harmonic_mean(double p, double q) { return 2 * p * q / (p + q); }

  template <class F>
  void visit(const Index& at, int axis, int end, F&& f) const {
    double area = 1;
    for (int other = 0; other < 3; ++other)
      if (other != axis) area *= width(other, at[other]);
    const double h = grid_.spacing[axis];
    Index beyond = at;
    beyond[axis] += end == 0 ? -1 : 1;
    const bool leaves_grid = beyond[axis] < 0 || beyond[axis] >= grid_.size[axis];
    if (leaves_grid && is_neumann(axis, end)) return;
    if (leaves_grid) {
      Point boundary = place_of(at);
      boundary[axis] = end == 0 ? 0.0 : static_cast<double>(grid_.size[axis]) * h;
      return f(Face{2 * area / h * sigma(axis, at), -1, boundary});
    }
    const double conductance = area / h * harmonic_mean(sigma(axis, at), sigma(axis, beyond));
    if (is_unknown(beyond)) return f(Face{conductance, unknown_at(beyond), {}});
    f(Face{conductance, -1, place_of(beyond)});
  }

  const RegularGrid& grid_;
  Index first_, count_;
};

}  // namespace gridiron
