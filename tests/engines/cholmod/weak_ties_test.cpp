// SPDX-License-Identifier: Apache-2.0
// Parts that are tied by less than the rounding of a diagonal: factored by sums instead of differences.
#include <gtest/gtest.h>

#include "tests/engines/hand_made_grids.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

constexpr double kPad = 0x1p-54, kTie = 0x1p-51;

/// Two meshes of n × n nodes without coordinates: one on a pad, and the other on it.
struct TwoMeshes : test::Deck {
  int32_t n;

  TwoMeshes(int32_t size, double pad, double tie) : n(size) {
    for (int32_t mesh = 0; mesh < 2; ++mesh)
      for (int32_t y = 0; y < n; ++y)
        for (int32_t x = 0; x < n; ++x) {
          node(NAN, NAN, -1, 0, mesh == 0 && x + y == 0 ? pad : 0);
          if (x > 0) wire(at(mesh, x - 1, y), at(mesh, x, y), 1);
          if (y > 0) wire(at(mesh, x, y - 1), at(mesh, x, y), 1);
        }
    wire(at(0, n - 1, n - 1), at(1, 0, 0), tie);
    finish();
  }
  int32_t at(int32_t mesh, int32_t x, int32_t y) const { return (mesh * n + y) * n + x; }
};

/// One ampere through the second mesh, and what makes a volt of its pad and an eighth of the tie.
std::vector<double> currents(const TwoMeshes& grid) {
  std::vector<double> b(grid.network.nodes, 0.0);
  b[grid.at(1, 1, 2)] = 1;
  b[grid.at(1, grid.n - 2, 1)] = -1;
  b[grid.at(1, 2, 2)] = kPad;
  return b;
}

void expect_levels(const TwoMeshes& grid, const std::vector<double>& x) {
  EXPECT_NEAR(x[grid.at(0, 0, 0)], 1, 0.01);
  EXPECT_NEAR(x[grid.at(0, grid.n - 1, grid.n - 1)], 1, 0.01);
  EXPECT_NEAR(x[grid.at(1, 0, 0)], 1.125, 0.01);
}

TEST(CholmodWeakTies, LevelsFollowFromTies) {
  for (const int32_t n : {4, 60})
    for (const char* factorization : {"simplicial", "supernodal"}) {
      SCOPED_TRACE(factorization);
      const TwoMeshes grid(n, kPad, kTie);
      const auto engine = find_engine("cholmod").make({{"factorization", factorization}});
      engine->setup(grid.problem);
      const auto b = currents(grid);
      expect_levels(grid, test::solve(*engine, grid.problem, b, {.relative_residual = 1e-30}).x);
    }
}

TEST(CholmodWeakTies, UpdatesGoThereAndBack) {
  const TwoMeshes weak(12, kPad, kTie), strong(12, 1, 1);
  const auto b = currents(weak);
  const auto engine = find_engine("cholmod").make({}), fresh = find_engine("cholmod").make({});
  engine->setup(strong.problem);
  fresh->setup(strong.problem);
  engine->update(weak.problem);
  expect_levels(weak, test::solve(*engine, weak.problem, b, {.relative_residual = 1e-30}).x);
  engine->update(strong.problem);
  const auto x = test::solve(*engine, strong.problem, b).x, expected = test::solve(*fresh, strong.problem, b).x;
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-12);
}

TEST(CholmodWeakTies, FloatingPartsAreRefused) {
  for (const int32_t n : {4, 60}) {
    const TwoMeshes grid(n, 1, 0);
    EXPECT_THROW(find_engine("cholmod").make({})->setup(grid.problem), SolverError);
  }
}

}  // namespace
}  // namespace gridiron
