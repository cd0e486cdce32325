// SPDX-License-Identifier: Apache-2.0
// Loads from a table of templates, scenarios, and what results begin and end with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Simulated {
  Circuit circuit;
  TranReport report;
};

Simulated simulate(const std::string& cards, TranOptions options = {}) {
  Simulated run{read_netlist_text("* deck\n" + cards + ".end\n"), {}};
  start_at_time_zero(run.circuit);
  options.engine = "cholmod";
  options.probes = {"a", "b"};
  run.report = analyse_transient(run.circuit, options);
  return run;
}

constexpr const char* kGrid =
    "v1 p 0 1\nl1 p q 20p\nr1 q a 0.5\nr2 a b 0.5\nc1 a 0 100p\nc2 b 0 200p\nr3 p b 2\n.tran 50p 5n\n";

/// A trapezium and a triangle.
WaveformTable two_templates() {
  WaveformTable table;
  table.path = "w.npz";
  table.time_s = {0, 1e-9, 2e-9, 3e-9};
  table.template_a = {0, 0.1, 0.1, 0, 0.01, 0.01, 0.3, 0.02};
  table.sources = {"i1", "i2"};
  table.shape = {{0, 1}, false};
  table.delay_s = {{0, 5e-10}, false};
  table.scale = {{1, 2}, false};
  return table;
}

void expect_same_probes(const TranReport& a, const TranReport& b, int64_t scenario, double within) {
  ASSERT_EQ(a.row_time_s, b.row_time_s);
  const auto k = static_cast<size_t>(a.scenarios);
  for (size_t p = 0; p < a.probes.size(); ++p)
    for (size_t row = 0; row < a.row_time_s.size(); ++row)
      ASSERT_NEAR(a.probes[p].voltage_v[row * k + static_cast<size_t>(scenario)], b.probes[p].voltage_v[row], within)
          << "probe " << p << ", row " << row;
}

TEST(TranWaveforms, TemplatesAreWhatPwlSaysInTheDeck) {
  TranOptions options;
  options.waveforms = two_templates();
  const Simulated from_table = simulate(std::string(kGrid) + "i1 a 0 0\ni2 b 0 pwl(0 1 1n 2)\n", options);
  const Simulated from_deck = simulate(std::string(kGrid) +
                                       "i1 a 0 pwl(0 0 1n 0.1 2n 0.1 3n 0)\n"
                                       "i2 b 0 pwl(0.5n 0.02 1.5n 0.02 2.5n 0.6 3.5n 0.04)\n");
  expect_same_probes(from_table.report, from_deck.report, 0, 1e-12);
  EXPECT_GT(from_deck.report.worst.nets[0].worst_drop_v, 0.1);
}

TEST(TranWaveforms, ThatDoNotVaryWithinTheSimulationAreTold) {
  const auto does_vary = [](const WaveformTable& table) {
    TranOptions options;
    options.waveforms = table;
    const Simulated run = simulate(std::string(kGrid) + "i1 a 0 0\ni2 b 0 0\n", options);
    return std::ranges::none_of(run.report.worst.findings,
                                [](const Finding& finding) { return finding.code == "nothing-varies"; });
  };
  EXPECT_TRUE(does_vary(two_templates()));
  WaveformTable table = two_templates();
  table.time_s = {0, 1, 2, 3};  // as if the file were in nanoseconds
  EXPECT_FALSE(does_vary(table));
  table = two_templates();
  table.delay_s = {{6e-9, 7e-9}, false};
  EXPECT_FALSE(does_vary(table));
  table = two_templates();
  table.scale = {{0, 0}, false};
  EXPECT_FALSE(does_vary(table));
  table.scale = {{0, 1}, false};
  EXPECT_TRUE(does_vary(table));
}

