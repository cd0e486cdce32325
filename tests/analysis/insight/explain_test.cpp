// SPDX-License-Identifier: Apache-2.0
// Why a node drops: paths, effective resistances, sensitivities, and the gain of widening against other solves.
#include "analysis/insight/explain.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "analysis/insight/sensitivity.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/analysis/sessions.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::design_of;
using test::error_of;
using test::failure;
using testing::HasSubstr;

/// A random mesh of two nets joined by loads, with pads behind resistors.
std::string random_deck(unsigned seed, int side = 8) {
  std::mt19937 random(seed);
  const auto number = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  std::string deck = "* t\nvp p 0 1.1\nvg q 0 0\n";
  int r = 0;
  for (const char net : {'p', 'q'}) {
    const auto node = [&](int i, int j) { return fmt::format("{}{}_{}", net, i, j); };
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        if (i + 1 < side) deck += fmt::format("r{} {} {} {}\n", r++, node(i, j), node(i + 1, j), number(0.5, 4));
        if (j + 1 < side) deck += fmt::format("r{} {} {} {}\n", r++, node(i, j), node(i, j + 1), number(0.5, 4));
      }
    for (int pad = 0; pad < 3; ++pad)
      deck += fmt::format("r{} {} {} {}\n", r++, net,
                          node(static_cast<int>(random() % side), static_cast<int>(random() % side)), number(0.1, 1));
  }
  for (int i = 0; i < side; ++i)
    deck += fmt::format("i{} p{}_{} q{}_{} {}\n", i, i, random() % side, i, random() % side, number(0.001, 0.01));
  return deck + ".end\n";
}

SolverOptions exactly() {
  SolverOptions options;
  options.engine = "cholmod";
  options.tolerance_v = 1e-9;
  return options;
}

TEST(Explain, ByHand) {
  IrOptions options;
  options.why = {"worst"};
  const Analysed run(
      "* t\nv1 n1_m2_0_0 0 1\nrvia n1_m2_0_0 n1_m1_0_0 1\nrwire n1_m1_0_0 n1_m1_2_0 2\nrlong n1_m2_0_0 n1_m1_2_0 7\ni1 "
      "n1_m1_2_0 0 0.1\ni2 n1_m1_0_0 0 0.2\n.end\n",
      options);
  ASSERT_EQ(run.result.explanations.size(), 1u);
  const Explanation& e = run.result.explanations[0];
  EXPECT_EQ(run.circuit.node_name(e.node), "n1_m1_2_0");
  EXPECT_NEAR(e.effective_ohm, 2.1, 1e-12) << "3 Ω beside 7 Ω";
  EXPECT_EQ(run.circuit.node_name(e.path.pad), "n1_m2_0_0");
  EXPECT_NEAR(e.path.ohm, 3, 1e-12);
  ASSERT_EQ(e.path.steps.size(), 2u);
  EXPECT_EQ(e.path.steps[0].resistor, 1);
  EXPECT_EQ(e.path.steps[1].resistor, 0);
  EXPECT_NEAR(e.path.steps[0].drop_v + e.path.steps[1].drop_v, e.drop_v, 1e-14);
  const std::vector<LayerPart> parts = parts_of(run.result, e.path);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_NEAR(parts[1].ohm, 1, 1e-14);

  ASSERT_EQ(e.loads.size(), 2u);
  EXPECT_NEAR(e.loads[0].drop_v, 0.21, 1e-14) << "0.1 A through 2.1 Ω";
  EXPECT_NEAR(e.loads[1].drop_v, 0.14, 1e-14) << "0.2 A at the via: 7 of 10 Ω of its 1 Ω";
  EXPECT_NEAR(e.loads[0].drop_v + e.loads[1].drop_v, e.drop_v, 1e-14);
  ASSERT_EQ(e.segments.size(), 3u);
  // All three 1.2 times as wide: everything drops 1.2 times less.
  EXPECT_NEAR(e.gain_v, e.drop_v * (1 - 1 / 1.2), 1e-14);
  EXPECT_NEAR(e.predicted_gain_v, 0.2 * e.drop_v, 1e-14);
  EXPECT_LT(e.gain_bound_v, 1e-12);
}

