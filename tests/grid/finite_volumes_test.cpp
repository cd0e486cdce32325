// SPDX-License-Identifier: Apache-2.0
#include "grid/finite_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "tests/grid/grids.hpp"

namespace gridiron {
namespace {

using Places = RegularGrid::Places;
using Stencil = RegularGrid::Stencil;

/// Grids with every kind of face, value location and stencil, and variable σ.
std::vector<RegularGrid> all_kinds() {
  std::vector<RegularGrid> grids;
  for (const int dimensions : {2, 3})
    for (const Places places : {Places::points, Places::cells})
      for (const Stencil stencil : {Stencil::axes, Stencil::radial})
        for (const unsigned neumann : {0U, 0b010110U, 0b111111U}) {
          if (places == Places::cells && stencil == Stencil::radial) continue;
          RegularGrid grid = test::box(dimensions, {5, 4, dimensions == 3 ? 6 : 1}, 0.3);
          grid.places = places;
          grid.stencil = stencil;
          test::set_faces(grid, neumann);
          if (stencil == Stencil::axes) grid.spacing[1] = 0.7;
          grid.sigma.fill(test::random_sigma(grid, 1));
          grids.push_back(grid);
        }
  return grids;
}

TEST(FiniteVolumes, FillTheBoxBetweenNeumannFaces) {
  for (const RegularGrid& grid : all_kinds()) {
    if (!grid.is_all_neumann()) continue;
    const FiniteVolumes volumes(grid);
    double sum = 0, box = 1;
    for (int64_t i = 0; i < volumes.unknowns(); ++i) sum += volumes.volume_of(volumes.index_of(i));
    for (int axis = 0; axis < grid.dimensions; ++axis)
      box *= static_cast<double>(grid.size[axis] - (grid.places == Places::points)) * grid.spacing[axis];
    EXPECT_NEAR(sum, box, 1e-13);
  }
}

TEST(FiniteVolumes, ExchangeTheSameBothWays) {
  for (const RegularGrid& grid : all_kinds()) {
    const FiniteVolumes volumes(grid);
    for (int64_t i = 0; i < volumes.unknowns(); ++i) {
      int64_t last = -1;
      volumes.for_each_face(volumes.index_of(i), [&](const FiniteVolumes::Face& face) {
        EXPECT_GT(face.conductance, 0);
        if (face.neighbour < 0) return;
        EXPECT_GT(face.neighbour, last) << "ascending";
        last = face.neighbour;
        int back = 0;
        volumes.for_each_face(volumes.index_of(face.neighbour), [&](const FiniteVolumes::Face& other) {
          if (other.neighbour != i) return;
          EXPECT_EQ(other.conductance, face.conductance) << "to the last bit";
          ++back;
        });
        EXPECT_EQ(back, 1);
      });
    }
  }
}

TEST(FiniteVolumes, ConductancesAreThoseOfTheFaces) {
  for (const RegularGrid& grid : all_kinds()) {
    const FiniteVolumes volumes(grid);
    for (int64_t i = 0; i < volumes.unknowns(); ++i) {
      double to[FiniteVolumes::kMostNeighbours];
      const double sum = volumes.conductances(volumes.index_of(i), to);
      double through_faces = 0;
      size_t n = 0;
      volumes.for_each_face(volumes.index_of(i), [&](const FiniteVolumes::Face& face) {
        while (to[n] == 0) ++n;
        EXPECT_EQ(face.conductance, to[n++]);
        through_faces += face.conductance;
      });
      EXPECT_DOUBLE_EQ(sum, through_faces);
    }
  }
}

/// With σ = 1, u = x + 2y − 3z has no source anywhere: the flow into each volume, including known values and Neumann
/// faces of the box, equals the flow out.
TEST(FiniteVolumes, FlowsOfLinearFunctionsBalance) {
  const Point slope{1, 2, -3};
  for (RegularGrid grid : all_kinds()) {
    grid.sigma.fill({1.0});
    const FiniteVolumes volumes(grid);
    const auto u = [&](const Point& p) { return slope[0] * p[0] + slope[1] * p[1] + slope[2] * p[2]; };
    for (int64_t i = 0; i < volumes.unknowns(); ++i) {
      const FiniteVolumes::Index at = volumes.index_of(i);
      double sum = 0;
      volumes.for_each_face(at, [&](const FiniteVolumes::Face& face) {
        const Point there = face.neighbour < 0 ? face.boundary : volumes.place_of(volumes.index_of(face.neighbour));
        sum += face.conductance * (u(there) - u(volumes.place_of(at)));
      });
      volumes.for_each_wall(
          at, [&](int axis, int end, double area, const Point&) { sum += area * (end == 0 ? -1 : 1) * slope[axis]; });
      EXPECT_NEAR(sum, 0, 1e-13) << "unknown " << i;
    }
  }
}

/// ∇·(σ∇u) at the middle of a box.
double applied_at_middle(const RegularGrid& grid, const StencilWeights& weights,
                         const std::function<double(const Point&)>& u) {
  const FiniteVolumes volumes(grid, weights);
  const FiniteVolumes::Index middle{grid.size[0] / 2, grid.size[1] / 2, grid.size[2] / 2};
  double to[FiniteVolumes::kMostNeighbours], sum = 0;
  volumes.conductances(middle, to);
  for (size_t n = 0; n < volumes.neighbours().size(); ++n) {
    const StencilOffset& o = volumes.neighbours()[n];
    const Point there = volumes.place_of({middle[0] + o.x, middle[1] + o.y, middle[2] + o.z});
    sum += to[n] * (u(there) - u(volumes.place_of(middle)));
  }
  return sum / volumes.volume_of(middle);
}

std::vector<StencilWeights> all_weights(int dimensions) {
  return {weights_along_axes(StencilWeights::Mean::harmonic), weights_along_axes(StencilWeights::Mean::arithmetic),
          radial_weights(dimensions), balanced_weights(dimensions)};
}

/// ∇·∇(x² + 2y² + 3z²) = 2 + 4 + 6.
TEST(FiniteVolumes, AreExactForQuadraticFunctions) {
  const auto u = [](const Point& p) { return p[0] * p[0] + 2 * p[1] * p[1] + 3 * p[2] * p[2] + p[0] * p[1] - p[0]; };
  for (const int dimensions : {2, 3})
    for (const StencilWeights& weights : all_weights(dimensions))
      for (const double stretch : {1.0, 1.5}) {
        if (stretch != 1 && weights.all_around) continue;
        RegularGrid grid = test::cube(dimensions, 5);
        grid.spacing[1] *= stretch;
        EXPECT_NEAR(applied_at_middle(grid, weights, u), dimensions == 2 ? 6 : 12, 1e-12);
      }
}

/// With smooth σ and u the error decreases as h².
TEST(FiniteVolumes, ConvergeWithSecondOrder) {
  const auto sigma = [](const Point& p) { return 1 + 0.3 * p[0] + p[1] * p[1]; };
  const auto u = [](const Point& p) { return std::sin(2 * p[0]) * std::cos(p[1]); };
  const auto exact = [&](const Point& p) {
    const double sx = std::sin(2 * p[0]), cx = std::cos(2 * p[0]), sy = std::sin(p[1]), cy = std::cos(p[1]);
    return 0.3 * 2 * cx * cy - 2 * p[1] * sx * sy - 5 * sigma(p) * sx * cy;
  };
  for (const StencilWeights& weights : all_weights(2)) {
    std::vector<double> errors;
    for (const int64_t points : {17, 33, 65}) {
      RegularGrid grid = test::cube(2, points);
      const FiniteVolumes volumes(grid);
      std::vector<double> field(grid.points());
      for (int64_t i = 0; i < grid.points(); ++i) field[i] = sigma(volumes.place_of(grid.point(i)));
      grid.sigma.fill(field);
      errors.push_back(std::abs(applied_at_middle(grid, weights, u) - exact({0.5, 0.5, 0})));
    }
    for (size_t k = 1; k < errors.size(); ++k) EXPECT_NEAR(std::log2(errors[k - 1] / errors[k]), 2, 0.05);
  }
}

/// Cells on both sides of a jump of σ are two resistors in series, the outer ones half a cell from their face.
TEST(FiniteVolumes, CellsByHand) {
  RegularGrid grid = test::box(2, {2, 1, 1}, 0.5);
  grid.places = Places::cells;
  test::set_faces(grid, 0b1100);
  grid.sigma.fill({1.0, 3.0});
  const FiniteVolumes volumes(grid);
  double to[FiniteVolumes::kMostNeighbours];
  EXPECT_DOUBLE_EQ(volumes.conductances({0, 0, 0}, to), 2 * 1.0 + 1.5);  // −y, −x, +x, +y
  EXPECT_EQ(to[0], 0);
  EXPECT_DOUBLE_EQ(to[1], 2 * 1.0);
  EXPECT_DOUBLE_EQ(to[2], 1.5);
  EXPECT_EQ(to[3], 0);
  std::vector<Point> known;
  for (const int64_t i : {0, 1})
    volumes.for_each_face(volumes.index_of(i), [&](const FiniteVolumes::Face& face) {
      if (face.neighbour < 0) known.push_back(face.boundary);
    });
  EXPECT_EQ(known, (std::vector<Point>{{0, 0.25, 0}, {1, 0.25, 0}}));
}

}  // namespace
}  // namespace gridiron
