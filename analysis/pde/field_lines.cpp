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

/// The first intersection with a face of the straight segment from a point in the box to one outside it.
Point crossing(const VectorGrid& field, const Point& from, const Point& to) {
  const RegularGrid& grid = field.grid();
  double share = 1, face = 0;
  int across = 0;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const double end = static_cast<double>(grid.size[axis] - 1) * grid.spacing[axis];
    const double beyond = to[axis] < 0 ? 0 : end;
    if (to[axis] >= 0 && to[axis] <= end) continue;
    if (const double here = (beyond - from[axis]) / (to[axis] - from[axis]); here <= share)
      share = here, face = beyond, across = axis;
  }
  Point place;
  for (int axis = 0; axis < 3; ++axis) place[axis] = std::lerp(from[axis], to[axis], share);
  place[across] = face;
  return place;
}

}  // namespace

Line field_line(const VectorGrid& field, const Point& start, double step, double length) {
  Line line;
  const auto steps = static_cast<std::int64_t>(length / step);
  const auto add = [&](const Point& place) {
    line.points.push_back(place);
    line.value.push_back(magnitude(field.at(place)));
  };
  if (!field.holds(start)) return line;
  add(start);
  for (std::int64_t i = 0; i < steps && line.value.back() > std::numeric_limits<double>::min(); ++i) {
    const Point& here = line.points.back();
    const Point next = runge_kutta_step(field, here, step);
    if (field.holds(next)) {
      add(next);
      continue;
    }
    if (const Point end = crossing(field, here, next); end != here) add(end);
    break;
  }
  return line;
}

}  // namespace gridiron
