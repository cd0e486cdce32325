// SPDX-License-Identifier: Apache-2.0
// SGML on the conductance tables of power grids, alone and within the hybrid iteration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "engines/hybrid/across_devices.hpp"
#include "engines/hybrid/hybrid_on.hpp"
#include "engines/sgml/sgml_engine.hpp"
#include "engines/sgml/tables_solver.hpp"
#include "support/error.hpp"
#include "tests/engines/hand_made_grids.hpp"

namespace gridiron {
namespace {

using sgml::Lattice;
using sgml::LevelPlan;
using sgml::TablesSolver;
using testing::HasSubstr;

template <class D>
class SgmlTables : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(SgmlTables, Devices);

std::vector<LevelPlan> plan_of(const GridTables& t) {
  const std::vector<GridTables> tables{t};
  std::vector<LevelPlan> plan;
  for (const auto& level : sgml::plan_levels(grids_on_host(tables)[0], 0))
    plan.push_back({sgml::on_host<CpuDevice>(level.stencil), level.band, level.to_next});
  return plan;
}

/// Power that voltages on a level dissipate: Σ g (difference)² + Σ gz v².
double power(const LevelPlan& level, const std::vector<double>& v) {
  const Lattice& l = level.stencil.lattice;
  const int64_t offset[] = {1, l.pitch(), l.plane()}, nx = l.unknowns(0);
  double sum = 0;
  for (int64_t k = 0; k < l.unknowns(); ++k) {
    const int64_t at = l.at(k / nx, k % nx);
    sum += level.stencil.diagonals[at] * v[at] * v[at];
    for (int axis = 0; axis < l.dimensions; ++axis)
      sum -= 2 * level.stencil.conductance[axis][at] * v[at] * v[at + offset[axis]];
  }
  return sum;
}

std::vector<double> on_lattice(const Lattice& l, const std::vector<double>& values) {
  std::vector<double> field(l.size(), 0.0);
  for (int64_t k = 0; k < l.unknowns(); ++k) field[l.at(k / l.unknowns(0), k % l.unknowns(0))] = values[k];
  return field;
}

/// Coarse corrections do not overshoot if interpolated voltages never dissipate more power on the fine level than on
/// the coarse one; on a lattice of constant value, both dissipate the same.
TEST(SgmlTablesPlan, CoarseGridsAreNoSofterThanFineOnes) {
  for (const auto& [nx, ny, layers] :
       std::vector<std::array<int, 3>>{{17, 17, 1}, {18, 23, 1}, {40, 9, 2}, {31, 64, 3}, {100, 1, 1}, {1, 37, 2}}) {
    const auto plan = plan_of(test::random_tables(nx, ny, layers, 3));
    ASSERT_GT(plan.size(), 1u);
    for (size_t v = 0; v + 1 < plan.size(); ++v) {
      const Lattice &fine = plan[v].stencil.lattice, &coarse = plan[v + 1].stencil.lattice;
      const sgml::Transfer<CpuDevice, double> transfer(fine, coarse, plan[v].to_next);
      for (const bool constant : {false, true}) {
        const std::vector<double> values = on_lattice(
            coarse, constant ? std::vector<double>(coarse.unknowns(), 1.0) : test::random_block(coarse.unknowns(), 5));
        Array<CpuDevice, double> on_coarse(values),
            on_fine(on_lattice(fine, std::vector<double>(fine.unknowns(), 0.0)));
        transfer.interpolate(std::as_const(on_coarse).view(), on_fine.view());
        const double below = power(plan[v + 1], values), above = power(plan[v], on_fine.to_host());
        EXPECT_LE(above, below * (1 + 1e-12)) << nx << " x " << ny << " x " << layers << ", level " << v;
        if (constant) {
          EXPECT_NEAR(above, below, 1e-10 * below);
        }
      }
    }
  }
}

TEST(SgmlTablesPlan, UniformTablesStayUniform) {
  GridTables t;
  t.layers = 1;
  t.nx = t.used_nx = t.ny = t.used_ny = 33;
  for (std::vector<double>* table : {&t.gh, &t.gv, &t.via, &t.gz}) table->assign(33 * 33, 0.0);
  for (int i = 0; i < 33 * 33; ++i) {
    t.gh[i] = i % 33 < 32 ? 2 : 0;
    t.gv[i] = i / 33 < 32 ? 3 : 0;
  }
  for (const LevelPlan& level : plan_of(t)) {
    const Lattice& l = level.stencil.lattice;
    if (l.points[0] < 5) continue;
    const int64_t middle = l.at(l.points[0] / 2, l.points[1] / 2, 0);
    EXPECT_NEAR(level.stencil.conductance[0][middle], 2, 1e-12);
    EXPECT_NEAR(level.stencil.conductance[1][middle], 3, 1e-12);
  }
}

TEST(SgmlTablesPlan, LatticesHoldTheirTablesAndHalveFarDown) {
  for (int32_t n = 1; n < 2000; n += n < 40 ? 1 : 37) {
    GridTables t;
    t.layers = 1;
    t.used_nx = n;
    t.used_ny = 1;
    const Lattice l = sgml::lattice_of(t);
    EXPECT_GE(l.points[0], n);
    EXPECT_LE(l.points[0], n + n / 8 + 1);
    int64_t points = l.points[0];
    while (points > 17) {
      ASSERT_EQ(points % 2, 1) << n;
      points = (points + 1) / 2;
    }
  }
}

TYPED_TEST(SgmlTables, CyclesConvergeOnAnySizeOfGrid) {
  using D = TypeParam;
  SgmlParams params;
  const auto convergence = [&](const GridTables& t) {
    TablesSolver<D, double> solver{params};
    test::set_up(solver, {t});
    return test::convergence(solver, t);
  };
  for (const char* coarsest : {"inverse", "relaxed"}) {
    SCOPED_TRACE(coarsest);
    params.coarsest = coarsest;
    for (const int32_t nx : {15, 16, 17, 18, 33, 65, 67})
      for (const int32_t ny : {8, 9, 10, 34})
        EXPECT_LT(convergence(test::random_tables(nx, ny, 1, 1)), 0.3) << nx << " x " << ny;
    EXPECT_LT(convergence(test::random_tables(17, 14, 2, 1)), 0.5);
    EXPECT_LT(convergence(test::random_tables(36, 33, 2, 1)), 0.5);
    EXPECT_LT(convergence(test::random_tables(40, 1, 1, 2)), 0.3);
    EXPECT_LT(convergence(test::random_tables(1, 40, 1, 2)), 0.3);
    EXPECT_LT(convergence(test::random_tables(900, 1, 1, 2)), 0.45);
    EXPECT_LT(convergence(test::random_tables(1, 900, 1, 2)), 0.45);
  }
}

TYPED_TEST(SgmlTables, SolvesTheSmallestDirectly) {
  using D = TypeParam;
  for (const auto& [nx, ny, layers] : std::vector<std::array<int, 3>>{{1, 1, 1}, {3, 2, 1}, {1, 3, 4}}) {
    const GridTables t = test::random_tables(nx, ny, layers, 8);
    const auto b = test::random_block(t.cells(), 9);
    TablesSolver<D, double> solver{SgmlParams()};
    test::set_up(solver, {t});
    const auto expected = test::dense_reference(test::equations(t), b);
    const auto x = test::solved(solver, {t}, b);
    for (size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-5) << nx << " x " << ny;  // dummies
  }
}

TYPED_TEST(SgmlTables, GridsDoNotSeeEachOther) {
  using D = TypeParam;
  const std::vector<GridTables> grids{test::random_tables(35, 29, 1, 1), test::random_tables(5, 12, 3, 2),
                                      test::random_tables(1, 1, 1, 3)};
  TablesSolver<D, float> together{SgmlParams()};
  test::set_up(together, grids);
  std::vector<double> b;
  std::vector<float> apart;
  for (const GridTables& t : grids) {
    const auto part = test::random_block(t.cells(), 7);
    b.insert(b.end(), part.begin(), part.end());
    TablesSolver<D, float> alone{SgmlParams()};
    test::set_up(alone, {t});
    const auto x = test::solved(alone, {t}, part);
    apart.insert(apart.end(), x.begin(), x.end());
  }
  EXPECT_EQ(test::solved(together, grids, b), apart);
}

template <class D, class T>
test::Solution hybrid_solution(const Problem& problem, const SgmlHybridParams& params, const std::vector<double>& b,
                               const StopRule& stop) {
  HybridOn<D, T> engine(params.hybrid, {}, std::make_unique<TablesSolver<D, T>>(params.cycle));
  engine.setup(problem);
  return test::solve(engine, problem, b, stop);
}

TYPED_TEST(SgmlTables, HybridAgreesWithDenseElimination) {
  using D = TypeParam;
  for (const char* plane : {"single", "layered"}) {
    SgmlHybridParams params;
    params.hybrid.plane = plane;
    for (const double via : {0.01, 1.0, 100.0}) {
      const auto deck = test::mesh(11, 8, via);
      const auto b = test::random_block(deck->network.nodes, 5);
      const auto [x, stats] = hybrid_solution<D, float>(deck->problem, params, b, {.relative_residual = 1e-12});
      EXPECT_TRUE(stats.converged) << plane << " " << via;
      EXPECT_LT(test::error(deck->problem, b, x), 1e-9) << plane << " " << via;
    }
    const auto nets = test::several_nets();
    const auto b = test::random_block(nets->network.nodes, 6);
    const auto [x, stats] = hybrid_solution<D, double>(nets->problem, params, b, {.relative_residual = 1e-12});
    EXPECT_TRUE(stats.converged) << plane;
    EXPECT_LT(test::error(nets->problem, b, x), 1e-9) << plane;
  }
}

TEST(SgmlTables, CheckingDeviceAndCpuAgreeToTheLastBit) {
  const auto deck = test::mesh(30, 21, 2.0);
  const auto b = test::random_block(deck->network.nodes, 6);
  const auto cpu = hybrid_solution<CpuDevice, float>(deck->problem, {}, b, {});
  const auto checked = hybrid_solution<CheckingDevice, float>(deck->problem, {}, b, {});
  EXPECT_EQ(cpu.x, checked.x);
  EXPECT_EQ(cpu.stats.history, checked.stats.history);
}

/// The engine as users get it: it distinguishes a power grid from a regular grid.
TEST(SgmlTables, EngineSolvesPowerGrids) {
  const auto deck = test::mesh(40, 40, 5.0);
  const auto b = test::random_block(deck->network.nodes, 6);
  EXPECT_FALSE(sgml_declines(deck->problem));
  for (const char* hybrid : {"device", "paper"}) {
    const auto engine = make_sgml({{"hybrid", hybrid}});
    EXPECT_EQ(engine->bytes(), 0);
    engine->setup(deck->problem);
    const auto [x, stats] = test::solve(*engine, deck->problem, b, {.relative_residual = 1e-10});
    EXPECT_TRUE(stats.converged);
    EXPECT_LT(stats.iterations, 20);
    EXPECT_LT(test::error(deck->problem, b, x), 1e-8);
    EXPECT_GT(engine->bytes(), 0);
    EXPECT_GT(engine->levels().size(), 3u);
  }
  try {
    make_sgml({{"schedule", "faithful"}})->setup(deck->problem);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("sgml on power grids has no parameter \"schedule\""));
  }
  std::get<PowerGrid>(deck->problem.structure).geometry.x_um.clear();
  EXPECT_THAT(sgml_declines(deck->problem).value_or(""), HasSubstr("coordinates"));
  EXPECT_THROW(make_sgml({{"plane", "double"}}), InputError);
}

}  // namespace
}  // namespace gridiron
