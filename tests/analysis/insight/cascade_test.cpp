// SPDX-License-Identifier: Apache-2.0
// Segments that fail by voids: every stage against a run on a deck with the same resistances.
#include "analysis/insight/cascade.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>

#include "analysis/results/stress/lifetime.hpp"
#include "analysis/run/ir_drop.hpp"
#include "analysis/run/session.hpp"
#include "netlist/reader.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

/// Rows on m1 and columns on m2 of a net, joined at every crossing; pads at the ends of columns, loads on rows. Wires
/// are 20 µm from crossing to crossing.
std::string grid(int side) {
  std::string deck = "* dbu: 1000\n";
  const auto node = [](int layer, int i, int j) { return fmt::format("n1_m{}_{}_{}", layer, 20000 * i, 20000 * j); };
  for (int i = 0; i < side; ++i) {
    deck += fmt::format("V{} {} 0 1\n", i, node(2, i, side - 1));
    for (int j = 0; j < side; ++j) {
      if (i + 1 < side) deck += fmt::format("Ra{}_{} {} {} 0.5\n", i, j, node(1, i, j), node(1, i + 1, j));
      if (j + 1 < side) deck += fmt::format("Rb{}_{} {} {} 0.25\n", i, j, node(2, i, j), node(2, i, j + 1));
      deck += fmt::format("Rv{}_{} {} {} 0.1\n", i, j, node(1, i, j), node(2, i, j));
      deck += fmt::format("I{}_{} {} 0 {}m\n", i, j, node(1, i, j), 10 + 3 * ((3 * i + 5 * j) % 7));
    }
  }
  return deck + ".end\n";
}

IrOptions options_of(const CascadeOptions& cascade, double horizon_s = 1e16) {
  IrOptions options;
  options.stress = StressOptions{
      usual_metal(), {{"m1", 1, 0.5, ""}, {"m2", 1, 0.5, ""}}, std::nullopt, LifetimeOptions{horizon_s}, cascade};
  return options;
}

CascadeReport cascade_of(const Circuit& circuit, const IrOptions& options) {
  return *analyse_ir_drop(circuit, options).stress->cascade;
}

/// Compares each stage with a run on the circuit with the same resistances, both within their bounds.
void expect_as_edited(Circuit circuit, const CascadeReport& cascade) {
  for (const CascadeStage& stage : cascade.stages) {
    if (stage.cuts_off) return;
    Elements& resistors = circuit.resistors;
    EXPECT_EQ(resistors.value[stage.resistor], stage.before_ohm);
    if (stage.is_open())
      resistors.b[stage.resistor] = resistors.a[stage.resistor];
    else
      resistors.value[stage.resistor] = stage.after_ohm;
    const IrReport edited = analyse_ir_drop(circuit, {});
    double worst = 0;
    for (const NetResult& net : edited.nets) worst = std::max(worst, net.worst_drop_v);
    EXPECT_TRUE(edited.certificate.valid);
    EXPECT_LE(std::abs(worst - stage.worst_drop_v), edited.certificate.bound_v() + stage.bound_v) << stage.stage;
  }
}

TEST(Cascade, EqualsRunsOnEditedDecks) {
  const Circuit circuit = read_netlist_text(grid(5));
  for (const std::optional<double> liner : {std::optional<double>(), std::optional<double>(40)}) {
    const CascadeReport cascade = cascade_of(circuit, options_of({8, 0.02, liner}));
    ASSERT_GE(cascade.stages.size(), 5u);
    EXPECT_EQ(cascade.end, liner ? CascadeEnd::stages : CascadeEnd::cut_off);
    expect_as_edited(circuit, cascade);
    double before_s = 0;
    for (const CascadeStage& stage : cascade.stages) {
      EXPECT_GE(stage.time_s, before_s);
      EXPECT_LT(stage.error_s, 0.1 * stage.time_s) << stage.stage;
      before_s = stage.time_s;
      const double with_liner = stage.before_ohm * (1 - 0.02 / 20) + 40 * 0.02;
      EXPECT_NEAR(1 / stage.after_ohm, liner ? 1 / with_liner : 0, 1e-12);
    }
    EXPECT_GT(cascade.stages[3].worst_drop_v, cascade.stages.front().worst_drop_v);
  }
}

