// SPDX-License-Identifier: Apache-2.0
// `.tran … uic`: simulations that start from the initial conditions of capacitors and inductors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

struct Simulated {
  Circuit circuit;
  TranReport report;
  double volts(size_t probe, size_t row) const { return report.probes.at(probe).voltage_v.at(row); }
};

Simulated simulate(const std::string& cards, TranOptions options = {}) {
  Simulated run{read_netlist_text("* deck\n" + cards + ".end\n"), {}};
  start_at_time_zero(run.circuit);
  options.engine = "cholmod";
  run.report = analyse_transient(run.circuit, options);
  return run;
}

/// 1 Ω and 1 F, from 0.25 V towards 1 V; the load ends a divider, whose middle has no capacitor.
constexpr const char* kCharging =
    "v1 p 0 1\nr1 p a 1\nc1 0 a 1 ic=-0.25\nr2 a b 1\nr3 b 0 1e6\ni1 b 0 0.1\n.print tran v(a) v(b) v(p)\n";

TEST(InitialConditions, CapacitorsStartWithTheirVoltageAndAllElseFollows) {
  const Simulated run = simulate(std::string(kCharging) + ".tran 10m 2 uic\n");
  EXPECT_TRUE(run.report.is_from_initial_conditions);
  EXPECT_NEAR(run.volts(0, 0), 0.25, 1e-7);
  EXPECT_NEAR(run.volts(1, 0), 0.15, 1e-6);
  EXPECT_NEAR(run.volts(2, 0), 1, 1e-12);
  const double last = 0.9 - 0.65 * std::exp(-2.0);
  EXPECT_NEAR(run.report.probes[0].voltage_v.back(), last, 1e-5);
  EXPECT_NEAR(run.report.charge.stored_c, last - 0.25, 2e-5);
  EXPECT_LT(std::abs(run.report.charge.imbalance_c()), 1e-12);
  EXPECT_TRUE(run.report.accuracy.is_met);
  EXPECT_NEAR(run.report.worst.nets[0].worst_drop_v, 0.85, 1e-5);  // b, at the start
}

TEST(InitialConditions, InductorsStartWithTheirCurrent) {
  // L i' = 1 − R i from 0.5 A: v(a) = i.
  const Simulated run = simulate("v1 p 0 1\nl1 p q 1 ic=0.5\nr1 q a 1\nr2 a 0 1\n.print tran v(a)\n.tran 10m 1 uic\n");
  EXPECT_NEAR(run.volts(0, 0), 0.5, 1e-6);
  EXPECT_NEAR(run.report.probes[0].voltage_v.back(), 0.5, 1e-6);
  const Simulated from_zero = simulate("v1 p 0 1\nl1 p q 1\nr1 q a 1\nr2 a 0 1\n.print tran v(a)\n.tran 10m 1 uic\n");
  EXPECT_NEAR(from_zero.report.probes[0].voltage_v.back(), 0.5 * (1 - std::exp(-2.0)), 1e-5);
}

/// What Rannacher's start promises: second order, with elements far faster than a step that do not ring.
TEST(InitialConditions, TheStartKeepsTheOrderAndDoesNotRing) {
  const auto error = [](double step) {
    TranOptions options;
    options.step_s = step;
    options.stop_s = 2;
    const Simulated run = simulate(std::string(kCharging) + "r9 a f 1u\nc9 f 0 1n\n.print tran v(f)\n.tran 1 2 uic\n",
                                   std::move(options));
    for (size_t row = 3; row < run.report.row_time_s.size(); ++row)
      EXPECT_NEAR(run.volts(3, row), run.volts(0, row), 1e-6) << row;
    return std::abs(run.report.probes[0].voltage_v.back() - (0.9 - 0.65 * std::exp(-2.0)));
  };
  const double coarse = error(0.04), fine = error(0.02);
  EXPECT_GE(std::log2(coarse / fine), 1.9);
}

TEST(InitialConditions, BackwardEulerAndErrorControlStartFromThemToo) {
  TranOptions euler;
  euler.method = Method::backward_euler;
  const double last = 0.9 - 0.65 * std::exp(-2.0);
  const Simulated damped = simulate(std::string(kCharging) + ".tran 2m 2 uic\n", euler);
  EXPECT_NEAR(damped.report.probes[0].voltage_v.back(), last, 1e-3);
  EXPECT_LT(std::abs(damped.report.charge.imbalance_c()), 1e-12);
  TranOptions controlled;
  controlled.time_tolerance_v = 1e-6;
  const Simulated fine = simulate(std::string(kCharging) + ".tran 0.1 2 uic\n", controlled);
  EXPECT_NEAR(fine.report.probes[0].voltage_v.back(), last, 5e-5);
  EXPECT_GT(fine.report.steps, 40);
}

TEST(InitialConditions, AChargedGridBeginsWhereTheOperatingPointIs) {
  const std::string cards = "v1 p 0 1\nr1 p a 1\ni1 a 0 pulse(0.1 0.3 0.5 0.1 0.1 0.2 9)\n.print tran v(a)\n";
  const Simulated rest = simulate(cards + "c1 a 0 0.1\n.tran 10m 2\n");
  const Simulated given = simulate(cards + "c1 a 0 0.1 ic={1-0.1}\n.tran 10m 2 uic\n");
  ASSERT_EQ(rest.report.row_time_s, given.report.row_time_s);
  for (size_t row = 0; row < rest.report.row_time_s.size(); ++row)
    EXPECT_NEAR(rest.volts(0, row), given.volts(0, row), 2e-6) << row;
  EXPECT_NEAR(rest.report.worst.nets[0].worst_drop_v, given.report.worst.nets[0].worst_drop_v, 2e-6);
}

TEST(InitialConditions, CurrentsWithoutAWayAreRefused) {
  const std::string cards = "v1 p 0 1\nr1 q b 1\ni1 b 0 1m\n.print tran v(b)\n.tran 1p 10p uic\n";
  EXPECT_THROW(simulate(cards + "l1 p q 1n\n"), InputError);
  const Simulated given = simulate(cards + "l1 p q 1n ic=1m\n");
  EXPECT_NEAR(given.volts(0, 0), 0.999, 1e-6);
  EXPECT_NEAR(given.report.probes[0].voltage_v.back(), 0.999, 1e-9);
}

TEST(InitialConditions, NodeVoltagesOfIcCardsAreRefused) {
  try {
    simulate("v1 p 0 1\nr1 p a 1\nc1 a 0 1\n.ic v(a)=0.5\n.tran 10m 1 uic\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(".ic is not carried out"));
  }
  EXPECT_NO_THROW(simulate("v1 p 0 1\nr1 p a 1\nc1 a 0 1\n.ic v(a)=0.5\n.tran 10m 1\n"));
}

}  // namespace
}  // namespace gridiron
