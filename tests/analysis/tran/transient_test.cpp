// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/transient.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <sstream>

#include "analysis/tran/operating_points.hpp"
#include "analysis/tran/steps/integrator.hpp"
#include "analysis/tran/tran_limits.hpp"
#include "netlist/reader.hpp"
#include "netlist/source_text.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

struct Simulated {
  Circuit circuit;
  TranReport report;

  /// Voltage of the k-th probe at a row.
  double volts(size_t probe, size_t row) const { return report.probes.at(probe).voltage_v.at(row); }
  double last(size_t probe = 0) const { return report.probes.at(probe).voltage_v.back(); }
};

Simulated simulate(const std::string& cards, TranOptions options = {}) {
  Simulated run{read_netlist_text("* deck\n" + cards + ".end\n"), {}};
  start_at_time_zero(run.circuit, options);
  if (options.engine == "auto") options.engine = "cholmod";
  run.report = analyse_transient(run.circuit, options);
  return run;
}

TranOptions with(Method method) {
  TranOptions options;
  options.method = method;
  return options;
}

/// 1 Ω and 1 F between a pulsed pad and ground: v = 1 − exp(−t), but for the ramp of 1 ms.
TEST(Transient, CapacitorCharges) {
  const Simulated run = simulate(
      "v1 p 0 pulse(0 1 0 1m 1m 100 200)\nr1 p a 1\nc1 a 0 1\nr2 p b 1\nr3 b 0 1\n.tran 10m 2\n.print tran v(a)\n");
  const double shifted = 2 - 0.5e-3;
  EXPECT_NEAR(run.last(), 1 - std::exp(-shifted), 1e-5);
  EXPECT_EQ(run.report.row_time_s.size(), 201u);
  EXPECT_EQ(run.report.probes[0].voltage_v.front(), 0.0);
  EXPECT_EQ(run.report.capacitors, 1);
}

/// A load step behind an inductor of 1 H and 1 Ω: the current rises as 1 − exp(−t), and the node is held by 1 F.
TEST(Transient, SeriesInductorAndCapacitorRing) {
  // Overdamped (R = 3, L = C = 1) step response: roots of s² + 3 s + 1.
  const Simulated run =
      simulate("v1 p 0 2\nl1 p q 1\nr1 q a 3\nc1 a 0 1\ni1 a 0 pwl(0 0 1u 0.1)\n.tran 1m 3\n.print tran v(a)\n");
  // L i' = 2 − R i − v, C v' = i − 0.1 from i = 0, v = 2; with y = v − (2 − 0.3): y'' + 3 y' + y = 0, y(0) = 0.3, y'(0)
  // = −0.1.
  const double s1 = (-3 + std::sqrt(5)) / 2, s2 = (-3 - std::sqrt(5)) / 2;
  const double b = (-0.1 - 0.3 * s1) / (s2 - s1), a = 0.3 - b;
  EXPECT_NEAR(run.last(), 1.7 + a * std::exp(s1 * 3) + b * std::exp(s2 * 3), 2e-7);
  EXPECT_EQ(run.report.inductors, 1);
}

constexpr const char* kSmooth =
    "v1 p 0 1.8\nl1 p q 1n\nr1 q a 0.1\nr2 a b 0.2\nc1 a 0 1n\nc2 b 0 2n\nc3 a b 0.5n\nr3 a g 5\nr4 g 0 0.1\nc4 a g "
    "1n\n"
    "i1 b 0 sin(0.1 0.1 50meg)\ni2 a g exp(0.01 0.05 1n 5n 10n 5n)\n.print tran v(a) v(b) v(g)\n";

double error_with_step(Method method, double step, const Simulated& exact) {
  TranOptions options = with(method);
  options.step_s = step;
  options.stop_s = 20e-9;
  const Simulated run = simulate(kSmooth, options);
  double error = 0;
  for (size_t k = 0; k < 3; ++k) error = std::max(error, std::abs(run.last(k) - exact.last(k)));
  return error;
}

