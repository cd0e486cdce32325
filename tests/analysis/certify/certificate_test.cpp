// SPDX-License-Identifier: Apache-2.0
// The certified bound is never below the true error, and not absurdly above it.
#include "analysis/certify/error_bound.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/model/grid.hpp"
#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "tests/regularize/dense_solve.hpp"

namespace gridiron {
namespace {

/// A small grid with everything that makes voltages hard to compute: resistances over 12 decades, shorts, sources of
/// any value between any nodes, an island without load, parallel and dangling resistors.
std::string random_deck(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto ohms = [&] { return std::pow(10.0, std::uniform_real_distribution<>(-6, 6)(random)); };
  const int nodes = 3 + pick(40);
  std::string deck = "* random grid\n";
  int name = 0;
  const auto add = [&](char kind, const std::string& a, const std::string& b, double value) {
    deck += fmt::format("{}{} {} {} {}\n", kind, name++, a, b, value);
  };
  const auto node = [](int i) { return fmt::format("a{}", i); };
  for (int i = 1; i < nodes; ++i) add('r', node(i), node(pick(i)), ohms());
  for (int k = 0; k < nodes; ++k) add('r', node(pick(nodes)), node(pick(nodes)), ohms());
  add('v', node(0), "0", 1.8);
  if (pick(2)) add('v', "tap", node(pick(nodes)), 0.3), add('r', "tap", node(pick(nodes)), ohms());
  if (pick(2)) add('r', "shorted", node(pick(nodes)), 0), add('r', "shorted", node(pick(nodes)), ohms());
  if (pick(2)) add('r', node(pick(nodes)), "0", ohms());
  if (pick(2)) add('v', "pad", "0", 1.75), add('r', "pad", node(pick(nodes)), ohms());
  if (pick(2)) add('r', "island1", "island2", ohms());
  for (int k = 0; k < nodes; ++k)
    add('i', node(pick(nodes)), "0", std::pow(10.0, std::uniform_real_distribution<>(-9, -3)(random)));
  return deck;
}

class RandomGrids : public testing::TestWithParam<bool> {};

TEST_P(RandomGrids, BoundIsNeverBelowTheErrorAgainstLongDouble) {
  int tight = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Circuit circuit = read_netlist_text(random_deck(seed));
    IrOptions options;
    options.reduce = GetParam();
    const IrReport result = analyse_ir_drop(circuit, options);
    ASSERT_TRUE(result.certificate.valid) << seed;

    const Grid grid = make_grid(circuit);
    const Merge merge = merge_ties(grid.network);
    MergedNetwork network =
        merged_network(grid.network, merge, node_injection(circuit, circuit.current_sources.value), {});
    for (NodeId n = 1; n < circuit.node_count(); ++n)
      if (result.nodes.state[n] == NodeState::floating && merge.group[n] < merge.unknowns)
        network.pad[merge.group[n]] = 1;
    const auto exact =
        test::dense_voltages(network, test::LongVector(network.injection.begin(), network.injection.end()));
    long double error = 0;
    for (NodeId n = 1; n < circuit.node_count(); ++n) {
      if (result.nodes.state[n] == NodeState::floating) continue;
      const int32_t group = merge.group[n];
      const long double v =
          (group < merge.unknowns ? exact[group]
                                  : static_cast<long double>(merge.known_volts[group - merge.unknowns])) +
          merge.offset[n];
      error = std::max(error, std::abs(v - static_cast<long double>(result.nodes.voltage_v[n])));
    }
    EXPECT_LE(static_cast<double>(error), result.certificate.max_error_v) << "seed " << seed;
    tight += result.certificate.max_error_v < 1e-6;
  }
  EXPECT_GE(tight, 100) << "a bound that is always huge would be true and useless";
}
INSTANTIATE_TEST_SUITE_P(Elimination, RandomGrids, testing::Values(true, false));

/// A wrong solution is detected: perturbing one voltage of an exact solution raises the bound above the perturbation.
TEST(ErrorBound, SeesAWrongVoltage) {
  MergedNetwork chain;
  chain.nodes = 50;
  chain.pad.assign(50, 0.0);
  chain.pad[0] = 1;
  chain.injection.assign(50, 0.0);
  for (int i = 1; i < 50; ++i) chain.a.push_back(i - 1), chain.b.push_back(i), chain.conductance.push_back(1.0);
  const auto w = test::dense_voltages(chain, test::LongVector(50, 1));
  std::vector<double> barrier(w.begin(), w.end()), volts(50, 0.0);
  const std::vector<int32_t> system(50, 0);
  ErrorBound bound(chain, system, 1);
  ASSERT_TRUE(bound.set_barrier(barrier));
  EXPECT_EQ(bound.bound(volts, chain.injection).max_error_v, 0);
  for (int i = 0; i < 50; ++i) {
    volts[i] = 1e-3;
    EXPECT_GE(bound.bound(volts, chain.injection).max_error_v, 1e-3);
    volts[i] = 0;
  }
}

/// At 0.5 V.
MergedNetwork one_node() {
  MergedNetwork one;
  one.nodes = 1;
  one.pad = {2.0};
  one.injection = {1.0};
  return one;
}

TEST(ErrorBound, RefusesWhatIsNoBarrier) {
  const MergedNetwork one = one_node();
  const std::vector<int32_t> system = {0};
  ErrorBound bound(one, system, 1);
  for (const double w : {-1.0, 0.0, std::nan("")}) EXPECT_FALSE(bound.set_barrier(std::vector{w}));
  ASSERT_TRUE(bound.set_barrier(std::vector{0.4}));  // G w = 0.8: δ = 0.2
  EXPECT_NEAR(bound.delta(), 0.2, 1e-9);
  EXPECT_NEAR(bound.residual_for(1e-5), 1e-5 * 0.8 / 0.4, 1e-15);
  EXPECT_NEAR(bound.bound(std::vector{0.6}, one.injection).max_error_v, 0.1, 1e-9);  // exact: 0.5
}

TEST(ErrorBound, SharpBoundNeedsABarrierAboveTheResidual) {
  const MergedNetwork one = one_node();
  const std::vector<int32_t> system = {0};
  const ErrorBound bound(one, system, 1);
  const std::vector volts = {0.6};  // exact: 0.5
  const std::vector<double> majorant = bound.residual_majorant(volts, one.injection);
  EXPECT_NEAR(majorant[0], 0.2 * (1 + ErrorBound::kMajorantFloor), 1e-12);
  for (const double w : {0.01, 0.1, 0.2}) {
    const double sharp = bound.sharp_bound(std::vector{w}, majorant, volts);
    EXPECT_GE(sharp, 0.1);
    EXPECT_NEAR(sharp, std::max(w, 0.1), 1e-4);
  }
  for (const double w : {-1.0, 0.0, std::nan("")})
    EXPECT_EQ(bound.sharp_bound(std::vector{w}, majorant, volts), HUGE_VAL);
  for (const double unknown : {std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(bound.sharp_bound(std::vector{0.1}, std::vector{unknown}, volts), HUGE_VAL);
    EXPECT_EQ(bound.sharp_bound(std::vector{0.1}, majorant, std::vector{unknown}), HUGE_VAL);
  }
}

/// A conductance is the inverse of a number that was rounded when it was read, so that no voltage is exact.
TEST(ErrorBound, CoversTheRoundingOfConductances) {
  MergedNetwork two;
  two.nodes = 2;
  two.pad = {4.0, 0.0};
  two.a = {0}, two.b = {1}, two.conductance = {2.0};
  two.injection = {0.0, 1.0};
  const std::vector<double> exact = {0.25, 0.75};
  const std::vector<int32_t> system = {0, 0};
  ErrorBound bound(two, system, 1);
  ASSERT_TRUE(bound.set_barrier(std::vector{0.5, 1.0}));
  const ErrorBound::Result result = bound.bound(exact, two.injection);
  constexpr double kHalfUnit = 0x1p-53;
  EXPECT_GE(result.max_error_v - result.rounding_v, 2 * kHalfUnit * (1 / 4.0 + 1 / 2.0));
  EXPECT_LT(result.max_error_v, 100 * kHalfUnit);
}

}  // namespace
}  // namespace gridiron
