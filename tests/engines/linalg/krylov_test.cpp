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

/// Residuals of conjugate gradients may first grow; what counts is the error that they minimise.
TEST(ConvergenceMonitor, GoesOnWhileTheErrorFalls) {
  const auto stops_at = [](bool is_cg, double gain) {
    ConvergenceMonitor monitor{.stop = {.relative_residual = 1e-8}, .norm_b = 1};
    monitor.reached(1, [] { return 1.0; });
    double step = 1;
    while (monitor.may_go_on()) {
      ++monitor.stats.iterations;
      if (is_cg) monitor.gain(step);
      step *= gain;
      monitor.reached(10, [] { return 1.0; });
    }
    return monitor.stats.iterations;
  };
  EXPECT_EQ(stops_at(false, 0), 30);
  EXPECT_EQ(stops_at(true, 0.5), 34);  // hardly anything is left to gain
  EXPECT_EQ(stops_at(true, 0.95), 71);
  EXPECT_EQ(stops_at(true, 1.0), 300);  // a tenth of all in the last 30
}

}  // namespace
}  // namespace gridiron
