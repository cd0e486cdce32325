// SPDX-License-Identifier: Apache-2.0
// Edits of pads and resistors: nets, findings and reports follow them.
#include "analysis/model/edits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/analysis/sessions.hpp"

namespace gridiron {
namespace {

using test::design_of;
using test::error_of;
using test::volts;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> codes_of(const std::vector<Finding>& findings) {
  std::vector<std::string> codes;
  for (const Finding& finding : findings) codes.push_back(finding.code);
  return codes;
}

std::vector<std::string> nets_of(const IrReport& report) {
  std::vector<std::string> names;
  for (const NetResult& net : report.nets) names.push_back(net.name);
  return names;
}

IrReport report_of(const System& system) { return summarise(system, Solver(system).solve()); }

TEST(Edits, APadOnAFloatingPartMakesItANet) {
  System system(design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a 0 1m\nrf f g 1\n.end\n"));
  EXPECT_THAT(codes_of(system.findings()), ElementsAre("floating-part"));
  system.apply(AddPad{"f", 0.9, 0.1});
  const IrReport report = report_of(system);
  EXPECT_THAT(report.findings, testing::IsEmpty());
  EXPECT_EQ(report.reduced.floating_nodes, 0);
  EXPECT_THAT(nets_of(report), ElementsAre("vdd", "f"));
  EXPECT_EQ(report.nets[1].nominal_v, 0.9);
  EXPECT_EQ(report.nets[1].nodes, 3);  // and the supply node of the pad
  ASSERT_EQ(report.pads.size(), 2u);
  EXPECT_EQ(report.pads[1].name, "added at f");
  EXPECT_EQ(report.pads[1].net, 1);
  EXPECT_NEAR(report.nodes.voltage_v[system.design()->find_node("g")], 0.9, 1e-12);
}

TEST(Edits, APadNamesANetThatNoSourceFed) {
  System system(design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a 0 1m\nrf f g 1\nrg g 0 1k\ni2 f 0 1m\n.end\n"));
  EXPECT_THAT(codes_of(system.findings()), ElementsAre("net-without-source"));
  system.apply(AddPad{"f", 0.8, 0.1});
  const IrReport report = report_of(system);
  EXPECT_THAT(report.findings, testing::IsEmpty());
  EXPECT_EQ(report.nets[1].nominal_v, 0.8);
  EXPECT_FALSE(report.nets[1].is_ground);
}

TEST(Edits, AnotherPadLeavesTheNetsWhatTheyAre) {
  System system(design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a 0 1m\n.end\n"));
  const std::vector<Edit> edits{AddPad{"a", 0.9, 0.1}, DropPad{"v1"}};
  system.apply(edits);
  const IrReport report = report_of(system);
  EXPECT_THAT(nets_of(report), ElementsAre("vdd"));
  EXPECT_EQ(report.nets[0].nominal_v, 1);
}

TEST(Edits, APartThatFloatsNowIsTold) {
  System system(design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 x b 1\nv2 x 0 1\ni1 a 0 1m\n.end\n"));
  EXPECT_THAT(system.findings(), testing::IsEmpty());
  system.apply(DropPad{"v2"});
  const IrReport report = report_of(system);
  EXPECT_EQ(report.reduced.floating_nodes, 2);
  EXPECT_THAT(codes_of(report.findings), ElementsAre("floating-part"));
  EXPECT_THAT(nets_of(report), ElementsAre("vdd"));
}

TEST(Edits, AnAddedPadCanBeDropped) {
  const auto design = design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a 0 0.1\nrf f g 1\n.end\n");
  System system(design);
  system.apply(AddPad{.node = "a", .volts = 1, .ohm = 0.5, .name = "bump1"});
  EXPECT_NEAR(volts(system, Solver(system).solve(), "a"), 1 - 0.1 / 3, 1e-12);
  EXPECT_EQ(report_of(system).pads[0].name, "bump1");
  system.apply(DropPad{"BUMP1"});
  EXPECT_NEAR(volts(system, Solver(system).solve(), "a"), 0.9, 1e-12);
  const std::vector<Edit> there_and_back{AddPad{"f", 1, 1}, DropPad{"added at f"}};
  system.apply(there_and_back);
  EXPECT_THAT(codes_of(system.findings()), ElementsAre("floating-part"));
}

TEST(Edits, NamesOfPadsAreTheirOwn) {
  System system(design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a 0 0.1\n.end\n"));
  const auto refused = [&](const Edit& edit) { return error_of<InputError>([&] { system.apply(edit); }); };
  system.apply(AddPad{"a", 1, 1, "bump"});
  EXPECT_THAT(refused(AddPad{"vdd", 1, 1, "Bump"}), HasSubstr("of that name"));
  EXPECT_THAT(refused(AddPad{"vdd", 1, 1, "V1"}), HasSubstr("of that name"));
  const std::vector<Edit> two{AddPad{"a", 1, 1}, AddPad{"a", 1, 1}};
  system.apply(two);
  EXPECT_THAT(refused(DropPad{"added at a"}), HasSubstr("there are 2"));
  EXPECT_THAT(refused(DropPad{"bump2"}), HasSubstr("no such pad"));
}

TEST(Edits, DroppingTheLastPadOfALoadIsRefused) {
  System system(design_of("* t\nv1 vdd 0 1\nr1 vdd a 1\nrf f g 1\ni1 a 0 0.1\n.end\n"));
  const std::vector<Edit> instead{AddPad{"a", 1, 1, "bump"}, DropPad{"v1"}};
  system.apply(instead);
  EXPECT_THAT(error_of<GridError>([&] { system.apply(DropPad{"bump"}); }), HasSubstr("0.1 A float"));
  EXPECT_NEAR(volts(system, Solver(system).solve(), "a"), 0.9, 1e-12);
}

TEST(Edits, ManyAtOnceAreWhatTheyAreOneByOne) {
  std::string deck = "* t\nv0 n0 0 1\n";
  for (int i = 0; i < 40; ++i) {
    const std::string k = std::to_string(i), next = std::to_string(i + 1);
    deck += "r" + k + " n" + k + " n" + next + " 1\ni" + k + " n" + next + " 0 1m\n";
    if (i % 3 == 0) deck += "rs" + k + " n" + k + " s" + k + " 0\n";
  }
  const auto design = design_of(deck);
  System at_once(design), one_by_one(design);
  std::vector<Edit> edits;
  for (int i = 1; i < 40; i += 2) edits.emplace_back(SetResistor{"r" + std::to_string(i), 1.0 + i});
  edits.push_back(AddPad{"n40", 1, 0.5});
  at_once.apply(edits);
  for (const Edit& edit : edits) one_by_one.apply(edit);
  EXPECT_EQ(Solver(at_once).solve().voltage_v, Solver(one_by_one).solve().voltage_v);
  EXPECT_EQ(at_once.topology().grid.network.conductance[1], 0.5);
  EXPECT_EQ(at_once.topology().grid.network.conductance[39], 1.0 / 40);
}

}  // namespace
}  // namespace gridiron
