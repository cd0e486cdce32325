// SPDX-License-Identifier: Apache-2.0
// Small decks whose solution can be calculated by hand.
#include "analysis/run/ir_drop.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "analysis/results/instances.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/analysis/analysed.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

using test::Analysed;
using test::failure;

TEST(IrDrop, OneResistor) {
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\n");
  EXPECT_NEAR(run.volts("a"), 0.8, 1e-12);
  ASSERT_EQ(run.result.nets.size(), 1u);
  const NetResult& net = run.net("vdd");
  EXPECT_EQ(net.nominal_v, 1);
  EXPECT_NEAR(net.worst_drop_v, 0.2, 1e-12);
  EXPECT_EQ(run.circuit.node_name(net.worst_node), "a");
  EXPECT_NEAR(net.average_drop_v, 0.1, 1e-12);
  EXPECT_NEAR(net.load_current_a, 0.1, 1e-15);
  EXPECT_NEAR(net.total_power_w, 0.1, 1e-15);
  ASSERT_EQ(run.result.pads.size(), 1u);
  EXPECT_EQ(run.result.pads[0].name, "v1");
  EXPECT_NEAR(run.result.pads[0].current_a, 0.1, 1e-12);
  EXPECT_LT(run.result.certificate.max_error_v, 1e-12);
}

TEST(IrDrop, EverythingKnownLeavesNoUnknown) {
  const Analysed run("* t\nv1 a 0 1\nr1 a 0 1\n");
  EXPECT_EQ(run.result.reduced.unknowns, 0);
  EXPECT_EQ(run.volts("a"), 1);
  EXPECT_NEAR(run.result.pads[0].current_a, 1.0, 1e-15);
}

TEST(IrDrop, SourcesOfAnyValueBetweenAnyNodesAreMergedExactly) {
  // b is held 0.3 V above a; the short and the inductor make c = b.
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 1\nv2 b a 0.3\nr2 b c 0\nl1 c d 1n\nr3 d 0 1\n");
  EXPECT_NEAR(run.volts("a"), 0.35, 1e-12);
  EXPECT_NEAR(run.volts("b"), 0.65, 1e-12);
  EXPECT_EQ(run.volts("c"), run.volts("b"));
  EXPECT_EQ(run.volts("d"), run.volts("b"));
  EXPECT_NEAR(run.result.pads[0].current_a, 0.65, 1e-12);
}

TEST(IrDrop, PadCurrentsPassThroughChainsOfTies) {
  const Analysed run("* t\nv1 x 0 1\nl1 x y 1n\nr0 y z 0\nr1 z a 1\ni1 a 0 0.25\nv2 p 0 1\nr2 p a 1\n");
  ASSERT_EQ(run.result.pads.size(), 2u);
  EXPECT_NEAR(run.result.pads[0].current_a, 0.125, 1e-12);
  EXPECT_NEAR(run.result.pads[1].current_a, 0.125, 1e-12);
  EXPECT_NEAR(run.result.certificate.current_imbalance_a, 0, 1e-15);
}

TEST(IrDrop, PairedNetsBounceAndInstances) {
  const Analysed run(
      "* t\n* layer: M1,VDD net: 1\n* layer: M1,GND net: 0\nv1 n1_0_0 0 1.8\nr1 n1_0_0 n1_10_0 1\nv2 n0_0_0 0 0\nr2 "
      "n0_0_0 n0_10_0 2\n"
      "iB1_v n1_10_0 0 0.1\niB1_g 0 n0_10_0 0.1\niB2_g 0 n0_0_0 0.1\nix n1_10_0 n0_10_0 0.01\niB2_v n1_0_0 0 0.1\n");
  EXPECT_NEAR(run.net("VDD").worst_drop_v, 0.11, 1e-12);
  EXPECT_NEAR(run.net("GND").worst_drop_v, 0.22, 1e-12);
  EXPECT_TRUE(run.net("GND").is_ground);
  EXPECT_EQ(run.net("GND").supply_v, 1.8);
  EXPECT_NEAR(run.net("GND").pad_current_a, 0.21, 1e-12);
  ASSERT_EQ(run.result.instances.size(), 3u);
  EXPECT_EQ(instance_name(run.circuit, run.result.instances[0]).text(), "iB1");
  EXPECT_NEAR(run.result.instances[0].combined_v, 0.33, 1e-12);
  EXPECT_EQ(instance_name(run.circuit, run.result.instances[2]).text(), "iB2") << "halves far apart are paired too";
}

