// SPDX-License-Identifier: Apache-2.0
// Currents of segments under rules of electromigration, against ratios that are worked out by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

#include "analysis/results/em/active_rules.hpp"
#include "analysis/results/em/judge_em.hpp"
#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

EmRule rule(const std::string& layer, EmKind kind, EmUnit unit, double limit, EmRange width = {}) {
  EmRule made;
  made.layer = layer, made.kind = kind, made.unit = unit, made.width_um = width, made.limits = {limit};
  made.place = "rules.csv:2:1";
  return made;
}

IrOptions with_rules(std::vector<EmRule> rules, std::vector<MetalLayer> layers = {}) {
  IrOptions options;
  options.em.emplace();
  options.em->rules = std::move(rules);
  options.em->layers = std::move(layers);
  options.tolerance_v = 1e-9;
  return options;
}

struct Analysed {
  Circuit circuit;
  IrReport result;
  explicit Analysed(const std::string& deck, const IrOptions& options,
                    std::shared_ptr<const Placement> placement = nullptr)
      : circuit(with(read_netlist_text(deck), std::move(placement))), result(analyse_ir_drop(circuit, options)) {}
  EmRow row(int64_t resistor) const { return em_row(result, *result.em, resistor); }
  const EmReport& em() const { return *result.em; }

 private:
  static Circuit with(Circuit circuit, std::shared_ptr<const Placement> placement) {
    circuit.placement = std::move(placement);
    return circuit;
  }
};

/// A line of wires of 10 µm and 1 ohm on M1, k = 1 … n, that carry k mA: the last one is at the source.
std::string line(int wires) {
  std::string deck = fmt::format("* dbu: 1000\nV1 n1_m1_{}_0 0 1\n", 10000 * wires);
  for (int k = 1; k <= wires; ++k)
    deck += fmt::format("R{0} n1_m1_{1}_0 n1_m1_{2}_0 1\nI{0} n1_m1_{1}_0 0 1m\n", k, 10000 * (k - 1), 10000 * k);
  return deck + ".end\n";
}

TEST(EmRules, OfWiresByTheWidthOfATable) {
  // 2 µm wide at 1.2 mA/µm: wire k carries k mA, which is k / 2.4 of its limit.
  const Analysed run(line(4), with_rules({rule("M1", EmKind::average, EmUnit::per_um, 1.2e-3)}, {{"m1", 2, 0, ""}}));
  for (int k = 1; k <= 4; ++k) {
    const EmRow row = run.row(k - 1);
    EXPECT_NEAR(row.ratio, k / 2.4, 1e-9);
    EXPECT_NEAR(row.value, k * 1e-3 / 2, 1e-12);
    EXPECT_EQ(row.limit, 1.2e-3);
    EXPECT_EQ(row.width_um, 2);
  }
  EXPECT_EQ(run.em().segments, 4);
  EXPECT_EQ(run.em().violated, 2) << "wires 3 and 4";
  for (const int64_t kept : {0, 1}) EXPECT_EQ(run.em().verdict[kept], EmVerdict::kept);
  for (const int64_t violated : {2, 3}) EXPECT_EQ(run.em().verdict[violated], EmVerdict::violated);
  EXPECT_EQ(em_worst_first(run.result, run.em()), (std::vector<int64_t>{3, 2, 1, 0}));
}

TEST(EmRules, TheStrictestOfSeveralKindsIsTold) {
  const Analysed run(
      line(2), with_rules({rule("m1", EmKind::average, EmUnit::per_um, 4e-3),
                           rule("m1", EmKind::rms, EmUnit::per_um, 2e-3), rule("m1", EmKind::peak, EmUnit::per_um, 1)},
                          {{"m1", 1, 0, ""}}));
  EXPECT_NEAR(run.row(0).ratio, 0.5, 1e-9) << "1 mA/µm of 2 mA/µm: the current of a static run is its rms, too";
  EXPECT_EQ(run.em().rules[run.row(0).rule].name, "m1 rms a_per_um");
}

