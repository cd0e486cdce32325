// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/aggregation_sizes.hpp"

#include <gtest/gtest.h>

#include "analysis/pde/pde_system.hpp"
#include "engines/engine.hpp"

namespace gridiron {
namespace {

PdeSystem system_of(const char* problem, int64_t size) {
  return make_system(find_pde_problem(problem), {.size = size});
}

/// The engine ranks nodes as the plain code does, but numbers aggregates anew, by which ranks of the next level differ;
/// and its strengths are in single precision.
TEST(AggregationSizes, PlainOnesAreThoseOfTheEngine) {
  for (const char* problem : {"poisson2d", "anisotropic2d"})
    for (const int64_t size : {65, 66, 129}) {
      const PdeSystem system = system_of(problem, size);
      const auto engine = make_engine(find_engine("aggamg"), "cpu", {{"preset", "paper"}, {"coarse_size", "600"}});
      engine->setup(system.problem);
      const std::vector<LevelSummary> levels = engine->levels();
      const std::vector<MatrixSize> plain = aggregation_sizes(system.problem->matrix, 0.25, 600, Interpolation::plain);
      ASSERT_EQ(plain.size(), levels.size()) << problem << " " << size;
      ASSERT_GE(plain.size(), 2u);
      for (size_t k = 0; k < plain.size(); ++k) {
        const double tolerance = k < 2 ? 0.002 : 0.15;
        EXPECT_NEAR(static_cast<double>(plain[k].unknowns), levels[k].unknowns, tolerance * levels[k].unknowns);
        EXPECT_NEAR(static_cast<double>(plain[k].nonzeros), levels[k].nonzeros, tolerance * levels[k].nonzeros);
      }
    }
}

TEST(AggregationSizes, SmoothingWidensRows) {
  const PdeSystem system = system_of("poisson2d", 65);
  const auto& matrix = system.problem->matrix;
  const auto plain = aggregation_sizes(matrix, 0.25, 100, Interpolation::plain),
             smoothed = aggregation_sizes(matrix, 0.25, 100, Interpolation::smoothed);
  ASSERT_GE(plain.size(), 2u);
  EXPECT_EQ(plain[1].unknowns, smoothed[1].unknowns);
  EXPECT_GT(smoothed[1].nonzeros, plain[1].nonzeros);
}

TEST(AggregationSizes, StopsWhereNothingIsStrong) {
  CsrMatrix identity{3, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}};
  const auto sizes = aggregation_sizes(identity, 0.25, 0, Interpolation::smoothed);
  EXPECT_EQ(sizes.back().unknowns, 1);
}

}  // namespace
}  // namespace gridiron