/// All copies of a resistor fail at a time, and each gets a liner of its own.
TEST(Cascade, LinersOfCopiesAreInParallel) {
  const std::string rest = "V1 n1_m1_0_0 0 1\nRv n1_m1_20000_0 n1_m2_20000_0 0.5\nI1 n1_m2_20000_0 0 90m\n.end\n";
  const std::string wire = " n1_m1_0_0 n1_m1_20000_0 1";
  const auto run = [&](const std::string& wires) {
    return cascade_of(read_netlist_text("* dbu: 1000\n" + wires + rest), options_of({8, 0.1, 100}, 1e18));
  };
  const CascadeReport copies = run("R1" + wire + " m=4\n");
  const CascadeReport wires = run("R1" + wire + "\nR3" + wire + "\nR4" + wire + "\nR5" + wire + "\n");
  ASSERT_EQ(copies.stages.size(), 1u);
  ASSERT_EQ(wires.stages.size(), 4u);
  const CascadeStage &all = copies.stages[0], &last = wires.stages[3];
  EXPECT_NEAR(all.after_ohm, (1 * (1 - 0.1 / 20) + 100 * 0.1) / 4, 1e-12);
  EXPECT_NEAR(all.worst_drop_v, last.worst_drop_v, 1e-9);
  EXPECT_NEAR(all.time_s, last.time_s, all.error_s + last.error_s);
}

TEST(Cascade, EqualsRunsOnEditedDecksOfIbm) {
  const std::string path = (test::data_dir() / "ibm/ibmpg1.spice.bz2").string();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data";
  const Circuit circuit = read_netlist(path);
  IrOptions options = options_of({6, 0.01, std::nullopt}, 10 * kSecondsPerYear);
  options.stress->metal.critical_stress_pa = 1e9;  // for the sake of time: which few trees reach
  options.stress->layers = {{"m5", 1, 0.5, ""}, {"m6", 1, 0.5, ""}};
  const CascadeReport cascade = cascade_of(circuit, options);
  ASSERT_EQ(cascade.stages.size(), 6u);
  expect_as_edited(circuit, cascade);
}

TEST(Cascade, EndsWhereALimitIsExceeded) {
  const Circuit circuit = read_netlist_text(grid(5));
  const CascadeReport all = cascade_of(circuit, options_of({8, 0.02, 40}));
  ASSERT_EQ(all.stages.size(), 8u);
  IrOptions options = options_of({8, 0.02, 40});
  options.limits = parse_limits(std::vector<std::string>{fmt::format("{}V", 0.999 * all.stages[4].worst_drop_v)});
  const CascadeReport cascade = cascade_of(circuit, options);
  const auto first = std::ranges::find_if(
      all.stages, [&](const CascadeStage& stage) { return stage.worst_drop_v > 0.999 * all.stages[4].worst_drop_v; });
  ASSERT_EQ(std::ssize(cascade.stages), first - all.stages.begin() + 1);
  EXPECT_EQ(cascade.end, CascadeEnd::limit);
  EXPECT_TRUE(cascade.stages.back().exceeds);
  EXPECT_EQ(cascade.failure_s(), first->time_s);
  options.limits = parse_limits(std::vector<std::string>{"1mV"});
  const CascadeReport today = cascade_of(circuit, options);
  EXPECT_TRUE(today.exceeds_today);
  EXPECT_EQ(today.failure_s(), 0);
}

const std::string kLine = "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 10m\n";

