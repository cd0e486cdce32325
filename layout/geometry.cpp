// SPDX-License-Identifier: Apache-2.0
#include "layout/geometry.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "support/error.hpp"

namespace gridiron::layout {
namespace {

/// What a turned x and y are made of.
struct Turn {
  std::string_view name;
  Dbu xx, xy, yx, yy;  ///< x' = xx x + xy y, y' = yx x + yy y
};

constexpr std::array<Turn, 8> kTurns = {{{"N", 1, 0, 0, 1},
                                         {"W", 0, -1, 1, 0},
                                         {"S", -1, 0, 0, -1},
                                         {"E", 0, 1, -1, 0},
                                         {"FN", -1, 0, 0, 1},
                                         {"FW", 0, 1, 1, 0},
                                         {"FS", 1, 0, 0, -1},
                                         {"FE", 0, -1, -1, 0}}};

const Turn& turn_of(Orientation orientation) { return kTurns[static_cast<size_t>(orientation)]; }

Box box_of(Point a, Point b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
}

}  // namespace

Box bounds(std::span<const Point> points) {
  Box box{points[0].x, points[0].y, points[0].x, points[0].y};
  for (const Point& p : points)
    box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x), std::max(box.y1, p.y)};
  return box;
}

std::optional<Orientation> orientation_of(std::string_view word) {
  for (size_t k = 0; k < kTurns.size(); ++k)
    if (kTurns[k].name == word) return static_cast<Orientation>(k);
  return std::nullopt;
}

Point turned(Point point, Orientation orientation) {
  const Turn& t = turn_of(orientation);
  return {t.xx * point.x + t.xy * point.y, t.yx * point.x + t.yy * point.y};
}

Box turned(const Box& box, Orientation orientation) {
  return box_of(turned(Point{box.x0, box.y0}, orientation), turned(Point{box.x1, box.y1}, orientation));
}

Point placed(Point point, Dbu width, Dbu height, Point place, Orientation orientation) {
  const Box macro = turned(Box{0, 0, width, height}, orientation);
  const Point corner = turned(point, orientation);
  return {corner.x - macro.x0 + place.x, corner.y - macro.y0 + place.y};
}

Box placed(const Box& box, Dbu width, Dbu height, Point place, Orientation orientation) {
  return box_of(placed(Point{box.x0, box.y0}, width, height, place, orientation),
                placed(Point{box.x1, box.y1}, width, height, place, orientation));
}

Dbu to_dbu(double um, double dbu_per_um) {
  constexpr int64_t kLongest = kFarthest / 2;
  const double length = std::round(um * dbu_per_um);
  if (!(std::abs(length) < static_cast<double>(kLongest)))
    throw InputError(
        fmt::format("a length of {} um at {} database units per um is out of range; is it in um?", um, dbu_per_um));
  return static_cast<Dbu>(length);
}

}  // namespace gridiron::layout