TEST(IrDrop, FloatingPartsWithoutLoadAreLeftOut) {
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 p q 1\nr3 q r 1\nc1 lonely 0 1f\n");
  EXPECT_TRUE(run.found("floating-part"));
  EXPECT_EQ(run.result.nodes.state[run.circuit.nodes.find("q")], NodeState::floating);
  EXPECT_EQ(run.result.reduced.floating_nodes, 4);
  EXPECT_EQ(run.net("vdd").nodes, 2);
}

TEST(IrDrop, UnsolvableGridsAreNamed) {
  EXPECT_THAT(failure<GridError>("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 n1_m4_2000_4000 q 1\ni1 n1_m4_2000_4000 0 5m\n"),
              HasSubstr("2 nodes with a load of 0.005 A float, e.g. n1_m4_2000_4000 on layer m4 at (1.0000, 2.0000) µm "
                        "drawing 0.005 A"));
  EXPECT_THAT(failure<GridError>("* t\nr1 a 0 1\ni1 a 0 1\n"), HasSubstr("no voltage source"));
  EXPECT_THAT(failure<GridError>("* t\nv1 a 0 1\nv2 a 0 2\nr1 a b 1\n"), HasSubstr("contradict each other"));
  EXPECT_THAT(failure<GridError>("* t\nv1 a 0 1\nl1 a b 1n\nv2 b 0 1.5\nr1 b c 1\n"), HasSubstr("v2"));
  EXPECT_THAT(failure<GridError>("* t\nv1 a a 1\nv2 a 0 1\nr1 a b 1\n"), HasSubstr("contradict"));
  EXPECT_THAT(failure<InputError>("* t\nv1 a 0 1\nr1 a b 1e-310\n"),
              HasSubstr("<text>:3:1: 'r1' has the value 1e-310 Ω"));
}

TEST(IrDrop, ParallelSourcesOfEqualVoltsAreFine) {
  const Analysed run("* t\nv1 a 0 1\nv2 a 0 1\nr1 a b 1\ni1 b 0 0.5\n");
  EXPECT_NEAR(run.net("a").pad_current_a, 0.5, 1e-12);
}

TEST(IrDrop, DuplicateNamesAreToldAndBothCount) {
  const Analysed run("* t\nv1 a 0 1\nr1 a b 1\nR1 a b 1\ni1 b 0 0.5\n");
  EXPECT_NEAR(run.volts("b"), 0.75, 1e-12);
  EXPECT_TRUE(run.found("duplicate-name"));
}

TEST(IrDrop, NominalVoltages) {
  const std::string deck =
      "* t\n* nominal: n7 2\nv1 s 0 1.9\nr1 s n7_m1_0_0 1\nr2 n7_m1_0_0 n7_m1_2_0 1\ni1 n7_m1_2_0 0 0.1\n";
  EXPECT_NEAR(Analysed(deck).net("n7").worst_drop_v, 0.2, 1e-12) << "sources come before the comment card";
  IrOptions options;
  options.nominal_v["N7"] = 2.5;
  EXPECT_NEAR(Analysed(deck, options).net("n7").worst_drop_v, 0.8, 1e-12);
}

TEST(IrDrop, OneNameAtTwoVoltagesIsTwoNets) {
  const Analysed run(
      "* t\nv1 n1_m1_0_0 0 1.1\nr1 n1_m1_0_0 n1_m1_2_0 1\nv2 n1_m1_8_0 0 0.9\nr2 n1_m1_8_0 n1_m1_9_0 1\n");
  ASSERT_EQ(run.result.nets.size(), 2u);
  EXPECT_EQ(run.result.nets[0].name, "n1@1.1V");
  EXPECT_EQ(run.result.nets[1].name, "n1@0.9V");
}

TEST(IrDrop, OneNetOnly) {
  const std::string deck =
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2_0 1\nv2 n2_m1_0_0 0 2\nr2 n2_m1_0_0 n2_m1_2_0 1\n";
  IrOptions options;
  options.net = "n2";
  const Analysed run(deck, options);
  ASSERT_EQ(run.result.nets.size(), 1u);
  EXPECT_EQ(run.result.nets[0].nominal_v, 2);
  EXPECT_EQ(run.result.nodes.state[1], NodeState::unlisted);
  options.net = "n9";
  EXPECT_THAT(failure<InputError>(deck, options), HasSubstr("n1, n2"));
}