/// Until its void is as long as it gets, G L² / 2B.
TEST(Cascade, CutsOffTheLoadOfASingleWire) {
  const Circuit circuit = read_netlist_text(kLine + ".end\n");
  const IrReport report = analyse_ir_drop(circuit, options_of({5, 0.1}));
  const CascadeReport& cascade = *report.stress->cascade;
  ASSERT_EQ(cascade.stages.size(), 1u);
  EXPECT_EQ(cascade.end, CascadeEnd::cut_off);
  EXPECT_TRUE(cascade.stages[0].cuts_off);
  EXPECT_EQ(cascade.failure_s(), cascade.stages[0].time_s);
  EXPECT_GT(cascade.stages[0].time_s, report.stress->lifetime->trees[0].time_s);
  const double saturated_um = report.stress->pa_per_volt() * 0.010 * 100 / (2 * report.stress->metal.bulk_modulus_pa);
  EXPECT_EQ(cascade_of(circuit, options_of({5, 1.01 * saturated_um})).end, CascadeEnd::horizon) << "saturated before";
  EXPECT_EQ(cascade_of(circuit, options_of({5, 0.97 * saturated_um})).end, CascadeEnd::cut_off);
  const CascadeReport before = cascade_of(circuit, options_of({5, 0.1}, 0.9 * cascade.stages[0].time_s));
  EXPECT_EQ(before.end, CascadeEnd::horizon);
  EXPECT_TRUE(before.stages.empty());
}

/// A wire without a current that is under critical stress from the start: its voids grow as √t.
TEST(Cascade, VoidsOfResidualStressGrowAsByDiffusion) {
  const Circuit circuit = read_netlist_text("* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_100000_0 1\n.end\n");
  for (const double years : {1e4, 1e6, 1e9}) {
    IrOptions options = options_of({1, 0.05, 40}, years * kSecondsPerYear);
    MetalParameters& metal = options.stress->metal;
    metal.residual_stress_pa = 5e7;
    const double diffused_m2 = std::numbers::pi * std::pow(0.05e-6 * metal.bulk_modulus_pa / (2 * 5e7), 2);
    const double exact_s = diffused_m2 / stress_diffusivity(metal);
    const CascadeReport cascade = cascade_of(circuit, options);
    ASSERT_EQ(cascade.stages.size(), 1u) << years;
    EXPECT_LE(std::abs(cascade.stages[0].time_s - exact_s), cascade.stages[0].error_s) << years;
    EXPECT_LT(cascade.stages[0].error_s, 0.3 * exact_s) << years;
  }
}

/// With a liner the wire goes on with less of its drive, and the drop is that of both.
TEST(Cascade, GoesOnWithALiner) {
  const CascadeReport cascade = cascade_of(read_netlist_text(kLine + ".end\n"), options_of({5, 0.1, 30}));
  ASSERT_EQ(cascade.stages.size(), 1u) << "a segment fails once";
  EXPECT_EQ(cascade.end, CascadeEnd::horizon);
  EXPECT_NEAR(cascade.stages[0].worst_drop_v, 0.01 * (1 - 0.1 / 100 + 30 * 0.1), 1e-12);
}

/// Codes of findings that are told of voids and liners.
std::vector<std::string> told(const std::string& deck, const CascadeOptions& options) {
  std::vector<std::string> codes;
  for (const Finding& finding : analyse_ir_drop(read_netlist_text(deck + ".end\n"), options_of(options)).findings)
    if (finding.severity == Finding::Severity::warning && std::string_view(finding.code).starts_with("stress-"))
      codes.emplace_back(finding.code);
  return codes;
}

TEST(Cascade, DoesNotDependOnHowAWireIsCut) {
  const std::string pieces =
      "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_99950_0 0.9995\nR2 n1_m1_99950_0 n1_m1_99980_0 0.0003\n"
      "R3 n1_m1_99980_0 n1_m1_100000_0 0.0002\nI1 n1_m1_100000_0 0 10m\n";
  const CascadeReport whole = cascade_of(read_netlist_text(kLine + ".end\n"), options_of({1, 0.1, 30}));
  const CascadeReport cut = cascade_of(read_netlist_text(pieces + ".end\n"), options_of({1, 0.1, 30}));
  ASSERT_EQ(whole.stages.size(), 1u);
  ASSERT_EQ(cut.stages.size(), 1u);
  EXPECT_EQ(cut.stages[0].resistor, 2);
  EXPECT_NEAR(cut.stages[0].worst_drop_v, whole.stages[0].worst_drop_v, 1e-12);
  EXPECT_NEAR(cut.stages[0].time_s, whole.stages[0].time_s, cut.stages[0].error_s + whole.stages[0].error_s);
  EXPECT_TRUE(told(pieces, {1, 0.1, 30}).empty());
  const std::string stub = "R4 n1_m1_99950_0 n1_m1_99950_50000 1\n";
  EXPECT_TRUE(told(pieces + stub, {1, 0.05, 30}).empty()) << "a void that ends at a junction";
}

