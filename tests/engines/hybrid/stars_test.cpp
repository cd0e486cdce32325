// SPDX-License-Identifier: Apache-2.0
// Stars of a grid: found where present and nowhere else, contracted correctly, and harmless to the hybrid engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "engines/gpuhmd/gpuhmd_on.hpp"
#include "engines/hybrid/contracted_grid.hpp"
#include "engines/hybrid/hybrid_on.hpp"
#include "engines/hybrid/stars.hpp"
#include "tests/engines/hand_made_grids.hpp"

namespace gridiron {
namespace {

using test::Deck;
using testing::ElementsAre;

template <class D>
class StarsOn : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(StarsOn, Devices);

/// A rail of nodes at 0 … n − 1 with a pad at its end.
void add_rail(Deck& deck, int32_t n) {
  for (int32_t i = 0; i < n; ++i) deck.node(i, 0, 0, 0, i == 0 ? 1 : 0);
  for (int32_t i = 0; i + 1 < n; ++i) deck.wire(i, i + 1, 1);
}
void add_pin(Deck& deck, std::initializer_list<int32_t> places, double conductance = 1000) {
  const int32_t pin = deck.node(0.5, 1, 0, 0);
  for (const int32_t place : places) deck.wire(pin, place, conductance);
}

template <class D>
std::vector<int64_t> clusters(Deck& deck) {
  deck.finish();
  return Stars<D>(CsrOn<D>(deck.problem.matrix)).cluster_of_unknown().to_host();
}

TYPED_TEST(StarsOn, AreFound) {
  Deck deck;
  add_rail(deck, 6);
  add_pin(deck, {1, 2, 4});
  EXPECT_THAT(clusters<TypeParam>(deck), ElementsAre(0, 3, 3, 1, 3, 2, 3));
  const Stars<TypeParam> stars(CsrOn<TypeParam>(deck.problem.matrix));
  EXPECT_THAT(stars.leader().to_host(), ElementsAre(0, 3, 5, 6));
}

TYPED_TEST(StarsOn, ShareNoNode) {
  Deck deck;
  add_rail(deck, 7);
  add_pin(deck, {0, 1, 2, 3});
  add_pin(deck, {3, 4, 5, 6});
  EXPECT_THAT(clusters<TypeParam>(deck), ElementsAre(0, 0, 0, 0, 1, 1, 1, 0, 1));
}

TYPED_TEST(StarsOn, NeedThreeSatellitesFarCloserThanAllElse) {
  Deck two, weak, held_elsewhere;
  add_rail(two, 6);
  add_pin(two, {1, 2});
  add_rail(weak, 6);
  add_pin(weak, {1, 2, 4}, 20);
  add_rail(held_elsewhere, 6);
  add_pin(held_elsewhere, {1, 2, 4});
  held_elsewhere.network.pad[1] = 100;
  for (Deck* deck : {&two, &weak, &held_elsewhere}) EXPECT_THAT(clusters<TypeParam>(*deck), ElementsAre());
}

TYPED_TEST(StarsOn, AreNotInMeshes) {
  using D = TypeParam;
  for (const double via : {1e-4, 0.01, 1.0, 100.0, 1e4}) {
    const auto deck = test::mesh(30, 20, via);
    EXPECT_TRUE(Stars<D>(CsrOn<D>(deck->problem.matrix)).empty()) << via;
  }
  EXPECT_TRUE(Stars<D>(CsrOn<D>(test::poisson(20).matrix)).empty());
  EXPECT_TRUE(Stars<D>(CsrOn<D>(CsrMatrix{0, {0}, {}, {}})).empty());
}

TEST(ContractedGrid, IsTheGalerkinProduct) {
  const auto deck = test::mesh_with_pins(20, 6, 0.3, 5);
  const CsrMatrix& a = deck->problem.matrix;
  const Stars<CpuDevice> stars{CsrOn<CpuDevice>(a)};
  ASSERT_FALSE(stars.empty());
  const auto cluster = stars.cluster_of_unknown().to_host();
  const auto leader = stars.leader().to_host();
  const Problem contracted = contracted_grid(std::get<PowerGrid>(deck->problem.structure), cluster, leader);
  const CsrMatrix& c = contracted.matrix;
  const auto clusters = static_cast<int64_t>(leader.size());
  ASSERT_EQ(c.rows, clusters);
  EXPECT_EQ(std::get<PowerGrid>(contracted.structure).network->nodes, clusters);
  test::DenseMatrix difference(clusters, test::LongVector(clusters, 0));
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) difference[cluster[i]][cluster[a.col[k]]] += a.value[k];
  for (int64_t i = 0; i < clusters; ++i)
    for (int64_t k = c.row_ptr[i]; k < c.row_ptr[i + 1]; ++k) difference[i][c.col[k]] -= c.value[k];
  for (const auto& row : difference)
    for (const auto value : row) EXPECT_NEAR(static_cast<double>(value), 0, 1e-11);
  const Geometry& places = std::get<PowerGrid>(contracted.structure).geometry;
  for (int64_t k = 0; k < clusters; ++k) EXPECT_EQ(places.x_um[k], deck->geometry.x_um[leader[k]]);
}

TYPED_TEST(StarsOn, DoNotKeepTheHybridFromTheDenseAnswer) {
  using D = TypeParam;
  const auto deck = test::mesh_with_pins(20, 8, 0.3, 5);
  const int64_t n = deck->network.nodes;
  const auto b = test::random_block(2 * n, 5);
  for (const char* plane : {"single", "layered"}) {
    GpuHmdParams params;
    params.hybrid.plane = plane;
    const auto engine = gpuhmd::make_gpuhmd_on<D>(params);
    engine->setup(deck->problem);
    const auto [x, stats] = test::solve(*engine, deck->problem, b, {.relative_residual = 1e-10});
    EXPECT_TRUE(stats.converged) << plane;
    for (const size_t column : {0, 1})
      EXPECT_LT(test::error(deck->problem, std::span(b).subspan(column * n, n), std::span(x).subspan(column * n, n)),
                1e-8);
  }
}

TEST(Stars, GiveTheSameBitsOnAnyDeviceAndNumberOfThreads) {
  const auto deck = test::mesh_with_pins(80, 60, 0.3, 5);
  const auto b = test::random_block(deck->network.nodes, 6);
  const auto solution = [&](Engine& engine) {
    engine.setup(deck->problem);
    return test::solve(engine, deck->problem, b).x;
  };
  const auto expected = solution(*gpuhmd::make_gpuhmd_on<CpuDevice>(GpuHmdParams{}));
  EXPECT_EQ(solution(*gpuhmd::make_gpuhmd_on<CheckingDevice>(GpuHmdParams{})), expected);
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(solution(*gpuhmd::make_gpuhmd_on<CpuDevice>(GpuHmdParams{})), expected) << threads;
  }
  omp_set_num_threads(before);
}

