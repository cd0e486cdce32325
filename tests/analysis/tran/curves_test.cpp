// SPDX-License-Identifier: Apache-2.0
// Sources that curve between their corners, on grids whose voltages lag behind them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "analysis/tran/tran_limits.hpp"
#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"

namespace gridiron {
namespace {

constexpr double kStop = 20e-9;

struct Simulated {
  double drop_v, error_v;
  std::vector<LimitResult> limits;
  std::vector<EmLimitResult> em_limits;
  int64_t steps;
  std::vector<Finding> findings;
};

Simulated run(const std::string& cards, double step, TranOptions options = {}) {
  Circuit circuit = read_netlist_text("* layer: M1,VDD net: 1\n" + cards + ".end\n");
  start_at_time_zero(circuit);
  options.step_s = step;
  options.stop_s = kStop;
  const TranReport report = analyse_transient(circuit, options);
  return {report.worst.nets[0].worst_drop_v,
          report.accuracy.local_time_error_v,
          report.worst.limits,
          report.worst.em_limits,
          report.steps,
          report.worst.findings};
}

bool is_kept(const LimitResult& limit) { return !limit.exceeded && !limit.undecided; }
bool is_kept(const EmLimitResult& limit) { return !limit.exceeded && !limit.undecided; }

std::string sine(double farad) {
  return "v1 n1_0_0 0 1\nr1 n1_0_0 n1_1000_0 2\ni0 n1_1000_0 0 sin(0.02 0.02 1e9)\n" +
         (farad > 0 ? fmt::format("c1 n1_1000_0 0 {}\n", farad) : "");
}

/// One to three SINs and EXPs on an RC, over steps of all lengths beside them.
struct RandomCurves {
  std::mt19937_64 random;
  double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); }
  double power(double from, double to) { return std::pow(10, uniform(from, to)); }

  std::string source() {
    const double amperes = uniform(0.002, 0.02), delay = uniform(0, 5e-9);
    if (uniform(0, 1) < 0.3)
      return fmt::format("exp(0 {} {} {} {} {})", amperes, delay, power(-11.5, -8), delay + uniform(0.1e-9, 8e-9),
                         power(-11.5, -8));
    return fmt::format("sin({} {} {} {} {} {})", amperes, amperes, power(7.7, 9.7), uniform(0, 1) < 0.5 ? 0 : delay,
                       uniform(0, 1) < 0.2 ? power(7, 9) : 0.0, uniform(0, 1) < 0.5 ? 0 : uniform(0, 360));
  }
  std::string cards() {
    std::string cards =
        fmt::format("v1 n1_0_0 0 1\nr1 n1_0_0 n1_1000_0 {}\nc1 n1_1000_0 0 {}\n", uniform(0.5, 4), power(-12, -8.7));
    const int sources = std::uniform_int_distribution<int>(1, 3)(random);
    for (int k = 0; k < sources; ++k) cards += fmt::format("i{} n1_1000_0 0 {}\n", k, source());
    return cards;
  }
};

TEST(Curves, NoLimitBelowTheTruthIsKept) {
  constexpr double kFiner = 200;
  RandomCurves decks{std::mt19937_64(44)};
  int decided = 0;
  for (int k = 0; k < 40; ++k) {
    const std::string cards = decks.cards();
    const double step = decks.uniform(0, 1) < 0.5 ? 1e-9 : 2e-9, truth = run(cards, step / kFiner).drop_v;
    TranOptions options;
    for (const double below : {0.02, 0.002})
      options.limits.push_back(parse_tran_limit(fmt::format("{:.12f}V", truth * (1 - below))));
    for (const LimitResult& limit : run(cards, step, options).limits) {
      EXPECT_FALSE(is_kept(limit)) << cards << step << " s, " << truth << " V";
      decided += limit.exceeded ? 1 : 0;
    }
  }
  EXPECT_GT(decided, 60);
}

TEST(Curves, VoltagesThatLagBehindASineAreResolved) {
  for (const auto& [farad, truth] : {std::pair(400e-12, 0.0521), {250e-12, 0.0569}, {1e-9, 0.0457}}) {
    const Simulated lagging = run(sine(farad), 2e-9);
    EXPECT_NEAR(lagging.drop_v, truth, 1e-4);
    EXPECT_LT(lagging.error_v, 2e-4);
    EXPECT_EQ(lagging.steps, 640);
  }
  EXPECT_EQ(run(sine(0), 2e-9).steps, 640);  // for averages, which turns alone do not tell
}

