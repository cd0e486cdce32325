// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/stokes_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace gridiron {
namespace {

TEST(StokesCounts, PatchesAreMultipliedByMatricesOf51Rows) {
  constexpr int64_t n = 8;
  constexpr double kPatches = (n + 1) * (n + 1), kRows = 51;
  const std::vector<KernelCount> counts = count_stokes_kernels(n);
  const auto solves = std::ranges::find(counts, "Vanka: apply inverses", &KernelCount::name);
  ASSERT_NE(solves, counts.end());
  EXPECT_EQ(solves->flops, kPatches * 2 * kRows * kRows);
  EXPECT_EQ(solves->writes, kPatches * kRows);
  EXPECT_GE(solves->reads, 25 * kRows * kRows) << "25 inverses, and residuals";
  EXPECT_LT(solves->reads, 25 * kRows * kRows + 9 * (n + 6) * (n + 6));
  const auto update = std::ranges::find(counts, "Vanka: update solution", &KernelCount::name);
  ASSERT_NE(update, counts.end());
  EXPECT_EQ(update->writes, 9 * kPatches) << "four velocities of two components, and a pressure";
}

TEST(StokesCounts, CountsAreTheSameEachTime) {
  const std::vector<KernelCount> first = count_stokes_kernels(8), second = count_stokes_kernels(8);
  ASSERT_EQ(first.size(), second.size());
  for (size_t k = 0; k < first.size(); ++k) {
    EXPECT_EQ(first[k].reads, second[k].reads) << first[k].name;
    EXPECT_EQ(first[k].writes, second[k].writes) << first[k].name;
    EXPECT_EQ(first[k].flops, second[k].flops) << first[k].name;
    EXPECT_GT(first[k].flops, 0) << first[k].name;
  }
}

TEST(StokesCounts, PatchesShare25Inverses) {
  const std::vector<int64_t> patches = patches_per_inverse(7);
  ASSERT_EQ(patches.size(), 25u);
  EXPECT_EQ(std::ranges::count(patches, 1), 16);
  EXPECT_EQ(std::ranges::count(patches, 4), 8);
  EXPECT_EQ(patches.back(), 16);
  EXPECT_EQ(std::accumulate(patches.begin(), patches.end(), int64_t{0}), 64);
  EXPECT_EQ(patches_per_inverse(2).size(), 9u) << "each of few patches is different";
}

}  // namespace
}  // namespace gridiron