/// They get a separate grid, listed in the report. (Without it: 138 to 331 iterations.)
TEST(Stars, CostTheHybridEnginesFewIterations) {
  for (const char* name : {"gpuhmd", "sgml"}) {
    for (const int32_t step : {5, 7}) {
      for (const double via : {0.3, 5.0}) {
        SCOPED_TRACE(std::string(name) + ", step " + std::to_string(step) + ", via " + std::to_string(via));
        const auto deck = test::mesh_with_pins(60, 60, via, step);
        const auto engine = find_engine(name).make({});
        engine->setup(deck->problem);
        const std::vector<double> b(deck->network.nodes, -1e-3);
        const SolveStats stats = test::solve(*engine, deck->problem, b).stats;
        EXPECT_TRUE(stats.converged);
        EXPECT_LE(stats.iterations, via < 1 ? 20 : 35);

        const Stars<CpuDevice> stars{CsrOn<CpuDevice>(deck->problem.matrix)};
        const std::vector<LevelSummary> levels = engine->levels();
        EXPECT_EQ(levels[1].unknowns, static_cast<int64_t>(stars.leader().size()));
        EXPECT_GE(engine->bytes(), levels[0].bytes + levels[1].bytes + stats.hybrid->regular_grid_bytes);
      }
    }
  }
}

}  // namespace
}  // namespace gridiron
