// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/applications/vortex.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/pde/fields/curve.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kRadius = 0.2, kTurn = 2 * std::numbers::pi;
constexpr double kFromKnot = 0.2, kFromFaces = 0.4;
constexpr double kSamplesPerSpacing = 4, kKnotLengthBound = 8;  // the knot is 7.2 long

double magnitude(const Point& v) { return std::hypot(v[0], v[1], v[2]); }

Point difference(const Point& p, const Point& q) { return {p[0] - q[0], p[1] - q[1], p[2] - q[2]}; }

/// Potentials are stored one component after the other, boundary included.
Point curl_at(const RegularGrid& grid, const std::array<std::vector<double>, 3>& psi, const RegularGrid::Index& at) {
  const auto slope = [&](int component, int axis) { return slope_at(grid, psi[component], at, axis); };
  return {slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)};
}

/// Points within kFromKnot of the knot.
std::vector<char> near_knot(const RegularGrid& grid) {
  constexpr int kSamples = 256;
  std::vector<char> is_near(grid.points(), 0);
  for (int sample = 0; sample < kSamples; ++sample) {
    const Point p = trefoil(kTurn * sample / kSamples);
    RegularGrid::Index first, last;
    for (int axis = 0; axis < 3; ++axis) {
      first[axis] = static_cast<int64_t>(std::ceil((p[axis] - kFromKnot) / grid.spacing[axis]));
      last[axis] = static_cast<int64_t>((p[axis] + kFromKnot) / grid.spacing[axis]);
    }
    for (int64_t k = first[2]; k <= last[2]; ++k)
      for (int64_t j = first[1]; j <= last[1]; ++j)
        for (int64_t i = first[0]; i <= last[0]; ++i) {
          const Point d = difference({i * grid.spacing[0], j * grid.spacing[1], k * grid.spacing[2]}, p);
          if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= kFromKnot * kFromKnot)
            is_near[(k * grid.size[1] + j) * grid.size[0] + i] = 1;
        }
  }
  return is_near;
}

double stray_rotation(const VectorGrid& velocity) {
  const RegularGrid& grid = velocity.grid();
  const std::vector<Point>& v = velocity.vectors();
  const std::vector<char> is_near = near_knot(grid);
  const std::array<int64_t, 3> stride{1, grid.size[0], grid.size[0] * grid.size[1]};
  double rotation = 0, change = 0;
  for (int64_t i = 0; i < grid.points(); ++i) {
    const RegularGrid::Index at = grid.point(i);
    bool is_counted = !is_near[i];
    for (int axis = 0; axis < 3; ++axis) {
      const double place = at[axis] * grid.spacing[axis];
      is_counted &= place >= kFromFaces && place <= kVortexSide - kFromFaces;
    }
    if (!is_counted) continue;
    const auto slope = [&](int component, int axis) {
      return (v[i + stride[axis]][component] - v[i - stride[axis]][component]) / (2 * grid.spacing[axis]);
    };
    for (int c = 0; c < 3; ++c) {
      const double curl = slope((c + 2) % 3, (c + 1) % 3) - slope((c + 1) % 3, (c + 2) % 3);
      rotation += curl * curl;
      for (int axis = 0; axis < 3; ++axis) change += slope(c, axis) * slope(c, axis);
    }
  }
  return std::sqrt(rotation / change);
}