std::shared_ptr<Placement> placement_of(std::vector<int32_t> widths_nm) {
  auto placement = std::make_shared<Placement>();
  placement->dbu_per_um = 1000;
  placement->cuts.assign(widths_nm.size(), 0);
  placement->cut.assign(widths_nm.size(), 0);
  placement->width = std::move(widths_nm);
  return placement;
}

TEST(EmRules, ByWidth) {
  // From 1 to below 2 µm 1 mA/µm, from there on 2 mA/µm; nothing below 1 µm.
  const Analysed run(line(3),
                     with_rules({rule("m1", EmKind::average, EmUnit::per_um, 1e-3, {1, 2}),
                                 rule("m1", EmKind::average, EmUnit::per_um, 2e-3, {2, HUGE_VAL})}),
                     placement_of({500, 1999, 2000}));
  EXPECT_EQ(run.em().verdict[0], EmVerdict::unknown);
  EXPECT_EQ(run.em().unknown, 1);
  EXPECT_NEAR(run.row(1).ratio, 2 / 1.999, 1e-8) << "2 mA on 1.999 µm";
  EXPECT_NEAR(run.row(2).ratio, 3 / 2.0 / 2.0, 1e-8) << "3 mA on 2 µm";
}

TEST(EmRules, TablesByWidthAreLinearBetweenAndConstantBeyond) {
  EmRule table = rule("m1", EmKind::average, EmUnit::per_um, 0);
  table.sizes = {1, 3}, table.limits = {1e-3, 2e-3};
  const Analysed run(line(3), with_rules({table}), placement_of({500, 2000, 5000}));
  EXPECT_DOUBLE_EQ(run.row(0).limit, 1e-3);
  EXPECT_DOUBLE_EQ(run.row(1).limit, 1.5e-3);
  EXPECT_DOUBLE_EQ(run.row(2).limit, 2e-3);
}

TEST(EmRules, ByLengthOfConnectedMetal) {
  // 30 µm of metal in three pieces is none of 20 µm at most.
  EmRule of_short = rule("m1", EmKind::average, EmUnit::per_um, 1),
         of_long = rule("m1", EmKind::average, EmUnit::per_um, 1e-3);
  of_short.length_um = {0, 20}, of_long.length_um = {20, HUGE_VAL};
  const Analysed run(line(3), with_rules({of_short, of_long}, {{"m1", 1, 0, ""}}));
  EXPECT_NEAR(run.row(0).limit, 1e-3, 1e-15);
  const Analysed brief(line(1), with_rules({of_short, of_long}, {{"m1", 1, 0, ""}}));
  EXPECT_EQ(brief.row(0).limit, 1);
}

/// 1 A/µm below so many µm, 1 mA/µm from there on.
IrOptions by_length(double um) {
  EmRule of_short = rule("m1", EmKind::average, EmUnit::per_um, 1),
         of_long = rule("m1", EmKind::average, EmUnit::per_um, 1e-3);
  of_short.length_um = {0, um}, of_long.length_um = {um, HUGE_VAL};
  return with_rules({of_short, of_long}, {{"m1", 1, 0, ""}});
}

TEST(EmRules, LengthsAreExactSums) {
  // 5.1 + 4.3 + 5.6 µm, and ten pieces of 0.1 µm, which doubles would add up to less.
  const Analysed three(
      "* dbu: 1000\nV1 n1_m1_100_0 0 1\nR1 n1_m1_100_0 n1_m1_5200_0 1\nR2 n1_m1_5200_0 n1_m1_9500_0 1\n"
      "R3 n1_m1_9500_0 n1_m1_15100_0 1\nI1 n1_m1_15100_0 0 1m\n.end\n",
      by_length(15));
  EXPECT_EQ(three.row(0).limit, 1e-3);
  std::string deck = "* dbu: 1000\nV1 n1_m1_0_0 0 1\nI1 n1_m1_1000_0 0 1m\n";
  for (int k = 0; k < 10; ++k) deck += fmt::format("R{0} n1_m1_{1}_0 n1_m1_{2}_0 1\n", k, 100 * k, 100 * k + 100);
  const Analysed ten(deck + ".end\n", by_length(1));
  EXPECT_EQ(ten.row(0).limit, 1e-3);
}