TEST(TranWaveforms, ScenariosAreWhatSingleRunsGive) {
  WaveformTable table = two_templates();
  table.scenarios = 3;
  table.scenario_names = {"calm", "busy", "late"};
  table.scale = {{1, 2, 3, 1, 0.5, 2}, true};
  table.delay_s = {{0, 5e-10, 0, 5e-10, 0, 1.5e-9}, true};
  table.shape = {{0, 1, 0, 1, 1, 1}, true};
  TranOptions options;
  options.waveforms = table;
  options.step_s = 5e-11;
  const std::string cards = std::string(kGrid) + "i1 a 0 0\ni2 b 0 0\ni3 b 0 sin(0.02 0.01 1g)\n";
  const Simulated all = simulate(cards, options);
  ASSERT_EQ(all.report.scenarios, 3);
  double imbalance = 0;
  ChargeBalance sum;
  std::vector<ScenarioNet> single;
  for (int64_t j = 0; j < 3; ++j) {
    WaveformTable one = two_templates();
    const auto at = static_cast<ptrdiff_t>(2 * j);
    one.scale = {{table.scale.values.begin() + at, table.scale.values.begin() + at + 2}, false};
    one.delay_s = {{table.delay_s.values.begin() + at, table.delay_s.values.begin() + at + 2}, false};
    one.shape = {{table.shape.values.begin() + at, table.shape.values.begin() + at + 2}, false};
    options.waveforms = one;
    const Simulated run = simulate(cards, options);
    expect_same_probes(all.report, run.report, j, 2e-5);
    const ScenarioNet &mine = all.report.by_scenario[static_cast<size_t>(j)].nets[0],
                      &theirs = run.report.by_scenario[0].nets[0];
    EXPECT_NEAR(mine.worst_drop_v, theirs.worst_drop_v, 2e-5);
    EXPECT_NEAR(mine.worst_drop_v, run.report.worst.nets[0].worst_drop_v, 2e-5);
    EXPECT_EQ(mine.worst_node, theirs.worst_node);
    sum.supplied_c += run.report.charge.supplied_c;
    sum.drawn_c += run.report.charge.drawn_c;
    sum.stored_c += run.report.charge.stored_c;
    imbalance = std::max(imbalance, std::abs(run.report.charge.imbalance_c()));
    single.push_back(theirs);
  }
  EXPECT_NEAR(all.report.charge.supplied_c, sum.supplied_c, 1e-5 * sum.supplied_c);
  EXPECT_NEAR(all.report.charge.drawn_c, sum.drawn_c, 1e-5 * sum.drawn_c);
  EXPECT_NEAR(all.report.charge.stored_c, sum.stored_c, 1e-5 * sum.drawn_c);
  EXPECT_NEAR(all.report.charge.imbalance_c(), 0, 1e-12 * sum.drawn_c);
  const auto worst = std::max_element(single.begin(), single.end(), [](const ScenarioNet& a, const ScenarioNet& b) {
    return a.worst_drop_v < b.worst_drop_v;
  });
  const NetResult& net = all.report.worst.nets[0];
  EXPECT_NEAR(net.worst_drop_v, worst->worst_drop_v, 2e-5);
  EXPECT_EQ(all.report.worst_scenario[net.worst_node], worst - single.begin());
  EXPECT_EQ(all.report.moment.scenario, worst - single.begin());
  EXPECT_EQ(all.report.by_scenario[1].name, "busy");
}

TEST(TranWaveforms, HalvesOfAnInstanceFollowItsName) {
  WaveformTable table = two_templates();
  table.sources = {"i1"};
  for (auto* column : {&table.delay_s, &table.scale}) column->values.resize(1);
  table.shape.values.resize(1);
  TranOptions options;
  options.waveforms = table;
  const std::string grid = "v1 p 0 1\nr1 p a 1\nc1 a 0 10p\nv2 g 0 0\nr2 g b 1\nc2 b 0 10p\n.tran 50p 5n\n";
  const Simulated both = simulate(grid + "i1_v a 0 0\ni1_g 0 b 0\n", options);
  EXPECT_NEAR(both.report.worst.nets[0].worst_drop_v, 0.1, 1e-3);
  EXPECT_NEAR(both.report.worst.nets[1].worst_drop_v, 0.1, 1e-3);
}

