// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/sgml_plain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/papers/sgml_tables.hpp"
#include "support/context.hpp"

namespace gridiron {
namespace {

using Field = PlainSgml::Field;

/// 1 inside, 0 on the boundary.
Field ones(int64_t n) {
  Field f(n * n, 0.0);
  for (int64_t j = 1; j + 1 < n; ++j) std::fill_n(f.begin() + j * n + 1, n - 2, 1.0);
  return f;
}

/// Equation (8).
Field polynomial(int64_t n) {
  Field f(n * n, 0.0);
  for (int64_t j = 1; j + 1 < n; ++j)
    for (int64_t i = 1; i + 1 < n; ++i) {
      const double x = std::pow(static_cast<double>(i) / (n - 1), 2), y = std::pow(static_cast<double>(j) / (n - 1), 2);
      f[j * n + i] = -2 * (y * (1 - 6 * x) * (1 - y) + x * (1 - 6 * y) * (1 - x));
    }
  return f;
}

double largest(const Field& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

TEST(PlainSgml, VisitsLevelsInTheOrderOfAlgorithm3) {
  PlainSgml plain(3);
  std::vector<int> levels;
  std::vector<int64_t> work;
  plain.cycle(ones(9), [&](const PlainSgml::Visit& visit) {
    levels.push_back(visit.level);
    work.push_back(visit.work);
  });
  EXPECT_EQ(levels, (std::vector<int>{2, 1, 2, 1, 0, 1, 0, 0, 0}));
  // Two relaxations per visit, and as many averages as the level's number.
  EXPECT_EQ(work, (std::vector<int64_t>{4, 7, 11, 14, 16, 19, 21, 23, 25}));
  EXPECT_EQ(plain.work(), 25);
}

/// 27 to 32 times per cycle, as another implementation found; more on coarse grids.
TEST(PlainSgml, ResidualsFallAsThoseOfAPrototype) {
  const ThreadCount one(1);
  PlainSgml plain(9);
  Field r = polynomial(plain.points());
  for (int k = 0; k < 4; ++k) {
    const Field next = plain.residual(r, plain.cycle(r));
    EXPECT_GT(largest(r) / largest(next), 27) << k;
    EXPECT_LT(largest(r) / largest(next), 32) << k;
    r = next;
  }
}

TEST(PlainSgml, IsWhatTheEngineDoes) {
  const ThreadCount one(1);
  const PaperTable table = sgml_against_plain(2);
  ASSERT_EQ(table.rows.size(), 2u);
  for (const PaperRow& row : table.rows) EXPECT_TRUE(agrees(table.columns[0], row.cells[0])) << row.cells[0].ours;
}

}  // namespace
}  // namespace gridiron