TEST(EmRules, ParallelPiecesAreOneLength) {
  const Analysed run(
      "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nR2 n1_m1_10000_0 n1_m1_0_0 1\n"
      "I1 n1_m1_10000_0 0 1m\n.end\n",
      by_length(15));
  EXPECT_EQ(run.row(0).limit, 1) << "10 µm, not 20 µm";
}

TEST(EmRules, LengthsBeyondUnnamedNodesAreNotKnown) {
  // 10 µm on each side of what has no length of its own.
  const auto unknown = [](const std::string& between, double um) {
    const Analysed run("* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\n" + between +
                           "R2 n1_m1_20000_0 n1_m1_30000_0 1\nI1 n1_m1_30000_0 0 1m\n.end\n",
                       by_length(um));
    return run.em().unknown;
  };
  for (const char* between :
       {"R3 n1_m1_10000_0 mid 1\nR4 mid n1_m1_20000_0 1\n", "R3 n1_m1_10000_0 mid 1\nL1 mid n1_m1_20000_0 1p\n",
        "V2 n1_m1_10000_0 mid 0\nR4 mid n1_m1_20000_0 1\n", "L1 n1_m1_10000_0 n1_m1_20000_0 1p\n"}) {
    EXPECT_EQ(unknown(between, 15), 2) << between;
    EXPECT_EQ(unknown(between, 10), 0) << "each side alone is as long: " << between;
  }
}

TEST(EmRules, OfCuts) {
  // A via of 4 cuts, each 0.04 µm², which count for 2 ordinary ones each, carries 1 mA.
  const std::string deck = "* dbu: 1000\nV1 n1_m2_0_0 0 1\nR1 n1_m1_0_0 n1_m2_0_0 1\nI1 n1_m1_0_0 0 1m\n.end\n";
  const auto placement = placement_of({0});
  placement->cuts = {8};
  placement->layers = {{"m1"}, {"m2"}};
  placement->cut_layers = {"via1"};
  placement->cut_sizes = {{0, "VB", 0.04, 2}};
  const auto ratio = [&](const EmRule& of) {
    const Analysed run(deck, with_rules({of}), placement);
    return run.row(0).ratio;
  };
  EmRule per_cut = rule("via1", EmKind::average, EmUnit::per_cut, 1e-3);
  EXPECT_NEAR(ratio(per_cut), 1.0 / 8, 1e-9) << "as cuts count";
  EXPECT_NEAR(ratio(rule("M2-M1", EmKind::average, EmUnit::per_cut, 1e-3)), 1.0 / 8, 1e-9);
  EXPECT_NEAR(ratio(rule("via1", EmKind::average, EmUnit::per_um2, 1e-3)), 1 / 0.16, 1e-7) << "4 × 0.04 µm²";
  per_cut.cut_class = "VB";
  EXPECT_NEAR(ratio(per_cut), 1.0 / 4, 1e-9) << "each cut of the class";
  const Analysed run(deck, with_rules({rule("via1", EmKind::average, EmUnit::per_cut, 1e-3), per_cut}), placement);
  EXPECT_NEAR(run.row(0).ratio, 1.0 / 4, 1e-9) << "the rule of its class goes before that of any";
  per_cut.cut_class = "VC";
  const Analysed other(deck, with_rules({per_cut}), placement);
  EXPECT_EQ(other.em().verdict[0], EmVerdict::unknown);
}

TEST(EmRules, ViasOfADeckAreNotJudged) {
  const std::string deck = "* dbu: 1000\nV1 n1_m2_0_0 0 1\nR1 n1_m1_0_0 n1_m2_0_0 1\nI1 n1_m1_0_0 0 1m\n.end\n";
  IrOptions options = with_rules({rule("m1-m2", EmKind::average, EmUnit::per_cut, 1)});
  options.em->limit = 1;
  const Analysed run(deck, options);
  EXPECT_EQ(run.em().unknown, 1);
  EXPECT_THAT(unknown_ratio(*run.em().limit, run.em()), HasSubstr("1 segment cannot be judged"));
}