TEST(Explain, PathIsTheShortestOfAll) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    IrOptions options;
    options.why = {"p7_7", "q0_0", "p3_4"};
    const Analysed run(random_deck(seed), options);
    const Elements& r = run.circuit.resistors;
    for (const Explanation& e : run.result.explanations) {
      // Bellman-Ford from the pad, which is the node behind the pad resistors.
      std::vector<double> ohm(static_cast<size_t>(run.circuit.node_count()), INFINITY);
      ohm[e.path.pad] = 0;
      for (int64_t round = 0; round < run.circuit.node_count(); ++round)
        for (int64_t i = 0; i < r.size(); ++i) {
          ohm[r.a[i]] = std::min(ohm[r.a[i]], ohm[r.b[i]] + r.value[i]);
          ohm[r.b[i]] = std::min(ohm[r.b[i]], ohm[r.a[i]] + r.value[i]);
        }
      EXPECT_NEAR(e.path.ohm, ohm[e.node], 1e-12);
      double sum = 0, drop = 0;
      NodeId at = e.node;
      for (const PathStep& step : e.path.steps) {
        EXPECT_EQ(step.from, at);
        at = step.to;
        EXPECT_NEAR(step.drop_v, step.ohm * step.current_a * (run.result.nets[e.net].is_ground ? -1 : 1), 1e-14);
        sum += step.ohm;
        drop += step.drop_v;
      }
      EXPECT_EQ(at, e.path.pad);
      EXPECT_NEAR(sum, e.path.ohm, 1e-12);
      EXPECT_NEAR(drop, e.drop_v, 1e-12);
    }
  }
}

TEST(Explain, PathsEndAtAddedPadsAndResistorsToGround) {
  System system(
      design_of("* t\nv1 vdd 0 1\nr1 vdd a 10\nr2 a b 1\ni1 b g 0.1\nrg g 0 2\nvg g2 0 0\nrh g g2 50\n.end\n"));
  system.apply(AddPad{"b", 1, 3});
  Solver solver(system);
  const Loads loads(system.design());
  const IrReport report = summarise(system, solver.solve(loads).front());
  const std::vector<NodeId> nodes{system.design()->find_node("a"), system.design()->find_node("g")};
  const std::vector<Explanation> why = explain(solver, loads, report, nodes);
  EXPECT_EQ(system.design()->circuit->node_name(why[0].path.pad), "b");
  EXPECT_NEAR(why[0].path.ohm, 4, 1e-12) << "with the resistance of the pad";
  EXPECT_TRUE(why[1].path.steps.empty()) << "g is a pad, behind 2 Ω";
  EXPECT_NEAR(why[1].path.ohm, 2, 1e-12);
}

/// Injecting 1 A more at a node is what a load there does.
TEST(Explain, EffectiveResistanceIsWhatALoadSees) {
  for (unsigned seed = 11; seed <= 14; ++seed) {
    const System system(design_of(random_deck(seed)));
    Solver solver(system, exactly());
    const Sources& sources = system.design()->circuit->current_sources;
    std::vector<NodeId> nodes;
    for (int64_t i = 0; i < sources.size(); ++i) nodes.push_back(sources.a[i]);
    Loads loads(system.design(), 1 + sources.size());
    for (int64_t i = 0; i < sources.size(); ++i) loads.vector(1 + i)[i] += 1;
    const std::vector<Answer> answers = solver.solve(loads);
    const std::vector<UnitResponse> responses = solver.respond(nodes);
    ASSERT_EQ(responses.size(), nodes.size());
    for (size_t k = 0; k < nodes.size(); ++k) {
      EXPECT_NEAR(responses[k].effective_ohm(), answers[0].voltage_v[nodes[k]] - answers[1 + k].voltage_v[nodes[k]],
                  1e-10);
      EXPECT_LT(responses[k].error_ohm, 1e-9);
      for (size_t j = 0; j < nodes.size(); ++j)
        EXPECT_NEAR(responses[k].ohm[nodes[j]], responses[j].ohm[nodes[k]], 1e-11) << "reciprocity";
    }
  }
}

TEST(Explain, LoadsAddUpToTheDrop) {
  IrOptions options;
  options.why = {"worst", "q4_4"};
  const Analysed run(random_deck(21), options);
  for (const Explanation& e : run.result.explanations) {
    ASSERT_EQ(e.loads.size(), 8u) << "all that there are";
    double sum = 0;
    for (const LoadEffect& load : e.loads) sum += load.drop_v;
    EXPECT_NEAR(sum, e.drop_v, 1e-12);
    EXPECT_TRUE(std::is_sorted(e.loads.begin(), e.loads.end(), [](auto& a, auto& b) { return a.drop_v > b.drop_v; }));
  }
}

