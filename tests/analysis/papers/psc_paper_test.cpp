// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/papers/psc_conditions.hpp"
#include "analysis/papers/psc_precision.hpp"
#include "analysis/pde/finite_elements.hpp"
#include "engines/psc/prehandled.hpp"

namespace gridiron {
namespace {

/// Of Q1 elements on the unit square with n elements per side: products of 1-D eigenvalues.
double condition_by_formula(int n) {
  const auto stiffness = [&](int i) { return 2 - 2 * std::cos(std::numbers::pi * i / n); };
  const auto mass = [&](int i) { return (4 + 2 * std::cos(std::numbers::pi * i / n)) / 6; };
  double least = 1e9, largest = 0;
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j) {
      const double value = stiffness(i) * mass(j) + mass(i) * stiffness(j);
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
  return largest / least;
}

TEST(PscConditions, AreThoseOfTheFormulaAndFallWithPrehandling) {
  for (const int levels : {4, 5}) {
    const PrehandledConditions ours = prehandled_conditions(levels, 2);
    const double expected = condition_by_formula(1 << levels);
    EXPECT_NEAR(ours.stiffness, expected, 1e-5 * expected);
    EXPECT_LT(ours.hierarchical, ours.stiffness);
    EXPECT_LT(ours.prehandled, ours.hierarchical);
    EXPECT_GT(ours.prehandled, 1);
  }
}

TEST(PscConditions, TheSchurComplementNeedsNoInverse) {
  const RefinedMesh mesh(unit_square_mesh(4, 1), 5);
  const psc::Prehandled with = psc::prehandle(mesh, 2, false),
                        without = psc::prehandle(mesh, 2, false, eliminate_without_inverse);
  ASSERT_EQ(with.groups.size(), 1u);
  ASSERT_EQ(without.groups[0].schur.size(), with.groups[0].schur.size());
  for (size_t k = 0; k < with.groups[0].schur.size(); ++k)
    EXPECT_NEAR(without.groups[0].schur[k], with.groups[0].schur[k], 1e-13) << k;
  EXPECT_TRUE(without.groups[0].inverse.empty());
}

TEST(PscPrecision, ErrorsFallWithTheSquareOfHUntilRoundingTakesOver) {
  const auto single = errors_in_one_dimension<float>(12), twice = errors_in_one_dimension<double>(12);
  for (size_t k = 3; k < twice.size(); ++k) EXPECT_NEAR(twice[k - 1] / twice[k], 4, 0.05) << k;
  EXPECT_NEAR(single[3] / twice[3], 1, 0.01);
  EXPECT_GT(single[11], 100 * twice[11]);
}

}  // namespace
}  // namespace gridiron