TEST(IrDrop, Limits) {
  const std::string deck = "* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a 0 0.1\n";
  IrOptions options;
  for (const char* text : {"5%", "worst=100.001mV", "average=0.06V", "p99=9%"})
    options.limits.push_back(parse_limit(text));
  const auto limits = Analysed(deck, options).result.limits;
  ASSERT_EQ(limits.size(), 4u);
  EXPECT_TRUE(limits[0].exceeded);
  EXPECT_FALSE(limits[1].exceeded);
  EXPECT_FALSE(limits[2].exceeded);
  EXPECT_TRUE(limits[3].exceeded);
  EXPECT_NEAR(limits[0].limit_v, 0.05, 1e-15);
  for (const char* text : {"", "x", "worst=", "median=5%", "-5%", "nan"})
    EXPECT_THROW(parse_limit(text), InputError) << text;
}

TEST(IrDrop, PercentilesAreNearestRank) {
  std::string deck = "* t\nv1 vdd 0 1\n";
  for (int i = 1; i <= 999; ++i)
    deck += "r" + std::to_string(i) + " vdd a" + std::to_string(i) + " 1\ni" + std::to_string(i) + " a" +
            std::to_string(i) + " 0 " + std::to_string(i * 1e-6) + "\n";
  const NetResult net = Analysed(deck).net("vdd");  // drops 0, 1 µV … 999 µV
  EXPECT_NEAR(net.percentiles_v.p50, 499e-6, 1e-12);
  EXPECT_NEAR(net.percentiles_v.p95, 949e-6, 1e-12);
  EXPECT_NEAR(net.percentiles_v.p999, 998e-6, 1e-12);
}

TEST(IrDrop, TransientDecksAreSolvedAtTheirStart) {
  const Analysed run(
      "* t\nv1 s 0 1\nl1 s vdd 1n\nr1 vdd a 1\nc1 a 0 1p\ni1 a 0 pulse(0.1 1 0 1n 1n 1n 5n)\n.tran 1p 1n\n");
  EXPECT_NEAR(run.volts("a"), 0.9, 1e-12);
}

TEST(IrDrop, AFloatingPartOfAnyStrengthHarmsNobody) {
  const Analysed run(
      "* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 p q 1e-16\nr3 q r 1e-16\nr4 r p 1e-16\nr5 p s 1e-16\nr6 q s 1e-16\nr7 r s "
      "1e-16\n");
  EXPECT_LT(run.result.certificate.max_error_v, 1e-12);
}

TEST(IrDrop, ManyParallelPadsStayWithinTheBound) {
  std::string deck = "* t\nv1 vdd 0 1.1\n";
  for (int i = 0; i < 20000; ++i) deck += "r" + std::to_string(i) + " vdd a " + std::to_string(3 + i % 7) + "\n";
  const Analysed run(deck);
  EXPECT_LE(std::abs(run.volts("a") - 1.1), run.result.certificate.max_error_v);
}

TEST(IrDrop, HugeCurrentsAreRefusedRatherThanPrintedAsNan) {
  EXPECT_THAT(
      failure<Error>("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a b 1\ni1 a 0 1e308\ni2 a 0 1e308\ni3 0 b 1e308\ni4 0 b 1e308\n"),
      HasSubstr("the results exceed double precision"));
}

/// Beyond 200 000 unknowns `auto` means multigrid on grids: aggamg, where nodes have no places, which begin with a
/// layer as `n`.
std::string large_mesh(const std::function<double()>& ohms, const std::string& load, const std::string& n = "n") {
  std::string deck = "* t\nv1 vdd 0 1.1\nr0 vdd " + n + "0_0 0.01\n";
  constexpr int kSide = 460;
  const auto resistor = [&](const std::string& nodes) {
    deck += "r " + nodes + " " + fmt::format("{:g}", ohms()) + "\n";
  };
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const auto node = [&n](int i, int j) { return n + std::to_string(i) + "_" + std::to_string(j); };
      if (x > 0) resistor(node(x - 1, y) + " " + node(x, y));
      if (y > 0) resistor(node(x, y - 1) + " " + node(x, y));
    }
  return deck + "i1 " + n + "459_459 0 " + load + "\n";
}

TEST(IrDrop, AutoTurnsToAFactorizationWhenMultigridMissesTheTolerance) {
  IrOptions options;
  options.max_iterations = 2;
  const std::string deck = large_mesh([] { return 1.0; }, "1m");
  const Analysed run(deck, options);
  EXPECT_EQ(run.result.engine.name, "cholmod");
  EXPECT_TRUE(run.found("engine-changed"));
  EXPECT_EQ(tolerance_miss(run.result, options), "");
  options.engine = "aggamg";
  const Analysed stubborn(deck, options);
  EXPECT_EQ(stubborn.result.engine.name, "aggamg");
  EXPECT_THAT(tolerance_miss(stubborn.result, options), HasSubstr("after 2 iterations"));
}

