// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/field_lines.hpp"

#include <cmath>
#include <limits>

namespace gridiron {
namespace {

double magnitude(const Point& v) { return std::hypot(v[0], v[1], v[2]); }

Point moved(const Point& from, double step, const Point& along) {
  return {from[0] + step * along[0], from[1] + step * along[1], from[2] + step * along[2]};
}

Point direction(const VectorGrid& field, const Point& place) {
  const Point v = field.at(place);
  const double size = magnitude(v);
  return size > std::numeric_limits<double>::min() ? Point{v[0] / size, v[1] / size, v[2] / size} : Point{};
}

Point runge_kutta_step(const VectorGrid& field, const Point& place, double step) {
  const Point k1 = direction(field, place);
  const Point k2 = direction(field, moved(place, step / 2, k1));
  const Point k3 = direction(field, moved(place, step / 2, k2));
  const Point k4 = direction(field, moved(place, step, k3));
  Point mean;
  for (int axis = 0; axis < 3; ++axis) mean[axis] = (k1[axis] + 2 * k2[axis] + 2 * k3[axis] + k4[axis]) / 6;
  return moved(place, step, mean);
}

}  // namespace

Line field_line(const VectorGrid& field, const Point& start, double step, double length) {
  Line line;
  const auto steps = static_cast<std::int64_t>(length / step);
  Point place = start;
  for (std::int64_t i = 0; i <= steps && field.holds(place); ++i) {
    const double size = magnitude(field.at(place));
    line.points.push_back(place);
    line.value.push_back(size);
    if (!(size > std::numeric_limits<double>::min())) break;
    place = runge_kutta_step(field, place, step);
  }
  return line;
}

}  // namespace gridiron
