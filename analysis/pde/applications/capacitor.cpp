// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/applications/capacitor.hpp"

#include <cmath>

namespace gridiron {
namespace {

constexpr int kRow = 24, kLattice = 9;

std::array<double, 3> from_middle(const Point& p) { return {p[0] - 0.5, p[1] - 0.5, p[2] - 0.5}; }

}  // namespace

Conductivity capacitor_conductivity(bool plus) {
  const double amplitude = plus ? 0.45 : -0.45;
  const auto radius = [](const Point& p) {
    const Point d = from_middle(p);
    return std::hypot(d[0], d[1], d[2]);
  };
  const auto value = [=](const Point& p) { return 0.55 + amplitude * std::tanh((radius(p) - 0.2) / 0.1); };
  const auto gradient = [=](const Point& p) {
    const Point d = from_middle(p);
    const double r = radius(p), cosh = std::cosh((r - 0.2) / 0.1);
    const double slope = r > 0 ? amplitude / 0.1 / (cosh * cosh) / r : 0.0;
    return Point{slope * d[0], slope * d[1], slope * d[2]};
  };
  return {value, gradient};
}

PdeModel capacitor_model(const RegularGrid& grid) {
  using Boundary = RegularGrid::Boundary;
  PdeModel model;
  model.grid = grid;
  for (int axis = 0; axis < 2; ++axis) model.grid.boundary[axis] = {Boundary::neumann, Boundary::neumann};
  model.boundary = [](const Point& p) { return p[2] < 0.5 ? -1.0 : 1.0; };
  return model;
}

CapacitorLines capacitor_lines(const PdeModel& model, std::span<const double> solution) {
  const VectorGrid gradient = VectorGrid::gradient(model.grid, with_boundary(model, solution));
  const double step = model.grid.spacing[2] / 2;
  constexpr double kLongest = 4;
  CapacitorLines result{gradient.named("gradient"), {}, {}};
  const auto share = [](int i, int count) { return (i + 0.5) / count; };
  for (int j = 0; j < kLattice; ++j)
    for (int i = 0; i < kLattice; ++i)
      result.lines.push_back(field_line(gradient, {share(i, kLattice), share(j, kLattice), 0}, step, kLongest));
  for (int i = 0; i < kRow; ++i)
    result.in_the_middle.push_back(field_line(gradient, {share(i, kRow), 0.5, 0}, step, kLongest));
  return result;
}

}  // namespace gridiron
