// SPDX-License-Identifier: Apache-2.0
#include "linalg/krylov.hpp"

#include <gtest/gtest.h>

namespace gridiron {
namespace {

/// The largest residual takes a pass over all, which the norm makes needless while it is too large for any.
TEST(ConvergenceMonitor, AsksForTheLargestResidualWhenThatMayDo) {
  ConvergenceMonitor monitor{.stop = {.relative_residual = 0, .absolute_max = 1e-3}, .norm_b = 1, .entries = 100};
  int asked = 0;
  const auto reached = [&](double norm, double largest) {
    return monitor.reached(norm, [&] {
      ++asked;
      return largest;
    });
  };
  EXPECT_FALSE(reached(1, 0.5));  // the first one scales what is reported of the progress
  EXPECT_EQ(asked, 1);
  EXPECT_FALSE(reached(1.01e-2, 1.01e-3));  // all entries alike
  EXPECT_EQ(asked, 1);
  EXPECT_FALSE(reached(0.99e-2, 0.99e-2));  // a single one
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(reached(0.99e-2, 0.99e-3));
  EXPECT_EQ(monitor.stats.max_residual, 0.99e-3);
}

}  // namespace
}  // namespace gridiron
