// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/fem_problems.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace gridiron {
namespace {

FemModel waves(CoarseMesh coarse, int levels, double spacing, const PdeChoices& choices) {
  const double k = std::numbers::pi * choices.wavenumber.value_or(1);
  const auto u = [k](const Point& p) { return std::sin(k * p[0]) * std::sin(k * p[1]); };
  FemModel model;
  model.mesh = std::make_shared<const RefinedMesh>(std::move(coarse), levels);
  model.exact = u;
  model.source = [k, u](const Point& p) { return 2 * k * k * u(p); };
  model.spacing = spacing;
  return model;
}

FemModel unit_square(int corners, int64_t size, const PdeChoices& choices) {
  const int levels = std::countr_zero(static_cast<uint64_t>(size));
  return waves(unit_square_mesh(corners, size >> levels), levels, 1 / static_cast<double>(size), choices);
}

}  // namespace

FemModel make_poisson2d_q1(int64_t size, const PdeChoices& choices) { return unit_square(4, size, choices); }
FemModel make_poisson2d_p1(int64_t size, const PdeChoices& choices) { return unit_square(3, size, choices); }

FemModel make_flow_square(int64_t level, const PdeChoices& choices) {
  return waves(flow_around_square_mesh(), static_cast<int>(level), std::ldexp(1.0, -static_cast<int>(level)), choices);
}

RegularGrid::Index flow_square_shape(int64_t level) {
  const int64_t side = int64_t{1} << std::min<int64_t>(level, 20);
  return {4 * side, side, 1};
}

}  // namespace gridiron
