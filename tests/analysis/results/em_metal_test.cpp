// SPDX-License-Identifier: Apache-2.0
// What metal rules of electromigration compare a current with: that beside slivers, and one copy of several.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "analysis/results/em/judge_em.hpp"
#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"

namespace gridiron {
namespace {

struct Judged {
  Circuit circuit;
  IrReport result;
  explicit Judged(const std::string& deck, std::shared_ptr<const Placement> placement = nullptr)
      : circuit(read_netlist_text("* dbu: 1000\n" + deck + ".end\n")) {
    circuit.placement = std::move(placement);
    IrOptions options;
    EmRule rule;
    rule.layer = "m1", rule.unit = EmUnit::per_um, rule.limits = {1e-3}, rule.place = "rules.csv:2:1";
    options.em.emplace();
    options.em->rules = {rule};
    options.em->layers = {{"m1", 2, 0, ""}};
    options.tolerance_v = 1e-9;
    result = analyse_ir_drop(circuit, options);
  }
  EmRow row(int64_t resistor) const { return em_row(result, *result.em, resistor); }
};

/// Two wires, 10 nm wide, one of which shares 100 nm of metal; of the other nothing is known.
TEST(EmMetal, OfSliversIsThatBesideThem) {
  const auto placement = std::make_shared<Placement>();
  placement->dbu_per_um = 1000;
  placement->width = {10, 10, 500};
  placement->slivers = {{0, 100}, {1, 0}};
  const Judged run(
      "V1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_1000_0 1\nR2 n1_m1_1000_0 n1_m1_2000_0 1\nR3 n1_m1_2000_0 n1_m1_3000_0 1\n"
      "I1 n1_m1_3000_0 0 50u\n",
      placement);
  EXPECT_EQ(run.row(0).width_um, 0.1);
  EXPECT_NEAR(run.row(0).ratio, 0.5, 1e-9);
  EXPECT_EQ(run.result.em->verdict[1], EmVerdict::unknown) << "the layer's width of a table is not its";
  EXPECT_EQ(em_worst_first(run.result, *run.result.em), (std::vector<int64_t>{0, 2}));
}

/// Rules are for one wire: of 2 in an instance that stands for 3, each carries a sixth of 9 mA.
TEST(EmMetal, IsThatOfOneOfSeveralCopies) {
  const Judged run(
      ".subckt wires a b c\nR1 a b 6 m=2\nR2 b c 3\n.ends\nV1 n1_m1_0_0 0 1\n"
      "X1 n1_m1_0_0 n1_m1_1000_0 n1_m1_2000_0 wires m=3\nR3 n1_m1_2000_0 n1_m1_3000_0 1 m=4\n"
      "R4 n1_m1_3000_0 n1_m1_4000_0 1\nI1 n1_m1_4000_0 0 9m\n");
  const auto resistor = [&](const std::string& name) {
    for (int64_t i = 0; i < run.circuit.resistors.size(); ++i)
      if (run.circuit.element_name(kResistor, i) == name) return i;
    return int64_t{-1};
  };
  const auto expect = [&](const std::string& name, double copies) {
    const int64_t i = resistor(name);
    ASSERT_GE(i, 0) << name;
    EXPECT_EQ(run.circuit.copies_of(i), copies) << name;
    EXPECT_NEAR(run.row(i).average_a, 9e-3 / copies, 1e-9) << name;
    EXPECT_NEAR(run.row(i).ratio, 9e-3 / copies / 2e-3, 1e-6) << name << ", 2 µm wide";
    EXPECT_EQ(run.result.em->verdict[i], copies >= 6 ? EmVerdict::kept : EmVerdict::violated) << name;
  };
  expect("X1.R1", 6);
  expect("X1.R2", 3);
  expect("R3", 4);
  expect("R4", 1);
}

}  // namespace
}  // namespace gridiron
