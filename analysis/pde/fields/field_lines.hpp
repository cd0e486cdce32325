// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/pde/fields/grid_field.hpp"

namespace gridiron {

/// A curve in space with a value at each of its points.
struct Line {
  std::vector<Point> points;
  std::vector<double> value;
};

/// The line through `start` that follows the field, by the classical Runge-Kutta method of fourth order in steps of
/// equal length; the values are the field's magnitude. It ends on the face through which it leaves the box, where the
/// field vanishes, or after `length`. With a tolerance, steps are halved, to 1/64 at most, where two halves of one end
/// further than that from the whole, or outside the box.
Line field_line(const VectorGrid& field, const Point& start, double step, double length, double tolerance = 0);

}  // namespace gridiron
