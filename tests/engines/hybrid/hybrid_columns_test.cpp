// SPDX-License-Identifier: Apache-2.0
// Several right-hand sides in the hybrid engines: in packs where possible, otherwise column by column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "engines/gpuhmd/gpuhmd_on.hpp"
#include "engines/hybrid/hybrid_on.hpp"
#include "engines/sgml/tables_on.hpp"
#include "tests/engines/hand_made_grids.hpp"

namespace gridiron {
namespace {

const StopRule kTight{.relative_residual = 1e-10};

/// Random columns, except that the third is zero.
std::vector<double> columns_of(const Problem& problem, int64_t columns) {
  const int64_t n = problem.matrix.rows;
  auto b = test::random_block(n * columns, 3);
  if (columns > 2) std::fill_n(b.begin() + 2 * n, n, 0.0);
  return b;
}

test::Solution one_by_one(Engine& engine, const Problem& problem, const std::vector<double>& b) {
  const int64_t n = problem.matrix.rows, columns = static_cast<int64_t>(b.size()) / n;
  test::Solution all{std::vector<double>(b.size(), 0.0), {}};
  for (int64_t j = 0; j < columns; ++j)
    all.stats.columns.push_back(engine.solve({b.data() + j * n, n, 1}, {all.x.data() + j * n, n, 1}, kTight));
  return all;
}

double largest(std::span<const double> x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

double largest_difference(std::vector<double> x, const std::vector<double>& y) {
  for (size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return largest(x);
}

GpuHmdParams params_for(const char* plane, const char* smoother = "sweeps", const char* precision = "float") {
  GpuHmdParams params;
  params.hybrid.plane = plane;
  params.hybrid.line_length = 8;
  params.smoother = smoother;
  params.precision = precision;
  params.coarse_size = 20;
  return params;
}

/// The checking device is slow, so it gets a single deck, with stars.
template <class D>
std::vector<std::unique_ptr<test::Deck>> decks() {
  std::vector<std::unique_ptr<test::Deck>> decks;
  decks.push_back(test::mesh_with_pins(20, 6, 0.3, 5));
  if (!D::shares_host_memory) return decks;
  decks.push_back(test::mesh(11, 8, 0.7));
  decks.push_back(test::several_nets());
  return decks;
}

template <class D>
class HybridColumns : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(HybridColumns, Devices);

TYPED_TEST(HybridColumns, AgreeWithOneByOne) {
  for (const auto& deck : decks<TypeParam>()) {
    const Problem& problem = deck->problem;
    const int64_t n = problem.matrix.rows;
    for (const GpuHmdParams& params : {params_for("single"), params_for("layered"), params_for("single", "tiles"),
                                       params_for("auto", "sweeps", "half")}) {
      const auto engine = gpuhmd::make_gpuhmd_on<TypeParam>(params);
      engine->setup(problem);
      const auto b = columns_of(problem, 17);
      const auto alone = one_by_one(*engine, problem, b);
      for (const int64_t columns : {1, 7, 8, 9, 17}) {
        const std::vector<double> some(b.begin(), b.begin() + columns * n),
            expected(alone.x.begin(), alone.x.begin() + columns * n);
        const auto [x, stats] = test::solve(*engine, problem, some, kTight);
        ASSERT_EQ(stats.columns.size(), static_cast<size_t>(columns));
        EXPECT_EQ(x, expected) << columns;
        for (int64_t j = 0; j < columns; ++j) {
          EXPECT_TRUE(stats.columns[j].converged) << j << " of " << columns;
          EXPECT_EQ(stats.columns[j].history, alone.stats.columns[j].history) << j << " of " << columns;
        }
        if (columns > 2) {
          EXPECT_EQ(stats.columns[2].iterations, 0);
          EXPECT_EQ(largest(std::span(x).subspan(2 * n, n)), 0);
        }
      }
    }
  }
}

TYPED_TEST(HybridColumns, BeginAtZeroIfToldTo) {
  const auto deck = std::move(decks<TypeParam>().front());
  const Problem& problem = deck->problem;
  const int64_t n = problem.matrix.rows;
  StopRule stop = kTight;
  stop.from_zero = true;
  for (const char* cycle : {"cg", "stationary"}) {
    GpuHmdParams params = params_for("layered");
    params.hybrid.cycle = cycle;
    const auto engine = gpuhmd::make_gpuhmd_on<TypeParam>(params);
    engine->setup(problem);
    for (const int64_t columns : {1, 9}) {
      const auto b = columns_of(problem, columns);
      std::vector<double> x(b.size(), std::numeric_limits<double>::quiet_NaN());
      engine->solve({b.data(), n, columns}, {x.data(), n, columns}, stop);
      EXPECT_EQ(x, test::solve(*engine, problem, b, kTight).x) << columns << " columns, " << cycle;
    }
  }
}

TYPED_TEST(HybridColumns, SeeUpdates) {
  for (const auto& deck : decks<TypeParam>()) {
    const Problem& before = deck->problem;
    test::Deck changed = *deck;
    for (size_t e = 0; e < changed.network.conductance.size(); ++e)
      changed.network.conductance[e] *= e % 2 == 0 ? 1.5 : 1.2;
    changed.finish();
    const auto b = columns_of(before, 17);
    const auto engine = gpuhmd::make_gpuhmd_on<TypeParam>(params_for("layered"));
    engine->setup(before);
    test::solve(*engine, before, b, kTight);
    engine->update(changed.problem);
    const auto expected = one_by_one(*engine, changed.problem, b);
    EXPECT_LT(largest_difference(test::solve(*engine, changed.problem, b, kTight).x, expected.x),
              1e-8 * largest(expected.x));
    engine->setup(before);
    EXPECT_LT(largest_difference(test::solve(*engine, before, b, kTight).x, one_by_one(*engine, before, b).x),
              1e-8 * largest(expected.x));
  }
}

/// Columns that are not solved together are bitwise identical to separate solves.
TEST(HybridColumnsOnTheCpu, GoOneByOneWhereTheyMust) {
  using D = CpuDevice;
  const auto deck = test::mesh_with_pins(20, 6, 0.3, 5);
  const auto b = columns_of(deck->problem, 9);
  GpuHmdParams exact = params_for("layered", "sweeps", "double"), stationary = params_for("layered"),
               divided = params_for("layered"), long_lines = params_for("layered");
  stationary.hybrid.cycle = "stationary";
  divided.hybrid.hybrid = "paper";
  long_lines.hybrid.line_length = kLongestLine;
  std::vector<std::unique_ptr<Engine>> engines;
  for (const GpuHmdParams& params : {exact, stationary, divided, long_lines})
    engines.push_back(gpuhmd::make_gpuhmd_on<D>(params));
  engines.push_back(sgml::make_hybrid_with_tables<D>(SgmlHybridParams()));
  for (const auto& engine : engines) {
    engine->setup(deck->problem);
    EXPECT_EQ(test::solve(*engine, deck->problem, b, kTight).x, one_by_one(*engine, deck->problem, b).x);
  }
}

TEST(HybridColumnsOnBothDevices, HaveTheSameBits) {
  using D = CheckingDevice;
  const auto deck = test::mesh_with_pins(20, 6, 0.3, 5);
  const Problem& problem = deck->problem;
  const int64_t n = problem.matrix.rows;
  constexpr int64_t columns = 13;
  const auto b = columns_of(problem, columns);
  for (const char* plane : {"single", "layered"}) {
    const auto cpu = gpuhmd::make_gpuhmd_on<CpuDevice>(params_for(plane));
    const auto checking = gpuhmd::make_gpuhmd_on<D>(params_for(plane));
    cpu->setup(problem);
    checking->setup(problem);
    const auto expected = test::solve(*cpu, problem, b).x;
    EXPECT_EQ(test::solve(*checking, problem, b).x, expected);
    for (const int64_t some : {columns, int64_t{1}}) {  // blocks on the device
      const Array<D, double> b_device(b);
      Array<D, double> x_device(std::vector<double>(b.size(), 0.0));
      checking->solve({b_device.view().data(), n, some, Memory::device},
                      {x_device.view().data(), n, some, Memory::device}, {});
      const auto x = x_device.to_host();
      const auto on_host = test::solve(*cpu, problem, std::vector<double>(b.begin(), b.begin() + some * n)).x;
      EXPECT_EQ(std::vector<double>(x.begin(), x.begin() + some * n), on_host) << some;
    }
  }
}

TEST(HybridColumnsOnTheCpu, HaveTheSameBitsForAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  const auto deck = test::mesh_with_pins(90, 60, 0.7, 9);
  const auto b = columns_of(deck->problem, 11);
  for (const char* plane : {"single", "layered"}) {
    std::vector<double> alone;
    for (const int threads : {1, 2, 3}) {
      omp_set_num_threads(threads);
      const auto engine = gpuhmd::make_gpuhmd_on<CpuDevice>(params_for(plane));
      engine->setup(deck->problem);
      const auto x = test::solve(*engine, deck->problem, b).x;
      if (threads == 1) alone = x;
      EXPECT_EQ(x, alone) << threads;
    }
  }
  omp_set_num_threads(before);
}

}  // namespace
}  // namespace gridiron