TEST(Transient, OrderUnderStepHalving) {
  TranOptions fine;
  fine.step_s = 20e-9 / 16384;
  fine.stop_s = 20e-9;
  const Simulated exact = simulate(kSmooth, fine);
  const auto order = [&](Method method, double h) {
    return std::log2(error_with_step(method, h, exact) / error_with_step(method, h / 2, exact));
  };
  for (const double h : {0.05e-9, 0.025e-9}) {
    EXPECT_GT(order(Method::trapezoidal, h), 1.9);
    EXPECT_GT(order(Method::backward_euler, h), 0.95);
    EXPECT_LT(order(Method::backward_euler, h), 1.2);
  }
}

TEST(Transient, ChargeBalances) {
  for (const Method method : {Method::trapezoidal, Method::backward_euler}) {
    TranOptions options = with(method);
    options.step_s = 0.3e-9;
    options.stop_s = 20e-9;
    const Simulated run = simulate(kSmooth, options);
    const ChargeBalance& charge = run.report.charge;
    EXPECT_GT(charge.drawn_c, 1e-9);
    EXPECT_LT(charge.stored_c, 0);
    EXPECT_LT(std::abs(charge.imbalance_c()), 1e-12 * charge.drawn_c);
  }
}

TEST(Transient, EnginesAgreeWithinTheirBounds) {
  TranOptions options;
  options.step_s = 0.1e-9;
  options.stop_s = 5e-9;
  const Simulated direct = simulate(kSmooth, options);
  options.engine = "aggamg";
  const Simulated iterative = simulate(kSmooth, options);
  EXPECT_LE(iterative.report.accuracy.step_v, 10e-6);
  for (size_t k = 0; k < 3; ++k)
    for (size_t row = 0; row < direct.report.row_time_s.size(); ++row)
      EXPECT_NEAR(direct.volts(k, row), iterative.volts(k, row), iterative.report.accuracy.accumulated_v);
}