TEST(TranWaveforms, NamesThatDoNotFitAreRefused) {
  const auto error_for = [](std::vector<std::string> names) {
    TranOptions options;
    options.waveforms = two_templates();
    options.waveforms->sources = std::move(names);
    try {
      simulate(std::string(kGrid) + "i1 a 0 0\ni2_v b 0 0\ni3 floating 0 0\n", options);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error_for({"i1", "nothing"}), HasSubstr("w.npz: array \"source\", item 1: the netlist has no current"));
  EXPECT_THAT(error_for({"i2", "i2_v"}), HasSubstr("item 1: \"i2_v\" already follows a template"));
  EXPECT_THAT(error_for({"i1", "i3"}), HasSubstr("i3 at floating has no path"));
  EXPECT_EQ(error_for({"I1", "i2"}), "no error");
}

TEST(TranWaveforms, BendsOfManyDelaysAreMet) {
  WaveformTable table = two_templates();
  std::string cards = kGrid;
  table.sources.clear();
  table.shape = table.shape = {{}, false};
  table.delay_s = table.scale = {{}, false};
  for (int i = 0; i < 200; ++i) {
    table.sources.push_back("i" + std::to_string(i));
    cards += table.sources.back() + " b 0 0\n";
    table.shape.values.push_back(i % 2);
    table.delay_s.values.push_back(1e-9 * std::fmod(i * 0.6180339887, 1));
    table.scale.values.push_back(0.01);
  }
  TranOptions options;
  options.waveforms = table;
  const Simulated run = simulate(cards, options);
  EXPECT_EQ(run.report.row_time_s.size(), 101u);
  EXPECT_GT(run.report.steps, 400);
  EXPECT_FALSE(std::any_of(run.report.worst.findings.begin(), run.report.worst.findings.end(),
                           [](const Finding& f) { return f.code == "corners-moved"; }));
}

constexpr const char* kPulsed = "i1 b 0 pulse(0.01 0.2 1n 0.2n 0.2n 1n 20n)\n";

TEST(TranResults, BeginAtTheStartOfTheTranCard) {
  const std::string grid = kGrid;
  const std::string begun = grid.substr(0, grid.find(".tran")) + ".tran 50p 5n 2n\n";
  const Simulated whole = simulate(grid + kPulsed), late = simulate(begun + kPulsed);
  EXPECT_DOUBLE_EQ(late.report.row_time_s.front(), 2e-9);
  ASSERT_EQ(late.report.row_time_s.size(), 61u);
  for (size_t p = 0; p < 2; ++p)
    for (size_t row = 0; row < 61; ++row)
      EXPECT_NEAR(late.report.probes[p].voltage_v[row], whole.report.probes[p].voltage_v[row + 40], 1e-12);
  EXPECT_NEAR(late.report.charge.imbalance_c(), 0, 1e-12 * late.report.charge.drawn_c);
  for (const double t : late.report.worst_time_s) EXPECT_TRUE(t == 0 || t >= 1.999e-9) << t;
  double sum = 0;
  for (size_t row = 0; row < 61; ++row)
    sum += (1 - late.report.probes[1].voltage_v[row]) * (row == 0 || row == 60 ? 0.5 : 1) / 60;
  const NodeId b = late.report.probes[1].node;
  EXPECT_NEAR(late.report.average_drop_v[b], sum, 1e-3 * sum);
}

TEST(TranResults, StartNeedNotBeAMultipleOfTheStep) {
  TranOptions options;
  options.start_s = 2.02e-9;
  const Simulated run = simulate(std::string(kGrid) + kPulsed, options);
  EXPECT_DOUBLE_EQ(run.report.row_time_s[0], 2.02e-9);
  EXPECT_NEAR(run.report.row_time_s[1], 2.05e-9, 1e-20);
}

TEST(TranResults, TheLargestStepOfTheTranCardIsKept) {
  const std::string grid = kGrid;
  const Simulated fine = simulate(grid.substr(0, grid.find(".tran")) + ".tran 50p 5n 0 12p\n" + kPulsed);
  EXPECT_EQ(fine.report.row_time_s.size(), 101u);
  EXPECT_EQ(fine.report.steps, 500);
  TranOptions options;
  options.step_s = 1e-11;
  const Simulated same = simulate(grid + kPulsed, options);
  for (size_t row = 0; row < 101; ++row)
    EXPECT_NEAR(fine.report.probes[1].voltage_v[row], same.report.probes[1].voltage_v[5 * row], 1e-12);
}

TEST(TranResults, OvershootIsWhatLiesBeyondTheNominalVoltage) {
  const Simulated run = simulate(
      "v1 p 0 1\nl1 p q 1n\nr1 q a 0.05\nr2 a b 0.01\nc1 b 0 1n\n.tran 20p 20n\ni1 b 0 pwl(0 1 1n 1 1.2n 0 20n 0)\n");
  const std::vector<double>& b = run.report.probes[1].voltage_v;
  const double highest = *std::max_element(b.begin(), b.end());
  ASSERT_GT(highest, 1.1);
  const NodeId node = run.report.probes[1].node;
  EXPECT_NEAR(run.report.overshoot_v[node], highest - 1, 1e-9);
  EXPECT_NEAR(run.report.nets[0].overshoot_v, highest - 1, 0.02);
}

TEST(TranResults, TheWorstMomentIsThatOfTheLargestDrop) {
  const Simulated run = simulate(std::string(kGrid) + kPulsed);
  const TranReport& report = run.report;
  const NodeId worst = report.worst.nets[0].worst_node;
  EXPECT_EQ(report.moment.time_s, report.worst_time_s[worst]);
  EXPECT_EQ(report.moment.grid.nets[0].worst_node, worst);
  EXPECT_EQ(report.moment.grid.nodes.drop_v[worst], report.worst.nodes.drop_v[worst]);
  for (size_t n = 0; n < report.worst.nodes.drop_v.size(); ++n)
    EXPECT_LE(report.moment.grid.nodes.drop_v[n], report.worst.nodes.drop_v[n]);
}

/// All scenarios are recorded together; what is found of each must be what it gives alone.
TEST(TranResults, ExtremesOfScenariosAreThoseOfSingleRuns) {
  const std::string cards =
      "v1 p 0 1\nl1 p q 1n\nr1 q a 0.05\nr2 a b 0.01\nrt b t 0\nc1 b 0 1n\nvg g 0 0\nrg g h 0.3\nc2 h 0 10p\n"
      "i1 b 0 0\ni2 0 h 0\n.tran 20p 8n\n";
  TranOptions together;
  WaveformTable table = two_templates();
  table.scenarios = 3;
  table.scale = {{1, 1, 4, 0.5, 0.25, -3}, true};
  together.waveforms = table;
  together.probes = {};
  const Simulated all = simulate(cards, together);
  ASSERT_EQ(all.report.nets.size(), 2u);
  std::vector<double> overshoot(all.report.overshoot_v.size(), 0.0);
  double worst = 0;
  for (size_t j = 0; j < 3; ++j) {
    TranOptions alone;
    table.scenarios = 1;
    table.scale = {{together.waveforms->scale.values[2 * j], together.waveforms->scale.values[2 * j + 1]}, false};
    alone.waveforms = table;
    const Simulated one = simulate(cards, alone);
    for (size_t k = 0; k < 2; ++k) {
      const ScenarioNet &of_all = all.report.by_scenario[j].nets[k], &of_one = one.report.by_scenario[0].nets[k];
      EXPECT_NEAR(of_all.worst_drop_v, of_one.worst_drop_v, 1e-9) << j << ' ' << k;
      EXPECT_NEAR(of_one.worst_drop_v, one.report.worst.nets[k].worst_drop_v, 1e-12);
      EXPECT_EQ(of_all.time_s, of_one.time_s) << j << ' ' << k;
      EXPECT_EQ(of_all.worst_node, of_one.worst_node) << j << ' ' << k;
    }
    for (size_t n = 0; n < overshoot.size(); ++n) overshoot[n] = std::max(overshoot[n], one.report.overshoot_v[n]);
    if (one.report.moment.grid.nets[0].worst_drop_v > worst) {
      worst = one.report.moment.grid.nets[0].worst_drop_v;
      EXPECT_NEAR(worst, one.report.by_scenario[0].nets[0].worst_drop_v, 1e-12);
    }
  }
  for (size_t n = 0; n < overshoot.size(); ++n) EXPECT_NEAR(all.report.overshoot_v[n], overshoot[n], 1e-9) << n;
  EXPECT_GT(*std::max_element(overshoot.begin(), overshoot.end()), 1e-3);
  EXPECT_EQ(all.report.moment.scenario, 1);
  EXPECT_NEAR(all.report.moment.grid.nets[0].worst_drop_v, worst, 1e-9);
}

TEST(TranResults, CurrentsOfSegmentsOverTime) {
  TranOptions options;
  options.segments = true;
  const Simulated run = simulate(std::string(kGrid) + kPulsed, options);
  const SegmentsOverTime& segments = run.report.segments;
  const std::vector<double>&a = run.report.probes[0].voltage_v, &b = run.report.probes[1].voltage_v;
  double sum = 0, squares = 0, peak = 0;
  for (size_t row = 0; row < a.size(); ++row) {
    const double current = (a[row] - b[row]) / 0.5, weight = (row == 0 || row + 1 == a.size() ? 0.5 : 1.0) / 100;
    sum += weight * current;
    squares += weight * current * current;
    if (std::abs(current) > std::abs(peak)) peak = current;
  }
  ASSERT_EQ(segments.peak_a.size(), 3u);
  EXPECT_NEAR(segments.average_a[1], sum, 2e-3 * std::abs(sum));
  EXPECT_NEAR(segments.rms_a[1], std::sqrt(squares), 2e-3 * std::sqrt(squares));
  EXPECT_NEAR(segments.peak_a[1], peak, 1e-6);
}

TEST(TranFindings, WhatIsIgnoredAndWhatIsTooCoarseIsTold) {
  const auto codes_of = [](const std::string& cards) {
    std::vector<std::string> codes;
    for (const Finding& finding : simulate(cards).report.worst.findings)
      if (finding.severity == Finding::Severity::warning) codes.push_back(finding.code);
    return codes;
  };
  const std::string grid = kGrid, bare = grid.substr(0, grid.find(".tran"));
  EXPECT_THAT(codes_of(grid + kPulsed), ElementsAre());
  EXPECT_THAT(codes_of(bare + "c3 a 0 1p ic=0.5\n.tran 50p 5n\n" + kPulsed), ElementsAre("initial-conditions"));
  EXPECT_THAT(codes_of(bare + "c3 a 0 1p ic=0.5\n.tran 50p 5n uic\n" + kPulsed), ElementsAre());
  EXPECT_THAT(codes_of(bare + ".tran 0.5n 5n\ni1 b 0 pulse(0 0.1 1n 10p 10p 1n 4n)\n"),
              ElementsAre("step-above-edges"));
}

/// What a table replaces is not simulated, and samples on a line are no edges.
TEST(TranFindings, OnlyEdgesThatAreSimulatedCount) {
  const std::string grid = kGrid, cards = grid.substr(0, grid.find(".tran")) + ".tran 0.5n 5n\n" +
                                          "i1 b 0 pulse(0 0.1 1n 1f 1f 10f 2n)\ni2 a 0 0\n";
  TranOptions options;
  options.waveforms = two_templates();
  const auto run = [&] { return simulate(cards, options).report; };
  const auto is_told = [](const TranReport& report) {
    return std::ranges::any_of(report.worst.findings,
                               [](const Finding& finding) { return finding.code == "step-above-edges"; });
  };
  const TranReport replaced = run();
  EXPECT_FALSE(is_told(replaced));
  EXPECT_EQ(replaced.steps, 10);  // the corners of i1 would make 30 of them

  WaveformTable& table = *options.waveforms;
  const auto resample = [&](auto&& first, auto&& second) {
    table.time_s.clear();
    std::vector<double> both[2];
    for (int k = 0; k < 400; ++k) {
      table.time_s.push_back(10e-12 * k);
      both[0].push_back(first(k));
      both[1].push_back(second(k));
    }
    table.template_a = both[0];
    table.template_a.insert(table.template_a.end(), both[1].begin(), both[1].end());
  };
  const auto constant = [](int) { return 0.1; };
  const auto ramp = [](int k) { return 1e-3 * std::clamp(k - 100, 0, 200); };
  const auto edge = [](int k) { return k < 150 ? 0.0 : 0.1; };
  resample(constant, ramp);
  EXPECT_FALSE(is_told(run()));
  resample(constant, edge);
  EXPECT_TRUE(is_told(run()));
  table.shape = {{0, 0}, false};  // nobody follows the edge
  EXPECT_FALSE(is_told(run()));
}

}  // namespace
}  // namespace gridiron