TEST(EmRules, MetalWithoutResistanceIsNotJudged) {
  // 1 A through a strap of 0 ohm and a via of 0 V; an ammeter at one place is no metal.
  const std::string deck =
      "* dbu: 1000\nV1 n1_m2_0_0 0 1\nV2 n1_m2_0_0 n1_m1_0_0 0\nR1 n1_m1_0_0 n1_m1_10000_0 0\n"
      "R2 n1_m1_10000_0 n1_m1_20000_0 1\nI1 n1_m1_10000_0 0 1\nI2 n1_m1_20000_0 0 1m\n.end\n";
  const auto unknown = [&](std::vector<EmRule> rules) {
    IrOptions options = with_rules(std::move(rules), {{"m1", 1, 0, ""}});
    options.em->limit = 1;
    const Analysed run(deck, options);
    EXPECT_EQ(run.em().unknown, run.em().limit->unknown);
    if (run.em().unknown > 0) {
      EXPECT_THAT(run.result.findings, testing::Contains(testing::Field(&Finding::code, "em-current-unknown")));
      EXPECT_FALSE(unknown_ratio(*run.em().limit, run.em()).empty());
    }
    return run.em().unknown;
  };
  const EmRule wires = rule("m1", EmKind::average, EmUnit::per_um, 10e-3),
               vias = rule("m1-m2", EmKind::average, EmUnit::per_cut, 1);
  EXPECT_EQ(unknown({wires}), 1);
  EXPECT_EQ(unknown({vias}), 1);
  EXPECT_EQ(unknown({wires, vias}), 2);
}

TEST(EmRules, ALimitIsNotKeptByNothing) {
  // A link to a terminal is no metal.
  const std::string deck = "V1 Node_m1_0_0 0 1\nR1 Node_m1_0_0 ITermNode_m1_0_0 1\nI1 ITermNode_m1_0_0 0 1m\n.end\n";
  IrOptions options = with_rules({rule("m1", EmKind::average, EmUnit::per_um, 1)}, {{"m1", 1, 0, ""}});
  options.em->limit = 1;
  const Analysed run(deck, options);
  EXPECT_EQ(run.em().segments, 0);
  EXPECT_TRUE(run.em().limit->undecided);
  EXPECT_THAT(unknown_ratio(*run.em().limit, run.em()), HasSubstr("no rule is for metal that has segments"));
  EXPECT_THAT(run.result.findings, testing::Contains(testing::Field(&Finding::code, "em-not-judged")));

  // The cuts of a technology that no via of the net has.
  const std::string wires = line(1);
  const auto placement = placement_of({1000});
  placement->layers = {{"m1"}, {"m2"}};
  placement->cut_layers = {"via1"};
  placement->cut_sizes = {{0, "", 0.04, 1}};
  for (const EmRule& unused :
       {rule("via1", EmKind::average, EmUnit::per_cut, 1), rule("m2", EmKind::average, EmUnit::per_um, 1)}) {
    options = with_rules({unused});
    options.em->limit = 1;
    const Analysed none(wires, options, placement);
    EXPECT_TRUE(none.em().limit->undecided) << unused.layer;
    EXPECT_THAT(none.result.findings, testing::Contains(testing::Field(&Finding::code, "em-rule-absent")));
  }
}

TEST(EmRules, TheBoundLeavesThemUndecided) {
  // The second wire carries 2 mA of 2 mA, within 2 g e of it.
  IrOptions options = with_rules({rule("m1", EmKind::average, EmUnit::per_um, 2.000000001e-3)}, {{"m1", 1, 0, ""}});
  options.em->limit = 1;
  const Analysed run(line(2), options);
  const double bound_a = 2 * 1 * run.result.certificate.max_error_v;
  ASSERT_GT(bound_a, 1e-12 * 1e-3) << "else there is nothing to test";
  const bool is_within = 2e-3 + bound_a > 2.000000001e-3;
  EXPECT_EQ(run.em().verdict[1], is_within ? EmVerdict::undecided : EmVerdict::kept);
  EXPECT_NEAR(run.em().limit->bound, bound_a / 2e-3, 1e-6 * bound_a / 2e-3 + 1e-15);
}

