// SPDX-License-Identifier: Apache-2.0
// Grids that are tied weakly, in part or as a whole, in unusual units, or too rough for an engine: right answers, in as
// many iterations as their well-tied twins, or a true reason.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

constexpr const char* kEngines[] = {"cholmod", "superlu", "aggamg", "gpuhmd", "sgml"};

/// nx × ny nodes of a net with resistors drawn from ohms().
template <class Ohms>
std::string mesh(const std::string& net, int nx, int ny, Ohms ohms) {
  std::string deck;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const auto node = [&](int i, int j) { return fmt::format("{}_{}_{}", net, 10 * i, 10 * j); };
      if (x > 0) deck += fmt::format("rx{}{}_{} {} {} {}\n", net, x, y, node(x - 1, y), node(x, y), ohms());
      if (y > 0) deck += fmt::format("ry{}{}_{} {} {} {}\n", net, x, y, node(x, y - 1), node(x, y), ohms());
    }
  return deck;
}

/// `amperes` in total, at every third node of the mesh.
std::string loads(const std::string& net, int nx, int ny, double amperes) {
  std::string deck;
  const int count = (nx * ny + 2) / 3;
  for (int k = 0; k < count; ++k)
    deck += fmt::format("i{}{} {}_{}_{} 0 {}\n", net, k, net, 10 * (3 * k % nx), 10 * (3 * k / nx), amperes / count);
  return deck;
}

struct Outcome {
  std::map<std::string, double, std::less<>> voltage;
  int iterations;
  double bound;
};

Outcome solved(const std::string& deck, const std::string& engine, const Settings& settings = {}) {
  IrOptions options;
  options.engine = engine;
  options.settings = settings;
  const Circuit circuit = read_netlist_text("deck\n" + deck + ".end\n");
  const IrReport report = analyse_ir_drop(circuit, options);
  EXPECT_EQ(tolerance_miss(report, options), "") << engine;
  Outcome outcome{{}, report.solve.iterations, report.certificate.max_error_v};
  for (size_t n = 0; n < report.nodes.voltage_v.size(); ++n)
    outcome.voltage.emplace(circuit.node_name(static_cast<NodeId>(n)), report.nodes.voltage_v[n]);
  return outcome;
}

/// One pad; the drop at its node is all of the current through it.
std::string one_pad(double ohms) {
  const double amperes = 0.5 / std::max(ohms, 1.0);
  return fmt::format("v1 s 0 1\nrp s n1_0_0 {}\n", ohms) + mesh("n1", 80, 80, [] { return 1; }) +
         loads("n1", 80, 80, amperes);
}

TEST(WeakTies, OneWeakPadCostsNoIterations) {
  for (const char* engine : kEngines) {
    const int twin = solved(one_pad(1), engine).iterations;
    for (const double ohms : {1e2, 1e4, 1e6, 1e8, 1e10}) {
      const Outcome outcome = solved(one_pad(ohms), engine);
      EXPECT_LE(outcome.iterations, 1.2 * twin) << engine << ", " << ohms << " Ohm";
      EXPECT_NEAR(outcome.voltage.at("n1_0_0"), 0.5, outcome.bound + 1e-9) << engine << ", " << ohms;
      EXPECT_LE(outcome.bound, 10e-6);
    }
  }
}

/// A domain whose leakage flows through switches that are off.
std::string gated(double ohms) {
  std::string deck = fmt::format("v1 s 0 1\nrp s n1_0_0 0.1\n") + mesh("n1", 60, 60, [] { return 1; }) +
                     loads("n1", 60, 60, 0.05) + mesh("n2", 30, 30, [] { return 1; }) + loads("n2", 30, 30, 0.1 / ohms);
  for (int k = 0; k < 30; k += 6) deck += fmt::format("rs{0} n1_{0}0_0 n2_{0}0_0 {1}\n", k, ohms);
  return deck;
}

