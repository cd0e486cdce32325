// SPDX-License-Identifier: Apache-2.0
#include "analysis/certify/barrier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <random>

#include "engines/engine.hpp"
#include "support/context.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

/// bᵢ − (A w)ᵢ, the largest.
double largest_deficit(const CsrMatrix& a, std::span<const double> b, const std::vector<double>& w) {
  std::vector<double> product(w.size());
  multiply(a, w.data(), product.data());
  double largest = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < w.size(); ++i) largest = std::max(largest, b[i] - product[i]);
  return largest;
}

TEST(Barrier, IsReachedFromARoughSolutionOfAnyMesh) {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    for (const double noise : {0.0, 0.5, 5.0}) {
      const auto mesh = std::make_shared<const Problem>(test::poisson(60, scale));
      const CsrMatrix& a = mesh->matrix;
      const std::vector<double> b(static_cast<size_t>(a.rows), 1.0);
      const auto engine = find_engine("cholmod").make({});
      engine->setup(mesh);
      std::mt19937 random(1);
      std::vector<double> rough = b;
      for (double& v : rough) v += random() % 50 == 0 ? noise * (random() / 2147483648.0 - 1) : 0.0;
      const std::vector<double> before = test::solve(*engine, *mesh, rough).x;
      std::vector<double> w = before;
      ASSERT_TRUE(raise_to_barrier(a, b, w));
      EXPECT_LE(largest_deficit(a, b, w), kMostDeficit * (1 + 1e-9)) << scale << " " << noise;
      for (size_t i = 0; i < w.size(); ++i) EXPECT_GE(w[i], before[i]);
      if (noise == 0) {
        EXPECT_EQ(w, before);
      }
    }
  }
}

TEST(Barrier, HasTheSameBitsOnAnyNumberOfThreads) {
  const Problem mesh = test::poisson(200);
  const std::vector<double> b(40'000, 1.0);
  std::vector<double> rough(40'000), plain;
  for (int i = 0; i < 40'000; ++i)  // of −Δw = 1, about, with dents
    rough[i] = 0.5 * (i % 200 + 1) * (200 - i % 200) - (i % 97 == 0 ? 0.2 * (i % 5) : 0.0);
  for (const int threads : {1, 2, 5}) {
    const ThreadCount count(threads);
    std::vector<double> w = rough;
    ASSERT_TRUE(raise_to_barrier(mesh.matrix, b, w));
    EXPECT_LE(largest_deficit(mesh.matrix, b, w), kMostDeficit * (1 + 1e-9));
    if (plain.empty()) plain = w;
    EXPECT_TRUE(w == plain && w != rough) << threads << " threads";
  }
}

TEST(Barrier, IsGivenUpWhereItIsFar) {
  const Problem mesh = test::poisson(60);
  const std::vector<double> b(3600, 1.0);
  std::vector<double> w(3600, 0.0);
  EXPECT_FALSE(raise_to_barrier(mesh.matrix, b, w));
  std::vector<double> nothing(3600, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(raise_to_barrier(mesh.matrix, b, nothing));  // no row is known to be short; ErrorBound refuses it

  // Where only some ranges of rows are far from it, too: what is given up has not been raised more often than that.
  const Problem large = test::poisson(800);
  std::vector<double> some(640'000, 0.0), raised(640'000, 0.0);
  for (size_t i = 0; i < some.size(); ++i) some[i] = i / 32'768 % 4 == 0 ? 1.0 : 0.0;
  EXPECT_FALSE(raise_to_barrier(large.matrix, some, raised));
  EXPECT_LT(std::accumulate(raised.begin(), raised.end(), 0.0), 640'000.0);
  const Problem empty = test::problem_of({}), one = test::problem_of({{{0, 4.0}}});
  EXPECT_TRUE(raise_to_barrier(empty.matrix, {}, {}));
  std::vector<double> single{0.0};
  EXPECT_TRUE(raise_to_barrier(one.matrix, std::vector<double>{1.0}, single));
  EXPECT_DOUBLE_EQ(single[0], 0.7 / 4);
}

}  // namespace
}  // namespace gridiron