/// The gain told is that of a deck that was written with other resistors.
TEST(Explain, GainIsThatOfAWidenedDeck) {
  IrOptions options;
  options.why = {"worst"};
  const std::string deck = random_deck(31);
  const Analysed run(deck, options);
  const Explanation& e = run.result.explanations[0];
  ASSERT_EQ(e.segments.size(), 10u);
  std::string widened;
  std::istringstream lines(deck);
  for (std::string line; std::getline(lines, line);) {
    const auto is_it = [&](const SegmentEffect& s) {
      return line.starts_with(run.circuit.element_name(kResistor, s.resistor) + " ");
    };
    if (std::any_of(e.segments.begin(), e.segments.end(), is_it)) {
      const size_t blank = line.rfind(' ');
      line = line.substr(0, blank) + fmt::format(" {:.17g}", std::stod(line.substr(blank)) / 1.2);
    }
    widened += line + "\n";
  }
  const Analysed after(widened);
  const double gain = e.drop_v - after.result.nodes.drop_v[e.node];
  EXPECT_NEAR(e.gain_v, gain, 1e-13);
  EXPECT_GT(gain, 0.01 * e.drop_v);
  EXPECT_NEAR(e.predicted_gain_v, gain, 0.35 * gain) << "to first order";
  EXPECT_GT(e.predicted_gain_v, gain) << "drops are convex in each conductance";
}

TEST(Explain, OfManyVectorsTheWorstOne) {
  const System system(design_of(random_deck(41)));
  Loads loads(system.design(), 3);
  for (double& ampere : loads.vector(1)) ampere *= 3;
  Solver solver(system);
  WorstCase worst(system);
  for (const Answer& answer : solver.solve(loads)) worst.add(answer);
  const IrReport report = std::move(worst).report({});
  const NodeId node = node_to_explain(report, "worst");
  const Explanation e = explain(solver, loads, report, std::span(&node, 1)).front();
  EXPECT_EQ(e.vector, 1);
  double sum = 0;
  for (const LoadEffect& load : e.loads) sum += load.drop_v;
  EXPECT_NEAR(sum, e.drop_v, 1e-12);
  EXPECT_EQ(solver.system().problem(), system.problem()) << "the solver is back at its own system";
}

/// The loads are solved for once, and the engine goes back to its own system once.
TEST(Explain, SeveralNodesAreWhatEachIsAlone) {
  const System system(design_of(random_deck(43)));
  const Loads loads(system.design());
  Solver solver(system, exactly());
  const IrReport report = summarise(system, solver.solve(loads).front());
  std::vector<NodeId> nodes;
  for (const char* name : {"p7_7", "q1_0", "p3_4"}) nodes.push_back(report.circuit->nodes.find(name));
  const Solver::Work before = solver.work();
  const std::vector<Explanation> together = explain(solver, loads, report, nodes);
  EXPECT_EQ(solver.work().vectors - before.vectors, 4) << "one for all, and one per node for its gain";
  EXPECT_LE(solver.work().updates - before.updates, 4);
  EXPECT_EQ(solver.system().problem(), system.problem());
  ASSERT_EQ(together.size(), 3u);
  for (size_t k = 0; k < nodes.size(); ++k) {
    const Explanation alone = explain(solver, loads, report, std::span(&nodes[k], 1)).front();
    EXPECT_EQ(together[k].node, nodes[k]);
    EXPECT_NEAR(together[k].effective_ohm, alone.effective_ohm, 1e-12);
    EXPECT_NEAR(together[k].gain_v, alone.gain_v, 1e-12);
    EXPECT_EQ(together[k].path.pad, alone.path.pad);
    ASSERT_EQ(together[k].segments.size(), alone.segments.size());
    EXPECT_EQ(together[k].segments[0].resistor, alone.segments[0].resistor);
  }
}

TEST(Explain, InvertedGroundNetsOfOpenRoad) {
  IrOptions options;
  options.why = {"worst"};
  const Analysed run(
      "* Netlist for VSS on default\nr1 Node_m1_0_0 Node_m1_2000_0 R=2\n* Sink for u1/VSS\ni0 Node_m1_2000_0 0 DC "
      "1e-2\nv0 Node_m1_0_0 0 DC 0\n.end\n",
      options);
  const Explanation& e = run.result.explanations[0];
  EXPECT_NEAR(e.drop_v, 0.02, 1e-14);
  EXPECT_NEAR(e.gain_v, 0.02 * (1 - 1 / 1.2), 1e-14);
  EXPECT_NEAR(e.loads[0].drop_v, 0.02, 1e-14);
  EXPECT_NEAR(e.path.steps[0].drop_v, 0.02, 1e-14);
  ASSERT_EQ(run.circuit.node_name(run.circuit.resistors.a[0]), "Node_m1_0_0");
  EXPECT_NEAR(run.result.segments.current_a[0], -0.01, 1e-14) << "into the pad";
  EXPECT_EQ(e.path.steps[0].current_a, run.result.segments.current_a[0]) << "from the pad to the node as well";
}