TEST(Transient, CornersAreHit) {
  // A pulse far shorter than a step: 1 A for 0.1 s on 1 F, of which the ramps carry half.
  const Simulated run = simulate(
      "v1 p 0 1\nr1 p a 1k\nc1 a 0 1\ni1 a 0 pwl(0 0 2.31 0 2.32 1 2.42 1 2.43 0)\n.tran 1 5\n.print tran v(a)\n");
  EXPECT_NEAR(run.last(), 1 - 0.11, 1e-3);
  EXPECT_EQ(run.report.steps, 9);
  EXPECT_EQ(run.report.row_time_s, (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(Transient, SourcesThatVaryCarryTheirNodes) {
  // Two sources in series with a common tap, and a resistive divider without storage: algebraic in every step.
  const Simulated run = simulate(
      "v1 p 0 pwl(0 1 1 2)\nv2 q p pwl(0 0.5 1 0.25)\nr1 q a 1\nr2 a 0 1\nr3 p b 1\nr4 b q 3\nc1 a 0 1u\n.tran 0.25 1\n"
      ".print tran v(p) v(q) v(a) v(b)\n");
  for (size_t row = 0; row < 5; ++row) {
    const double t = run.report.row_time_s[row], p = 1 + t, q = p + 0.5 - 0.25 * t;
    EXPECT_NEAR(run.volts(0, row), p, 1e-12);
    EXPECT_NEAR(run.volts(1, row), q, 1e-12);
    EXPECT_NEAR(run.volts(2, row), q / 2, 1e-5);
    EXPECT_NEAR(run.volts(3, row), 0.75 * p + 0.25 * q, 1e-12);
  }
}

TEST(Transient, StatisticsOverTime) {
  // Without storage the drop is the load's: 0.1 V at rest, a triangle to 0.5 V and back between 1 s and 3 s.
  const Simulated run = simulate("v1 p 0 1\nr1 p a 1\ni1 a 0 pwl(0 0.1 1 0.1 2 0.5 3 0.1)\nc1 a 0 1f\n.tran 0.01 4\n");
  const TranReport& report = run.report;
  const NodeId a = 2;
  ASSERT_EQ(run.circuit.node_name(a), "a");
  EXPECT_NEAR(report.worst.nodes.drop_v[a], 0.5, 1e-9);
  EXPECT_NEAR(report.worst.nodes.voltage_v[a], 0.5, 1e-9);
  EXPECT_NEAR(report.worst_time_s[a], 2, 1e-9);
  EXPECT_NEAR(report.average_drop_v[a], 0.2, 1e-9);
  // ∫(0.1 + 0.4 s)² ds over both ramps is 2·(0.01 + 0.04 + 0.16/3); trapezoidal sums are a little above.
  EXPECT_NEAR(report.rms_drop_v[a], std::sqrt((0.02 + 2 * (0.01 + 0.04 + 0.16 / 3)) / 4), 1e-4);
  ASSERT_EQ(report.pads.size(), 1u);
  EXPECT_NEAR(report.pads[0].peak_a, 0.5, 1e-9);
  EXPECT_NEAR(report.pads[0].average_a, 0.2, 1e-9);
  EXPECT_NEAR(report.pads[0].peak_time_s, 2, 1e-9);
  EXPECT_NEAR(report.nets[0].worst_drop_v[150], 0.3, 1e-9);
}

TEST(Transient, Windows) {
  TranOptions options;
  options.window_s = 1;
  const Simulated run =
      simulate("v1 p 0 1\nr1 p a 1\ni1 a 0 pwl(0 0.1 1 0.1 2 0.5 3 0.1)\nc1 a 0 1f\n.tran 0.1 3.5\n", options);
  const std::vector<WindowResult>& windows = run.report.windows;
  ASSERT_EQ(windows.size(), 4u);
  EXPECT_NEAR(windows[0].worst_drop_v, 0.1, 1e-9);
  EXPECT_NEAR(windows[1].worst_drop_v, 0.5, 1e-9);
  EXPECT_NEAR(windows[1].time_s, 2, 1e-9);
  EXPECT_NEAR(windows[2].worst_drop_v, 0.5, 1e-9);  // at its beginning
  EXPECT_NEAR(windows[2].time_s, 2, 1e-9);
  EXPECT_NEAR(windows[3].worst_drop_v, 0.1, 1e-9);
  EXPECT_NEAR(windows[3].end_s, 3.5, 1e-12);
}

TEST(Transient, SmallerStepsWhereTheErrorAsksForThem) {
  TranOptions options;
  options.step_s = 1e-9;
  options.stop_s = 20e-9;
  const Simulated coarse = simulate(kSmooth, options);
  options.time_tolerance_v = 20e-6;
  const Simulated fine = simulate(kSmooth, options);
  EXPECT_EQ(coarse.report.steps, 40);
  EXPECT_GT(fine.report.steps, 80);
  EXPECT_LE(fine.report.accuracy.local_time_error_v, 20e-6);
  EXPECT_EQ(fine.report.row_time_s.size(), 21u);
  options.time_tolerance_v = {};
  options.step_s = 20e-9 / 16384;
  const Simulated exact = simulate(kSmooth, options);
  EXPECT_LT(std::abs(fine.last() - exact.last()), 0.2 * std::abs(coarse.last() - exact.last()));
}

TEST(Transient, TheFirstStepIsControlledToo) {
  // v(a) = 1 − i R (1 − e^{−t/RC}) under a load that jumps to 0.8 A within a picosecond.
  TranOptions options;
  options.time_tolerance_v = 10e-6;
  const Simulated run =
      simulate("v1 p 0 1\nr1 p a 1\nc1 a 0 1n\ni1 a 0 pwl(0 0 1p 0.8)\n.tran 1n 10n\n.print tran v(a)\n", options);
  for (size_t row = 1; row < run.report.row_time_s.size(); ++row)
    EXPECT_NEAR(run.volts(0, row), 1 + 0.8 * std::expm1(-(run.report.row_time_s[row] - 0.5e-12) / 1e-9), 2e-4) << row;
}

TEST(Transient, VoltagesAreSignedAsTheyAre) {
  // A supply above its nominal voltage, and a ground net that is pulled below 0.
  TranOptions options;
  options.nominal_v = {{"p", 1.7}};
  const Simulated run = simulate(
      "v1 p 0 1.8\nr1 p a 1\nc1 a 0 1f\ni1 a 0 pwl(0 0 1 0.01)\nr2 0 g 1\ni2 0 g pwl(0 0.1 1 -0.5)\nc2 g 0 1f\nr3 g "
      "h 1\nvg z 0 0\nr4 z h 1\n.tran 0.1 1\n",
      options);
  const auto volts = [&](const char* name) {
    const auto n = static_cast<size_t>(run.report.worst.design->find_node(name));
    return std::pair(run.report.worst.nodes.voltage_v[n], run.report.worst.nodes.drop_v[n]);
  };
  EXPECT_NEAR(volts("a").first, 1.79, 1e-9);
  EXPECT_NEAR(volts("a").second, -0.09, 1e-9);
  EXPECT_NEAR(volts("g").first, -0.5 * 2 / 3, 1e-9);
  EXPECT_NEAR(volts("g").second, 0.5 * 2 / 3, 1e-9);
  const auto a = static_cast<size_t>(run.report.worst.design->find_node("a"));
  EXPECT_NEAR(run.report.average_drop_v[a], -0.095, 1e-9);
}

TEST(Transient, AJumpIsAShortRamp) {
  const Simulated run =
      simulate("v1 p 0 1\nr1 p a 1k\nc1 a 0 1p\ni1 a 0 pwl(0 0 2.03n 0 2.03n 0.1m)\n.tran 0.1n 3n\n.print tran v(a)\n");
  EXPECT_NEAR(run.volts(0, 21), 1 + 0.1 * std::expm1(-0.07), 1e-4);
}

TEST(Transient, LoadsWithoutAPathAreRefused) {
  try {
    simulate("v1 p 0 1\nr1 p a 1\nc1 a f 1n\nc2 f 0 1n\ni1 f 0 pulse(0 1m 1n 1n 1n 1n 9n)\n.tran 1n 10n\n");
    FAIL();
  } catch (const GridError& e) {
    EXPECT_THAT(e.what(), HasSubstr("i1 at f has no path"));
  }
}

TEST(Transient, ASupplyThatStartsAtZeroIsTold) {
  const Simulated run = simulate("v1 p 0 pwl(0 0 1n 1)\nr1 p a 1\nc1 a 0 1n\n.tran 1n 10n\n");
  const auto& findings = run.report.worst.findings;
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& f) { return f.code == "supply-starts-at-zero"; }));
}

