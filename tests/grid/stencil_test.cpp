// SPDX-License-Identifier: Apache-2.0
#include "grid/stencil.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace gridiron {
namespace {

TEST(Stencil, NeighboursAscendAndComeInPairs) {
  for (const int dimensions : {2, 3})
    for (const bool all_around : {false, true}) {
      const auto all = neighbours(dimensions, all_around);
      EXPECT_EQ(all.size(), all_around ? (dimensions == 2 ? 8U : 26U) : 2U * dimensions);
      EXPECT_EQ(all.size(), 2U * half_neighbour_count(dimensions, all_around));
      for (size_t n = 0; n < all.size(); ++n) {
        const StencilOffset &o = all[n], &opposite = all[all.size() - 1 - n];
        EXPECT_EQ(std::tuple(-o.x, -o.y, -o.z), std::tuple(opposite.x, opposite.y, opposite.z));
        if (n > 0) {
          EXPECT_LT(std::tuple(all[n - 1].z, all[n - 1].y, all[n - 1].x), std::tuple(o.z, o.y, o.x));
        }
      }
    }
}

/// Σ weight · o_a · o_b is 2 for a = b and 0 otherwise: exact for quadratic functions.
TEST(Stencil, WeightsAreConsistent) {
  for (const int dimensions : {2, 3})
    for (const StencilWeights& weights :
         {weights_along_axes(StencilWeights::Mean::harmonic), radial_weights(dimensions), balanced_weights(dimensions)})
      for (int a = 0; a < dimensions; ++a)
        for (int b = 0; b < dimensions; ++b) {
          double moment = 0;
          for (const StencilOffset& o : neighbours(dimensions, weights.all_around))
            moment += weights.by_steps[o.steps()] * o[a] * o[b];
          EXPECT_NEAR(moment, a == b ? 2 : 0, 1e-14);
        }
}

TEST(Stencil, RadialWeightsFallWithTheDistance) {
  EXPECT_NEAR(radial_factor(2), std::sqrt(2.0) - 1, 1e-15);
  EXPECT_NEAR(radial_factor(3), 1 / (1 + 2.8284271247 + 2.3094010768), 1e-10);
  for (const int dimensions : {2, 3}) {
    const StencilWeights weights = radial_weights(dimensions);
    EXPECT_DOUBLE_EQ(weights.by_steps[1], std::sqrt(2.0) * weights.by_steps[2]);
    EXPECT_DOUBLE_EQ(weights.by_steps[1], std::sqrt(3.0) * weights.by_steps[3]);
  }
}

TEST(Stencil, HarmonicMeanIsThatOfTwoResistorsInSeries) {
  EXPECT_DOUBLE_EQ(harmonic_mean(1, 3), 1.5);
  EXPECT_EQ(harmonic_mean(0.1, 0.7), harmonic_mean(0.7, 0.1));
  EXPECT_EQ(harmonic_mean(0.3, 0.3), 0.3);
  EXPECT_DOUBLE_EQ(harmonic_mean(1e300, 1e308), 2e300 / (1 + 1e-8));
}

}  // namespace
}  // namespace gridiron
