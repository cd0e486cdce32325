// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/applications/porous.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/pde/fields/noise.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kSandLayers = 35, kBeltLayers = 5;
constexpr double kLeastMillidarcy = 1e-3, kMostMillidarcy = 2e4;
constexpr std::array<double, 3> kBoxMetres{365.76, 670.56, 51.816};

/// Streams of random numbers.
enum : uint64_t { kLayerMean, kLayerRatio, kCoarse, kFine, kShape };

Permeability permeability(double log10_millidarcy, double vertical_share) {
  const double k = std::clamp(std::pow(10.0, log10_millidarcy), kLeastMillidarcy, kMostMillidarcy);
  return {k, k * vertical_share};
}

}  // namespace

PorousRock::PorousRock(uint64_t seed) : seed_(seed) {
  for (int belt = 0; belt < kBelts; ++belt)
    for (int c = 0; c < kChannelsPerBelt; ++c) {
      const auto between = [&](int what, double low, double high) {
        return low + (high - low) * uniform_at(seed, kShape, belt, c, what);
      };
      belts_[belt][c] = {between(0, 0, 60), between(1, 3, 10), between(2, 60, 150), between(3, 0, 2 * std::numbers::pi),
                         between(4, 2, 5)};
    }
}

Permeability PorousRock::at(double x, double y, double z) const {
  return z < kSandLayers ? sand(x, y, z) : river_deposit(x, y, z);
}

Permeability PorousRock::sand(double x, double y, double z) const {
  const int64_t layer = z;
  const double log10_k = 1.5 + 0.5 * normal_at(seed_, kLayerMean, layer) +
                         0.9 * smooth_noise(seed_, kCoarse, {x, y, z}, {12, 24, 4}) +
                         0.4 * smooth_noise(seed_, kFine, {x, y, z}, {3, 6, 1});
  return permeability(log10_k, std::pow(10.0, -1 - uniform_at(seed_, kLayerRatio, layer)));
}

Permeability PorousRock::river_deposit(double x, double y, double z) const {
  const double fine = smooth_noise(seed_, kFine, {x, y, z}, {3, 6, 1});
  if (in_channel(x, y, z)) return permeability(3.0 + 0.4 * fine, 1e-1);
  return permeability(-1.0 + 0.8 * fine, 1e-4);
}

/// A channel is filled from the top of its belt and narrows downwards.
bool PorousRock::in_channel(double x, double y, double z) const {
  const double depth = (z - kSandLayers) / kBeltLayers;
  const int belt = std::min(static_cast<int>(depth), kBelts - 1);
  const double narrowing = std::sqrt(std::max(0.0, 1 - (depth - belt)));
  return std::ranges::any_of(belts_[belt], [&](const Channel& c) {
    const double middle = c.middle + c.swing * std::sin(2 * std::numbers::pi * y / c.wavelength + c.phase);
    return std::abs(x - middle) < c.half_width * narrowing;
  });
}

RegularGrid::Index porous_shape(int64_t size) {
  const auto& cells = PorousRock::kCells;
  const double scale = static_cast<double>(size) / *std::ranges::max_element(cells);
  RegularGrid::Index shape;
  for (int axis = 0; axis < 3; ++axis) shape[axis] = std::max<int64_t>(1, std::llround(scale * cells[axis]));
  return shape;
}

PdeModel porous_model(const RegularGrid::Index& shape, uint64_t seed) {
  using Boundary = RegularGrid::Boundary;
  PdeModel model;
  RegularGrid& grid = model.grid;
  grid.dimensions = 3;
  grid.places = RegularGrid::Places::cells;
  grid.size = shape;
  for (auto& faces : grid.boundary) faces = {Boundary::neumann, Boundary::neumann};
  grid.boundary[1] = {Boundary::dirichlet, Boundary::dirichlet};
  model.boundary = [](const Point& p) { return p[1] == 0 ? 1.0 : 0.0; };

  std::array<double, 3> step;
  for (int axis = 0; axis < 3; ++axis) {
    grid.spacing[axis] = kBoxMetres[axis] / shape[axis];
    step[axis] = static_cast<double>(PorousRock::kCells[axis]) / shape[axis];
    grid.sigma[axis].resize(grid.unknowns());
  }
  const PorousRock rock(seed);
  parallel_each(grid.unknowns(), [&](int64_t cell) {
    const int64_t row = cell / shape[0];
    const Permeability k =
        rock.at((cell % shape[0] + 0.5) * step[0], (row % shape[1] + 0.5) * step[1], (row / shape[1] + 0.5) * step[2]);
    grid.sigma[0][cell] = grid.sigma[1][cell] = k.horizontal;
    grid.sigma[2][cell] = k.vertical;
  });
  return model;
}

}  // namespace gridiron
