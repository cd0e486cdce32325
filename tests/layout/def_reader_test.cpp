// SPDX-License-Identifier: Apache-2.0
// Sections of DEF: header, vias, components, pins, nets and what they connect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DefHeader, NameUnitsAndDie) {
  const Chip chip = chip_with("DIVIDERCHAR \"|\" ;\nBUSBITCHARS \"<>\" ;\n");
  EXPECT_EQ(chip.name, "chip");
  EXPECT_EQ(chip.dbu_per_um, 1000);
  EXPECT_EQ(chip.die, (Box{0, 0, 10000, 20000}));
  EXPECT_THAT(chip.die_corners, IsEmpty());
  EXPECT_EQ(chip.divider, '|');
  EXPECT_EQ(chip.bus_bits, "<>");
}

TEST(DefHeader, DieMayBeAPolygon) {
  const Chip chip = chip_with("DIEAREA ( 0 0 ) ( * 100 ) ( 50 * ) ( * 60 ) ( 80 * ) ( * 0 ) ;\n");
  EXPECT_EQ(chip.die, (Box{0, 0, 80, 100}));
  EXPECT_THAT(chip.die_corners, testing::SizeIs(6));
}

TEST(DefHeader, UnitsDivideThoseOfTheLibrary) {
  const auto error = [](const std::string& lef, const std::string& def) {
    const Library library = library_of("UNITS\n DATABASE MICRONS " + lef + " ;\nEND UNITS\n");
    return error_of([&] { chip_of("UNITS DISTANCE MICRONS " + def + " ;\nEND DESIGN\n", library); });
  };
  EXPECT_EQ(error("2000", "2000"), "no error");
  EXPECT_EQ(error("2000", "1000"), "no error");
  EXPECT_EQ(error("100", "1000"), "no error");
  EXPECT_THAT(error("1000", "2000"),
              HasSubstr("chip.def:1:24: UNITS of 2000 per um do not divide the 1000 of the LEF files"));
  EXPECT_THAT(error("1000", "400"), HasSubstr("UNITS of 400 per um do not divide the 1000"));
  EXPECT_THAT(error("1000", "0"), HasSubstr("chip.def:1:24: expected the number of database units per um from 1 on"));
  EXPECT_THAT(error_of([] { chip_of("DESIGN x ;\nEND DESIGN\n", Library()); }),
              HasSubstr("chip.def: no UNITS DISTANCE MICRONS"));
  EXPECT_EQ(error_of([] { chip_of(design(""), Library()); }), "no error");
}

TEST(DefHeader, WhatIsNotNeededIsPassedOver) {
  const Chip chip = chip_with(R"(TECHNOLOGY t ;
HISTORY made by hand ;
PROPERTYDEFINITIONS
  COMPONENT weight INTEGER ; DESIGN name STRING "END PROPERTYDEFINITIONS" ;
END PROPERTYDEFINITIONS
ROW r core 0 0 N DO 10 BY 1 STEP 200 0 ;
TRACKS X 100 DO 10 STEP 200 LAYER m1 ;
GCELLGRID X 0 DO 10 STEP 200 ;
NONDEFAULTRULES 1 ;
- wide + LAYER m1 WIDTH 200 ;
END NONDEFAULTRULES
REGIONS 1 ;
- r ( 0 0 ) ( 1 1 ) + TYPE FENCE ;
END REGIONS
COMPONENTMASKSHIFT m1 m2 ;
PINPROPERTIES 1 ;
- PIN a + PROPERTY x 1 ;
END PINPROPERTIES
BLOCKAGES 1 ;
- LAYER m1 RECT ( 0 0 ) ( 1 1 ) ;
END BLOCKAGES
FILLS 1 ;
- LAYER m1 RECT ( 0 0 ) ( 1 1 ) ;
END FILLS
NETS 2 ;
- a ( u1 A ) + PROPERTY note "; # no
END NETS
" ;
- b ( u1 B ) ; # END NETS
END NETS
SCANCHAINS 0 ;
END SCANCHAINS
GROUPS 1 ;
- g u* ; END GROUPS
VENDORTHINGS 1 ;
- what ever ;
END VENDORTHINGS
BEGINEXT "tool"
 anything END DESIGN
ENDEXT
)");
  EXPECT_THAT(chip.nets, IsEmpty());
  EXPECT_EQ(chip.components.size(), 0);
}