TEST(WeakTies, ADomainBehindOpenSwitchesCostsNoIterations) {
  for (const char* engine : kEngines) {
    const int twin = solved(gated(0.1), engine).iterations;
    for (const double ohms : {1e7, 1e9}) {
      const Outcome reference = solved(gated(ohms), "cholmod"), outcome = solved(gated(ohms), engine);
      for (const char* node : {"n2_0_0", "n2_290_290", "n1_590_590"})
        EXPECT_NEAR(outcome.voltage.at(node), reference.voltage.at(node), outcome.bound + reference.bound)
            << engine << ", " << node;
      EXPECT_LE(outcome.iterations, 1.2 * twin) << engine << ", " << ohms << " Ohm";
    }
  }
}

/// Each domain hangs on the one before by 1 GOhm: levels follow from currents alone, to the drops within the domains.
TEST(WeakTies, DomainsInAChainHaveTheLevelsOfTheirCurrents) {
  std::string deck = "v1 s 0 1\nrp s n1_0_0 1e9\nrs1 n1_190_190 n2_0_0 1e9\nrs2 n2_190_190 n3_0_0 1e9\n";
  for (const char* net : {"n1", "n2", "n3"}) deck += mesh(net, 20, 20, [] { return 1; }) + loads(net, 20, 20, 1e-10);
  for (const char* engine : kEngines) {
    const Outcome outcome = solved(deck, engine);
    EXPECT_NEAR(outcome.voltage.at("n1_0_0"), 0.7, outcome.bound + 1e-15) << engine;
    EXPECT_NEAR(outcome.voltage.at("n2_0_0"), 0.5, outcome.bound + 1e-8) << engine;
    EXPECT_NEAR(outcome.voltage.at("n3_0_0"), 0.4, outcome.bound + 2e-8) << engine;
    EXPECT_LE(outcome.bound, 10e-6) << engine;
  }
  EXPECT_LE(solved(deck, "cholmod").bound, 1e-9);
}

/// What is left of loads that cancel is far below their rounding: only exact sums tell the level. The pad is weaker
/// than the rounding of the diagonal beside it.
TEST(WeakTies, LoadsThatCancelLeaveTheRestOfThemToThePad) {
  const std::string deck =
      "v1 s 0 1\nrp s n1_0_0 1e18\n" + mesh("n1", 5, 4, [] { return 0.7; }) +
      "i1 n1_10_0 0 0.3\ni2 0 n1_30_30 0.3\ni3 n1_20_10 0 0.1\ni4 n1_20_10 0 0.2\ni5 0 n1_20_10 0.3\n"
      "i6 n1_40_20 0 4e-19\n";
  // The doubles nearest to 0.1, 0.2 and 0.3 do not cancel: 2^-55 A are left, and 27.7 V at the pad.
  const double volts = 1 - 1e18 * (4e-19 + 0x1p-55);
  for (const char* engine : {"cholmod", "auto"})
    EXPECT_NEAR(solved(deck, engine).voltage.at("n1_0_0"), volts, 10e-6) << engine;
}

TEST(WeakTies, PartsHangOnEachOtherByLessThanRounding) {
  std::string deck = "v1 s 0 1\nrp s n1_0_0 1e15\nrs1 n1_40_30 n2_0_0 1e16\nrs2 n2_40_30 n3_0_0 1e14\n";
  for (const char* net : {"n1", "n2", "n3"})
    deck += mesh(net, 5, 4, [] { return 0.3; }) + fmt::format("i1{0} {0}_10_10 0 0.7\ni2{0} 0 {0}_30_20 0.7\n", net);
  deck += "i3 n3_20_10 0 1e-17\n";
  for (const char* engine : {"cholmod", "auto"}) {
    const Outcome outcome = solved(deck, engine);
    EXPECT_NEAR(outcome.voltage.at("n1_0_0"), 0.99, 10e-6) << engine;
    EXPECT_NEAR(outcome.voltage.at("n2_0_0") - outcome.voltage.at("n1_40_30"), -0.1, 10e-6) << engine;
    EXPECT_NEAR(outcome.voltage.at("n3_0_0") - outcome.voltage.at("n2_40_30"), -0.001, 10e-6) << engine;
  }
}

