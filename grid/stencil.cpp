// SPDX-License-Identifier: Apache-2.0
#include "grid/stencil.hpp"

#include <algorithm>
#include <cmath>

#include "support/lists.hpp"

namespace gridiron {

bool is_constant(const std::vector<double>& field) {
  return std::ranges::all_of(field, [&](double v) { return v == field[0]; });
}

bool is_uniform(const RegularGrid& grid) {
  return std::all_of(grid.sigma.begin(), grid.sigma.begin() + grid.dimensions, is_constant);
}

std::vector<StencilOffset> half_neighbours(int dimensions, bool all_around) {
  if (!all_around) {
    std::vector<StencilOffset> along{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    along.resize(dimensions);
    return along;
  }
  std::vector<StencilOffset> half{{1, 0, 0}, {-1, 1, 0}, {0, 1, 0}, {1, 1, 0}};
  if (dimensions == 3)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) half.push_back({x, y, 1});
  return half;
}

std::vector<StencilOffset> neighbours(int dimensions, bool all_around) {
  const std::vector<StencilOffset> half = half_neighbours(dimensions, all_around);
  std::vector<StencilOffset> all;
  for (auto o = half.rbegin(); o != half.rend(); ++o) all.push_back({-o->x, -o->y, -o->z});
  append(all, half);
  return all;
}

StencilWeights weights_along_axes(StencilWeights::Mean mean) { return {false, mean, {0, 1, 0, 0}}; }

StencilWeights radial_weights(int dimensions) {
  StencilWeights weights{true, StencilWeights::Mean::arithmetic, {}};
  for (int steps = 1; steps <= 3; ++steps) weights.by_steps[steps] = radial_factor(dimensions) / std::sqrt(steps);
#ifdef GRIDIRON_BROKEN  // for a test of what must notice it
  weights.by_steps[2] *= 0.9;
#endif
  return weights;
}

StencilWeights balanced_weights(int dimensions) {
  const auto arithmetic = StencilWeights::Mean::arithmetic;
  if (dimensions == 2) return {true, arithmetic, {0, 0.5, 0.25, 0}};
  return {true, arithmetic, {0, 0.4, 0.05, 0.1}};
}

StencilWeights weights_of(const RegularGrid& grid) {
  if (grid.stencil == RegularGrid::Stencil::radial) return radial_weights(grid.dimensions);
  return weights_along_axes(StencilWeights::Mean::harmonic);
}

double radial_factor(int dimensions) {
  return dimensions == 2 ? 1 / (1 + std::sqrt(2.0)) : 1 / (1 + 2 * std::sqrt(2.0) + 4 / std::sqrt(3.0));
}

double harmonic_mean(double p, double q) {
  const double low = std::min(p, q), high = std::max(p, q);
  return 2 * low / (1 + low / high);
}

}  // namespace gridiron
