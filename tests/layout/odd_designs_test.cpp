// SPDX-License-Identifier: Apache-2.0
// Designs that are legal but unusual, or wrong without being malformed: what they lead to is right or told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "layout/read_layout.hpp"
#include "tests/layout/layout_texts.hpp"
#include "tests/paths.hpp"

namespace gridiron::layout::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kTwo = "- u1 INV + PLACED ( 1000 1000 ) N ;\n- u2 INV + PLACED ( 6000 1000 ) N ;\n";

/// Rails of VDD at y = 4 and VSS at 1 µm, 10 µm long, of what components there are.
std::string rails(const std::string& components = kTwo, const std::string& pins_of_vdd = "( * VDD )") {
  return "COMPONENTS 2 ;\n" + components + "END COMPONENTS\nSPECIALNETS 2 ;\n- VDD " + pins_of_vdd +
         " + USE POWER\n+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 4000 ) ( 10000 4000 ) ;\n"
         "- VSS ( * VSS ) + USE GROUND\n+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 1000 ) ( 10000 1000 ) ;\n"
         "END SPECIALNETS\n";
}

/// The files of a run, gone after the test.
class OddDesign : public testing::Test {
 protected:
  OddDesign() : folder_(gridiron::test::temporary("odd_design")) {
    std::filesystem::create_directories(folder_);
    files.lefs = {file("t.lef", technology() + inverter_with_ground() + "END LIBRARY\n")};
    read(rails());
    files.nominal = {{"VDD", 2}};
    files.powers = {file("power.csv", "instance,power_w\nu1,1e-3\nu2,3e-3\n")};
  }
  ~OddDesign() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  void read(const std::string& sections) { files.def = file("chip.def", design(sections)); }
  std::string error() {
    return error_of([&] { read_layout(files); });
  }
  std::vector<std::string> findings() {
    std::vector<std::string> out;
    const Layout layout = read_layout(files);
    for (const ReadFinding& f : layout.circuit->findings) out.push_back(f.code + ": " + f.message);
    return out;
  }

  const std::filesystem::path folder_;
  LayoutFiles files;
};

/// A drop that lacks loads looks better than it is.
TEST_F(OddDesign, PowersThatReachNoNetAreTold) {
  EXPECT_THAT(findings(), IsEmpty());
  read(rails("- u1 INV + PLACED ( 1000 1000 ) N ;\n- u2 INV + UNPLACED ;\n"));
  const std::string lost = "lost-power: the power of 1 component is lost on some net (not placed, or no pin is ";
  EXPECT_THAT(findings(), Contains(lost + "connected there): u2"));
  files.nets = {"VDD"};
  EXPECT_THAT(findings(), Contains(lost + "connected there): u2"));
  files.nets = {};
  read(rails(kTwo, "( u1 VDD )"));
  EXPECT_THAT(findings(), Contains(lost + "connected there): u2"));
  files.powers = {file("power.csv", "instance,power_w\nu1,1e-3\nu2,0\n")};
  EXPECT_THAT(findings(), IsEmpty());
}

/// Where other nets are not read, their instances draw from these.
TEST_F(OddDesign, PowersOfOtherDomainsAreNotLost) {
  read("COMPONENTS 2 ;\n" + std::string(kTwo) +
       "END COMPONENTS\nSPECIALNETS 2 ;\n- V1 ( u1 VDD ) + USE POWER + ROUTED m1 200 ( 0 4000 ) ( 4000 4000 ) ;\n"
       "- V2 ( u2 VDD ) + USE POWER + ROUTED m1 200 ( 5000 4000 ) ( 9000 4000 ) ;\nEND SPECIALNETS\n");
  files.nominal = {{"V1", 2}, {"V2", 2}};
  EXPECT_THAT(findings(), Not(Contains(HasSubstr("lost-power"))));
  files.nets = {"V1"};
  EXPECT_THAT(findings(), Not(Contains(HasSubstr("lost-power"))));
}

/// As in a design that is not placed yet. This took a time that grew with the square of their number.
TEST_F(OddDesign, ManyInstancesMayLieOnOneSpot) {
  constexpr int kInstances = 50'000;
  std::string components;
  for (int i = 0; i < kInstances; ++i) components += "- u" + std::to_string(i) + " INV + PLACED ( 1000 1000 ) N ;\n";
  read(rails(components));
  const Circuit circuit = *read_layout(files).circuit;
  EXPECT_EQ(circuit.current_sources.size(), 2 * kInstances);
  EXPECT_EQ(circuit.node_name(circuit.current_sources.a[0]), "ITermNode_m1_2000_4000");
  EXPECT_EQ(circuit.current_sources.a[0], circuit.current_sources.a[kInstances - 1]);
}

TEST_F(OddDesign, PowersBelowZeroAreTold) {
  files.powers = {file("power.csv", "instance,power_w\nu1,-1e-3\nu2,3e-3\n")};
  EXPECT_THAT(findings(), ElementsAre("negative-power: 1 component with a power below zero, which makes the drop of "
                                      "others smaller: u1"));
}

TEST_F(OddDesign, AMacroWithoutASizeCannotBeTurned) {
  std::string cell = inverter_with_ground();
  cell.replace(cell.find("SIZE 2 BY 3 ;"), 13, "");
  files.lefs = {file("t.lef", technology() + cell + "END LIBRARY\n")};
  EXPECT_EQ(error(), "no error");
  read(rails("- u1 INV + PLACED ( 1000 1000 ) FS ;\n- u2 INV + PLACED ( 6000 1000 ) N ;\n"));
  EXPECT_THAT(error(), HasSubstr("MACRO INV has no SIZE, by which components that are turned find their place"));
}