TEST(DefVias, ByRule) {
  const Chip chip = chip_with(R"(VIAS 2 ;
- a + VIARULE gen12 + CUTSIZE 20 20 + LAYERS m1 v1 m2 + CUTSPACING 30 30 + ENCLOSURE 20 50 50 20 + ROWCOL 2 3 ;
- b + VIARULE gen12 + CUTSIZE 20 20 + LAYERS m1 v1 m2 + CUTSPACING 30 30 + ENCLOSURE 20 50 50 20 + ROWCOL 2 3
  + ORIGIN 10 -10 + OFFSET 0 0 20 -20 + PATTERN 1_A_1_R1E_MC ;
END VIAS
)");
  ASSERT_EQ(chip.vias.size(), 2U);
  const Via& a = chip.vias[0];
  EXPECT_EQ(a.bottom, 0);
  EXPECT_EQ(a.cut, 1);
  EXPECT_EQ(a.top, 2);
  EXPECT_EQ(a.rule, 0);
  EXPECT_THAT(a.bottom_boxes, ElementsAre(Box{-80, -85, 80, 85}));
  EXPECT_THAT(a.top_boxes, ElementsAre(Box{-110, -55, 110, 55}));
  EXPECT_THAT(a.cuts, ElementsAre(Box{-60, -35, -40, -15}, Box{-10, -35, 10, -15}, Box{40, -35, 60, -15},
                                  Box{-60, 15, -40, 35}, Box{-10, 15, 10, 35}, Box{40, 15, 60, 35}));
  const Via& b = chip.vias[1];
  EXPECT_THAT(b.bottom_boxes, ElementsAre(Box{-70, -95, 90, 75}));
  EXPECT_THAT(b.top_boxes, ElementsAre(Box{-80, -85, 140, 25}));
  EXPECT_THAT(b.cuts, ElementsAre(Box{-50, -45, -30, -25}, Box{50, -45, 70, -25}, Box{-50, 5, -30, 25},
                                  Box{0, 5, 20, 25}, Box{50, 5, 70, 25}));
}

/// The patterns of the DEF manual: 2_F0_2_F8_1_78 is the same as 2_F7_2_FF_1_7F in five columns.
TEST(DefVias, PatternsOfTheManual) {
  const auto cuts = [](const std::string& rowcol, const std::string& pattern) {
    const Chip chip =
        chip_with("VIAS 1 ;\n- a + VIARULE r + CUTSIZE 10 10 + LAYERS m1 v1 m2 + CUTSPACING 10 10 + ROWCOL " + rowcol +
                  " + PATTERN " + pattern + " ;\nEND VIAS\n");
    return chip.vias.at(0).cuts;
  };
  EXPECT_EQ(cuts("5 5", "2_F0_2_F8_1_78"), cuts("5 5", "2_F7_2_FF_1_7F"));
  EXPECT_THAT(cuts("5 5", "2_F0_2_F8_1_78"), testing::SizeIs(4 + 4 + 5 + 5 + 4));
  EXPECT_THAT(cuts("5 14", "2_FFE0_3_R4F"), testing::SizeIs(2 * 11 + 3 * 14));
}

TEST(DefVias, ByShapes) {
  const Chip chip = chip_with(R"(VIAS 2 ;
- a + RECT m2 ( -30 -20 ) ( 30 20 ) + RECT v1 + MASK 1 ( 10 10 ) ( -10 -10 )
    + POLYGON m1 + MASK 2 ( -20 -20 ) ( 20 * ) ( * 20 ) ( 0 40 ) + POLYGON v1 ( 20 0 ) ( 30 0 ) ( 30 10 ) ;
- turn + RECT m2 ( -30 -20 ) ( 30 20 ) ;
END VIAS
)");
  const Via& a = chip.vias.at(0);
  EXPECT_EQ(a.bottom, 0);
  EXPECT_EQ(a.cut, 1);
  EXPECT_EQ(a.top, 2);
  EXPECT_EQ(a.rule, -1);
  EXPECT_THAT(a.bottom_boxes, IsEmpty());
  EXPECT_THAT(a.top_boxes, ElementsAre(Box{-30, -20, 30, 20}));
  EXPECT_THAT(a.cuts, ElementsAre(Box{-10, -10, 10, 10}, Box{20, 0, 30, 10}));
  ASSERT_EQ(a.polygons.size(), 1U);
  EXPECT_THAT(a.polygons[0].corners, ElementsAre(Point{-20, -20}, Point{20, -20}, Point{20, 20}, Point{0, 40}));
  EXPECT_EQ(chip.vias.at(1).bottom, 2);
  EXPECT_EQ(chip.vias.at(1).top, -1);
}