/// The circulation around a square normal to the knot's tangent, centred on the knot at theta.
double circulation(const VectorGrid& velocity, double theta, double side) {
  constexpr int kPerSide = 64;
  constexpr double kSmall = 1e-4;
  const Point middle = trefoil(theta);
  Point t = difference(trefoil(theta + kSmall), trefoil(theta - kSmall));
  const double length = magnitude(t);
  for (double& c : t) c /= length;
  const Point e{t[1], -t[0], 0};  // normal to t, along with t × e
  const double size = magnitude(e);
  const Point p{e[0] / size, e[1] / size, 0};
  const Point q{t[1] * p[2] - t[2] * p[1], t[2] * p[0] - t[0] * p[2], t[0] * p[1] - t[1] * p[0]};
  double sum = 0;
  for (int edge = 0; edge < 4; ++edge)
    for (int k = 0; k < kPerSide; ++k) {
      const double along = ((k + 0.5) / kPerSide - 0.5) * side, out = side / 2;
      // The four edges of the square, anticlockwise when viewed against t.
      const double a = edge == 0 ? along : edge == 1 ? out : edge == 2 ? -along : -out;
      const double b = edge == 0 ? -out : edge == 1 ? along : edge == 2 ? out : -along;
      const double dp = edge == 0 ? 1 : edge == 2 ? -1 : 0, dq = edge == 1 ? 1 : edge == 3 ? -1 : 0;
      Point place, tangent;
      for (int axis = 0; axis < 3; ++axis) {
        place[axis] = middle[axis] + a * p[axis] + b * q[axis];
        tangent[axis] = dp * p[axis] + dq * q[axis];
      }
      const Point v = velocity.at(place);
      sum += (v[0] * tangent[0] + v[1] * tangent[1] + v[2] * tangent[2]) * side / kPerSide;
    }
  return sum;
}

}  // namespace

Point trefoil(double theta) {
  constexpr double kMiddle = kVortexSide / 2;
  return {kMiddle + kRadius * (std::sin(theta) + 2 * std::sin(2 * theta)),
          kMiddle + kRadius * (std::cos(theta) - 2 * std::cos(2 * theta)), kMiddle - 2 * kRadius * std::sin(3 * theta)};
}

PdeModel vortex_model(const RegularGrid& grid) {
  PdeModel model;
  model.grid = grid;
  const int samples = static_cast<int>(std::ceil(kSamplesPerSpacing * kKnotLengthBound / grid.spacing[0]));
  std::array<std::vector<Deposit>, 3> deposits;
  for (int i = 0; i < samples; ++i) {
    const double from = kTurn * i / samples, to = kTurn * (i + 1) / samples;
    const Point step = difference(trefoil(to), trefoil(from)), middle = trefoil((from + to) / 2);
    for (int axis = 0; axis < 3; ++axis) deposits[axis].push_back({middle, -step[axis]});
  }
  for (const auto& component : deposits) {
    model.spread.emplace_back(grid.points(), 0.0);
    add_deposits(grid, component, model.spread.back());
  }
  return model;
}

Vortex vortex_of(const PdeModel& model, std::span<const double> potential) {
  const RegularGrid& grid = model.grid;
  const size_t n = potential.size() / 3;
  std::array<std::vector<double>, 3> psi;
  for (int c = 0; c < 3; ++c) psi[c] = with_boundary(model, potential.subspan(c * n, n));
  std::vector<Point> curl(grid.points());
  parallel_each(grid.points(), [&](int64_t i) { curl[i] = curl_at(grid, psi, grid.point(i)); });

  Vortex vortex{VectorGrid(grid, std::move(curl)), 0, 0, 0, {}, {}};
  for (const Point& v : vortex.velocity.vectors()) vortex.largest_speed = std::max(vortex.largest_speed, magnitude(v));
  vortex.stray_rotation = stray_rotation(vortex.velocity);
  vortex.circulation = circulation(vortex.velocity, 0, kRadius);

  // One line is caught by the knot and winds around it, the other orbits all of it.
  const double step = grid.spacing[0] / 2;
  const Point near = trefoil(0);
  vortex.streamlines.push_back(field_line(vortex.velocity, {near[0], near[1] + 0.04, near[2]}, step, 40));
  vortex.streamlines.push_back(field_line(vortex.velocity, {1.25, 1, 1}, step, 40));
  constexpr int kKnotPoints = 512;
  for (int i = 0; i <= kKnotPoints; ++i) {
    vortex.knot.points.push_back(trefoil(kTurn * i / kKnotPoints));
    vortex.knot.value.push_back(magnitude(vortex.velocity.at(vortex.knot.points.back())));
  }
  return vortex;
}

}  // namespace gridiron
