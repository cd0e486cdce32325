// SPDX-License-Identifier: Apache-2.0
// What is told of limits before there are tables, against the limits that are judged later.
#include "analysis/run/early_limits.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "analysis/run/ir_drop.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/analysis/insight/layered_circuit.hpp"

namespace gridiron {
namespace {

using test::LayeredCircuit;

/// A net, or one of its layers, and a quantity at random.
LimitRequest random_limit(const IrReport& report, std::mt19937& random) {
  const auto pick = [&](const auto& of) { return of[random() % of.size()]; };
  LimitRequest limit;
  if (random() % 3 > 0) limit.net = pick(report.nets).name;
  if (!limit.net.empty() && random() % 2 == 0) limit.layer = pick(std::vector<std::string>{"m1", "M2"});
  limit.quantity = pick(std::vector<std::string>{"worst", "average", "p50", "p95", "p99", "p99.9"});
  limit.value = std::exp(std::uniform_real_distribution(-9.0, -1.0)(random));
  limit.is_share = random() % 2 == 0;
  return limit;
}

TEST(EarlyLimits, TellWhatIsJudgedLater) {
  std::mt19937 random(5);
  int exceeded = 0, kept = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const LayeredCircuit layered(seed);
    const Circuit circuit = read_netlist_text(layered.deck());
    const auto design = make_design(circuit, {});
    const System system(design);
    Solver solver(system, {.engine = "cholmod"});
    const Answer answer = solver.solve();
    const IrReport all = summarise(system, answer);
    for (int k = 0; k < 20; ++k) {
      SummaryOptions options;
      options.limits = {random_limit(all, random)};
      const LimitRequest& limit = options.limits[0];
      if (k % 5 == 0 && limit.net.empty()) options.net = all.nets[random() % all.nets.size()].name;
      const IrReport report = summarise(system, answer, options);
      const bool is_exceeded = std::ranges::any_of(report.limits, [](const LimitResult& of) { return of.exceeded; });
      const std::string text = fmt::format("circuit {}: {}:{}:{}={}{}", seed, limit.net, limit.layer, limit.quantity,
                                           limit.value, limit.is_share ? " of the supply" : " V");
      if (is_exceeded || !limit.is_share) {
        EXPECT_EQ(may_exceed_limits(system, answer, options), is_exceeded) << text;
        EXPECT_EQ(may_exceed_limits(system, all.nodes, options), is_exceeded) << text;
      }
      ++(is_exceeded ? exceeded : kept);
    }
  }
  EXPECT_GT(exceeded, 100);
  EXPECT_GT(kept, 100);
}

TEST(EarlyLimits, ReleaseTheSolverWhereAllAreKept) {
  const Circuit circuit = read_netlist_text(
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_1_0 1\nr2 n1_m1_1_0 n1_m1_2_0 1\ni1 n1_m1_2_0 0 10m\n.end\n");
  const auto bytes_after = [&](const std::string& limit, bool is_worst_case) {
    const auto design = make_design(circuit, {});
    Solver solver(System(design, false), {.engine = "cholmod"});
    SummaryOptions options;
    options.limits = parse_limits(std::vector<std::string>{limit});
    analyse_loads(solver, Loads(design), is_worst_case, options, {}, SolverAfterwards::stays_beyond_limits);
    return solver.bytes();
  };
  for (const bool is_worst_case : {false, true}) {
    EXPECT_EQ(bytes_after("20.1mV", is_worst_case), 0);
    EXPECT_GT(bytes_after("19.9mV", is_worst_case), 0);
    EXPECT_EQ(bytes_after("average=10.1mV", is_worst_case), 0);
    EXPECT_GT(bytes_after("average=9.9mV", is_worst_case), 0);
    EXPECT_EQ(bytes_after("p50=10.1mV", is_worst_case), 0) << "of the three drops the second one";
    EXPECT_GT(bytes_after("p50=9.9mV", is_worst_case), 0);
  }
}

}  // namespace
}  // namespace gridiron
