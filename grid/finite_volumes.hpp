// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "grid/regular_grid.hpp"
#include "grid/stencil.hpp"

namespace gridiron {

/// The discretisation of a regular grid: the control volumes of its unknowns and the flows between them. A point on a
/// Neumann face owns half a cell there, so that the volumes fill the box. The grid must outlive it.
class FiniteVolumes {
 public:
  using Index = RegularGrid::Index;
  static constexpr int kMostNeighbours = 26;

  /// Flow through a face is conductance × (value beyond − value here).
  struct Face {
    double conductance;
    int64_t neighbour;  ///< the unknown beyond; −1: a Dirichlet boundary, with its value at `boundary`
    Point boundary;
  };

  explicit FiniteVolumes(const RegularGrid& grid) : FiniteVolumes(grid, weights_of(grid)) {}
  FiniteVolumes(const RegularGrid& grid, const StencilWeights& weights);

  int64_t unknowns() const { return count_[0] * count_[1] * count_[2]; }

  Index index_of(int64_t unknown) const {
    const int64_t row = unknown / count_[0];
    return {first_[0] + unknown % count_[0], first_[1] + row % count_[1], first_[2] + row / count_[1]};
  }

  bool is_unknown(const Index& at) const {
    for (int axis = 0; axis < 3; ++axis)
      if (at[axis] < first_[axis] || at[axis] >= first_[axis] + count_[axis]) return false;
    return true;
  }

  int64_t unknown_at(const Index& at) const {
    return ((at[2] - first_[2]) * count_[1] + at[1] - first_[1]) * count_[0] + at[0] - first_[0];
  }

  Point place_of(const Index& at) const {
    Point place{};
    for (int axis = 0; axis < grid_.dimensions; ++axis)
      place[axis] = (static_cast<double>(at[axis]) + (has_cells() ? 0.5 : 0.0)) * grid_.spacing[axis];
    return place;
  }

  double volume_of(const Index& at) const { return width(0, at[0]) * width(1, at[1]) * width(2, at[2]); }

  /// Offsets to all neighbours, in ascending order of unknowns.
  const std::vector<StencilOffset>& neighbours() const { return neighbours_; }

  /// Conductances from an unknown to its neighbours(): including known values, 0 beyond a Neumann face. Returns their
  /// sum.
  double conductances(const Index& at, double (&to)[kMostNeighbours]) const;

  /// Calls f(Face) for each face of the volume at `at` with nonzero conductance, in ascending order of neighbours.
  void for_each_face(const Index& at, auto&& f) const {
    double to[kMostNeighbours];
    conductances(at, to);
    const int64_t here = unknown_at(at);
    const bool is_surrounded = has_only_unknowns_around(at);
    for (size_t n = 0; n < neighbours_.size(); ++n) {
      if (is_surrounded || (to[n] > 0 && is_unknown(beyond(at, neighbours_[n]))))
        f(Face{to[n], here + step_[n], {}});
      else if (to[n] > 0)
        f(Face{to[n], -1, boundary_towards(at, neighbours_[n])});
    }
  }

  /// Calls f(axis, end, area, place) for each Neumann face of the box that the volume at `at` touches: the area of that
  /// face in this volume, and the point at which its flux is evaluated.
  void for_each_wall(const Index& at, auto&& f) const {
    for (int axis = 0; axis < grid_.dimensions; ++axis)
      for (int end = 0; end < 2; ++end) {
        if (!is_neumann(axis, end) || at[axis] != (end == 0 ? 0 : grid_.size[axis] - 1)) continue;
        const double area = face_area(axis, widths(at));
        if (weights_.all_around)
          for_each_part(at, axis, [&](double share, const Point& place) { f(axis, end, area * share, place); });
        else
          f(axis, end, area, has_cells() ? on_face(at, axis, end) : place_of(at));
      }
  }

 private:
  using Widths = std::array<double, 3>;

  /// A neighbour of an interior point.
  struct Coupling {
    double factor;        ///< conductance at σ = 1
    const double* sigma;  ///< of the first point
    bool varies;          ///< whether σ varies; otherwise all points have that of the first
    int64_t step;         ///< to the neighbour's σ
  };

  bool has_cells() const { return grid_.places == RegularGrid::Places::cells; }
  bool is_neumann(int axis, int end) const { return grid_.boundary[axis][end] == RegularGrid::Boundary::neumann; }
  double width(int axis, int64_t i) const { return grid_.spacing[axis] * grid_.share(axis, i); }
  Widths widths(const Index& at) const { return {width(0, at[0]), width(1, at[1]), width(2, at[2])}; }

  static double face_area(int axis, const Widths& width) {
    double area = 1;
    for (int other = 0; other < 3; ++other)
      if (other != axis) area *= width[other];
    return area;
  }

  static Index beyond(const Index& at, const StencilOffset& o) { return {at[0] + o.x, at[1] + o.y, at[2] + o.z}; }

  bool has_only_unknowns_around(const Index& at) const {
    for (int axis = 0; axis < grid_.dimensions; ++axis)
      if (at[axis] <= first_[axis] || at[axis] + 1 >= first_[axis] + count_[axis]) return false;
    return true;
  }

  bool is_in_grid(const Index& at) const;
  bool is_inside(const Index& at) const;
  double factor(const Widths& width, const StencilOffset& o) const;
  double mean(const Coupling& to, int64_t point) const;
  double beyond_face(const Index& at, const StencilOffset& o) const;
  Point on_face(const Index& at, int axis, int end) const;
  Point boundary_towards(const Index& at, const StencilOffset& o) const;

  /// A neighbour beyond the face differs from its mirror point by 2h times the slope at their midpoint. The midpoint
  /// lies on the face; if the neighbour is beyond another Neumann face too, on their common edge.
  void for_each_part(const Index& at, int axis, auto&& f) const {
    for (const StencilOffset& o : neighbours_) {
      if (o[axis] != 1) continue;
      Index half_way = at;
      for (int other = 0; other < grid_.dimensions; ++other)
        if (other != axis) half_way[other] = std::clamp<int64_t>(at[other] + o[other], 0, grid_.size[other] - 1);
      f(weights_.by_steps[o.steps()], place_of(half_way));
    }
  }

  const RegularGrid& grid_;
  StencilWeights weights_;
  Index first_, count_;
  std::vector<StencilOffset> neighbours_;
  std::vector<int64_t> step_;  ///< to the unknown of each neighbour
  std::vector<Coupling> couplings_;
};

}  // namespace gridiron