TEST(DefVias, ThoseOfTheLibraryFollowIfUsed) {
  const Chip chip = chip_with(R"(VIAS 1 ;
- own + RECT m1 ( 0 0 ) ( 1 1 ) + RECT v1 ( 0 0 ) ( 1 1 ) + RECT m2 ( 0 0 ) ( 1 1 ) ;
END VIAS
SPECIALNETS 1 ;
- VDD + ROUTED m1 0 ( 5 6 ) v12 NEW m1 0 ( 7 8 ) own ;
END SPECIALNETS
)");
  ASSERT_EQ(chip.vias.size(), 2U);
  EXPECT_EQ(chip.vias[1].name, "v12");
  EXPECT_THAT(chip.vias[1].bottom_boxes, ElementsAre(Box{-100, -50, 100, 50}));
  EXPECT_THAT(chip.vias[1].cuts, ElementsAre(Box{-40, -40, 40, 40}));
  EXPECT_EQ(chip.vias[1].ohm, 3);
  EXPECT_EQ(chip.nets[0].vias[0].via, 1);
  EXPECT_EQ(chip.nets[0].vias[1].via, 0);
}

TEST(DefVias, WhatIsWrongInTheLibraryIsToldIfUsed) {
  const Library library = library_with(
      "VIA flat\n LAYER m1 ; RECT 0 0 1 0 ;\nEND flat\nVIA far\n LAYER m1 ; RECT 0 0 1 1 ;\n LAYER m2 ; RECT 0 0 1 1 "
      ";\n"
      " LAYER m3 ; RECT 0 0 1 1 ;\nEND far\n");
  const auto error = [&](const std::string& via) {
    return error_of([&] {
      chip_of(design("SPECIALNETS 1 ;\n- VDD + ROUTED m1 0 ( 5 6 ) " + via + " ;\nEND SPECIALNETS\n"), library);
    });
  };
  EXPECT_EQ(error("v12"), "no error");
  EXPECT_EQ(error("flat"), "t.lef:34:5: VIA flat: a shape of it has no area");
  EXPECT_EQ(error("far"), "t.lef:37:5: VIA far: it is not on two layers with a cut layer between them");
}

TEST(DefComponents, PlacesAndOptions) {
  const Chip chip = chip_with(R"(COMPONENTS 8 ;
- u1 INV + PLACED ( 10 20 ) N ;
- u2 INV + SOURCE DIST + FIXED ( -10 20.0 ) FS + WEIGHT 3 ;
- u3 INV + COVER ( 1 2 ) FW + PROPERTY a "x ; y" b 2 ;
- u4 INV + UNPLACED ;
- u5 INV ;
- u6 INV n1 n2 + EEQMASTER OTHER + HALO SOFT 1 2 3 4 + ROUTEHALO 1 m1 m2 + REGION r + MASKSHIFT 12
   + PLACED ( 3 4 ) E ;
- top/mid\/le/u\[7\] INV + PLACED ( 5 6 ) S ; - bus[3] INV + PLACED ( 7 8 ) FE ;
END COMPONENTS
)");
  const Components& c = chip.components;
  ASSERT_EQ(c.size(), 8);
  EXPECT_THAT(c.name, ElementsAre("u1", "u2", "u3", "u4", "u5", "u6", "top/mid/le/u[7]", "bus[3]"));
  EXPECT_THAT(c.place, ElementsAre(Point{10, 20}, Point{-10, 20}, Point{1, 2}, Point{}, Point{}, Point{3, 4},
                                   Point{5, 6}, Point{7, 8}));
  EXPECT_THAT(c.placed, ElementsAre(1, 1, 1, 0, 0, 1, 1, 1));
  EXPECT_EQ(c.orientation[1], Orientation::FS);
  EXPECT_EQ(c.orientation[2], Orientation::FW);
  EXPECT_EQ(c.orientation[5], Orientation::E);
  EXPECT_EQ(c.orientation[7], Orientation::FE);
  EXPECT_EQ(c.macro[0], 0);
  EXPECT_EQ(chip.describe({0, c.offset[0]}), "chip.def:6:3");
}

TEST(DefComponents, NamesOutliveCopies) {
  std::optional<Chip> first = chip_with("COMPONENTS 1 ;\n- a\\[0\\] INV ;\nEND COMPONENTS\n");
  const Chip copy = *first;
  first.reset();
  EXPECT_EQ(copy.components.name[0], "a[0]");
}

