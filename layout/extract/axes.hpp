// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "layout/geometry.hpp"

namespace gridiron::layout {

/// How a layer lies in the coordinates u and v that its geometry is worked out in: it is always cut at right angles to
/// u. Horizontal layers keep x and y, vertical ones swap them, so that along a usual wire u is its length. The mapping
/// is its own inverse.
struct Axes {
  bool swapped = false;

  Point operator()(Point p) const { return swapped ? Point{p.y, p.x} : p; }
  Box operator()(const Box& b) const { return swapped ? Box{b.y0, b.x0, b.y1, b.x1} : b; }
  /// Whether a comes first by x, then y. Points are in u and v.
  bool before(Point a, Point b) const { return (*this)(a) < (*this)(b); }
};

/// The middle of two coordinates, rounded towards 0 as OpenROAD does.
inline Dbu middle(Dbu a, Dbu b) { return static_cast<Dbu>((int64_t{a} + b) / 2); }
inline Point centre(const Box& b) { return {middle(b.x0, b.x1), middle(b.y0, b.y1)}; }

inline bool holds(const Box& b, Point p) { return p.x >= b.x0 && p.x <= b.x1 && p.y >= b.y0 && p.y <= b.y1; }
inline bool meets(const Box& a, const Box& b) { return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1; }
inline Box common(const Box& a, const Box& b) {
  return {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

}  // namespace gridiron::layout
