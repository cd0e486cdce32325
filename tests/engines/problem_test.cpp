// SPDX-License-Identifier: Apache-2.0
#include "engines/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

TEST(Multiply, ByHand) {
  const CsrMatrix a = test::problem_of({{{0, 2.0}, {2, 1.0}}, {}, {{0, -1.0}, {1, 3.0}}}).matrix;
  const std::vector<double> x{1, 2, 4};
  std::vector<double> y(3, 99.0);
  multiply(a, x.data(), y.data());
  EXPECT_THAT(y, testing::ElementsAre(6, 0, 5));
}

TEST(Multiply, EmptyMatrix) { multiply(CsrMatrix{}, nullptr, nullptr); }

TEST(Multiply, SameBitsForEveryNumberOfThreads) {
  const Problem problem = test::random_grid(3000, 6, 1);
  const auto x = test::random_block(3000, 2);
  std::vector<double> one(3000), four(3000);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  multiply(problem.matrix, x.data(), one.data());
  omp_set_num_threads(4);
  multiply(problem.matrix, x.data(), four.data());
  omp_set_num_threads(before);
  EXPECT_EQ(one, four);
}

}  // namespace
}  // namespace gridiron