TEST(DefPins, PlacesOfPortsTurnShapes) {
  const Chip chip = chip_with(R"(PINS 4 ;
- VDD + NET VDD + SPECIAL + DIRECTION INOUT + USE POWER
  + PORT + LAYER m1 ( -10 -20 ) ( 10 30 ) + LAYER m2 MASK 1 SPACING 5 ( 0 0 ) ( 4 2 ) + PLACED ( 1000 2000 ) N
  + PORT + LAYER m1 DESIGNRULEWIDTH 3 ( 0 0 ) ( 4 2 ) + POLYGON m2 ( 0 0 ) ( 4 0 ) ( 4 2 ) + FIXED ( 100 200 ) W
  + PORT + LAYER m1 ( 0 0 ) ( 4 2 ) ;
- VSS + NET GND + USE GROUND + COVER ( 50 60 ) FN + LAYER m1 ( 1 1 ) ( 4 2 ) + VIA v12 ( 10 0 ) ;
- a + NET a + USE SIGNAL + LAYER m1 ( 0 0 ) ( 0 0 ) + PLACED ( 1 1 ) N + ANTENNAPINGATEAREA 3 LAYER m1 ;
- b + NET S + DIRECTION INPUT + NETEXPR "x" + SUPPLYSENSITIVITY VDD + LAYER m1 ( 0 0 ) ( 1 1 ) + PLACED ( 1 1 ) N ;
END PINS
SPECIALNETS 1 ;
- S + USE RESET ;
END SPECIALNETS
)");
  ASSERT_EQ(chip.pins.size(), 3U);
  const BlockPin& vdd = chip.pins[0];
  EXPECT_EQ(vdd.net, "VDD");
  EXPECT_TRUE(vdd.special);
  ASSERT_EQ(vdd.boxes.size(), 3U);  // a port without a place has none
  EXPECT_EQ(vdd.boxes[0].box, (Box{990, 1980, 1010, 2030}));
  EXPECT_EQ(vdd.boxes[1].layer, 2);
  EXPECT_EQ(vdd.boxes[1].box, (Box{1000, 2000, 1004, 2002}));
  EXPECT_EQ(vdd.boxes[2].box, (Box{98, 200, 100, 204}));
  ASSERT_EQ(vdd.polygons.size(), 1U);
  EXPECT_THAT(vdd.polygons[0].corners, ElementsAre(Point{100, 200}, Point{100, 204}, Point{98, 204}));
  const BlockPin& vss = chip.pins[1];
  EXPECT_EQ(vss.use, Use::ground);
  EXPECT_EQ(vss.boxes[0].box, (Box{46, 61, 49, 62}));
  EXPECT_EQ(vss.boxes[1].box, (Box{-60, 10, 140, 110}));  // of the via, on m1 and m2
  EXPECT_EQ(vss.boxes[2].box, (Box{-10, -40, 90, 160}));
  EXPECT_EQ(chip.pins[2].name, "b");
}

TEST(DefNets, WhatTheyConnectAndSay) {
  const Chip chip = chip_with(R"(SPECIALNETS 3 ;
- VDD ( PIN VDD ) ( * VDD ) ( u\[1\] p + SYNTHESIZED ) + USE POWER + VOLTAGE 1100 + SOURCE DIST + WEIGHT 3 + FIXEDBUMP
  + PROPERTY a "+ x ;" ;
- VSS ( * VSS ) + USE GROUND ;
- vdd\[0\] + USE POWER + VOLTAGE 900 ;
END SPECIALNETS
)");
  ASSERT_EQ(chip.nets.size(), 3U);
  const SpecialNet& vdd = chip.nets[0];
  EXPECT_EQ(vdd.use, Use::power);
  EXPECT_DOUBLE_EQ(vdd.volts, 1.1);
  ASSERT_EQ(vdd.connections.size(), 3U);
  EXPECT_EQ(vdd.connections[0].instance, "PIN");
  EXPECT_EQ(vdd.connections[2].instance, "u[1]");
  EXPECT_EQ(chip.net("VSS"), 1);
  EXPECT_EQ(chip.nets[1].connections[0].pin, "VSS");
  EXPECT_EQ(chip.net("vdd[0]"), 2);
  EXPECT_EQ(chip.net("other"), -1);
  EXPECT_EQ(chip.describe(vdd.place), "chip.def:6:3");
}

TEST(DefNets, ANetMayBeGivenInParts) {
  const Chip chip = chip_with(R"(SPECIALNETS 2 ;
- VDD ( * VDD ) + ROUTED m1 10 ( 0 0 ) ( 100 0 ) ;
- VDD ( * VPB ) + USE POWER + ROUTED m1 10 ( 0 50 ) ( 100 50 ) ;
END SPECIALNETS
)");
  ASSERT_EQ(chip.nets.size(), 1U);
  EXPECT_THAT(chip.nets[0].boxes, testing::SizeIs(2));
  EXPECT_THAT(chip.nets[0].connections, testing::SizeIs(2));
  EXPECT_EQ(chip.nets[0].use, Use::power);
}

}  // namespace
}  // namespace gridiron::layout::test
