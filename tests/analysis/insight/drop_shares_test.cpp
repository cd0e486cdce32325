// SPDX-License-Identifier: Apache-2.0
// Where drops fall: shares of random nets against their values in rational numbers, and by hand.
#include "analysis/insight/drop_shares.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/results/segments.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/analysis/insight/layered_circuit.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::LayeredCircuit;
using test::Rational;

/// "pads", "package" or "sources"; "m1", "m1-m2"; "m1-?", "?".
std::string part_of(const IrReport& report, const DropShare& share) {
  const std::string layers = layer_text(report.layer_names, share.layers);
  if (share.part == NetPart::layer || share.part == NetPart::vias) return layers;
  if (share.part == NetPart::unlayered) return layers.empty() ? "?" : layers;
  return name_of(share.part);
}

void expect_exact(const LayeredCircuit& circuit, const IrReport& report, const DropShares& of, double largest_bound) {
  const std::string name(report.circuit->node_name(of.node));
  const NetResult& net = report.nets[of.net];
  Rational drop, sum = 0, bounds = 0;
  const int number = net.is_ground ? 0 : net.nominal_v > 0.9 ? 1 : 2;
  std::map<std::string, LayeredCircuit::Share> exact =
      circuit.shares(circuit.node(name), number, test::rational(fmt::format("{}", net.nominal_v)), drop);
  for (const DropShare& share : of.shares) {
    const std::string part = part_of(report, share);
    const Rational error = abs(Rational(share.drop_v) - exact[part].volts);
    EXPECT_LE(error, Rational(share.bound_v)) << name << ' ' << part << ": " << share.drop_v << ", off by "
                                              << error.convert_to<double>() << ", bound " << share.bound_v;
    EXPECT_LE(share.bound_v, largest_bound) << part;
    if (share.part != NetPart::sources) {
      EXPECT_EQ(share.segments, exact[part].segments) << name << ' ' << part;
    }
    exact.erase(part);
    sum += Rational(share.drop_v);
    bounds += Rational(share.bound_v);
  }
  for (const auto& [part, share] : exact) EXPECT_LE(abs(share.volts), Rational(1e-15)) << name << " lacks " << part;
  EXPECT_LE(abs(sum - drop), bounds) << name;
  EXPECT_LE(abs(sum - Rational(of.drop_v)), bounds + Rational(of.bound_v)) << name;
}

TEST(DropShares, OfRandomCircuitsAreExactWithinTheirBounds) {
  std::map<std::string, int> seen;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const LayeredCircuit circuit(seed);
    IrOptions options;
    options.context.threads = 1;
    options.engine = seed % 2 == 0 ? "cholmod" : "aggamg";
    options.tolerance_v = seed % 2 == 0 ? 1e-9 : 1e-5;
    options.why = {"worst", "n0_m1_1_0", "n1_m1_2_0", "n2_m2_1_0"};
    const Analysed run(circuit.deck(), options);
    SCOPED_TRACE(fmt::format("circuit {}\n{}", seed, circuit.deck()));
    ASSERT_GE(run.result.drop_shares.size(), 3u);
    for (const DropShares& of : run.result.drop_shares) {
      expect_exact(circuit, run.result, of, options.tolerance_v * 10);
      for (const DropShare& share : of.shares) seen[name_of(share.part)] += share.drop_v != 0;
    }
    if (HasFailure()) return;
  }
  for (const char* part : {"package", "pads", "layer", "vias", "unlayered", "sources"})
    EXPECT_GT(seen[part], 40) << part;
}

/// A net behind package and pads whose drops are round, and a ground net behind a resistor to node 0.
const std::string kPackaged =
    "* t\nv1 src 0 1\nrpkg src pkg 0.1\nlpkg pkg bump 1n\nrpad bump n1_m2_0_0 0.4\nrtop n1_m2_0_0 n1_m2_1_0 1\n"
    "rvia n1_m2_1_0 n1_m1_1_0 0.5\nrback n1_m1_1_0 n1_m1_0_0 2\ni1 n1_m1_1_0 n0_m1_1_0 0.1\n"
    "i2 n1_m1_0_0 n0_m1_1_0 50m\nrg n0_m1_1_0 0 0.2\n.end\n";

IrOptions limited(const std::vector<std::string>& limits) {
  IrOptions options;
  options.context.threads = 1;
  options.limits = parse_limits(limits);
  return options;
}

std::vector<std::string> explained_nodes(const std::vector<std::string>& limits, std::vector<std::string> why = {}) {
  IrOptions options = limited(limits);
  options.why = std::move(why);
  const Analysed run(kPackaged, options);
  std::vector<std::string> names;
  for (const DropShares& of : run.result.drop_shares) names.emplace_back(run.circuit.node_name(of.node));
  return names;
}

