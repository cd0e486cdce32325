// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// A solution together with its boundary values: one value per point or cell of the grid, x fastest.
std::vector<double> with_boundary(const PdeModel& model, std::span<const double> solution);

/// A field on the points of a grid, for visualisation.
struct GridField {
  std::string name;
  int components = 1;
  std::vector<double> values;  ///< components of a point next to each other, x fastest
};

/// A vector at every point of a grid, multilinear in between.
class VectorGrid {
 public:
  VectorGrid(const RegularGrid& grid, std::vector<Point> vectors) : grid_(&grid), vectors_(std::move(vectors)) {}

  /// Central differences, one-sided ones of second order at Dirichlet faces; no slope across Neumann faces.
  static VectorGrid gradient(const RegularGrid& grid, std::span<const double> values);

  const std::vector<Point>& vectors() const { return vectors_; }
  const RegularGrid& grid() const { return *grid_; }
  bool holds(const Point& place) const;
  /// The vector at a point in the box; outside it, that at the nearest point of the box.
  Point at(const Point& place) const;

  GridField named(std::string name) const;

 private:
  const RegularGrid* grid_;
  std::vector<Point> vectors_;
};

/// ∂ values / ∂axis at a point, as in VectorGrid::gradient().
double slope_at(const RegularGrid& grid, std::span<const double> values, const RegularGrid::Index& at, int axis);

}  // namespace gridiron
