// SPDX-License-Identifier: Apache-2.0
// What iterations of a step start from.
#include "analysis/tran/steps/guesses.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "analysis/tran/steps/device_steps_on.hpp"
#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"

namespace gridiron {
namespace {

TEST(Guesses, GoThroughTheLastStates) {
  const double times[] = {7, 4, 3}, t = 9;
  const auto polynomial = [](double at, int order) { return 2 + (order > 0) * 3 * at + (order > 1) * 0.5 * at * at; };
  for (size_t known = 1; known <= 3; ++known) {
    const Guesses guesses = Guesses::through(std::span(times).first(known), t);
    ASSERT_EQ(guesses.count, static_cast<int>(known));
    EXPECT_FALSE(guesses.are_comparable);
    for (int order = 0; order < guesses.count; ++order)
      EXPECT_NEAR(guesses.residual(order, polynomial(t, order), polynomial(7, order), polynomial(4, order),
                                   polynomial(3, order)),
                  0, 1e-12);
  }
  EXPECT_NEAR(Guesses::through(times, t).residual(1, 9 * 9, 7 * 7, 4 * 4, 3 * 3), 81 - (49 + 11 * 2), 1e-12);
}

TEST(Guesses, BestLeavesTheLeast) {
  EXPECT_EQ(Guesses::best({{1, 2, 3}}), 0);
  EXPECT_EQ(Guesses::best({{2, 1, 3}}), 1);
  EXPECT_EQ(Guesses::best({{3, 2, 1}}), 2);
  EXPECT_EQ(Guesses::best({{0, 0, 0}}), 2) << "nothing changes: the parabola's rounding is no worse";
  EXPECT_EQ(Guesses::best({{1, 1, 2}}), 1);
}

/// A mesh that follows its loads within a step; these jump once.
Circuit jumping_mesh(int n) {
  std::string deck = "* mesh\nvdd p 0 1\n";
  int k = 0;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      ++k;
      if (x + 1 < n) deck += fmt::format("rx{} n_{}_{} n_{}_{} 1\n", k, x, y, x + 1, y);
      if (y + 1 < n) deck += fmt::format("ry{} n_{}_{} n_{}_{} 1\n", k, x, y, x, y + 1);
      if (x % 20 == 0 && y % 20 == 0) deck += fmt::format("rp{} n_{}_{} p 0.1\n", k, x, y);
      deck += fmt::format("c{} n_{}_{} 0 1e-18\n", k, x, y);
      deck += fmt::format("i{} n_{}_{} 0 pwl(0 10u 1n 10u 1.1n {}u)\n", k, x, y, 20 + k % 7);
    }
  Circuit circuit = read_netlist_text(deck + ".tran 0.1n 2n\n.end\n");
  start_at_time_zero(circuit);
  return circuit;
}

TEST(Guesses, AJumpOfLoadsTakesIterationsOnce) {
  const Circuit circuit = jumping_mesh(40);
  const MakeStates on_device = [](const StepTables& tables, bool, void*) { return make_steps_on_host(tables); };
  for (const MakeStates& keep : {MakeStates(), on_device}) {
    TranOptions options;
    options.engine = "aggamg";
    options.settings = {{"coarse_size", "50"}};
    options.tolerance_v = 1e-9;
    options.method = Method::backward_euler;
    options.make_states = keep;
    const TranReport report = analyse_transient(circuit, options);
    EXPECT_GE(report.most_iterations, 8);
    EXPECT_LE(report.iterations, 1.5 * report.most_iterations) << "the parabola would overshoot in the two steps after";
  }
}

}  // namespace
}  // namespace gridiron
