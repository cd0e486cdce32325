// SPDX-License-Identifier: Apache-2.0
// PSC on the regular tables of power grids, and within the hybrid iteration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "device/checking_device.hpp"
#include "engines/hybrid/hybrid_on.hpp"
#include "engines/psc/gemm_cpu.hpp"
#include "engines/psc/psc_engine.hpp"
#include "engines/psc/tables_on.hpp"
#include "support/error.hpp"
#include "tests/engines/hand_made_grids.hpp"

namespace gridiron {
namespace {

using psc::TablesSolver;
using testing::HasSubstr;

PscTablesParams params_of(const char* method, int block = 8, double inner_rtol = 0.1) {
  PscTablesParams params;
  params.method = method;
  params.block = block;
  params.inner_rtol = inner_rtol;
  return params;
}

/// The largest difference to the tables' own solution, as a share of its largest entry; empty cells are left out.
template <class D, class V, class T>
double error_of(const PscTablesParams& params, const std::vector<GridTables>& grids) {
  TablesSolver<D, V, T> solver(params);
  test::set_up(solver, grids);
  std::vector<double> b, expected;
  std::vector<bool> counts;
  for (const GridTables& t : grids) {
    auto part = test::random_block(t.cells(), 9);
    for (int64_t i = 0; i < t.cells(); ++i) {
      if (test::is_empty(t, i)) part[i] = 0;
      counts.push_back(!test::is_empty(t, i));
    }
    const auto x = test::dense_reference(test::equations(t), part);
    b.insert(b.end(), part.begin(), part.end());
    expected.insert(expected.end(), x.begin(), x.end());
  }
  const auto x = test::solved(solver, grids, b);
  double worst = 0, largest = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    if (!counts[i]) continue;
    worst = std::max(worst, std::abs(static_cast<double>(x[i]) - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return worst / largest;
}

TEST(PscTables, BlocksAndSkeletonHoldEveryCellOnce) {
  for (const auto& [nx, ny, layers] :
       std::vector<std::array<int, 3>>{{1, 1, 1}, {8, 8, 1}, {7, 9, 2}, {33, 18, 1}, {40, 3, 3}})
    for (const int64_t m : {4, 8, 16}) {
      const std::vector<GridTables> grids{test::random_tables(nx, ny, layers, 1), test::random_tables(6, 5, 1, 2)};
      const psc::TableBlocks blocks = psc::cut_tables(grids, m);
      std::multiset<int32_t> all(blocks.entry_of_node.begin(), blocks.entry_of_node.end());
      for (const int32_t entry : blocks.interior_entry)
        if (entry >= 0) all.insert(entry);
      int64_t cells = 0;
      for (const GridTables& t : grids)
        for (int64_t i = 0; i < t.cells(); ++i) cells += !test::is_empty(t, i);
      EXPECT_EQ(static_cast<int64_t>(all.size()), cells) << nx << " x " << ny << ", blocks of " << m;
      EXPECT_EQ(static_cast<int64_t>(std::set<int32_t>(all.begin(), all.end()).size()), cells);
      for (int64_t node = 0; node < blocks.coarse; ++node)
        EXPECT_EQ(blocks.blocks_of_node[2 * node], -1) << "insides do not see corners";
    }
}

/// With dense inverses in fp64 it is a direct solver, whatever the blocks, layers and gaps.
template <class D>
void solves_tables_directly() {
  for (const auto& [nx, ny, layers] : std::vector<std::array<int, 3>>{
           {1, 1, 1}, {3, 2, 1}, {8, 8, 1}, {17, 14, 2}, {33, 18, 1}, {40, 1, 1}, {1, 40, 1}, {9, 9, 3}})
    for (const int block : {4, 8}) {
      const std::vector<GridTables> grids{test::random_tables(nx, ny, layers, 1), test::random_tables(5, 12, 1, 2)};
      const double error = error_of<D, double, double>(params_of("m1", block), grids);
      EXPECT_LT(error, 1e-11) << nx << " x " << ny << " x " << layers << ", blocks of " << block;
    }
}
TEST(PscTablesOnTheCpu, SolvesDirectly) { solves_tables_directly<CpuDevice>(); }
TEST(PscTablesOnTheCheckingDevice, SolvesDirectly) { solves_tables_directly<CheckingDevice>(); }

TEST(PscTables, PrecisionsComeAsCloseAsTheyCan) {
  const std::vector<GridTables> grids{test::random_tables(40, 33, 1, 3)};
  EXPECT_LT((error_of<CpuDevice, float, float>(params_of("m1"), grids)), 1e-5);
  EXPECT_LT((error_of<CpuDevice, float, psc::Half>(params_of("m1"), grids)), 5e-3);
  EXPECT_LT((error_of<CpuDevice, float, psc::BFloat>(params_of("m1"), grids)), 4e-2);
}

TEST(PscTables, TheIterationReachesWhatItIsAskedFor) {
  for (const auto& [nx, ny, layers] : std::vector<std::array<int, 3>>{{26, 20, 1}, {15, 18, 2}, {20, 7, 1}}) {
    const std::vector<GridTables> grids{test::random_tables(nx, ny, layers, 3)};
    EXPECT_LT((error_of<CpuDevice, double, double>(params_of("m3", 4, 1e-6), grids)), 1e-5) << nx;
    EXPECT_LT((error_of<CpuDevice, double, double>(params_of("m3", 4, 0.1), grids)), 0.3) << nx;
    EXPECT_LT((error_of<CheckingDevice, double, double>(params_of("m3", 4, 1e-6), grids)), 1e-5) << nx;
  }
}

/// On uniform tables all blocks away from the rim are alike.
TEST(PscTables, EqualBlocksShareAnInverse) {
  GridTables t = test::random_tables(64, 64, 1, 1);
  std::ranges::fill(t.gz, 0.01);
  for (int64_t i = 0; i < t.cells(); ++i) {
    t.gh[i] = i % 64 < 63 ? 1 : 0;
    t.gv[i] = i / 64 < 63 ? 1 : 0;
  }
  PscTablesParams apart = params_of("m1", 8), together = apart;
  apart.group_tolerance = -1;
  const auto figures_of = [&](const PscTablesParams& params) {
    TablesSolver<CpuDevice, double, double> solver(params);
    test::set_up(solver, {t});
    std::map<std::string, double> figures;
    for (const auto& [name, value] : solver.figures().figures) figures[name] = value;
    return figures;
  };
  EXPECT_EQ(figures_of(apart)["groups"], 64);
  EXPECT_LE(figures_of(together)["groups"], 25);
  EXPECT_LT(figures_of(together)["bytes_cells"], figures_of(apart)["bytes_cells"] / 2);
  const auto b = test::random_block(t.cells(), 9);
  std::vector<double> x[2];
  for (const bool shares : {false, true}) {
    TablesSolver<CpuDevice, double, double> solver(shares ? together : apart);
    test::set_up(solver, {t});
    x[shares] = test::solved(solver, {t}, b);
  }
  for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(x[0][i], x[1][i], 1e-10);
}

/// Coefficients vary twentyfold; without the basis, condition numbers are 600 and 10 000 (measured by an independent
/// prototype).
TEST(PscTables, TheHierarchicalBasisConditionsTheSkeleton) {
  std::vector<GridTables> grids{test::random_tables(129, 129, 1, 5)};
  for (int64_t i = 0; i < grids[0].cells(); ++i) grids[0].gz[i] = i % 97 == 0 ? 1 : 0;
  for (const bool is_anisotropic : {false, true}) {
    if (is_anisotropic)
      for (double& g : grids[0].gv) g *= 0.01;
    const psc::TableBlocks blocks = psc::cut_tables(grids, 16);
    const psc::TableValues values(blocks, grids);
    std::vector<psc::CondensedBlock> condensed;
    std::vector<const double*> schur;
    for (int64_t b = 0; b < blocks.blocks; ++b) condensed.push_back(values.condense(b));
    for (const psc::CondensedBlock& block : condensed) schur.push_back(block.schur.data());
    const psc::Skeleton skeleton = psc::SkeletonOperator(blocks, values, schur).prepare(true);
    EXPECT_LT(skeleton.largest / skeleton.least, is_anisotropic ? 300 : 45);
    EXPECT_GT(skeleton.largest / skeleton.least, 2);
  }
}

TEST(PscTables, UpdateTakesNewNumbersInPlace) {
  const std::vector<GridTables> before{test::random_tables(20, 17, 1, 1)}, now{test::random_tables(20, 17, 1, 7)};
  for (const char* method : {"m1", "m3"}) {
    PscTablesParams params = params_of(method, 8, 1e-8);
    params.group_tolerance = -1;
    TablesSolver<CpuDevice, double, double> solver(params), fresh(params);
    test::set_up(solver, before);
    const auto b = test::random_block(now[0].cells(), 2);
    test::solved(solver, before, b);
    const double* const place = solver.rhs().data();
    solver.update(grids_on_host(now));
    EXPECT_EQ(solver.rhs().data(), place);
    test::set_up(fresh, now);
    const auto x = test::solved(solver, now, b), expected = test::solved(fresh, now, b);
    for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-6) << method;
  }
}

template <class D>
void hybrid_agrees_with_dense_elimination(std::initializer_list<const char*> precisions,
                                          std::initializer_list<double> vias, int32_t side) {
  for (const char* plane : {"single", "layered"})
    for (const char* method : {"m1", "m3"})
      for (const char* precision : precisions) {
        SCOPED_TRACE(std::string(plane) + " " + method + " " + precision);
        const Settings settings{{"plane", plane}, {"method", method}, {"precision", precision}, {"block", "8"}};
        for (const double via : vias) {
          const auto deck = test::mesh(side, side - 3, via);
          const auto b = test::random_block(deck->network.nodes, 5);
          const auto engine = psc::make_hybrid_with_tables<D>(settings);
          engine->setup(deck->problem);
          const auto [x, stats] = test::solve(*engine, deck->problem, b, {.relative_residual = 1e-12});
          EXPECT_TRUE(stats.converged) << via;
          EXPECT_LT(test::error(deck->problem, b, x), 1e-9) << via;
        }
        const auto nets = test::several_nets();
        const auto b = test::random_block(nets->network.nodes, 6);
        const auto engine = psc::make_hybrid_with_tables<D>(settings);
        engine->setup(nets->problem);
        const auto [x, stats] = test::solve(*engine, nets->problem, b, {.relative_residual = 1e-12});
        EXPECT_TRUE(stats.converged);
        EXPECT_LT(test::error(nets->problem, b, x), 1e-9);
      }
}
TEST(PscOnPowerGridsOnTheCpu, AgreesWithDenseElimination) {
  hybrid_agrees_with_dense_elimination<CpuDevice>({"double", "single", "half", "bfloat"}, {0.01, 1.0, 100.0}, 21);
}
TEST(PscOnPowerGridsOnTheCheckingDevice, AgreesWithDenseElimination) {
  hybrid_agrees_with_dense_elimination<CheckingDevice>({"half"}, {1.0}, 12);
}

/// Half precision costs at most two iterations more than double; columns of a block are their own solutions.
TEST(PscOnPowerGrids, PrecisionsAndBlocksOfColumns) {
  const auto deck = test::mesh(60, 50, 5.0);
  const int64_t n = deck->network.nodes, columns = 11;
  const auto b = test::random_block(n * columns, 6);
  const StopRule tight{.relative_residual = 1e-10};
  int iterations_of_double = 0;
  for (const char* precision : {"double", "single", "half"}) {
    const auto engine = make_psc({{"precision", precision}});
    engine->setup(deck->problem);
    const auto together = test::solve(*engine, deck->problem, b, tight);
    EXPECT_TRUE(together.stats.converged);
    if (std::string(precision) == "double") iterations_of_double = together.stats.iterations;
    EXPECT_LE(together.stats.iterations, iterations_of_double + 2) << precision;
    for (const int64_t j : {int64_t{0}, columns - 1}) {
      const auto alone = test::solve(*engine, deck->problem, {b.begin() + j * n, b.begin() + (j + 1) * n}, tight).x;
      for (int64_t i = 0; i < n; ++i) ASSERT_NEAR(together.x[j * n + i], alone[i], 1e-8) << precision;
    }
  }
}

/// One pad that is far weaker than the wires, and wires a hundred times stronger along one axis. A weak pad makes the
/// voltages so large that fp64 cannot resolve smaller residuals.
TEST(PscOnPowerGrids, WeakPadsAndAnisotropyConverge) {
  for (const auto& [pad, rtol] : {std::pair{1e-3, 1e-9}, std::pair{1e-6, 1e-6}})
    for (const double strength : {1.0, 100.0})
      for (const char* precision : {"single", "half", "bfloat"})
        for (const char* method : {"m1", "m3"}) {
          test::Deck deck;
          const int32_t side = 40;
          for (int32_t y = 0; y < side; ++y)
            for (int32_t x = 0; x < side; ++x) deck.node(x, y, 0, 0, x + y == 0 ? pad : 0);
          for (int32_t i = 0; i < side * side; ++i) {
            if (i % side + 1 < side) deck.wire(i, i + 1, strength);
            if (i / side + 1 < side) deck.wire(i, i + side, 1);
          }
          deck.finish();
          const auto b = test::random_block(deck.network.nodes, 5);
          const auto engine = make_psc({{"precision", precision}, {"method", method}});
          engine->setup(deck.problem);
          const auto [x, stats] = test::solve(*engine, deck.problem, b, {.relative_residual = rtol});
          EXPECT_TRUE(stats.converged) << pad << " " << strength << " " << precision << " " << method;
          EXPECT_LE(stats.iterations, 12) << pad << " " << strength << " " << precision << " " << method;
        }
}

TEST(PscOnPowerGrids, RefusesWhatDoesNotApply) {
  const auto deck = test::mesh(12, 12, 5.0);
  const auto refusal = [&](const Settings& settings) -> std::string {
    try {
      make_psc(settings)->setup(deck->problem);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(psc_declines(deck->problem), std::nullopt);
  EXPECT_EQ(refusal({{"block", "4"}}), "");
  EXPECT_THAT(refusal({{"h0", "1/8"}}), HasSubstr("psc on power grids has no parameter \"h0\""));
  EXPECT_THAT(refusal({{"method", "m2"}}), HasSubstr("m3"));
  EXPECT_THAT(refusal({{"block", "12"}}), HasSubstr("expected 0, 4, 8"));
  EXPECT_THAT(refusal({{"group_tolerance", "-2"}}), HasSubstr("group_tolerance"));
  std::get<PowerGrid>(deck->problem.structure).geometry.x_um.clear();
  EXPECT_THAT(psc_declines(deck->problem).value_or(""), HasSubstr("coordinates"));
}

}  // namespace
}  // namespace gridiron
