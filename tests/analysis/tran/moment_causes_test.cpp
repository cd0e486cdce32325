// SPDX-License-Identifier: Apache-2.0
// Why a node drops at the worst moment of a simulation: by hand, against a static run, and that the parts add up.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using test::error_of;
using testing::HasSubstr;

/// A simulation of a deck, and the explanations of its nodes.
struct Explained {
  Circuit circuit;
  TranReport report;

  Explained(const std::string& deck, const std::vector<std::string>& why, TranOptions options = {}) {
    circuit = read_netlist_text(deck);
    start_at_time_zero(circuit, options);
    if (options.engine == "auto") options.engine = "cholmod";
    options.tolerance_v = 1e-9;
    options.why = why;
    report = analyse_transient(circuit, options);
  }
  const Explanation& operator[](size_t k) const { return report.moment.grid.explanations.at(k); }

  /// V of a recorded node at the worst moment.
  double probe(const std::string& name) const {
    const auto row = std::ranges::find(report.row_time_s, report.moment.time_s) - report.row_time_s.begin();
    for (const Probe& probe : report.probes)
      if (circuit.node_name(probe.node) == name)
        return probe.voltage_v.at(row * report.scenarios + report.moment.scenario);
    ADD_FAILURE() << name;
    return NAN;
  }
};

double sum_of_parts(const Explanation& e) {
  double sum = e.other_loads_v + e.unequal_sources_v + e.capacitors_v.value() + e.inductors_v.value();
  for (const LoadEffect& load : e.loads) sum += load.drop_v;
  return sum;
}

/// A mesh of two nets behind packages with inductors, decoupling capacitors, and pulses between the nets.
std::string mesh(unsigned seed, bool is_still = false) {
  std::mt19937 random(seed);
  const auto number = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  std::string deck = "* t\nvp pp 0 1.1\nvg qq 0 0\n";
  constexpr int kSide = 5;
  int r = 0;
  for (const char net : {'p', 'q'}) {
    const auto node = [&](int i, int j) { return fmt::format("{}{}_{}", net, i, j); };
    for (int i = 0; i < kSide; ++i)
      for (int j = 0; j < kSide; ++j) {
        if (i + 1 < kSide) deck += fmt::format("r{} {} {} {}\n", r++, node(i, j), node(i + 1, j), number(0.5, 4));
        if (j + 1 < kSide) deck += fmt::format("r{} {} {} {}\n", r++, node(i, j), node(i, j + 1), number(0.5, 4));
      }
    deck += fmt::format("l{0} {0}{0} {0}a 1n\nr{1} {0}a {2} 0.3\n", net, r++, node(0, 0));
  }
  for (int i = 0; i < kSide; ++i) {
    deck += fmt::format("c{0} p{0}_{1} q{0}_{1} {2}p\n", i, random() % kSide, number(5, 50));
    const double amperes = number(0.001, 0.01);
    deck += fmt::format("i{0} p{0}_{1} q{0}_{1} ", i, random() % kSide);
    deck += is_still ? fmt::format("{}\n", amperes)
                     : fmt::format("pulse({0} {1} 1n 0.3n 0.5n 1n 9n)\n", amperes, 4 * amperes);
  }
  return deck + ".tran 0.1n 4n\n.end\n";
}

TEST(MomentCauses, ByHand) {
  const Explained run(
      "* t\nv1 p 0 1\nl1 p m 2n\nr1 m a 0.5\nc1 a 0 20p\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\n.tran 0.1n 8n\n"
      ".print tran v(a) v(m)\n.end\n",
      {"worst"});
  const Explanation& e = run[0];
  EXPECT_EQ(run.circuit.node_name(e.node), "a");
  EXPECT_NEAR(e.effective_ohm, 0.5, 1e-12) << "inductors are shorts";
  EXPECT_NEAR(e.drop_v, 1 - run.probe("a"), 1e-9);
  const double through_a = (run.probe("m") - run.probe("a")) / 0.5;
  ASSERT_EQ(e.loads.size(), 1u);
  EXPECT_NEAR(e.loads[0].drop_v, 0.5 * e.loads[0].current_a, 1e-12);
  EXPECT_GT(e.loads[0].current_a, 0.1);
  EXPECT_NEAR(*e.inductors_v, 1 - run.probe("m"), 1e-8);
  EXPECT_NEAR(*e.capacitors_v, 0.5 * (through_a - e.loads[0].current_a), 1e-8);
  EXPECT_GT(std::abs(*e.inductors_v), 0.01);
  EXPECT_NEAR(e.gain_v, 0.5 * through_a * (1 - 1 / 1.2), 1e-8);
  EXPECT_LT(e.gain_bound_v, 1e-9);
}

