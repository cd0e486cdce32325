// SPDX-License-Identifier: Apache-2.0
// Load vectors: what may be set, by whom they are taken, and where no current can flow.
#include "analysis/model/loads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using test::design_of;
using test::error_of;
using test::volts;
using testing::AllOf;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

/// A pad, a resistor and `more`.
std::shared_ptr<const Design> design_with(const std::string& more) {
  return design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\n" + more + ".end\n");
}

template <class F>
std::string refusal(F&& work) {
  return error_of<InputError>(std::forward<F>(work));
}

TEST(Loads, VectorsThatDoNotExistAreRefused) {
  Loads loads(design_with("i1 a 0 1m\n"));
  EXPECT_THAT(refusal([&] { loads.set("i1", 1, 3); }), HasSubstr("load vector 3: there are 1"));
  EXPECT_THAT(refusal([&] { loads.set("i1", 1, -1); }), HasSubstr("load vector -1"));
  EXPECT_THAT(refusal([&] { loads.vector(1); }), HasSubstr("load vector 1"));
  EXPECT_NE(refusal([&] { Loads(loads.design(), -1); }), "");
}

TEST(Loads, CurrentsAreFinite) {
  Loads loads(design_with("iu_v a 0 1m\niu_g 0 b 1m\nrb b 0 1\n"));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal([&] { loads.set("iu_v", std::nan("")); }), AllOf(HasSubstr("iu_v"), HasSubstr("finite")));
  EXPECT_THAT(refusal([&] { loads.set_instance("iu", infinity); }), AllOf(HasSubstr("iu"), HasSubstr("finite")));
  EXPECT_THAT(refusal([&] { loads.set_at_node("a", -infinity); }), AllOf(HasSubstr("at a"), HasSubstr("finite")));
  EXPECT_THAT(loads.vector(0), ElementsAre(1e-3, 1e-3));
  loads.vector(0)[1] = infinity;
  EXPECT_THAT(refusal([&] { Solver{System(loads.design())}.solve(loads); }),
              HasSubstr("load vector 0: current source iu_g draws inf A"));
}

TEST(Loads, AnInstanceWithOneHalfStaysWhatItWas) {
  Loads loads(design_with("iu_v a 0 1m\n"));
  EXPECT_THAT(refusal([&] { loads.set_instance("iu", 7); }), HasSubstr("iu_g"));
  EXPECT_THAT(loads.vector(0), ElementsAre(1e-3));
}

TEST(Loads, NamesOfSeveralElementsAreRefused) {
  const auto design = design_with("i1 a 0 1m\nI1 a 0 2m\nr2 a b 1\nr2 b 0 1\n");
  Loads loads(design);
  EXPECT_THAT(refusal([&] { loads.set("i1", 5e-3); }),
              AllOf(HasSubstr("current source i1"), HasSubstr(":4:1 and "), HasSubstr(":5:1")));
  EXPECT_THAT(loads.vector(0), ElementsAre(1e-3, 2e-3));
  System system(design);
  EXPECT_THAT(refusal([&] { system.apply(ScaleResistor{"R2", 2}); }), HasSubstr("several of that name"));
}

TEST(Loads, ANodeKeepsTheDirectionOfItsCurrent) {
  const auto design = design_with("iu_v a 0 1m\niu_g 0 g 1m\nrg g 0 1\nip 0 g 3m\n");
  Loads loads(design);
  loads.set_at_node("a", 2e-3);
  loads.set_at_node("g", 2e-3);
  EXPECT_THAT(loads.vector(0), Pointwise(DoubleEq(), {2e-3, 0.5e-3, 1.5e-3}));
  loads.set_at_node("g", -4e-3);
  EXPECT_THAT(loads.vector(0), Pointwise(DoubleEq(), {2e-3, -1e-3, -3e-3}));
}

TEST(Loads, WhatCancelsAtANodeCannotBeScaled) {
  Loads loads(design_with("ix a 0 0.3\niy 0 a 0.1\niz 0 a 0.2\n"));  // in doubles 5.6e-17 A are left
  EXPECT_THAT(refusal([&] { loads.set_at_node("a", 1e-3); }), HasSubstr("cancel"));
  EXPECT_THAT(loads.vector(0), ElementsAre(0.3, 0.1, 0.2));
}

TEST(Loads, GroundIsNoNodeToScale) {
  Loads loads(design_with("i1 a 0 1m\n"));
  EXPECT_THAT(refusal([&] { loads.set_at_node("0", 1); }), HasSubstr("ground"));
  EXPECT_THAT(loads.vector(0), ElementsAre(1e-3));
}

LoadTable table_of(std::vector<std::string> names, std::vector<double> amperes) {
  LoadTable table;
  table.vectors = static_cast<int64_t>(amperes.size() / names.size());
  table.names = std::move(names);
  table.amperes = std::move(amperes);
  return table;
}

TEST(Loads, TablesAreTakenWhereTheyFit) {
  const auto design = design_with("i1 a 0 1m\ni2 a 0 2m\niu_v a 0 0\niu_g 0 a 0\ni9 a 0 1\ni9 a 0 1\n");
  const Loads loads(design, table_of({"I2", "i1"}, {1, 2, 3, 4}));
  EXPECT_THAT(loads.vector(1), ElementsAre(4, 3, 0, 0, 1, 1));
  LoadTable table = table_of({"i1", "iu"}, {1, 2});
  table.path = "l.csv";
  table.rows = {{2, 1}, {4, 3}};
  EXPECT_THAT(refusal([&] { Loads(design, table); }),
              AllOf(testing::StartsWith("l.csv:4:3: load iu"), HasSubstr("it has iu_v and iu_g")));
  EXPECT_THAT(refusal([&] {
                Loads(design, table_of({"i1", "i9"}, {1, 2}));
              }),
              AllOf(HasSubstr("item 1 of names"), HasSubstr("several of that name")));
  EXPECT_THAT(refusal([&] { Loads(design, table_of({"i1"}, {1, std::nan("")})); }), HasSubstr("nan A in vector 1"));
  EXPECT_THAT(refusal([&] {
                Loads(design, table_of({"i2", "i1", "I2"}, {1, 2, 3}));
              }),
              HasSubstr("item 2 of names: i2 and I2 name the same current source"));
  table = table_of({"i1", "i2"}, {1, 2});
  table.vectors = 2;
  EXPECT_THAT(refusal([&] { Loads(design, table); }), HasSubstr("2 names and 2 vectors, but 2 currents"));
}