TEST(DropShares, ByHand) {
  const Analysed run(kPackaged, limited({"n1:300mV"}));
  ASSERT_EQ(run.result.drop_shares.size(), 1u);
  const DropShares& of = run.result.drop_shares[0];
  EXPECT_EQ(run.circuit.node_name(of.node), "n1_m1_0_0");
  EXPECT_NEAR(of.drop_v, 0.4, 1e-12);
  std::vector<std::string> parts;
  for (const DropShare& share : of.shares)
    parts.push_back(fmt::format("{} {:.3f}", part_of(run.result, share), share.drop_v));
  EXPECT_EQ(parts, (std::vector<std::string>{"m2 0.150", "m1 0.100", "m1-m2 0.075", "pads 0.060", "package 0.015"}));
}

TEST(DropShares, OfWorstNodesBeyondLimitsAndOfThoseAskedFor) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(explained_nodes({}), Names{});
  EXPECT_EQ(explained_nodes({"50%"}), Names{});
  EXPECT_EQ(explained_nodes({"1mV"}), (Names{"n1_m1_0_0", "n0_m1_1_0"}));
  EXPECT_EQ(explained_nodes({"n1:average=1mV"}), Names{"n1_m1_0_0"});
  EXPECT_EQ(explained_nodes({"n1:m2:1mV"}), Names{"n1_m2_1_0"});
  EXPECT_EQ(explained_nodes({}, {"n1_m2_0_0"}), Names{"n1_m2_0_0"});
  EXPECT_EQ(explained_nodes({"n1:1mV"}, {"n1_m2_0_0", "worst"}), (Names{"n1_m1_0_0", "n1_m2_0_0"}));
}

TEST(DropShares, AreNegativeWhereLoadsFlowTheOtherWay) {
  // The bridge r3 feeds the heavy load at b; a unit current into a takes it the other way.
  IrOptions options;
  options.why = {"n1_m1_1_0"};
  const Analysed run(
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_1_0 1\nr2 n1_m1_0_0 n1_m1_2_0 1\nr3 n1_m1_1_0 n1_m2_2_0 1\n"
      "r4 n1_m2_2_0 n1_m1_2_0 1\ni1 n1_m1_2_0 0 0.1\n.end\n",
      options);
  ASSERT_EQ(run.result.drop_shares.size(), 1u);
  const DropShares& of = run.result.drop_shares[0];
  EXPECT_NEAR(of.drop_v, 0.025, 1e-12);
  ASSERT_EQ(of.shares.size(), 2u);
  EXPECT_NEAR(of.shares[0].drop_v, 0.0375, 1e-12) << "r1 and r2";
  EXPECT_NEAR(of.shares[1].drop_v, -0.0125, 1e-12) << "r3 and r4";
}

TEST(DropShares, OfSeveralVectorsAreThoseOfTheWorstOne) {
  IrOptions options = limited({"n1:1mV"});
  LoadTable& table = options.loads.emplace();
  table.names = {"i1"};
  table.vectors = 3;
  table.amperes = {0.1, 0.2, 0.15};
  const Analysed run(kPackaged, options);
  ASSERT_EQ(run.result.drop_shares.size(), 1u);
  const DropShares& of = run.result.drop_shares[0];
  EXPECT_EQ(of.vector, 1);
  double sum = 0;
  for (const DropShare& share : of.shares) sum += share.drop_v;
  EXPECT_NEAR(of.drop_v, 0.6, 1e-12);
  EXPECT_NEAR(sum, 0.6, 1e-12);
}

TEST(DropShares, OfAnIbmGridFallMostlyInItsPads) {
  GRIDIRON_DATA_OR_SKIP(deck, "ibm/ibmpg2.spice.bz2");
  const Circuit circuit = read_netlist(deck);
  const IrOptions options = limited({"90mV"});
  const IrReport report = analyse_ir_drop(circuit, options);
  ASSERT_EQ(report.drop_shares.size(), 2u) << "GND and VDD";
  for (const DropShares& of : report.drop_shares) {
    double sum = 0, bounds = of.bound_v;
    for (const DropShare& share : of.shares) {
      sum += share.drop_v;
      bounds += share.bound_v;
    }
    EXPECT_NEAR(sum, of.drop_v, bounds);
    EXPECT_LT(bounds, options.tolerance_v);
    EXPECT_EQ(of.shares[0].part, NetPart::pads);
    EXPECT_GT(of.shares[0].drop_v, 0.5 * of.drop_v);
  }
}

}  // namespace
}  // namespace gridiron
