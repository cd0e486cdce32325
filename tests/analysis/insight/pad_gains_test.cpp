// SPDX-License-Identifier: Apache-2.0
// Where one more pad helps: random nets against all candidates in rational numbers, larger ones against solves with the
// pad, and small ones by hand.
#include "analysis/insight/pad_gains.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/error.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/analysis/insight/layered_circuit.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::Card;
using test::ExactSolution;
using test::LayeredCircuit;
using test::Rational;
using testing::ElementsAre;
using testing::HasSubstr;

IrOptions with_pad_gains(PadGainOptions pad = {}) {
  IrOptions options;
  options.context.threads = 1;
  options.tolerance_v = 1e-9;
  options.pad_gains = std::move(pad);
  return options;
}

/// What the worst drop of a net is in rational numbers, with pads at some nodes.
class ExactDrops {
 public:
  ExactDrops(const LayeredCircuit& circuit, const IrReport& report, const PadGains& of, const std::string& ohm)
      : circuit_(circuit), report_(report), of_(of), net_(report.nets[of.net]), ohm_(ohm) {}

  Rational worst(int pad) const {
    std::vector<Card> cards = circuit_.cards();
    const int source = static_cast<int>(circuit_.names().size());
    const std::string volts = fmt::format("{}", net_.nominal_v);
    cards.push_back({'v', source, 0, volts, test::rational(volts)});
    cards.push_back({'r', source, pad, ohm_, test::rational(ohm_)});
    const ExactSolution solution(source + 1, cards);
    Rational worst = -1;
    for (int n = 1; n < source; ++n) {
      const NodeId node = report_.circuit->nodes.find(circuit_.names()[n]);
      if (node < 0 || report_.nodes.net[node] != of_.net) continue;
      worst = std::max(worst, drop(*solution.voltage(n)));
    }
    return worst;
  }

  /// The nodes of the layer without a source, of those with a short between them the first.
  std::vector<int> candidates(const std::string& layer) const {
    std::vector<int> nodes;
    for (int n = 1; n < static_cast<int>(circuit_.names().size()); ++n) {
      const NodeId node = report_.circuit->nodes.find(circuit_.names()[n]);
      if (circuit_.names()[n].find("_" + layer + "_") == std::string::npos || circuit_.is_held(n)) continue;
      const bool is_shorted = std::ranges::any_of(circuit_.cards(), [&](const Card& card) {
        return card.kind == 'r' && card.value == 0 && std::max(card.a, card.b) == n;
      });
      if (!is_shorted && node >= 0 && report_.nodes.net[node] == of_.net) nodes.push_back(n);
    }
    return nodes;
  }

 private:
  Rational drop(const Rational& volts) const {
    if (net_.is_ground) return abs(volts);
    return test::rational(fmt::format("{}", net_.nominal_v)) - volts;
  }

  const LayeredCircuit& circuit_;
  const IrReport& report_;
  const PadGains& of_;
  const NetResult& net_;
  std::string ohm_;
};

void expect_best(const LayeredCircuit& circuit, const IrReport& report, const PadGains& of, const std::string& ohm,
                 const std::string& layer) {
  const ExactDrops exact(circuit, report, of, ohm);
  std::vector<Rational> worst_of_all;
  for (const int node : exact.candidates(layer)) worst_of_all.push_back(exact.worst(node));
  std::ranges::sort(worst_of_all);
  const bool is_held = circuit.is_held(circuit.node(std::string(report.circuit->node_name(of.node))));
  EXPECT_EQ(of.candidates, is_held ? 0 : std::ssize(worst_of_all)) << "none changes what a source holds";
  EXPECT_TRUE(of.is_best);
  const Rational worthwhile = Rational(1.001e-3 * of.drop_v + 1e-12);
  for (size_t k = 0; k < of.places.size(); ++k) {
    const PadGain& gain = of.places[k];
    const Rational worst = exact.worst(circuit.node(std::string(report.circuit->node_name(gain.node))));
    EXPECT_LE(abs(worst - Rational(gain.worst_drop_v)), Rational(gain.bound_v)) << "place " << k;
    EXPECT_LE(gain.bound_v, 1e-6);
    EXPECT_NEAR(gain.gain_v, of.drop_v - gain.worst_drop_v, 1e-15);
    EXPECT_LE(worst, worst_of_all[k] + worthwhile) << "place " << k;
  }
  const size_t listed = of.places.size();
  if (listed < 3 && listed < worst_of_all.size()) {
    EXPECT_GE(worst_of_all[listed], Rational(of.drop_v) - worthwhile) << "is not listed";
  }
}

