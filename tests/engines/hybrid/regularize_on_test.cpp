// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <omp.h>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "tests/engines/hybrid/regularize_checks.hpp"

namespace gridiron {
namespace {

template <class D>
class RegularizeOn : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(RegularizeOn, Devices);

TYPED_TEST(RegularizeOn, IsRegularizeOnEveryShapeOfGrid) { test::regularizes_decks_like_the_host<TypeParam>(); }
TYPED_TEST(RegularizeOn, IsRegularizeOnLargeGrids) { test::regularizes_large_decks_like_the_host<TypeParam>(); }
TYPED_TEST(RegularizeOn, StampsInTurnsAreTheSame) { test::stamps_in_turns_are_the_same<TypeParam>(); }

TYPED_TEST(RegularizeOn, RefusesWhatRegularizeRefuses) {
  using D = TypeParam;
  const auto attempt = [](test::Deck& deck, const RegularizeOptions& options = {}) {
    deck.finish();
    const Geometry& geometry = std::get<PowerGrid>(deck.problem.structure).geometry;
    regularize_on<D>(CsrOn<D>(deck.problem.matrix), deck.network, geometry, GeometryOn<D>(geometry), options);
  };
  for (const double x : {std::nan(""), HUGE_VAL, -1e200}) {
    test::Deck deck;
    deck.node(0, 0, 0, 0, 1);
    deck.node(x, 0, 0, 0);
    EXPECT_THROW(attempt(deck), InputError) << x;
  }
  test::Deck tall, unplaced, fine;
  tall.node(0, 0, kMostLayers, 0, 1);
  EXPECT_THROW(attempt(tall), InputError);
  unplaced.node(0, 0, 0, 0, 1);
  unplaced.geometry = {};
  EXPECT_THROW(attempt(unplaced), InputError);
  fine.node(0, 0, kMostLayers - 1, 0, 1);
  attempt(fine);
  EXPECT_THROW(attempt(fine, {.grid_scale = 0}), InputError);
}

TEST(RegularizeOnCpu, GivesTheSameBitsOnAnyNumberOfThreads) {
  const auto deck = test::scattered_deck(20'000, 2, 5);
  const Geometry& geometry = std::get<PowerGrid>(deck->problem.structure).geometry;
  const auto tables = [&] {
    using D = CpuDevice;
    const auto r = regularize_on<D>(CsrOn<D>(deck->problem.matrix), deck->network, geometry, GeometryOn<D>(geometry),
                                    {.single_plane = true});
    return std::vector{r.gh.to_host(), r.gv.to_host(), r.via.to_host(), r.gz.to_host()};
  };
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto alone = tables();
  for (const int threads : {2, 3}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(tables(), alone) << threads;
  }
  omp_set_num_threads(before);
}

}  // namespace
}  // namespace gridiron