/// A grid of 400 nodes that a resistor ties to its pad, with a load that lifts it by 0.1 V.
std::string weakly_tied_mesh(double ohm) {
  std::string deck = fmt::format("* t\nv1 vdd 0 1\nr0 vdd q0_0 {}\ni1 q19_19 0 {}\n", ohm, 0.1 / ohm);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 20; ++x) {
      if (x > 0) deck += fmt::format("r q{}_{} q{}_{} 0.1\n", x - 1, y, x, y);
      if (y > 0) deck += fmt::format("r q{}_{} q{}_{} 0.1\n", x, y - 1, x, y);
    }
  return deck + ".end\n";
}

/// Differences of conductances lose the last pivot, sums do not.
TEST(IrDrop, AFactorizationFindsThePivotOfAWeakTie) {
  const Analysed run(weakly_tied_mesh(1e13), IrOptions());
  EXPECT_EQ(run.result.engine.name, "cholmod");
  EXPECT_FALSE(run.found("engine-changed"));
  EXPECT_EQ(tolerance_miss(run.result, IrOptions()), "");
  EXPECT_NEAR(run.result.nets[0].worst_drop_v, 0.1, 1e-9);
}

TEST(IrDrop, AutoTurnsToMultigridWhenAFactorizationBreaksDown) {
  const Analysed run(weakly_tied_mesh(1e200), IrOptions());
  EXPECT_EQ(run.result.engine.name, "aggamg");
  EXPECT_THAT(run.finding("engine-changed"), HasSubstr("from cholmod: cholmod: the matrix is not positive definite"));
}

/// Resistors over twelve decades, which neither aggregates nor regular grids suit: no second solve is waited for.
TEST(IrDrop, AutoTurnsToAFactorizationWhenTheBarrierIsSlow) {
  for (const char* const n : {"n", "n1_"}) {
    std::mt19937 random(1);
    IrOptions options;
    options.context.device = "cpu";
    const Analysed run(large_mesh([&] { return std::pow(10.0, 6 * (random() / 2147483648.0 - 1)); }, "1u", n), options);
    EXPECT_EQ(run.result.engine.name, "cholmod");
    EXPECT_THAT(run.finding("engine-changed"), HasSubstr(n == std::string("n") ? "from aggamg" : "from gpuhmd"));
    EXPECT_LE(run.result.certificate.max_error_v, 1e-5);
  }
}

/// A node without a place, which feeds bumps all over the grid.
TEST(IrDrop, EnginesOnRegularGridsTakeAPackageWithoutPlaces) {
  std::string deck = "* t\nv1 vrm 0 1\nrp pkg vrm 1m\n";
  constexpr int kSide = 24;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      if (x > 0) deck += fmt::format("rx{}_{} n1_{}_{} n1_{}_{} 0.5\n", x, y, x - 1, y, x, y);
      if (y > 0) deck += fmt::format("ry{}_{} n1_{}_{} n1_{}_{} 0.5\n", x, y, x, y - 1, x, y);
      if (x % 4 == 1 && y % 4 == 1) deck += fmt::format("rb{}_{} pkg n1_{}_{} 10m\n", x, y, x, y);
      deck += fmt::format("i{}_{} n1_{}_{} 0 1m\n", x, y, x, y);
    }
  IrOptions options;
  options.engine = "cholmod";
  const double drop = Analysed(deck, options).result.nets[0].worst_drop_v;
  for (const char* const engine : {"gpuhmd", "sgml", "psc"}) {
    options.engine = engine;
    options.context.device = "cpu";
    const Analysed run(deck, options);
    EXPECT_NEAR(run.result.nets[0].worst_drop_v, drop, 2e-5) << engine;
    EXPECT_LT(run.result.solve.iterations, 40) << engine;
  }
}

TEST(CheckNetlist, TellsWithoutSolving) {
  const Circuit circuit = read_netlist_text(
      "* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 p q 1\ni1 p 0 1\nr3 n1_m1_0_0 n1_m2_2_2 1\nr4 n1_m1_0_0 a 1\nr5 a a 1\n.end\n");
  const CheckResult check = check_netlist(circuit, {});
  EXPECT_TRUE(check.has_errors());
  EXPECT_EQ(check.floating_parts, 1);
  EXPECT_EQ(check.nodes, circuit.node_count()) << "counted as in reports";
  std::vector<std::string> codes;
  for (const Finding& f : check.findings) codes.push_back(f.code);
  EXPECT_THAT(codes, testing::UnorderedElementsAre("floating-load", "layer-and-place-jump", "self-loop"));
}

}  // namespace
}  // namespace gridiron