TEST(Cascade, TellsOfVoidsThatPassAJunction) {
  const std::string pieces =
      "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_99980_0 0.9998\nR2 n1_m1_99980_0 n1_m1_100000_0 0.0002\n"
      "R3 n1_m1_99980_0 n1_m1_99980_50000 1\nI1 n1_m1_100000_0 0 10m\n";
  EXPECT_EQ(told(pieces, {1, 0.1, 30}), std::vector<std::string>{"stress-void-longer-than-segment"});
  EXPECT_TRUE(told(pieces, {1, 0.1}).empty()) << "an open segment is open, however long its void is";
  EXPECT_TRUE(told(kLine, {1, 0.1, 30}).empty());
}

TEST(Cascade, TellsOfALinerThatConductsBetterThanTheMetal) {
  EXPECT_EQ(told(kLine, {1, 0.1, 0.001}), std::vector<std::string>{"stress-liner-below-metal"});
}

/// A void may drain into a stub, whose tension it takes: without it nothing changes.
TEST(Cascade, LeavesAStubWithoutLoadsWhereItIs) {
  const std::string stub =
      "R2 n1_m1_100000_0 n1_m1_400000_0 1\nR3 n1_m1_0_0 n1_m2_0_0 1\nR4 n1_m2_0_0 n1_m2_100000_0 1\n"
      "R5 n1_m2_100000_0 n1_m1_100000_0 1\nI2 n1_m1_100000_0 0 40m\n";
  const Circuit circuit = read_netlist_text(kLine + stub + ".end\n");
  const CascadeReport cascade = cascade_of(circuit, options_of({6, 0.003}, 1e17));
  ASSERT_GE(cascade.stages.size(), 2u);
  EXPECT_TRUE(std::ranges::any_of(cascade.stages, [](const CascadeStage& stage) { return stage.resistor == 1; }));
  expect_as_edited(circuit, cascade);
}

TEST(Cascade, HasTheSameBitsOnAnyThreads) {
  const Circuit circuit = read_netlist_text(grid(5));
  const auto on_threads = [&](int threads) {
    IrOptions options = options_of({8, 0.02});
    options.context.threads = threads;
    return cascade_of(circuit, options);
  };
  const CascadeReport one = on_threads(1), five = on_threads(5);
  ASSERT_EQ(one.stages.size(), five.stages.size());
  for (size_t k = 0; k < one.stages.size(); ++k) {
    EXPECT_EQ(one.stages[k].resistor, five.stages[k].resistor);
    EXPECT_EQ(one.stages[k].time_s, five.stages[k].time_s);
    EXPECT_EQ(one.stages[k].error_s, five.stages[k].error_s);
    EXPECT_EQ(one.stages[k].worst_drop_v, five.stages[k].worst_drop_v);
  }
}

TEST(Cascade, LeavesASessionAsItWas) {
  const auto circuit = std::make_shared<const Circuit>(read_netlist_text(grid(5)));
  Session session;
  session.read("grid", circuit);
  const IrOptions options = options_of({3, 0.02});
  Session::Request request;
  const double before = session.analyse(request).nets[0].worst_drop_v;
  session.find_stress(*options.stress);
  const CascadeReport first = *session.report().stress->cascade;
  EXPECT_EQ(first.stages.size(), 3u);
  EXPECT_EQ(session.analyse(request).nets[0].worst_drop_v, before);
  session.apply(ScaleResistor{"Ra0_0", 1e6});
  session.analyse(request);
  session.find_stress(*options.stress);
  EXPECT_NE(session.report().stress->cascade->stages[0].time_s, first.stages[0].time_s) << "of the grid as edited";
}

}  // namespace
}  // namespace gridiron