TEST(Loads, ThoseOfAnotherDesignAreRefused) {
  const auto design = design_with("i1 a 0 1m\n"), fewer = design_with(""), alike = design_with("i1 a 0 1m\n");
  const System system(design);
  Solver solver(system);
  for (const auto& other : {fewer, alike}) {
    EXPECT_THAT(refusal([&] { solver.solve(Loads(other)); }), HasSubstr("another design"));
    EXPECT_THAT(refusal([&] { system.injection(Loads(other), 0); }), HasSubstr("another design"));
  }
  const Answer foreign = Solver(System(fewer)).solve();
  EXPECT_THAT(refusal([&] { summarise(system, foreign); }), HasSubstr("another design"));
  EXPECT_THAT(refusal([&] { WorstCase(system).add(foreign); }), HasSubstr("another design"));
  EXPECT_THAT(refusal([&] { WorstCase(system).report({}); }), HasSubstr("no load vector"));
}

TEST(Loads, AnswersKnowTheirLoads) {
  const auto design = design_with("i1 a 0 1m\n");
  const System system(design);
  Loads loads(design, 2);
  loads.set("i1", 5e-3, 1);
  const std::vector<Answer> answers = Solver(system).solve(loads);
  loads.set("i1", 7, 1);
  EXPECT_DOUBLE_EQ(summarise(system, answers[1]).nets[0].load_current_a, 5e-3);
  EXPECT_NEAR(summarise(system, answers[1]).certificate.current_imbalance_a, 0, 1e-15);
}

TEST(FloatingLoads, AVectorCannotDrawFromAPartThatFloats) {
  const auto design = design_with("i1 a 0 1m\nrf f g 1\ni2 f 0 0\n");
  Loads loads(design, 2);
  Solver solver{System(design)};
  EXPECT_EQ(solver.solve(loads).size(), 2u);
  loads.set("i2", 5, 1);
  int answers = 0;
  const auto solve = [&] { solver.solve(loads, [&](int64_t, const Answer&) { ++answers; }); };
  EXPECT_THAT(error_of<GridError>(solve),
              AllOf(HasSubstr("load vector 1"), HasSubstr("5 A at f"), HasSubstr("current source i2")));
  EXPECT_EQ(answers, 0);
}

TEST(FloatingLoads, SourcesThatCancelStayASinglePartWithoutCurrent) {
  const auto design = design_with("i0 a 0 1m\nrf f g 1\ni1 f 0 0.3\ni2 0 f 0.1\ni3 0 f 0.2\n");
  ASSERT_EQ(design->findings().size(), 1u);
  EXPECT_EQ(design->findings()[0].code, "floating-part");
  EXPECT_THAT(design->findings()[0].message, HasSubstr("cancel"));
  Solver solver{System(design)};
  Loads loads(design);
  EXPECT_TRUE(solver.solve(loads).front().certificate.valid);
  loads.set("i1", 1);
  EXPECT_THAT(error_of<GridError>([&] { solver.solve(loads); }), HasSubstr("0.7 A at f"));
}

TEST(FloatingLoads, CurrentsThatFlowWithinAPartAreAnError) {
  const auto design = design_with("rf f g 1\ni1 f g 1m\n");
  EXPECT_THAT(error_of<GridError>([&] { design->throw_first_error(); }), HasSubstr("0.002 A float"));
}

TEST(FloatingLoads, APadMakesThemPossible) {
  const auto design = design_with("rf f g 1\ni1 f 0 0\n");
  System system(design);
  system.apply(AddPad{"g", 1, 0.5});
  Loads loads(design);
  loads.set("i1", 0.1);
  EXPECT_NEAR(volts(system, Solver(system).solve(loads).front(), "f"), 1 - 0.15, 1e-12);
}

TEST(SystemSolve, TakesBlocksOfItsOwnShapeInHostMemory) {
  const System system(design_with("r2 a b 1\nr3 b 0 1\ni1 a 0 1m\n"), false);
  const auto engine = make_engine(find_engine("cholmod"), test::on_cpu(), {});
  engine->setup(system.problem());
  const int64_t nodes = system.network().nodes;
  std::vector<double> i(nodes + 1), v(nodes + 1);
  const auto solve = [&](Block<const double> injection, Block<double> voltage) {
    return refusal([&] { system.solve(*engine, injection, voltage, {}); });
  };
  EXPECT_EQ(solve({i.data(), nodes}, {v.data(), nodes}), "");
  EXPECT_THAT(solve({i.data(), nodes, 1, Memory::device}, {v.data(), nodes, 1, Memory::device}), HasSubstr("host"));
  EXPECT_THAT(solve({i.data(), nodes + 1}, {v.data(), nodes + 1}), HasSubstr("block of 3 x 1"));
  EXPECT_THAT(solve({i.data(), nodes}, {v.data(), nodes, 0}), HasSubstr("block of 2 x 0"));
}

}  // namespace
}  // namespace gridiron