TEST(MomentCauses, PartsAddUpToTheDrop) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Explained run(mesh(seed), {"worst", "p2_2", "q4_4"});
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(sum_of_parts(run[k]), run[k].drop_v, 1e-9) << seed;
      EXPECT_GT(std::abs(*run[k].capacitors_v), 1e-5);
    }
  }
}

TEST(MomentCauses, AtRestTheyAreThoseOfAStaticRun) {
  const std::string deck = mesh(7, true);
  IrOptions options;
  options.engine = "cholmod";
  options.tolerance_v = 1e-9;
  options.why = {"p3_3", "q1_2"};
  const Analysed still(deck, options);
  const Explained run(deck, options.why);
  for (size_t k = 0; k < 2; ++k) {
    const Explanation &e = run[k], &expected = still.result.explanations[k];
    EXPECT_NEAR(*e.capacitors_v, 0, 1e-9);
    EXPECT_NEAR(*e.inductors_v, 0, 1e-9);
    EXPECT_NEAR(e.drop_v, expected.drop_v, 1e-9);
    EXPECT_NEAR(e.gain_v, expected.gain_v, 1e-9);
    EXPECT_NEAR(e.predicted_gain_v, expected.predicted_gain_v, 1e-9);
    ASSERT_EQ(e.segments.size(), expected.segments.size());
    for (size_t s = 0; s < e.segments.size(); ++s) EXPECT_EQ(e.segments[s].resistor, expected.segments[s].resistor);
    EXPECT_NEAR(e.path.steps[0].current_a, expected.path.steps[0].current_a, 1e-8);
  }
}

TEST(MomentCauses, LoadsAreThoseOfTheScenario) {
  WaveformTable table;
  table.time_s = {0, 1e-9, 3e-9};
  table.template_a = {0, 0.1, 0};
  table.sources = {"i1"};
  table.scenarios = 2;
  table.shape = {{0}, false};
  table.delay_s = {{0}, false};
  table.scale = {{1, 3}, true};
  TranOptions options;
  options.waveforms = table;
  const Explained run("* t\nv1 p 0 1\nr1 p a 1\nc1 a 0 1p\ni1 a 0 0\ni2 a 0 0.01\n.tran 0.1n 4n\n.end\n", {"a"},
                      options);
  EXPECT_EQ(run[0].vector, 1);
  ASSERT_EQ(run[0].loads.size(), 2u);
  EXPECT_NEAR(run[0].loads[0].current_a, 0.3, 1e-9);
  EXPECT_NEAR(sum_of_parts(run[0]), run[0].drop_v, 1e-9);
}

TEST(MomentCauses, SourcesThatMoveAndInitialConditions) {
  const Explained moving("* t\nv1 p 0 pwl(0 1 2n 1 3n 0.9)\nr1 p a 1\nc1 a 0 1p\ni1 a 0 0.1\n.tran 0.1n 5n\n.end\n",
                         {"a"});
  EXPECT_NEAR(*moving[0].inductors_v, 0.1, 1e-6) << "by which the source is lower";
  EXPECT_NEAR(sum_of_parts(moving[0]), moving[0].drop_v, 1e-9);
  const Explained from_zero("* t\nv1 p 0 1\nr1 p a 1\nc1 a 0 1n ic=0.2\ni1 a 0 0.1\n.tran 0.1n 5n uic\n.end\n", {"a"});
  EXPECT_NEAR(sum_of_parts(from_zero[0]), from_zero[0].drop_v, 1e-6);
  EXPECT_LT(0.6, *from_zero[0].capacitors_v) << "which the source charges at first";
}

TEST(MomentCauses, WhatAStaticRunExplainsIsExplained) {
  TranOptions any_matrix;
  any_matrix.engine = "superlu";
  const std::string grid =
      "* t\nv1 p 0 1\nl1 p m 2n\nl2 p k 2n\nr1 m a 0.5\nr2 k a 0.5\nc1 a 0 20p\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n "
      "20n)\n";
  for (const char* more : {"k1 l1 l2 0.4\n", "c2 a 0 -1p\n"}) {
    const Explained run(grid + more + ".tran 0.1n 4n\n.end\n", {"worst"}, any_matrix);
    EXPECT_NEAR(sum_of_parts(run[0]), run[0].drop_v, 1e-9) << more;
  }
  const auto refused = [&](const std::string& more, const std::string& node) {
    return error_of<InputError>([&] { Explained(grid + more + ".tran 0.1n 4n\n.end\n", {node}, any_matrix); });
  };
  EXPECT_THAT(refused("e1 b 0 a 0 -2\nr3 b a 1\n", "worst"), HasSubstr("why takes no such circuit"));
  EXPECT_THAT(refused("", "aa"), HasSubstr("the nearest is a"));
  EXPECT_THAT(refused("", "0"), HasSubstr("has no drop"));
}

}  // namespace
}  // namespace gridiron