TEST(Explain, MistakesAreTold) {
  const std::string deck =
      "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\nr2 f g 1\nv2 vss 0 0\nr3 vss s 1\ni2 0 s 1m\n.end\n";
  const auto why = [](const std::string& node, const std::string& net = "") {
    IrOptions options;
    options.why = {node};
    options.net = net;
    return options;
  };
  EXPECT_THAT(failure<InputError>(deck, why("nowhere")),
              HasSubstr("why nowhere: the netlist has no node of that name"));
  EXPECT_THAT(failure<InputError>(deck, why("f")), HasSubstr("why f: the node has no drop"));
  EXPECT_THAT(failure<InputError>(deck, why("0")), HasSubstr("why 0: the node has no drop"));
  EXPECT_THAT(failure<InputError>(deck, why("a", "vss")), HasSubstr("why a: the node has no drop"));
  EXPECT_EQ(failure<InputError>(deck, why("s", "vss")), "no failure");
  const System system(design_of(deck)), same_text(design_of(deck));
  Solver solver(same_text);
  const Loads loads(same_text.design());
  const NodeId node = system.design()->find_node("a");
  EXPECT_THAT(error_of<InputError>(
                  [&] { explain(solver, loads, summarise(system, Solver(system).solve()), std::span(&node, 1)); }),
              HasSubstr("of another design than the solver"));
  const NodeId floating = system.design()->find_node("f");
  EXPECT_THAT(error_of<GridError>([&] { Solver(system).respond(std::span(&floating, 1)); }),
              HasSubstr("node f floats"));
}

/// Central differences in ln g, by solving edited systems.
TEST(Explain, SensitivitiesOfIbmpg1EqualFiniteDifferences) {
  GRIDIRON_DATA_OR_SKIP(deck, "ibm/ibmpg1.spice.bz2");
  const System system(make_design(std::make_shared<const Circuit>(read_netlist(deck))));
  const Circuit& circuit = *system.design()->circuit;
  Solver solver(system, exactly());
  const Answer answer = solver.solve();
  const IrReport report = summarise(system, answer);
  const NodeId node = report.hot_spots.at(0).node;
  const double sign = drop_sign(report.nets[report.nodes.net[node]], answer.voltage_v[node]);
  const UnitResponse response = solver.respond(std::span(&node, 1)).front();
  const Sensitivity sensitivity(system.topology(), response, answer.voltage_v, sign);
  const std::vector<double> adjoint = resistor_sensitivities(circuit, sensitivity);

  // Of the net of the hot spot, as those of the others are zero.
  std::vector<int64_t> candidates;
  for (int64_t i = 0; i < circuit.resistors.size(); ++i)
    if (report.segments.has(i) && report.nodes.net[circuit.resistors.a[i]] == report.nodes.net[node])
      candidates.push_back(i);
  std::mt19937 random(7);
  std::shuffle(candidates.begin(), candidates.end(), random);
  candidates.resize(100);
  constexpr double kStep = 3e-4;
  const auto drop_with = [&](int64_t resistor, double steps) {
    System edited = system;
    edited.apply(ScaleResistors{{resistor}, std::exp(-steps * kStep)});
    solver.update(edited);
    return sign * solver.solve().voltage_v[node];
  };
  double largest = 0, worst = 0;
  for (const int64_t resistor : candidates) {
    const double difference = (drop_with(resistor, 1) - drop_with(resistor, -1)) / (2 * kStep);
    largest = std::max(largest, std::abs(difference));
    worst = std::max(worst, std::abs(difference - adjoint[resistor]));
  }
  EXPECT_GT(largest, 1e-6) << "V; else rounding would be all there is";
  EXPECT_LE(worst, 1e-6 * largest);
  RecordProperty("largest", fmt::format("{}", largest));
  RecordProperty("worst", fmt::format("{}", worst / largest));
}

}  // namespace
}  // namespace gridiron
