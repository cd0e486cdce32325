// SPDX-License-Identifier: Apache-2.0
// The parts of a drop add up to it, whatever the sources.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "analysis/insight/explain.hpp"
#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using test::design_of;

double sum_of_parts(const Explanation& e) {
  double sum = e.other_loads_v + e.unequal_sources_v;
  for (const LoadEffect& load : e.loads) sum += load.drop_v;
  return sum;
}

Explanation explained(const System& system, const std::string& name, const ExplainOptions& options = {}) {
  SolverOptions exactly;
  exactly.engine = "cholmod";
  exactly.tolerance_v = 1e-9;
  Solver solver(system, exactly);
  const Loads loads(system.design());
  const IrReport report = summarise(system, solver.solve(loads).front());
  const NodeId node = node_to_explain(report, name);
  return explain(solver, loads, report, std::span(&node, 1), options).front();
}

Explanation explained(const std::string& deck, const std::string& name) {
  return explained(System(design_of("* t\n" + deck + ".end\n")), name);
}

TEST(PartsOfDrop, TwoPadsOfUnequalVoltage) {
  const Explanation e = explained("v1 a 0 1\nv2 c 0 0.9\nr1 a b 1\nr2 b c 1\ni1 b 0 0.1\n", "b");
  EXPECT_NEAR(e.drop_v, 0.1, 1e-12);
  EXPECT_NEAR(e.loads[0].drop_v, 0.05, 1e-12) << "0.1 A through 0.5 Ω";
  EXPECT_NEAR(e.unequal_sources_v, 0.05, 1e-12) << "half of the 0.1 V that the second pad lies below the first";
  EXPECT_EQ(e.other_loads, 0);
  EXPECT_EQ(e.other_loads_v, 0);
  EXPECT_NEAR(explained("v1 a 0 1\nv2 c 0 0.9\nr1 a b 1\nr2 b c 1\ni1 b 0 0.1\n", "c").unequal_sources_v, 0.1, 1e-12);
}

TEST(PartsOfDrop, EqualPadsAddNothing) {
  EXPECT_NEAR(explained("v1 a 0 1\nv2 c 0 1\nr1 a b 1\nr2 b c 1\ni1 b 0 0.1\n", "b").unequal_sources_v, 0, 1e-15);
}

TEST(PartsOfDrop, SourcesWithinTheGridAndResistorsToGround) {
  for (const char* node : {"b", "c", "d"}) {
    const Explanation e =
        explained("v1 a 0 1\nr1 a b 1\nv2 b c 0.2\nr2 c d 1\nr3 d 0 9\nr4 b d 3\ni1 d 0 0.1\ni2 c 0 0.05\n", node);
    EXPECT_NEAR(sum_of_parts(e), e.drop_v, 1e-12) << node;
    EXPECT_GT(std::abs(e.unequal_sources_v), 0.01) << node;
  }
}

TEST(PartsOfDrop, OfAGroundNetBelowAndAboveItsPads) {
  // Drops are counted from the highest source: from 20 mV in the first case, two thirds of which b lies below it.
  for (const auto& [volts, expected] : {std::pair("0.02", 0.04 / 3), {"-0.02", 0.02 / 3}}) {
    const Explanation e = explained(fmt::format("v1 p 0 1\nv2 g1 0 0\nv3 g2 0 {}\nr1 p a 1\nr2 g1 b 1\nr3 b g2 2\n"
                                                "i1 a b 0.1\n",
                                                volts),
                                    "b");
    EXPECT_NEAR(sum_of_parts(e), e.drop_v, 1e-12) << volts;
    EXPECT_NEAR(std::abs(e.unequal_sources_v), expected, 1e-12) << volts;
  }
}

TEST(PartsOfDrop, WithAnAddedPadAndMoreLoadsThanAreListed) {
  std::string deck = "* t\nv1 n0 0 1\n";
  for (int k = 0; k < 30; ++k)
    deck += fmt::format("r{} n{} n{} 0.1\ni{} n{} 0 {}m\n", k, k, k + 1, k, k + 1, 1 + k % 7);
  System system(design_of(deck + ".end\n"));
  system.apply(AddPad{"n20", 0.99, 0.5});
  const Explanation e = explained(system, "worst", {.segments = 3, .loads = 4});
  EXPECT_EQ(e.loads.size(), 4u);
  EXPECT_EQ(e.other_loads, 26);
  EXPECT_GT(e.other_loads_v, e.loads[0].drop_v);
  EXPECT_GT(e.unequal_sources_v, 1e-3);
  EXPECT_NEAR(sum_of_parts(e), e.drop_v, 1e-12);
}

}  // namespace
}  // namespace gridiron
