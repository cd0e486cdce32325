// SPDX-License-Identifier: Apache-2.0
// Where drops fall: shares of random nets against their values in rational numbers, and by hand.
#include "analysis/insight/drop_shares.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/results/segments.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/analysis/exact/exact_solution.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::Card;
using test::ExactSolution;
using test::Rational;

/// "pads", "package" or "sources"; "m1", "m1-m2"; "m1-?", "?".
std::string part_of(const IrReport& report, const DropShare& share) {
  const std::string layers = layer_text(report.layer_names, share.layers);
  if (share.part == NetPart::layer || share.part == NetPart::vias) return layers;
  if (share.part == NetPart::unlayered) return layers.empty() ? "?" : layers;
  return name_of(share.part);
}

/// A ground and two power nets of two layers, with pads of all kinds, nodes on no layer, resistors to other nets, and
/// sources away from the nominal voltage. It knows of which part every resistor is.
class LayeredCircuit {
 public:
  explicit LayeredCircuit(unsigned seed) : random_(seed) {
    const Net power = add_net("1", "1.1", "1.05"), low = add_net("2", "0.75", "0.8"), ground = add_net("0", "0", "0");
    for (const Net& net : {power, low}) {
      for (const int node : net.loaded)
        if (chance(0.7)) add('i', node, chance(0.5) ? 0 : pick(ground.loaded), fmt::format("{}u", integer(1, 999)));
      if (chance(0.3)) add_resistor(pick(net.loaded), 0, "", fmt::format("{}k", integer(1, 20)));
    }
    if (chance(0.3)) add_resistor(pick(power.loaded), pick(low.loaded), "", fmt::format("{}k", integer(1, 20)));
    std::shuffle(cards_.begin(), cards_.end(), random_);
  }

  std::string deck() const {
    std::string text = "layers\n";
    int number = 0;
    for (const Tagged& of : cards_)
      text +=
          fmt::format("{}{} {} {} {}\n", of.card.kind, ++number, names_[of.card.a], names_[of.card.b], of.card.text);
    return text + ".end\n";
  }

  int node(const std::string& name) const { return static_cast<int>(std::ranges::find(names_, name) - names_.begin()); }

  struct Share {
    Rational volts;
    int64_t segments = 0;
  };
  /// By Kirchhoff's laws for voltages and for a unit current into the node.
  std::map<std::string, Share> shares(int node, int net, const Rational& nominal, Rational& drop) const {
    std::vector<Card> loaded, driven;
    for (const Tagged& of : cards_) {
      loaded.push_back(of.card);
      if (of.card.kind == 'i') continue;
      driven.push_back(of.card);
      if (of.card.kind == 'v') driven.back().value = 0;
    }
    driven.push_back({'i', 0, node, "1", 1});
    const int nodes = static_cast<int>(names_.size());
    const ExactSolution volts(nodes, loaded), ohms(nodes, driven);
    const bool is_ground = nominal == 0;
    drop = abs(*volts.voltage(node) - nominal);
    const bool is_up = *volts.voltage(node) > nominal;
    std::map<std::string, Share> shares;
    Rational rest = drop;
    for (const auto& [card, part, of_net] : cards_) {
      if (card.kind != 'r' || card.value == 0 || part.empty() || of_net != net) continue;
      if (is_held(card.a) && is_held(card.b)) continue;
      const Rational ohm = *ohms.voltage(card.a) - *ohms.voltage(card.b);
      Share& share = shares[part];
      const Rational part_v = ohm * (*volts.voltage(card.a) - *volts.voltage(card.b)) / card.value;
      share.volts += is_up ? part_v : Rational(-part_v);
      rest -= is_up ? part_v : Rational(-part_v);
      ++share.segments;
    }
    shares["sources"].volts = rest;
    EXPECT_TRUE(is_ground || !is_up || drop < 1);
    return shares;
  }

 private:
  struct Net {
    std::vector<int> loaded;
  };
  struct Tagged {
    Card card;
    std::string part;
    int net;
  };

  bool is_held(int node) const {
    return node == 0 || std::ranges::any_of(cards_, [&](const Tagged& of) {
             return of.card.kind == 'v' && (of.card.a == node || of.card.b == node);
           });
  }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  bool chance(double p) { return std::uniform_real_distribution(0.0, 1.0)(random_) < p; }
  int pick(const std::vector<int>& of) { return of[static_cast<size_t>(integer(0, static_cast<int>(of.size()) - 1))]; }
  int add_node(const std::string& name) {
    names_.push_back(name);
    return static_cast<int>(names_.size()) - 1;
  }
  void add(char kind, int a, int b, const std::string& text, const std::string& part = "") {
    if (chance(0.5) && kind != 'v' && kind != 'i') std::swap(a, b);
    if (a != b) cards_.push_back({{kind, a, b, text, test::rational(text)}, part, net_});
  }
  void add_resistor(int a, int b, const std::string& part, const std::string& text = "") {
    add('r', a, b, text.empty() ? fmt::format("{}.{:02}", integer(0, 2), integer(1, 99)) : text, part);
  }

  Net add_net(const std::string& name, const std::string& volts, const std::string& other_volts) {
    net_ = static_cast<int>(name[0] - '0');
    std::vector<int> high, low;
    for (int k = integer(2, 4); k > 0; --k) high.push_back(add_node(fmt::format("n{}_m2_{}_0", name, high.size())));
    for (int k = integer(3, 6); k > 0; --k) low.push_back(add_node(fmt::format("n{}_m1_{}_0", name, low.size())));
    for (size_t k = 1; k < high.size(); ++k) add_resistor(high[k - 1], high[k], "m2");
    for (size_t k = 1; k < low.size(); ++k) add_resistor(low[k - 1], low[k], "m1");
    for (const int node : low)
      if (node == low.front() || chance(0.6)) add_resistor(node, pick(high), "m1-m2");
    if (chance(0.2)) add('r', low[1], low[2], "0");
    Net net{low};
    if (chance(0.5)) {
      net.loaded.push_back(add_node("u" + name));
      add_resistor(net.loaded.back(), pick(low), "m1-?");
      if (chance(0.5)) {
        net.loaded.push_back(add_node("w" + name));
        add_resistor(net.loaded.back(), *(net.loaded.end() - 2), "?");
      }
    }
    for (int k = integer(1, 3); k > 0; --k) add_pads(name, pick(high), chance(0.8) ? volts : other_volts);
    return net;
  }

  void add_pads(const std::string& name, int at, const std::string& volts) {
    const double kind = std::uniform_real_distribution(0.0, 1.0)(random_);
    const std::string number = fmt::format("{}_{}", name, cards_.size());
    if (kind < 0.2 && !is_held(at)) return add('v', at, 0, volts);
    if (kind < 0.4 && name == "0") return add_resistor(at, 0, "pads");
    const int source = add_node("p" + number);
    add('v', source, 0, volts);
    if (kind < 0.7) return add_resistor(source, at, "pads");
    const int board = add_node("b" + number);
    add_resistor(source, board, "package");
    for (int k = integer(1, 2); k > 0; --k) {
      const int bump = add_node(fmt::format("c{}_{}", number, k));
      if (chance(0.5))
        add('l', board, bump, "1n");
      else
        add_resistor(board, bump, "package");
      add_resistor(bump, at, "pads");
    }
  }

  std::mt19937 random_;
  int net_ = 0;
  std::vector<std::string> names_ = {"0"};
  std::vector<Tagged> cards_;
};

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