bool has_finding(const TranReport& report, const char* code) {
  return std::ranges::any_of(report.worst.findings, [&](const Finding& f) { return f.code == code; });
}

TEST(Transient, ManyCornersAreMet) {
  std::string cards = "v1 p 0 1\nr1 p a 1\nc1 a 0 1n\n";
  for (int k = 0; k < 50; ++k) cards += fmt::format("i{} a 0 pulse(0 1m {}n 1n 1n 2n 100n)\n", k, 1 + 0.0737 * k);
  const Simulated run = simulate(cards + ".tran 0.1n 20n\n.print tran v(a)\n");
  EXPECT_GT(run.report.sizes, 50);
  TranOptions fine;
  fine.step_s = 2e-12;
  EXPECT_NEAR(run.last(), simulate(cards + ".tran 0.1n 20n\n.print tran v(a)\n", fine).last(), 1e-5);
  EXPECT_FALSE(has_finding(run.report, "corners-moved"));
}

/// More set-ups than there are rows, and too many to be cheap.
TEST(Transient, LimitsAreOpenWhereCornersAreTooMany) {
  std::string cards = "v1 p 0 1\nr1 p a 1\nc1 a 0 1f\n";
  for (int k = 0; k < 50; ++k)
    cards += fmt::format("i{} a 0 pulse(0 1m {}n 1p 1p 3p {}n)\n", k, 50 + 0.0737 * k, 3.3337 + 0.01213 * k);
  TranOptions options;
  for (const char* limit : {"worst=500mV", "worst@..40ns=500mV", "worst=0V"})
    options.limits.push_back(parse_tran_limit(limit));
  const TranReport report = simulate(cards + ".tran 1n 1u\n", options).report;
  EXPECT_LE(report.sizes, 16);
  EXPECT_TRUE(has_finding(report, "corners-moved"));
  EXPECT_GT(report.accuracy.missed_share, 0.9);
  EXPECT_GT(report.accuracy.missed_since_s, 49e-9);
  ASSERT_EQ(report.worst.limits.size(), 3U);
  EXPECT_TRUE(report.worst.limits[0].undecided);
  EXPECT_FALSE(report.worst.limits[1].undecided);
  EXPECT_TRUE(report.worst.limits[2].exceeded);
  EXPECT_FALSE(report.worst.limits[2].undecided);
}

