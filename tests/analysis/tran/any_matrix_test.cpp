// SPDX-License-Identifier: Apache-2.0
// Simulations whose matrix is no M-matrix: controlled sources and negative values beside circuits that are the same
// without them, what is estimated, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/tran/tran_limits.hpp"
#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

/// A grid with a pulse, whose node b other cards hang on.
const std::string kFed = "v1 p 0 1\nr1 p a 0.5\nc1 a 0 100p\ni1 a 0 pulse(10m 0.2 0.5n 0.2n 0.2n 1n 9n)\nr2 a b 1\n";
const std::string kTimes = ".tran 10p 5n\n.print tran v(a) v(b)\n";

struct AnyRun {
  Circuit circuit;
  TranReport report;
  explicit AnyRun(const std::string& cards, const TranOptions& options = {})
      : circuit(read_netlist_text("* t\n" + cards + ".end\n", "deck.sp")) {
    start_at_time_zero(circuit, options);
    report = analyse_transient(circuit, options);
  }
};

std::string failure_of(const std::string& cards, const TranOptions& options = {}) {
  try {
    const AnyRun run(cards, options);
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

/// That both have the same voltages at all times, V, at nodes a and b, of which one takes the way of any matrix.
void expect_same(const std::string& cards, const std::string& plain, double within = 1e-12) {
  const AnyRun any(kFed + cards + kTimes), same(kFed + plain + kTimes);
  EXPECT_TRUE(any.report.accuracy.is_estimated) << cards;
  EXPECT_FALSE(same.report.accuracy.is_estimated) << plain;
  ASSERT_EQ(any.report.row_time_s, same.report.row_time_s);
  double worst = 0, swing = 0;
  for (size_t p = 0; p < 2; ++p)
    for (size_t row = 0; row < any.report.row_time_s.size(); ++row) {
      const double volts = same.report.probes[p].voltage_v[row];
      worst = std::max(worst, std::abs(any.report.probes[p].voltage_v[row] - volts));
      swing = std::max(swing, std::abs(volts - same.report.probes[p].voltage_v[0]));
    }
  EXPECT_GT(swing, 0.01) << cards;
  EXPECT_LT(worst, within) << cards;
  EXPECT_LT(any.report.accuracy.accumulated_v, 1e-9) << cards;
}

TEST(AnyMatrixOverTime, ControlledSourcesAreWhatTheyAmountTo) {
  const std::string load = "c2 b 0 50p\n";
  // A conductance that the difference of two voltages controls, of which one is ground.
  expect_same(load + "g1 b 0 b x 0.25\nvx x 0 0\nrx x 0 1\n", load + "r9 b 0 4\n");
  // The current of a resistor, drawn once more; and a voltage of as many ohms as double it.
  expect_same(load + "r9 b m 8\nvm m 0 0\nf1 b 0 vm 1\n", load + "r9 b 0 4\n");
  expect_same(load + "r9 b m 2\nvm m n 0\nh1 n 0 vm 2\n", load + "r9 b 0 4\n");
  // Half of the voltage behind a resistor.
  expect_same(load + "r9 b m 2\ne1 m 0 b 0 0.5\n", load + "r9 b 0 4\n");
}

TEST(AnyMatrixOverTime, ControlledSourcesFollowWhatMoves) {
  const std::string moved = "v2 q 0 sin(0 0.1 400meg)\n";
  expect_same("c2 b 0 50p\n" + moved + "e1 m 0 q 0 2\nr9 m b 4\n", "c2 b 0 50p\nv2 m 0 sin(0 0.2 400meg)\nr9 m b 4\n");
}

TEST(AnyMatrixOverTime, GyratorsMakeInductorsOfCapacitors) {
  // i = v g² / (s C): 1 nH from 1 nF and 1 S.
  expect_same("g1 b 0 y x 1\ng2 0 y b x 1\nc9 y 0 1n\nvx x 0 0\nrx x 0 1\nry y 0 1meg\nr9 b 0 5\n",
              "l1 b n 1n\nrn n 0 1u\nr9 b 0 5\n", 2e-6);
}

TEST(AnyMatrixOverTime, NegativeValuesTakeAwayFromOthers) {
  expect_same("c2 b 0 80p\nc3 b 0 -30p\nr9 b 0 4\n", "c2 b 0 50p\nr9 b 0 4\n");
  expect_same("l2 b m 3n\nl3 m 0 -1n\nr9 b 0 4\n", "l2 b 0 2n\nr9 b 0 4\n");
  expect_same("c2 b 0 50p\nr8 b m 2\nr9 m 0 -1\n", "c2 b 0 50p\nr9 b 0 1\n");
}

/// Coupled coils are a T of three inductors, one of them negative where the coupling is close enough.
TEST(AnyMatrixOverTime, CoupledInductorsAreATWithANegativeOne) {
  const double k = 0.6 / std::sqrt(1.0 * 0.5);
  const std::string coils = "l1 b 0 1n\nl2 c 0 0.5n\nr9 c 0 5\nk1 l1 l2 " + std::to_string(k) + "\n";
  const std::string tee = "l1 b t 0.4n\nl2 t c -0.1n\nlm t 0 0.6n\nr9 c 0 5\n";
  const AnyRun coupled(kFed + coils + kTimes), any(kFed + tee + kTimes),
      both(kFed + coils + "e1 x 0 a 0 1\nrx x 0 1\n" + kTimes);
  EXPECT_EQ(coupled.report.worst.engine.name, "cholmod");
  EXPECT_EQ(both.report.worst.engine.name, "superlu");
  for (size_t row = 0; row < any.report.row_time_s.size(); ++row)
    for (size_t p = 0; p < 2; ++p) {
      EXPECT_NEAR(any.report.probes[p].voltage_v[row], coupled.report.probes[p].voltage_v[row], 1e-6);
      EXPECT_NEAR(both.report.probes[p].voltage_v[row], coupled.report.probes[p].voltage_v[row], 1e-11);
    }
}

const std::string kDriven = kFed + "e1 m 0 a 0 -0.5\nr9 m b 4\nc2 b 0 50p\ng1 b m a b 0.01\n" + kTimes;

TEST(AnyMatrixOverTime, IsEstimated) {
  TranOptions options;
  options.limits = {parse_tran_limit("99%")};
  const AnyRun undecided(kDriven, options);
  EXPECT_FALSE(undecided.report.accuracy.is_guaranteed);
  EXPECT_STREQ(undecided.report.worst.certificate.kind(), "estimated");
  EXPECT_TRUE(std::ranges::any_of(undecided.report.worst.limits, &LimitResult::undecided));
  EXPECT_EQ(std::ranges::count(undecided.report.worst.findings, std::string("estimate-only"), &Finding::code), 1);
  options.accept_estimate = true;
  const AnyRun accepted(kDriven, options);
  for (const auto& limit : accepted.report.worst.limits) EXPECT_FALSE(limit.undecided && !limit.exceeded);
}

TEST(AnyMatrixOverTime, BalancesChargeThroughAllSources) {
  const AnyRun run(kDriven);
  const ChargeBalance& charge = run.report.charge;
  EXPECT_GT(std::abs(charge.supplied_c), 1e-11);
  EXPECT_LT(std::abs(charge.imbalance_c()), 1e-19);
  EXPECT_EQ(run.report.worst.input.voltage_sources, 1);
  EXPECT_EQ(run.report.worst.input.current_sources, 1);
}

TEST(AnyMatrixOverTime, ScenariosAreThoseOfDecks) {
  const std::string deck = kFed + "e1 m 0 a 0 -0.5\nr9 m b 4\nc2 b 0 50p\n" + kTimes;
  WaveformTable table;
  table.path = "w.npz";
  table.time_s = {0, 1e-9, 2e-9, 3e-9};
  table.template_a = {0.01, 0.1, 0.1, 0, 0.02, 0.01, 0.3, 0.02};
  table.sources = {"i1"};
  table.scenarios = 2;
  table.shape = {{0, 1}, true};
  table.delay_s = {{0}, false};
  table.scale = {{1}, false};
  TranOptions options;
  options.waveforms = table;
  const AnyRun all(deck, options);
  ASSERT_EQ(all.report.scenarios, 2);
  const std::string own[] = {"pwl(0 10m 1n 0.1 2n 0.1 3n 0)", "pwl(0 20m 1n 10m 2n 0.3 3n 20m)"};
  for (size_t j = 0; j < 2; ++j) {
    std::string cards = deck;
    const size_t at = cards.find("pulse("), end = cards.find(')', at);
    cards.replace(at, end + 1 - at, own[j]);
    const AnyRun one(cards);
    for (size_t row = 0; row < one.report.row_time_s.size(); ++row)
      for (size_t p = 0; p < 2; ++p)
        EXPECT_NEAR(all.report.probes[p].voltage_v[2 * row + j], one.report.probes[p].voltage_v[row], 1e-12);
  }
}

TEST(AnyMatrixOverTime, IslandsAreLeftOut) {
  const std::string island = "r6 x y 1\nc6 y 0 1p\ni6 x 0 pulse(0 1 1n 0.1n 0.1n 1n)\ng6 y 0 a 0 1\n";
  EXPECT_THAT(failure_of(kDriven + island), HasSubstr("leave them out by"));
  TranOptions options;
  options.islands.ignores_all = true;
  const AnyRun run(kDriven + island, options), alone(kDriven);
  EXPECT_EQ(run.report.worst.left_out.loads, 2);
  for (size_t row = 0; row < alone.report.row_time_s.size(); ++row)
    for (size_t p = 0; p < 2; ++p)
      EXPECT_NEAR(run.report.probes[p].voltage_v[row], alone.report.probes[p].voltage_v[row], 1e-12);
}

TEST(AnyMatrixOverTime, WithoutAUniqueSolutionIsRefused) {
  // 2 C / h = −0.4 S, and as much from resistors.
  EXPECT_THAT(failure_of("v1 p 0 1\nr1 p a 2.5\nc1 a 0 -1p\ni1 a 0 1m\n.tran 5p 1n\n"),
              HasSubstr("deck.sp:4:1: the circuit has no unique solution: nothing determines the voltage of node a"));
  EXPECT_THAT(failure_of("v1 p 0 1\nr1 p a 2.5\ne1 p 0 a 0 2\ni1 a 0 1m\n.tran 5p 1n\n"),
              HasSubstr("deck.sp:4:1: the circuit has no unique solution"));
  TranOptions options;
  options.engine = "cholmod";
  EXPECT_THAT(failure_of(kDriven, options), HasSubstr("name superlu or auto"));
}

bool is_unstable(const AnyRun& run) {
  return std::ranges::count(run.report.worst.findings, std::string("unstable"), &Finding::code) > 0;
}

TEST(AnyMatrixOverTime, InstabilityIsAWarningAndWidensTheEstimate) {
  const std::string grows = kFed + "c2 b 0 10p\nrn b 0 -1.45\n.tran 10p 5n\n";
  const AnyRun run(grows), steady(kDriven), passive(kFed + "c2 b 0 10p\ne1 x 0 b 0 1\nrx x 0 1\n.tran 10p 2n\n");
  EXPECT_TRUE(is_unstable(run));
  EXPECT_FALSE(is_unstable(steady));
  EXPECT_FALSE(is_unstable(passive));
  EXPECT_GT(run.report.accuracy.accumulated_v, 10 * run.report.accuracy.step_v);
  EXPECT_LT(run.report.accuracy.accumulated_v, 1e-6);
}

/// Between two coils and capacitors energy goes to and fro, and nothing grows.
TEST(AnyMatrixOverTime, WhatRingsIsNotUnstable) {
  EXPECT_FALSE(is_unstable(
      AnyRun("v1 p 0 1\nl1 p a 1n\nc1 a 0 10p\nl2 a b 3n\nc2 b 0 7p\ni1 b 0 pulse(1m 0.1 0.5n 0.2n 0.2n 1n 9n)\n"
             "g1 b 0 a x 1m\ng2 0 a b x 1m\nvx x 0 0\nrx x 0 1\n.tran 10p 50n\n")));
}

TEST(AnyMatrixOverTime, WhatGrowsWithoutBoundIsRefused) {
  EXPECT_THAT(failure_of(kFed + "c2 b 0 10p\nrn b 0 -1\n.tran 10p 100n\n"),
              HasSubstr("the circuit is unstable: the voltage of node b grows without bound"));
}

}  // namespace
}  // namespace gridiron
