// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/fields/field_lines.hpp"

#include <cmath>
#include <limits>

namespace gridiron {
namespace {

/// The least step that a tolerance may lead to, over the one that is asked for.
constexpr double kLeastShare = 1. / 64;

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
    const double end = (grid.size[axis] - 1) * grid.spacing[axis];
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

Line field_line(const VectorGrid& field, const Point& start, double step, double length, double tolerance) {
  Line line;
  const auto add = [&](const Point& place) {
    line.points.push_back(place);
    line.value.push_back(magnitude(field.at(place)));
  };
  if (!field.holds(start)) return line;
  add(start);
  const int64_t steps = length / step;
  double left = steps * step, size = step;
  while (left > 0.5 * step * kLeastShare && line.value.back() > std::numeric_limits<double>::min()) {
    const Point& here = line.points.back();
    Point next = runge_kutta_step(field, here, size);
    if (tolerance > 0) {
      const Point half = runge_kutta_step(field, runge_kutta_step(field, here, size / 2), size / 2);
      const double error = magnitude({next[0] - half[0], next[1] - half[1], next[2] - half[2]});
      if ((error > tolerance || !field.holds(half)) && size > kLeastShare * step) {
        size /= 2;
        continue;
      }
      next = half;
      left -= size;
      if (error < tolerance / 32 && size < step) size *= 2;
    } else {
      left -= size;
    }
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
