// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/stairs.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "layout/extract/pieces.hpp"

namespace gridiron::layout {
namespace {

/// What a convex shape has at u, from low to high; twice u is given.
std::pair<Dbu, Dbu> extent_at(const std::vector<Point>& corners, int64_t twice_u) {
  double low = 0, high = 0;
  bool found = false;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i], b = corners[(i + 1) % corners.size()];
    const double u = static_cast<double>(twice_u) / 2;
    if (a.x == b.x || u < std::min(a.x, b.x) || u > std::max(a.x, b.x)) continue;
    const double v = a.y + (static_cast<double>(b.y) - a.y) * (u - a.x) / (static_cast<double>(b.x) - a.x);
    low = found ? std::min(low, v) : v;
    high = found ? std::max(high, v) : v;
    found = true;
  }
  return {static_cast<Dbu>(std::llround(low)), static_cast<Dbu>(std::llround(high))};
}

void add_stairs(const Pieces& pieces, int64_t piece, Dbu step, std::vector<Box>& boxes) {
  constexpr Dbu kSteps = 4;
  const Box& box = pieces.box[piece];
  const int64_t length = std::min(step, std::max<Dbu>(1, pieces.width_along_u(piece) / kSteps));
  const int64_t n = (int64_t{box.x1} - box.x0 + length - 1) / length;
  const auto line = [&](int64_t k) { return static_cast<Dbu>(box.x0 + (int64_t{box.x1} - box.x0) * k / n); };
  for (int64_t k = 0; k < n; ++k) {
    const auto [low, high] = extent_at(pieces.corners[piece], int64_t{line(k)} + line(k + 1));
    if (low < high) boxes.push_back({line(k), low, line(k + 1), high});
  }
}

}  // namespace

void make_stairs(LayerShapes& layer, Dbu step) {
  for (const std::vector<Point>& polygon : std::exchange(layer.polygons, {})) {
    const Pieces pieces = cut({}, std::span(&polygon, 1));
    for (int64_t p = 0; p < pieces.size(); ++p) {
      if (pieces.is_trapezoid(p))
        add_stairs(pieces, p, step, layer.boxes);
      else
        layer.boxes.push_back(pieces.box[p]);
    }
  }
}

}  // namespace gridiron::layout