TEST(EmRules, AnEstimatedErrorOfANegativeResistanceIsNoProof) {
  const std::string deck =
      "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 -0.1\nI1 n1_m1_10000_0 0 1m\n.end\n";
  IrOptions options = with_rules({rule("m1", EmKind::average, EmUnit::per_um, 1)}, {{"m1", 1, 0, ""}});
  options.em->limit = 1;
  options.em_limits = {{"m1", 1, 0, 0, false, "m1=1", false}};
  const Analysed run(deck, options);
  ASSERT_TRUE(run.result.certificate.is_estimated);
  EXPECT_EQ(run.em().verdict[0], EmVerdict::undecided);
  EXPECT_TRUE(run.em().limit->undecided);
  EXPECT_TRUE(run.result.em_limits[0].undecided);
  EXPECT_THAT(describe(*run.em().limit, run.result, run.em()), HasSubstr("errors are estimated only; accept that by"));
  options.accept_estimate = true;
  const Analysed accepted(deck, options);
  EXPECT_EQ(accepted.em().verdict[0], EmVerdict::kept);
  EXPECT_FALSE(accepted.em().limit->undecided);
  EXPECT_FALSE(accepted.result.em_limits[0].undecided);
}

TEST(EmRules, TemperatureScalesAveragesByBlacksLaw) {
  EmRule average = rule("m1", EmKind::average, EmUnit::per_um, 1e-3),
         peak = rule("m1", EmKind::peak, EmUnit::per_um, 1e-3);
  average.temperature_c = peak.temperature_c = 110;
  EmSettings settings;
  settings.rules = {average, peak};
  settings.layers = {{"m1", 1, 0, ""}};
  settings.temperature_c = 125;
  settings.activation_ev = 0.9, settings.exponent = 2;
  const Circuit circuit = read_netlist_text(line(1));
  const std::vector<std::string> names = {"m1"};
  const RuledLayers layers{circuit, names, {{0, 0}}};
  const ActiveEmRules hot = active_em_rules(settings, layers);
  // 0.9 / (2 · 8.617333262e-5) · (1 / 398.15 − 1 / 383.15) = −0.513470; e to that is 0.598415.
  EXPECT_NEAR(hot.rules[0].limits[0], 0.598415e-3, 1e-8);
  EXPECT_EQ(hot.rules[1].limits[0], 1e-3) << "peaks are not scaled";
  EXPECT_TRUE(hot.findings.empty());

  settings.rules[0].temperature_c = std::nullopt;
  const ActiveEmRules unknown = active_em_rules(settings, layers);
  EXPECT_EQ(unknown.rules[0].limits[0], 1e-3);
  ASSERT_EQ(unknown.findings.size(), 1u);
  EXPECT_EQ(unknown.findings[0].code, "em-temperature-unknown");
  settings.of_rules_c = 110;
  EXPECT_NEAR(active_em_rules(settings, layers).rules[0].limits[0], 0.598415e-3, 1e-8);
}

TEST(EmRules, LimitsBeyondAllNumbersAreRefused) {
  EmSettings settings;
  settings.rules = {rule("m1", EmKind::average, EmUnit::per_um, 1e-3)};
  settings.rules[0].temperature_c = 110;
  settings.layers = {{"m1", 1, 0, ""}};
  const Circuit circuit = read_netlist_text(line(1));
  const std::vector<std::string> names = {"m1"};
  for (const double celsius : {-272.0, 1e4}) {
    settings.temperature_c = celsius;
    settings.exponent = celsius < 0 ? 2 : 1e-3;
    EXPECT_THROW(active_em_rules(settings, {circuit, names, {{0, 0}}}), InputError) << celsius;
  }
}

