// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/error_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gridiron {
namespace {

using Matrix = std::vector<std::vector<double>>;

std::vector<double> times(const Matrix& b, const std::vector<double>& x, bool transposed) {
  std::vector<double> y(x.size(), 0.0);
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t j = 0; j < x.size(); ++j) y[transposed ? j : i] += b[i][j] * x[transposed ? i : j];
  return y;
}

double norm(const Matrix& b) {
  double largest = 0;
  for (size_t j = 0; j < b.size(); ++j) {
    double sum = 0;
    for (const auto& row : b) sum += std::abs(row[j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

TEST(ErrorEstimate, IsBelowTheNormAndMostlyNear) {
  std::mt19937 random(1);
  std::normal_distribution<double> entry;
  int near = 0;
  for (int k = 0; k < 200; ++k) {
    const auto n = static_cast<size_t>(1 + k % 20);
    Matrix b(n, std::vector<double>(n));
    for (auto& row : b)
      for (double& v : row) v = entry(random) * std::exp(2 * entry(random));
    const double found = estimate_one_norm(
        static_cast<int64_t>(n), [&](std::vector<double> x) { return times(b, x, false); },
        [&](std::vector<double> x) { return times(b, x, true); });
    EXPECT_LE(found, norm(b) * (1 + 1e-12));
    EXPECT_GT(found, norm(b) / 3);
    near += found > 0.99 * norm(b) ? 1 : 0;
  }
  EXPECT_GT(near, 160);
}

TEST(ErrorEstimate, OfNothingIsNothing) { EXPECT_EQ(estimate_one_norm(0, {}, {}), 0); }

}  // namespace
}  // namespace gridiron
