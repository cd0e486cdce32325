// SPDX-License-Identifier: Apache-2.0
// Drops as unknowns, and loads and sources that lose digits when they are summed carelessly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

double voltage(const IrReport& report, std::string_view node) {
  for (size_t n = 0; n < report.nodes.voltage_v.size(); ++n)
    if (report.circuit->node_name(static_cast<NodeId>(n)) == node) return report.nodes.voltage_v[n];
  return NAN;
}

/// n × n mesh of 1 Ω with one pad of `ohms` at a corner and 1 mA at every node.
std::string mesh(int n, double ohms) {
  std::string deck = fmt::format("mesh\nv1 s 0 1.1\nrp s n_0_0 {}\n", ohms);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      if (x > 0) deck += fmt::format("rx{0}_{1} n_{2}_{1} n_{0}_{1} 1\n", x, y, x - 1);
      if (y > 0) deck += fmt::format("ry{0}_{1} n_{0}_{2} n_{0}_{1} 1\n", x, y, y - 1);
      deck += fmt::format("i{0}_{1} n_{0}_{1} 0 1u\n", x, y);
    }
  return deck + ".end\n";
}

TEST(Drops, ARelativeResidualMeansItselfBehindStiffPads) {
  for (const double ohms : {1.0, 1e-6, 1e-9}) {
    const Circuit circuit = read_netlist_text(mesh(60, ohms));
    IrOptions exact, loose;
    exact.engine = "cholmod";
    const IrReport reference = analyse_ir_drop(circuit, exact);
    for (const char* engine : {"aggamg", "superlu"}) {
      loose.engine = engine;
      loose.rtol = 1e-8;
      const IrReport report = analyse_ir_drop(circuit, loose);
      double worst = 0;
      for (size_t n = 0; n < report.nodes.voltage_v.size(); ++n)
        worst = std::max(worst, std::abs(report.nodes.voltage_v[n] - reference.nodes.voltage_v[n]));
      EXPECT_LT(worst, 1e-6 * reference.nets[0].worst_drop_v) << engine << ", pad of " << ohms << " Ohm";
      EXPECT_LE(worst, report.certificate.max_error_v + reference.certificate.max_error_v);
    }
  }
}

TEST(Drops, ALongChainOfSmallResistorsIsCertified) {
  std::string deck = "chain\nv1 n0 0 1.8\n";
  constexpr int kNodes = 300'000;
  for (int i = 1; i < kNodes; ++i) deck += fmt::format("r{0} n{1} n{0} 1u\n", i, i - 1);
  const Circuit circuit = read_netlist_text(deck + fmt::format("i1 n{} 0 1m\n.end\n", kNodes - 1));
  for (const bool reduce : {true, false}) {
    IrOptions options;
    options.reduce = reduce;
    options.engine = "cholmod";
    const IrReport report = analyse_ir_drop(circuit, options);
    EXPECT_EQ(tolerance_miss(report, options), "");
    EXPECT_LT(report.certificate.max_error_v, 1e-6);
    EXPECT_NEAR(report.nets[0].worst_drop_v, 1e-3 * (kNodes - 1) * 1e-6, 1e-9);
  }
}

TEST(Drops, LoadsThatCancelLeaveTheSmallOne) {
  const Circuit circuit =
      read_netlist_text("t\nv1 s 0 1\nr1 s a 1\nr2 a 0 1\ni1 a 0 1e16\ni2 a 0 0.5\ni3 0 a 1e16\n.end\n");
  const IrReport report = analyse_ir_drop(circuit, {});
  EXPECT_NEAR(voltage(report, "a"), 0.25, 1e-15);
}

/// What a known node is at is one of the two sources' values, or anything between.
TEST(Drops, TheBoundCoversSourcesThatDifferALittle) {
  const Circuit circuit = read_netlist_text("t\nv1 s 0 1\nv2 s 0 1.0000000008\nr1 s a 1\ni1 a 0 1m\n.end\n");
  const IrReport report = analyse_ir_drop(circuit, {});
  EXPECT_GE(report.certificate.max_error_v, 0.8e-9);
  EXPECT_LT(report.certificate.max_error_v, 3e-9);
}

TEST(Drops, TheBoundCoversTheRoundingOfSourcesInSeries) {
  constexpr int kSources = 1000;
  std::string deck = "t\n";
  for (int i = 0; i < kSources; ++i)
    deck += fmt::format("v{0} n{1} {2} 0.1\n", i, i + 1, i == 0 ? "0" : fmt::format("n{}", i));
  const Circuit circuit = read_netlist_text(deck + fmt::format("r1 n{} a 1\nr2 a 0 1\n.end\n", kSources));
  const IrReport report = analyse_ir_drop(circuit, {});
  EXPECT_NE(voltage(report, "n1000"), 100.0);
  EXPECT_LE(std::abs(voltage(report, "n1000") - 100.0), report.certificate.max_error_v);
  EXPECT_LT(report.certificate.max_error_v, 1e-9);
}

/// No double-precision barrier exists across 4.85e-10 Ohm behind 3.84e11, but where nothing flows none is needed.
TEST(Drops, ZeroDropsAreCertifiedHoweverFarApartTheConductances) {
  const Circuit circuit =
      read_netlist_text("t\nv2 p 0 1.1\ni1 p 0 1m\nr3 p a 3.84e11\nr5 c b 4.85e-10\nr6 b a 2.75k\n.end\n");
  const IrReport report = analyse_ir_drop(circuit, {});
  EXPECT_EQ(tolerance_miss(report, SolverOptions{}), "");
  EXPECT_EQ(voltage(report, "c"), 1.1);
}

TEST(Drops, WhatWholeNumbersLeaveOfFloatingLoadsIsALoad) {
  const std::string floating = "t\nv1 s 0 1\nr1 s a 1\nr2 b c 1\ni1 b 0 650k\ni2 0 b 650k\n";
  EXPECT_NO_THROW(analyse_ir_drop(read_netlist_text(floating + ".end\n"), {}));
  EXPECT_THROW(analyse_ir_drop(read_netlist_text(floating + "i3 b 0 1.61n\n.end\n"), {}), GridError);
  EXPECT_NO_THROW(analyse_ir_drop(read_netlist_text(floating + "i3 b 0 0.1\ni4 b 0 0.2\ni5 0 b 0.3\n.end\n"), {}));
}

TEST(Drops, SeveralSuppliesInOnePartMeasureFromTheCommonest) {
  const Circuit circuit =
      read_netlist_text("t\nv1 s1 0 1.1\nv2 s2 0 1\nr1 s1 a 1\nr2 s1 b 1\nr3 s2 b 1\nr4 a b 1\ni1 a 0 0.1\n.end\n");
  const std::shared_ptr<const Design> design = make_design(circuit);
  const System system(design, false);
  EXPECT_EQ(system.reference(), (std::vector<double>{1.1, 1.1}));
  const IrReport report = analyse_ir_drop(circuit, {});
  // Node equations by hand: 2 a − b = 1.1 − 0.1, 3 b − a = 2.1.
  EXPECT_NEAR(voltage(report, "a"), 1.02, 1e-14);
  EXPECT_NEAR(voltage(report, "b"), 1.04, 1e-14);
}

}  // namespace
}  // namespace gridiron
