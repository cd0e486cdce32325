// SPDX-License-Identifier: Apache-2.0
#include "grid/coarsening.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Index = RegularGrid::Index;

constexpr int64_t kLinesPerTask = 64;

/// σ / h² along each axis, for σ that is constant or the same along all axes.
std::array<double, 3> strengths(const RegularGrid& grid) {
  std::array<double, 3> strength{};
  for (int axis = 0; axis < grid.dimensions; ++axis)
    strength[axis] = grid.sigma[axis][0] / (grid.spacing[axis] * grid.spacing[axis]);
  return strength;
}

/// The fine points under the hat of each coarse point along an axis.
class Hats {
 public:
  struct WeightedPoint {
    int64_t fine;
    double weight;
  };
  explicit Hats(const AxisMap& map) {
    for (int64_t c = 0; c < map.coarse; ++c) {
      begin_.push_back(points_.size());
      for (int64_t p = map.support_begin(c); p <= map.support_end(c); ++p)
        if (const double weight = map.hat(c, p); weight > 0) points_.push_back({p, weight});
    }
    begin_.push_back(points_.size());
  }
  std::span<const WeightedPoint> of(int64_t coarse) const {
    return std::span(points_).subspan(begin_[coarse], begin_[coarse + 1] - begin_[coarse]);
  }

 private:
  std::vector<size_t> begin_;
  std::vector<WeightedPoint> points_;
};

/// Calls f(weight, fine point) for the points under the hat of a coarse point.
void over_hat(const std::array<Hats, 3>& hats, const Index& coarse, auto&& f) {
  for (const auto& [z, along_z] : hats[2].of(coarse[2]))
    for (const auto& [y, along_y] : hats[1].of(coarse[1])) {
      const double across = along_z * along_y;
      for (const auto& [x, along_x] : hats[0].of(coarse[0])) f(across * along_x, Index{x, y, z});
    }
}

std::array<Hats, 3> hats_of(const AxisMaps& maps) { return {Hats(maps[0]), Hats(maps[1]), Hats(maps[2])}; }

/// Calls f(i, index) for all points of a box of this size, in parallel.
void for_each_point(const Index& size, auto&& f) {
  parallel_each(
      size[1] * size[2],
      [&](int64_t line) {
        for (int64_t x = 0; x < size[0]; ++x) f(line * size[0] + x, Index{x, line % size[1], line / size[1]});
      },
      kLinesPerTask);
}

/// The coarse grid without its σ.
RegularGrid geometry(const RegularGrid& fine, const AxisMaps& maps) {
  RegularGrid coarse;
  coarse.dimensions = fine.dimensions;
  coarse.places = fine.places;
  coarse.stencil = fine.stencil;
  coarse.spacing = fine.spacing;
  coarse.shift = fine.shift;
  coarse.boundary = fine.boundary;
  for (int axis = 0; axis < 3; ++axis) {
    coarse.size[axis] = maps[axis].coarse;
    if (maps[axis].coarse > 1)
      coarse.spacing[axis] *= static_cast<double>(maps[axis].fine - 1) / (maps[axis].coarse - 1);
  }
  return coarse;
}

std::vector<double> fully_weighted(const std::vector<double>& sigma, const RegularGrid& fine, const AxisMaps& maps) {
  const Index size{maps[0].coarse, maps[1].coarse, maps[2].coarse};
  const std::array<Hats, 3> hats = hats_of(maps);
  std::vector<double> coarse(size[0] * size[1] * size[2]);
  for_each_point(size, [&](int64_t i, const Index& at) {
    double sum = 0, total = 0;
    over_hat(hats, at, [&](double weight, const Index& p) {
      weight *= fine.share(0, p[0]) * fine.share(1, p[1]) * fine.share(2, p[2]);
      sum += weight * sigma[fine.number(p)];
      total += weight;
    });
    coarse[i] = sum / total;
  });
  return coarse;
}

}  // namespace

int64_t coarser(int64_t points) {
  if (points % 2 == 1) return (points + 1) / 2;
  int64_t intervals = 2;
  while (5 * (points - 1) >= 12 * intervals) intervals *= 2;  // coarser by 1.2 to 2.4
  return intervals + 1;
}

AxisMaps coarsening(const RegularGrid& grid) {
  constexpr double kWeak = 0.3;
  const std::array<double, 3> strength = strengths(grid);
  double strongest = 0;
  for (int axis = 0; axis < grid.dimensions; ++axis)
    if (grid.size[axis] > 3) strongest = std::max(strongest, strength[axis]);
  AxisMaps maps;
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t points = grid.size[axis];
    const bool coarsens = axis < grid.dimensions && points > 3 && strength[axis] > kWeak * strongest;
    maps[axis] = {points, coarsens ? coarser(points) : points};
  }
  return maps;
}

bool is_isotropic(const RegularGrid& grid) {
  const std::array<double, 3> strength = strengths(grid);
  const auto [low, high] = std::minmax_element(strength.begin(), strength.begin() + grid.dimensions);
  return *high <= *low * (1 + 1e-9);
}

RegularGrid restricted(const RegularGrid& fine, const AxisMaps& maps) {
  RegularGrid coarse = geometry(fine, maps);
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double>& sigma = fine.sigma[axis];
    if (sigma.empty() || is_constant(sigma))
      coarse.sigma[axis].assign(sigma.begin(), sigma.begin() + !sigma.empty());
    else if (axis > 0 && sigma == fine.sigma[0])
      coarse.sigma[axis] = coarse.sigma[0];
    else
      coarse.sigma[axis] = fully_weighted(sigma, fine, maps);
  }
  return coarse;
}

std::vector<double> restricted(const std::vector<double>& integrated, const RegularGrid& fine, const AxisMaps& maps) {
  const RegularGrid coarse = geometry(fine, maps);
  const std::array<Hats, 3> hats = hats_of(maps);
  std::vector<double> gathered(coarse.unknowns());
  const auto unknown_of = [](const RegularGrid& grid, const Index& p) {
    Index unknown;
    for (int axis = 0; axis < 3; ++axis) unknown[axis] = p[axis] - grid.first_unknown(axis);
    return unknown;
  };
  const auto is_unknown = [&](const Index& unknown) {
    for (int axis = 0; axis < 3; ++axis)
      if (unknown[axis] < 0 || unknown[axis] >= fine.unknowns(axis)) return false;
    return true;
  };
  for_each_point({coarse.unknowns(0), coarse.unknowns(1), coarse.unknowns(2)}, [&](int64_t row, Index at) {
    for (int axis = 0; axis < 3; ++axis) at[axis] += coarse.first_unknown(axis);
    double sum = 0;
    over_hat(hats, at, [&](double weight, const Index& p) {
      const Index u = unknown_of(fine, p);
      if (is_unknown(u)) sum += weight * integrated[(u[2] * fine.unknowns(1) + u[1]) * fine.unknowns(0) + u[0]];
    });
    gathered[row] = sum;
  });
  return gathered;
}

}  // namespace gridiron