TEST(PadGains, OfRandomCircuitsAreExactAndTheBestOfAll) {
  int places = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const LayeredCircuit circuit(seed);
    const std::string ohm = seed % 3 == 0 ? "0" : seed % 3 == 1 ? "0.25" : "3";
    const std::string layer = seed % 2 == 0 ? "m1" : "m2";
    IrOptions options = with_pad_gains({.places = 3, .layer = layer, .ohm = std::stod(ohm)});
    options.engine = seed % 4 < 2 ? "cholmod" : "aggamg";
    const Analysed run(circuit.deck(), options);
    SCOPED_TRACE(fmt::format("circuit {}, pads of {} on {}\n{}", seed, ohm, layer, circuit.deck()));
    EXPECT_EQ(run.result.pad_gains.size(), run.result.nets.size());
    for (const PadGains& of : run.result.pad_gains) {
      SCOPED_TRACE(run.result.nets[of.net].name);
      expect_best(circuit, run.result, of, ohm, layer);
      places += static_cast<int>(of.places.size());
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(places, 400);
}

/// Solves with the pad of every place, and compares.
void expect_same_as_solved(const Circuit& circuit, const IrOptions& options, size_t most) {
  const auto design = make_design(circuit, options);
  const System system(design);
  const Loads loads(design);
  Solver solver(system, options, options.context);
  const IrReport report = analyse_loads(solver, loads, false, options);
  std::vector<int32_t> nets = nets_short_of_pads(report);
  int compared = 0;
  for (const PadGains& of : find_pad_gains(solver, loads, report, nets, *options.pad_gains)) {
    ASSERT_GT(of.pad_ohm, 0);
    for (size_t k = 0; k < std::min(most, of.places.size()); ++k) {
      const PadGain& gain = of.places[k];
      const std::string name(circuit.node_name(gain.node));
      System with_pad = system;
      with_pad.apply(AddPad{name, report.nets[of.net].nominal_v, of.pad_ohm});
      Solver again(with_pad, options, options.context);
      const IrReport after = analyse_loads(again, loads, false, options);
      const NetResult& net = after.nets[of.net];
      const double bounds = gain.bound_v + after.certificate.bound_v();
      EXPECT_NEAR(net.worst_drop_v, gain.worst_drop_v, bounds) << name;
      EXPECT_NEAR(after.nodes.drop_v[gain.worst_node], gain.worst_drop_v, bounds) << name;
      EXPECT_NEAR(report.nodes.drop_v[of.node] - after.nodes.drop_v[of.node], gain.node_gain_v, 2 * bounds) << name;
      EXPECT_LT(bounds, 1e-6);
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

TEST(PadGains, OfAnIbmGridAreThoseOfSolvesWithThePad) {
  GRIDIRON_DATA_OR_SKIP(deck, "ibm/ibmpg1.spice.bz2");
  expect_same_as_solved(read_netlist(deck), with_pad_gains({.places = 2}), 2);
}

TEST(PadGains, OfALayoutsDeckAreThoseOfSolvesWithThePad) {
  GRIDIRON_DATA_OR_SKIP(deck, "openroad/gcd_vss.sp");
  expect_same_as_solved(read_netlist(deck), with_pad_gains({.places = 3, .ohm = 0.5}), 3);
}

std::vector<std::string> places_of(const IrReport& report, const PadGains& of) {
  std::vector<std::string> places;
  for (const PadGain& gain : of.places)
    places.push_back(fmt::format("{} {:.1f} mV, then {:.1f} at {}", report.circuit->node_name(gain.node),
                                 1e3 * gain.gain_v, 1e3 * gain.worst_drop_v,
                                 report.circuit->node_name(gain.worst_node)));
  return places;
}

/// A line of five nodes 1 Ohm apart behind a pad of 0.5 Ohm, with 10 mA at the far end.
const std::string kLine =
    "* t\nv1 src 0 1\nrpad src n1_m2_0_0 0.5\nr1 n1_m2_0_0 n1_m2_1000_0 1\nr2 n1_m2_1000_0 n1_m2_2000_0 1\n"
    "r3 n1_m2_2000_0 n1_m2_3000_0 1\nr4 n1_m2_3000_0 n1_m1_4000_0 1\ni1 n1_m1_4000_0 0 10m\n.end\n";

TEST(PadGains, ByHand) {
  const Analysed run(kLine, with_pad_gains({.places = 2}));
  ASSERT_EQ(run.result.pad_gains.size(), 1u);
  const PadGains& of = run.result.pad_gains[0];
  EXPECT_EQ(run.circuit.node_name(of.node), "n1_m1_4000_0");
  EXPECT_NEAR(of.drop_v, 45e-3, 1e-12);
  EXPECT_NEAR(of.pad_ohm, 0.5, 1e-12) << "as the only pad";
  EXPECT_EQ(of.median_of, 1);
  EXPECT_EQ(of.candidates, 4) << "of m2, where the pad is";
  EXPECT_TRUE(of.is_best);
  // At the end of m2 the two ways have 3.5 and 0.5 Ohm, at the node before it 2.5 and 0.5 Ohm.
  EXPECT_THAT(places_of(run.result, of), ElementsAre("n1_m2_3000_0 30.6 mV, then 14.4 at n1_m1_4000_0",
                                                     "n1_m2_2000_0 20.8 mV, then 24.2 at n1_m1_4000_0"));
}

TEST(PadGains, OfOtherLayersAndResistances) {
  const Analysed run(kLine, with_pad_gains({.places = 2, .layer = "M1", .ohm = 0}));
  const PadGains& of = run.result.pad_gains.at(0);
  EXPECT_EQ(of.median_of, 0);
  EXPECT_EQ(of.candidates, 1);
  EXPECT_THAT(places_of(run.result, of), ElementsAre(HasSubstr("n1_m1_4000_0 45.0 mV, then 0.0 at")));
}

TEST(PadGains, NameTheNodeThatIsWorstThen) {
  // Two arms of unequal resistance; a pad at the end of the worse one leaves the other.
  const Analysed run(
      "* t\nv1 n1_m2_5000_0 0 1\nr1 n1_m2_5000_0 n1_m2_0_0 5\nr2 n1_m2_5000_0 n1_m2_9000_0 4\ni1 n1_m2_0_0 0 10m\n"
      "i2 n1_m2_9000_0 0 10m\n.end\n",
      with_pad_gains({.places = 3, .ohm = 0}));
  EXPECT_THAT(places_of(run.result, run.result.pad_gains.at(0)),
              ElementsAre("n1_m2_0_0 10.0 mV, then 40.0 at n1_m2_9000_0"));
}

TEST(PadGains, AreOfNetsBeyondTheirLimits) {
  const std::string deck =
      "* t\nv1 n1_m1_0_0 0 1\nv2 n2_m1_0_0 0 2\nr1 n1_m1_0_0 n1_m1_1_0 1\nr2 n2_m1_0_0 n2_m1_1_0 2\n"
      "i1 n1_m1_1_0 0 10m\ni2 n2_m1_1_0 0 10m\n.end\n";
  const auto nets = [&](const std::vector<std::string>& limits) {
    IrOptions options = with_pad_gains();
    options.limits = parse_limits(limits);
    const Analysed run(deck, options);
    std::vector<std::string> names;
    for (const PadGains& of : run.result.pad_gains) names.push_back(run.result.nets[of.net].name);
    return names;
  };
  EXPECT_THAT(nets({}), ElementsAre("n1", "n2"));
  EXPECT_THAT(nets({"15mV"}), ElementsAre("n2"));
  EXPECT_THAT(nets({"n1:average=1mV"}), ElementsAre("n1"));
  EXPECT_THAT(nets({"1mV"}), ElementsAre("n1", "n2"));
}

TEST(PadGains, OfSeveralVectorsAreThoseOfTheWorstOne) {
  IrOptions options = with_pad_gains({.places = 1});
  LoadTable& table = options.loads.emplace();
  table.names = {"i1"};
  table.vectors = 3;
  table.amperes = {5e-3, 16e-3, 10e-3};
  const Analysed run(kLine, options);
  const PadGains& of = run.result.pad_gains.at(0);
  EXPECT_EQ(of.vector, 1);
  EXPECT_THAT(places_of(run.result, of), ElementsAre("n1_m2_3000_0 49.0 mV, then 23.0 at n1_m1_4000_0"));
}

TEST(PadGains, OfNetsWithoutAFreeNodeOrADrop) {
  const Analysed all_pads(
      "* t\nv1 n1_m2_0_0 0 1\nv2 n1_m2_1_0 0 1\nr1 n1_m2_0_0 n1_m1_0_0 1\nr2 n1_m2_1_0 n1_m1_0_0 1\n"
      "i1 n1_m1_0_0 0 1m\n.end\n",
      with_pad_gains());
  EXPECT_EQ(all_pads.result.pad_gains.at(0).candidates, 0) << "every node of m2 is one";
  EXPECT_TRUE(all_pads.result.pad_gains[0].places.empty());

  const Analysed held("* t\nv1 n1_m1_0_0 0 1\nv2 n1_m1_1_0 0 1\nr1 n1_m1_0_0 n1_m1_1_0 1\ni1 n1_m1_0_0 0 1m\n.end\n",
                      with_pad_gains());
  EXPECT_EQ(held.result.pad_gains.at(0).candidates, 0);

  const Analysed idle("* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_1_0 1\n.end\n", with_pad_gains());
  EXPECT_TRUE(idle.result.pad_gains.at(0).places.empty());
  EXPECT_TRUE(idle.result.pad_gains[0].is_best);

  const Analysed empty("* t\nv1 n1_m1_0_0 0 1\n.end\n", with_pad_gains());
  EXPECT_EQ(empty.result.pad_gains.at(0).candidates, 0);
}

TEST(PadGains, LeaveOutWhatFloats) {
  const Analysed run(
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_1_0 1\ni1 n1_m1_1_0 0 1m\nr2 n1_m1_5_0 n1_m1_6_0 1\n.end\n",
      with_pad_gains({.places = 5, .ohm = 1}));
  EXPECT_EQ(run.result.pad_gains.at(0).candidates, 1);
  EXPECT_THAT(places_of(run.result, run.result.pad_gains[0]), ElementsAre("n1_m1_1_0 0.5 mV, then 0.5 at n1_m1_1_0"));
}

TEST(PadGains, RefuseWhatIsNoPad) {
  const auto failure = [](PadGainOptions pad) {
    return test::failure<InputError>(kLine, with_pad_gains(std::move(pad)));
  };
  EXPECT_THAT(failure({.layer = "m7"}), HasSubstr("m7: the netlist has no such layer; it has m1, m2"));
  EXPECT_THAT(failure({.ohm = -1}), HasSubstr("-1: a resistance is finite and not negative"));
  EXPECT_THAT(failure({.ohm = INFINITY}), HasSubstr("inf: a resistance is finite"));
  EXPECT_THAT(test::failure<InputError>("* t\nv1 a 0 1\nr1 a 0 1\ne1 b 0 a 0 3\nr2 b 0 1\n.end\n", with_pad_gains()),
              HasSubstr("pad_gains"));
}

}  // namespace
}  // namespace gridiron