/// A hundred thousand and more steps are not taken unasked.
TEST(Curves, WhatStepsCannotResolveLeavesLimitsOpen) {
  TranOptions options;
  options.limits.push_back(parse_tran_limit("worst=0.5V"));
  const std::string fast =
      "v1 n1_0_0 0 1\nr1 n1_0_0 n1_1000_0 2\nc1 n1_1000_0 0 1p\ni0 n1_1000_0 0 sin(0.02 0.02 "
      "2e11)\n";
  const Simulated coarse = run(fast, 2e-9, options);
  EXPECT_TRUE(coarse.limits[0].undecided);
  EXPECT_TRUE(std::ranges::any_of(coarse.findings, [](const Finding& f) { return f.code == "curves-missed"; }));
  EXPECT_TRUE(is_kept(run(fast, 0.1e-12, options).limits[0]));
}

TEST(Curves, CurrentsAreJudgedWithTheErrorInTime) {
  const std::string cards = sine(100e-12);
  const double truth = run(cards, 2e-12).drop_v / 2;
  const auto peak = [&](const std::string& deck, double step, double amperes) {
    TranOptions options;
    options.em_peak = {{"M1", amperes}};
    return run(deck, step, options).em_limits.at(0);
  };
  EXPECT_TRUE(peak(cards, 2e-9, 0.028).exceeded);
  EXPECT_FALSE(is_kept(peak(cards, 2e-9, truth * (1 - 1e-4))));
  EXPECT_TRUE(is_kept(peak(cards, 2e-9, truth * 1.03)));
  // Linear sources, too, where something is stored.
  const std::string pulse =
      "v1 n1_0_0 0 1\nr1 n1_0_0 n1_1000_0 2\nc1 n1_1000_0 0 1n\ni1 n1_1000_0 0 pulse(0 0.1 1n 1n 1n 3n 100n)\n";
  const Simulated pulsed = run(pulse, 1e-9);
  EXPECT_TRUE(peak(pulse, 1e-9, (pulsed.drop_v + 0.1 * pulsed.error_v) / 2).undecided);
  EXPECT_TRUE(is_kept(peak(pulse, 1e-9, (pulsed.drop_v + 2.1 * pulsed.error_v) / 2)));
  const std::string bare = pulse.substr(0, pulse.find("c1")) + pulse.substr(pulse.find("i1"));
  EXPECT_TRUE(is_kept(peak(bare, 1e-9, 0.100001)));
}

/// Sums turn where none of their terms does.
TEST(Curves, SumsOfSourcesAreResolvedWithoutStorage) {
  const std::string grid = "v1 n1_0_0 0 1\nr1 n1_0_0 n1_1000_0 2\n";
  for (const char* sources : {"i0 n1_1000_0 0 sin(0.02 0.02 500meg)\ni1 n1_1000_0 0 sin(0.02 0.02 1g)\n",
                              "i0 n1_1000_0 0 exp(0 0.05 1n 50p 15n 1n)\ni1 n1_1000_0 0 pwl(0 0.05 1n 0.05 2n 0)\n"}) {
    const std::string cards = grid + sources;
    const double truth = run(cards, 5e-12).drop_v;
    TranOptions options;
    for (const double below : {2e-2, 1e-3, 1e-4})
      options.limits.push_back(parse_tran_limit(fmt::format("{:.12f}V", truth * (1 - below))));
    for (const LimitResult& limit : run(cards, 1e-9, options).limits) EXPECT_FALSE(is_kept(limit)) << cards;
  }
}

TEST(Curves, EdgesThatAreMetAndControlledAreNotWarnedOf) {
  const std::string bare =
                        "v1 n1_0_0 0 1\nr1 n1_0_0 n1_1000_0 2\ni1 n1_1000_0 0 pulse(0 0.1 0.3n 0.05n 0.05n 0.1n "
                        "2n)\n",
                    stored = bare + "c1 n1_1000_0 0 10p\n";
  const auto is_warned = [](const std::string& cards, const TranOptions& options) {
    return std::ranges::any_of(run(cards, 1e-9, options).findings,
                               [](const Finding& f) { return f.code == "step-above-edges"; });
  };
  TranOptions controlled;
  controlled.time_tolerance_v = 1e-6;
  EXPECT_FALSE(is_warned(bare, {}));
  EXPECT_FALSE(is_warned(bare, controlled));
  EXPECT_FALSE(is_warned(stored, controlled));
  EXPECT_TRUE(is_warned(stored, {}));
}

}  // namespace
}  // namespace gridiron