TEST(EmRules, TwoLayersAreOnePairInEitherOrder) {
  EXPECT_TRUE(are_rivals(rule("M1-M2", EmKind::average, EmUnit::per_cut, 1),
                         rule("m2-m1", EmKind::average, EmUnit::per_cut, 2)));
  EXPECT_FALSE(are_rivals(rule("M1-M2", EmKind::average, EmUnit::per_cut, 1),
                          rule("M2-M3", EmKind::average, EmUnit::per_cut, 2)));
  EmSettings settings;
  settings.rules = {rule("M1-M2", EmKind::average, EmUnit::per_cut, 4e-3),
                    rule("M2-M1", EmKind::average, EmUnit::per_cut, 1e-3)};
  settings.rules[0].temperature_c = 85, settings.rules[1].temperature_c = 125;
  settings.temperature_c = 125;
  const Circuit circuit = read_netlist_text(line(1));
  const std::vector<std::string> names = {"m1", "m2"};
  const ActiveEmRules active = active_em_rules(settings, {circuit, names, {{0, 1}}});
  ASSERT_EQ(active.rules.size(), 1u) << "one table";
  EXPECT_DOUBLE_EQ(active.rules[0].limits[0], 1e-3);
}

TEST(EmRules, TablesByTemperature) {
  EmSettings settings;
  settings.rules.assign(2, rule("m1", EmKind::average, EmUnit::per_um, 4e-3));
  settings.rules[0].temperature_c = 85;
  settings.rules[1].temperature_c = 125, settings.rules[1].limits = {1e-3};
  settings.layers = {{"m1", 1, 0, ""}};
  const Circuit circuit = read_netlist_text(line(1));
  const std::vector<std::string> names = {"m1"};
  const RuledLayers layers{circuit, names, {{0, 0}}};
  const auto limit_at = [&](double celsius) {
    settings.temperature_c = celsius;
    const ActiveEmRules active = active_em_rules(settings, layers);
    EXPECT_EQ(active.rules.size(), 1u);
    return active.rules[0].limits[0];
  };
  EXPECT_EQ(limit_at(85), 4e-3);
  EXPECT_DOUBLE_EQ(limit_at(125), 1e-3);
  // The inverse of 105 °C is the share (1/378.15 − 1/358.15) / (1/398.15 − 1/358.15) = 0.526445 of the way: 4e-3 ·
  // 4^−0.526445.
  EXPECT_NEAR(limit_at(105), 4e-3 * std::pow(4, -0.526445), 1e-8);
  EXPECT_THROW(limit_at(126), InputError);
  EXPECT_THROW(limit_at(84), InputError);
  settings.temperature_c = std::nullopt;
  EXPECT_THROW(active_em_rules(settings, layers), InputError);
}

TEST(EmRules, TablesByFrequency) {
  EmRule table = rule("m1", EmKind::rms, EmUnit::per_um, 0);
  table.frequencies_hz = {1e6, 3e6}, table.sizes = {1, 2}, table.limits = {4e-3, 5e-3, 2e-3, 1e-3};
  EmSettings settings;
  settings.rules = {table};
  settings.layers = {{"m1", 1, 0, ""}};
  const Circuit circuit = read_netlist_text(line(1));
  const std::vector<std::string> names = {"m1"};
  const RuledLayers layers{circuit, names, {{0, 0}}};
  EXPECT_EQ(active_em_rules(settings, layers).rules[0].limits, (std::vector<double>{2e-3, 1e-3})) << "the least";
  settings.frequency_hz = 2e6;
  EXPECT_EQ(active_em_rules(settings, layers).rules[0].limits, (std::vector<double>{3e-3, 3e-3}));
  settings.frequency_hz = 4e6;
  EXPECT_THROW(active_em_rules(settings, layers), InputError);

  settings.rules[0].frequencies_hz = {1e6}, settings.rules[0].limits = {4e-3, 5e-3};
  EXPECT_THROW(active_em_rules(settings, layers), InputError) << "a table of one frequency is for no other";
  settings.frequency_hz = 1e6;
  EXPECT_EQ(active_em_rules(settings, layers).rules[0].limits, (std::vector<double>{4e-3, 5e-3}));
}

}  // namespace
}  // namespace gridiron
