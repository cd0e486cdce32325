// SPDX-License-Identifier: Apache-2.0
#include "grid/element.hpp"

#include <cmath>

namespace gridiron {

CellShape shape_of(const std::array<Place, 2>& sides) {
  const auto& [u, v] = sides;
  const double area = std::abs(u[0] * v[1] - u[1] * v[0]);
  return {(u[0] * u[0] + u[1] * u[1]) / area, (u[0] * v[0] + u[1] * v[1]) / area, (v[0] * v[0] + v[1] * v[1]) / area};
}

/// In the coordinates s, t along the sides, ∇f · ∇g = (vv f_s g_s − uv (f_s g_t + f_t g_s) + uu f_t g_t) / area.
ElementMatrix element_stiffness(int corners, const CellShape& shape) {
  ElementMatrix k{};
  const auto nodes = element_nodes(corners);
  if (corners == 3) {
    constexpr double s[] = {-1, 1, 0}, t[] = {-1, 0, 1};  // derivatives; the area of the reference triangle is 1/2
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        k[a][b] = 0.5 * (shape.vv * s[a] * s[b] - shape.uv * (s[a] * t[b] + t[a] * s[b]) + shape.uu * t[a] * t[b]);
    return k;
  }
  // φ = X(s) Y(t) with X, Y ∈ {1 − s, s}: ∫ X X = 1/3 or 1/6, ∫ X' X' = ±1, ∫ X' X = ±1/2.
  const auto mass = [](int p, int q) { return p == q ? 1.0 / 3 : 1.0 / 6; };
  const auto stiff = [](int p, int q) { return p == q ? 1.0 : -1.0; };
  const auto slope = [](int p) { return p == 1 ? 0.5 : -0.5; };  // ∫ X'_p X_q
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      const auto [as, at] = nodes[a];
      const auto [bs, bt] = nodes[b];
      k[a][b] = shape.vv * stiff(as, bs) * mass(at, bt) + shape.uu * mass(as, bs) * stiff(at, bt) -
                shape.uv * (slope(as) * slope(bt) + slope(at) * slope(bs));
    }
  return k;
}

}  // namespace gridiron