TEST(Transient, CrestsOfSinesAreMet) {
  for (const double f : {0.25e9, 0.5e9, 1e9, 1.5e9, 2e9, 0.37e9, 0.51e9, 7.3e9}) {
    const Simulated run = simulate(fmt::format("v1 p 0 1\nr1 p a 1\ni1 a 0 sin(0.1 0.1 {} 0.2n)\n.tran 1n 30n\n", f));
    EXPECT_NEAR(run.report.worst.nets[0].worst_drop_v, 0.2, 1e-9) << f;
  }
}

TEST(Transient, ResistorsWithLinearSourcesHaveNoErrorInTime) {
  const std::string cards = "v1 p 0 1\nr1 p a 1\ni1 a 0 pulse(0 0.1 1n 1p 1p 10p 3n)\n.tran 1n 20n\n";
  EXPECT_EQ(simulate(cards).report.accuracy.local_time_error_v, 0);
  EXPECT_GT(simulate(cards + "c1 a 0 1p\n").report.accuracy.local_time_error_v, 0);
}

TEST(Transient, AMarginBelowTheErrorInTimeIsUndecided) {
  const std::string cards = "v1 p 0 1\nr1 p a 2\nc1 a 0 1n\ni1 a 0 pulse(0 0.1 1n 1n 1n 3n 100n)\n.tran 1n 20n\n";
  const TranReport report = simulate(cards).report;
  const double worst = report.worst.nets[0].worst_drop_v, error = report.accuracy.local_time_error_v;
  ASSERT_GT(error, 1e-4);
  TranOptions options;
  for (const double margin : {0.9, 1.1})
    options.limits.push_back(parse_tran_limit(fmt::format("{}V", worst + margin * error)));
  const std::vector<LimitResult> limits = simulate(cards, options).report.worst.limits;
  EXPECT_TRUE(limits[0].undecided);
  EXPECT_FALSE(limits[1].undecided);
}

TEST(Integrator, ScenariosTogetherAreThoseOneByOne) {
  const Circuit circuit = read_netlist_text(
      "* t\nv1 p 0 1\nl1 p q 1n\nr1 q a 1\nc1 a 0 1n\nr2 a b 2\nc2 b 0 2n\ni1 a 0 0\ni2 b 0 0\n.end\n");
  const auto design = make_design(circuit);
  SolverOptions options;
  options.engine = "cholmod";
  Integrator both(design, Method::trapezoidal, options, {}, 2), first(design, Method::trapezoidal, options, {}),
      second(design, Method::trapezoidal, options, {});
  for (int k = 1; k <= 20; ++k) {
    const std::vector<double> loads = {0.1 * k, 0, 0.01 * k, 0.2};
    both.accept(both.step({1e-10}, {{loads.data(), 2, 2}}));
    first.accept(first.step({1e-10}, {{loads.data(), 2, 1}}));
    second.accept(second.step({1e-10}, {{loads.data() + 2, 2, 1}}));
  }
  for (size_t n = 0; n < both.voltage(0).size(); ++n) {
    EXPECT_NEAR(both.voltage(0)[n], first.voltage(0)[n], 1e-12);
    EXPECT_NEAR(both.voltage(1)[n], second.voltage(0)[n], 1e-12);
  }
  EXPECT_LT(both.voltage(0)[3], -0.01);
}

TEST(Transient, RecordsTheWorstNodesWhenAsked) {
  TranOptions options;
  options.worst_probes = 1;
  const Simulated run =
      simulate("v1 p 0 1\nr1 p a 1\nr2 a b 1\ni1 b 0 pwl(0 0.1 1 0.2)\nc1 a 0 1m\n.tran 0.1 1\n", options);
  ASSERT_EQ(run.report.probes.size(), 1u);
  EXPECT_EQ(run.circuit.node_name(run.report.probes[0].node), "b");
}