TEST(WeakTies, VectorsAreSettledOneByOne) {
  const auto design = test::design_of("deck\n" + gated(1e7));
  Loads loads(design, 3);
  loads.set("in20", 3e-9, 1);
  loads.set("in10", 2e-3, 2);
  Solver together(System(design), {.engine = "aggamg"}, test::on_cpu());
  const std::vector<Answer> answers = together.solve(loads);
  for (int64_t v = 0; v < 3; ++v) {
    Loads alone(design);
    if (v == 1) alone.set("in20", 3e-9);
    if (v == 2) alone.set("in10", 2e-3);
    const Answer reference = Solver(System(design), {.engine = "cholmod"}, test::on_cpu()).solve(alone).front();
    ASSERT_LE(answers[v].certificate.max_error_v, 10e-6);
    ASSERT_LE(reference.certificate.max_error_v, 10e-6);
    for (size_t n = 0; n < reference.voltage_v.size(); ++n)
      ASSERT_NEAR(answers[v].voltage_v[n], reference.voltage_v[n],
                  answers[v].certificate.max_error_v + reference.certificate.max_error_v);
  }
}

TEST(WeakTies, ThePapersIterationConverges) {
  const Outcome outcome = solved(one_pad(1e4), "gpuhmd", {{"preset", "paper"}});
  EXPECT_NEAR(outcome.voltage.at("n1_0_0"), 0.5, 10e-6);
}

TEST(WeakTies, UnitsDoNotMatter) {
  const auto uniform = [](const char* ohms, const char* amperes) {
    return fmt::format("v1 s 0 1\nrp s n1_0_0 {0}\ni1 n1_390_390 0 {1}\n", ohms, amperes) +
           mesh("n1", 40, 40, [ohms] { return ohms; });
  };
  for (const char* engine : kEngines) {
    const Outcome one = solved(uniform("1", "0.05"), engine);
    for (const auto& [ohms, amperes] : {std::pair{"1e42", "0.05e-42"}, {"1e-42", "0.05e42"}}) {
      const Outcome outcome = solved(uniform(ohms, amperes), engine);
      EXPECT_NEAR(outcome.voltage.at("n1_390_390"), one.voltage.at("n1_390_390"), 20e-6) << engine << ", " << ohms;
      EXPECT_LE(std::abs(outcome.iterations - one.iterations), 1) << engine << ", " << ohms;
    }
  }
}

TEST(WeakTies, StripsConverge) {
  const std::string strip =
      "v1 s 0 1\nrp s n1_0_10 0.1\n" + mesh("n1", 2000, 3, [] { return 1; }) + loads("n1", 2000, 3, 1e-5);
  for (const char* engine : {"aggamg", "gpuhmd", "sgml"}) EXPECT_LE(solved(strip, engine).iterations, 20) << engine;
}

/// Conductances over ten decades at random: nothing for an average over cells, as is soon clear.
TEST(WeakTies, ARoughGridEndsHybridEnginesSoon) {
  std::mt19937 random(7);
  const auto rough = [&] { return std::pow(10.0, 5 - 10.0 * static_cast<double>(random()) / 4294967296.0); };
  const std::string deck = "v1 s 0 1\nrp s n1_0_0 1\n" + mesh("n1", 60, 60, rough) + loads("n1", 60, 60, 1e-4);
  const Circuit circuit = read_netlist_text("deck\n" + deck + ".end\n");
  for (const char* engine : {"gpuhmd", "sgml"}) {
    IrOptions options;
    options.engine = engine;
    const IrReport report = analyse_ir_drop(circuit, options);
    EXPECT_LE(report.solve.iterations, 60) << engine;
    EXPECT_THAT(tolerance_miss(report, options), HasSubstr("no longer converges")) << engine;
  }
  for (const char* engine : {"aggamg", "cholmod", "auto"}) solved(deck, engine);
}

}  // namespace
}  // namespace gridiron