TEST_F(OddDesign, PowersThatOccurTwiceAreTold) {
  files.nets = {"VDD"};
  files.powers = {file("power.csv", "instance,power_w\nu1,1e-3\nu2,3e-3\nu1,2e-3\n")};
  EXPECT_THAT(findings(),
              ElementsAre("power-twice: 1 power more of instances that the same file has before, whose last "
                          "one counts: u1"));
  files.powers = {file("power.csv", "instance,power_w\nu1,1e-3\nu2,3e-3\n"),
                  file("more.csv", "# replaces\n\ninstance,power_w\nu1,2e-3\n")};
  EXPECT_THAT(findings(), IsEmpty()) << "a later file replaces";
  EXPECT_EQ(read_layout(files).circuit->current_sources.value[0], 1e-3);
}

/// 0.9 µm of m2 with a pin at its end: the pin's node is merged into that of the strap, outside of the pin's shape.
TEST_F(OddDesign, APinOfTheBlockIsASourceWhereverItsNodeWentTo) {
  files.nets = {"VDD"};
  read(
      "PINS 1 ;\n- VDD + NET VDD + USE POWER + LAYER m2 ( -100 -100 ) ( 100 100 ) + PLACED ( 4000 900 ) N ;\n"
      "END PINS\nSPECIALNETS 1 ;\n- VDD + USE POWER + ROUTED m2 200 ( 4000 0 ) ( 4000 1000 ) ;\nEND SPECIALNETS\n");
  const Circuit circuit = *read_layout(files).circuit;
  ASSERT_EQ(circuit.voltage_sources.size(), 1);
  EXPECT_EQ(circuit.node_name(circuit.voltage_sources.a[0]), "Node_m2_4000_500");
}

TEST_F(OddDesign, WithoutADieThereIsNoPatternOfSources) {
  files.def =
      file("chip.def", "VERSION 5.8 ;\nDESIGN chip ;\nUNITS DISTANCE MICRONS 1000 ;\n" + rails() + "END DESIGN\n");
  EXPECT_THAT(error(), HasSubstr("chip.def: no DIEAREA over which sources could be spread; add it, or give sources"));
  files.source_settings.pattern = SourcePattern::full;
  EXPECT_EQ(error(), "no error");
}

/// Two domains with a common ground.
constexpr const char* kTwoDomains =
    "- V1 ( u1 VDD ) + USE POWER + ROUTED m1 200 ( 0 4000 ) ( 4000 4000 ) ;\n"
    "- V2 ( u2 VDD ) + USE POWER + ROUTED m1 200 ( 5000 4000 ) ( 9000 4000 ) ;\n"
    "- VSS ( * VSS ) + USE GROUND + ROUTED m1 200 ( 0 1000 ) ( 10000 1000 ) ;\nEND SPECIALNETS\n";

TEST_F(OddDesign, OnACommonGroundPowersCountByTheSupplyOfTheirInstances) {
  read("COMPONENTS 2 ;\n" + std::string(kTwo) + "END COMPONENTS\nSPECIALNETS 3 ;\n" + kTwoDomains);
  files.nominal = {{"V1", 1}, {"V2", 2}};
  const Layout both = read_layout(files);
  EXPECT_THAT(both.circuit->current_sources.value, ElementsAre(1e-3, 1.5e-3, 1e-3, 1.5e-3));
  EXPECT_EQ(both.grids[2].power_volts, 1) << "percentages refer to the lowest";
  files.nets = {"VSS"};
  EXPECT_THAT(read_layout(files).circuit->current_sources.value, ElementsAre(1e-3, 1.5e-3));
  files.nominal = {{"V2", 2}};
  EXPECT_THAT(read_layout(files).circuit->current_sources.value, ElementsAre(0.5e-3, 1.5e-3))
      << "the one that is told is of all";
  files.nominal = {};
  EXPECT_THAT(error(), HasSubstr("and nothing tells those of V1, V2; give nominal NET=VOLTS"));
  files.powers = {};
  EXPECT_EQ(error(), "no error");
}

/// As a level shifter.
TEST_F(OddDesign, AnInstanceOfTwoSuppliesIsTold) {
  std::string domains = kTwoDomains;
  domains.replace(domains.find("( u2 VDD )"), 10, "( u2 VDD ) ( u1 VDDH )");
  std::string cell = inverter_with_ground();
  cell.replace(cell.find("  PIN VSS"), 0,
               "  PIN VDDH\n    USE POWER ;\n    PORT\n      LAYER m1 ; RECT 0.5 1 1.5 1.2 ;\n    END\n  END VDDH\n");
  files.lefs = {file("t.lef", technology() + cell + "END LIBRARY\n")};
  read("COMPONENTS 2 ;\n" + std::string(kTwo) + "END COMPONENTS\nSPECIALNETS 3 ;\n" + domains);
  files.nominal = {{"V1", 2}, {"V2", 1}};
  EXPECT_THAT(findings(), Contains("power-on-several-nets: 1 component with pins on several power nets, each of which "
                                   "carries all of its power: u1"));
  files.nets = {"VSS"};
  EXPECT_THAT(read_layout(files).circuit->current_sources.value, ElementsAre(1e-3, 3e-3)) << "by the lower supply";
}

/// What flows into the ground of a supply below it has the other sign.
TEST_F(OddDesign, ASupplyMayBeNegative) {
  files.nets = {"VDD"};
  files.nominal = {{"VDD", -2}};
  EXPECT_EQ(read_layout(files).circuit->current_sources.value[0], -0.5e-3);
  files.nets = {"VSS"};
  EXPECT_THAT(error(), HasSubstr("net VSS returns the currents of VDD at -2 V"));
}

}  // namespace
}  // namespace gridiron::layout::test