TEST(Transient, NonsenseIsRefused) {
  const std::string deck = "v1 p 0 1\nr1 p a 1\ni1 a 0 1\nc1 a 0 1\n";
  const auto message = [&](const std::string& cards, const TranOptions& options = {}) -> std::string {
    try {
      simulate(cards, options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(message(deck), HasSubstr("no .tran card that gives the step"));
  TranOptions options;
  options.step_s = -1;
  options.stop_s = 1;
  EXPECT_THAT(message(deck, options), HasSubstr("above 0 s"));
  options.step_s = 0.1;
  options.probes = {"nowhere"};
  EXPECT_THAT(message(deck, options), HasSubstr("nowhere: the netlist has no node of that name"));
  EXPECT_THAT(message(deck + ".tran 10p 1n 0 1e-30\n"),
              HasSubstr("the deck's .tran card has a largest step of 1e-30 s"));
  EXPECT_THAT(message(deck + ".tran 1e-30 1n\n"), HasSubstr("the deck's .tran card has a step of 1e-30 s"));
  options.probes = {};
  options.largest_step_s = 1e-30;
  EXPECT_EQ(message(deck, options), "max_step 1e-30 s: 1e+30 steps to 1 s are too many");
}

TEST(Transient, OperatingPointsOfAllScenariosAreFinite) {
  const Circuit circuit = read_netlist_text("* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 1\n.end\n");
  const System system(make_design(circuit));
  SolverOptions options;
  options.engine = "cholmod";
  Solver solver(system, options);
  std::vector<Answer> answers = {solver.solve(), solver.solve()};
  EXPECT_NO_THROW(OperatingPoints(system, answers));
  answers[1].voltage_v[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(OperatingPoints(system, answers), SolverError);
}

TEST(Transient, AMissedToleranceIsKnownToTheReport) {
  const std::string cards = "v1 p 0 1\nr1 p a 1\nc1 a 0 10p\ni1 a 0 pulse(0 0.1 1n 1n 1n 2n 9n)\n.tran 0.5n 5n\n";
  EXPECT_TRUE(simulate(cards).report.accuracy.is_met);
  TranOptions options;
  options.tolerance_v = 1e-20;
  const TranReport report = simulate(cards, options).report;
  EXPECT_FALSE(report.accuracy.is_met);
  EXPECT_EQ(report.accuracy.tolerance_v, 1e-20);
}

std::map<std::string, std::vector<double>> published_waveforms(const std::string& path) {
  const auto text = SourceText::open(path);
  std::istringstream lines{std::string(text->text())};
  std::map<std::string, std::vector<double>> waveforms;
  std::string line, node;
  double time, volts;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    if (line.starts_with("Node: "))
      words.ignore(6), words >> node;
    else if (words >> time >> volts)
      waveforms[node].push_back(volts);
  }
  return waveforms;
}

/// IBM's transient benchmark: 25 000 unknowns, 10 774 capacitors, 277 inductors, 1 000 steps, 20 probes.
TEST(Transient, PublishedWaveformsOfIbmpg1t) {
  const std::string folder = std::string(GRIDIRON_DATA_DIR) + "/ibm/";
  if (!std::filesystem::exists(folder + "ibmpg1t.spice.bz2")) GTEST_SKIP() << "no reference data in " << folder;
  Circuit circuit = read_netlist(folder + "ibmpg1t.spice.bz2");
  start_at_time_zero(circuit);
  TranOptions options;
  options.engine = "cholmod";
  const TranReport report = analyse_transient(circuit, options);
  const auto published = published_waveforms(folder + "ibmpg1t.output.bz2");
  ASSERT_EQ(report.probes.size(), 20u);
  ASSERT_EQ(report.row_time_s.size(), 1001u);
  double worst = 0;
  for (const Probe& probe : report.probes) {
    const std::vector<double>& expected = published.at(std::string(circuit.node_name(probe.node)));
    ASSERT_EQ(expected.size(), probe.voltage_v.size());
    for (size_t row = 0; row < expected.size(); ++row)
      worst = std::max(worst, std::abs(expected[row] - probe.voltage_v[row]));
  }
  EXPECT_LT(worst, 6e-5);
}

}  // namespace
}  // namespace gridiron
