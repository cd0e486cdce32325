// SPDX-License-Identifier: Apache-2.0
// Technology: layers, vias, via rules, and what of LEF is passed over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LefTechnology, UnitsGridAndLayers) {
  const Library library = library_with("");
  EXPECT_EQ(library.dbu_per_um, 1000);
  EXPECT_EQ(library.grid_um, 0.005);
  ASSERT_EQ(library.layers.size(), 5U);
  const Layer& m1 = library.layers[0];
  EXPECT_EQ(m1.name, "m1");
  EXPECT_EQ(m1.kind, LayerKind::routing);
  EXPECT_EQ(m1.direction, Direction::horizontal);
  EXPECT_EQ(m1.pitch_x_um, 0.2);
  EXPECT_EQ(m1.pitch_y_um, 0.2);
  EXPECT_EQ(m1.width_um, 0.1);
  EXPECT_EQ(m1.ohm_per_square, 0.5);
  EXPECT_EQ(library.layers[1].kind, LayerKind::cut);
  EXPECT_EQ(library.layers[1].ohm_per_cut, 4);
  EXPECT_EQ(library.layers[2].pitch_y_um, 0.3);
  EXPECT_EQ(library.layer("m3"), 4);
  EXPECT_EQ(library.layer("m4"), -1);
  EXPECT_THAT(library.describe(library.layers[4].place), HasSubstr("t.lef:20:7"));
}

TEST(LefTechnology, TablesOfALayerArePassedOver) {
  const Library library = library_of(R"(LAYER m1
  TYPE ROUTING BACKSIDE ;
  SPACINGTABLE
    PARALLELRUNLENGTH 0 1
    WIDTH 0 0.1 0.2
    WIDTH 3 0.3 0.4 ;
  ACCURRENTDENSITY PEAK
    FREQUENCY 1E6 1E8 ;
    WIDTH 0.4 0.8 ;
    TABLEENTRIES 2E-6 1.9E-6 3E-6 2.9E-6 ;
  WIDTH 0.1 ; ;
  DCCURRENTDENSITY AVERAGE
    WIDTH 0.4 0.8 ;
    TABLEENTRIES 7.5 6.8 ;
  ACCURRENTDENSITY RMS 6.1 ;
  ANTENNADIFFSIDEAREARATIO PWL ( ( 0 400 ) ( 0.0125 400 ) ) ;
  RESISTANCE RPERSQ 3E-1 ;
  THICKNESS 0.2 ;
END m1
LAYER m2
  TYPE ROUTING ;
  ACCURRENTDENSITY RMS 6.1 ;
  WIDTH 0.3 ;
END m2
)");
  EXPECT_EQ(library.layers[0].width_um, 0.1);
  EXPECT_EQ(library.layers[0].ohm_per_square, 0.3);
  EXPECT_EQ(library.layers[0].thickness_um, 0.2);
  EXPECT_TRUE(library.layers[0].backside);
  EXPECT_EQ(library.layers[1].width_um, 0.3);
  EXPECT_FALSE(library.layers[1].backside);
}

TEST(LefTechnology, PropertiesOfLaterVersionsAreRead) {
  const Library library = library_of(R"(LAYER v1
  TYPE CUT ;
  PROPERTY LEF58_CUTCLASS "
    CUTCLASS VA WIDTH 0.05 ;
    CUTCLASS VB WIDTH 0.05 LENGTH 0.1 CUTS 2 ORIENT HORIZONTAL ; " ;
  PROPERTY LEF58_SPACING "SPACING 0.1 ;" owner "\"x" ;
END v1
LAYER cap
  PROPERTY LEF58_TYPE "TYPE MIMCAP ;" ;
  TYPE ROUTING ;
END cap
LAYER bm1
  TYPE ROUTING ;
  PROPERTY LEF58_BACKSIDE "BACKSIDE ;" ;
END bm1
LAYER nwell
  TYPE MASTERSLICE ;
  PROPERTY LEF58_TYPE "TYPE NWELL ;" ;
END nwell
)");
  const std::vector<CutClass>& classes = library.layers[0].cut_classes;
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].name, "VA");
  EXPECT_EQ(classes[0].length_um, 0.05);
  EXPECT_EQ(classes[0].cuts, 1);
  EXPECT_EQ(classes[1].length_um, 0.1);
  EXPECT_EQ(classes[1].cuts, 2);
  EXPECT_EQ(library.layers[1].kind, LayerKind::other);
  EXPECT_TRUE(library.layers[2].backside);
  EXPECT_EQ(library.layers[3].kind, LayerKind::other);
}

TEST(LefTechnology, FixedVias) {
  const Library library = library_with(R"(VIA poly TOPOFSTACKONLY
  LAYER m1 ; POLYGON MASK 1 ( -0.1 -0.1 ) ( 0.1 -0.1 ) ( 0 0.1 ) ;
  LAYER v1 ; RECT MASK 2 0.1 0.1 -0.1 -0.1 ;
  LAYER m2 ; RECT ( -0.2 -0.2 ) ( 0.2 0.2 ) ;
  PROPERTY owner "me" ;
END poly
)");
  const FixedVia& v12 = library.vias.at(static_cast<size_t>(library.via("v12")));
  EXPECT_EQ(v12.ohm, 3);
  ASSERT_EQ(v12.shapes.size(), 3U);
  EXPECT_EQ(v12.shapes[2].layer, library.layer("m2"));
  EXPECT_THAT(v12.shapes[0].xy, ElementsAre(-0.1, -0.05, 0.1, 0.05));
  const FixedVia& poly = library.vias.at(static_cast<size_t>(library.via("poly")));
  EXPECT_TRUE(poly.shapes[0].is_polygon);
  EXPECT_THAT(poly.shapes[0].xy, ElementsAre(-0.1, -0.1, 0.1, -0.1, 0, 0.1));
  EXPECT_THAT(poly.shapes[1].xy, ElementsAre(-0.1, -0.1, 0.1, 0.1));
}

TEST(LefTechnology, RulesAndViasOfRules) {
  const Library library = library_with(R"(VIA made
  VIARULE gen12 ;
  CUTSIZE 0.1 0.2 ; LAYERS m1 v1 m2 ; CUTSPACING 0.1 0.1 ; ENCLOSURE 0.01 0.02 0.03 0.04 ;
  ROWCOL 1 2 ; ORIGIN 1 0 ; OFFSET 0 0 0.5 0 ; PATTERN 1_4 ;
END made
VIARULE turn
  LAYER m1 ; DIRECTION HORIZONTAL ; WIDTH 0.1 TO 1 ;
  LAYER m2 ; DIRECTION VERTICAL ; WIDTH 0.1 TO 1 ;
  VIA v12 ;
END turn
)");
  ASSERT_EQ(library.rules.size(), 1U);
  EXPECT_EQ(library.rules[0].name, "gen12");
  EXPECT_THAT(library.rules[0].layers, ElementsAre(0, 2, 1));
  EXPECT_EQ(library.rules[0].ohm_per_cut, 5);
  const FixedVia& made = library.vias.at(1);
  EXPECT_EQ(made.rule, 0);
  ASSERT_EQ(made.shapes.size(), 3U);  // the first of two cuts is missing
  const auto near = [](std::initializer_list<double> values) {
    std::vector<testing::Matcher<double>> all;
    for (const double value : values) all.push_back(testing::DoubleNear(value, 1e-12));
    return testing::ElementsAreArray(all);
  };
  EXPECT_THAT(made.shapes[0].xy, near({1 - 0.16, -0.12, 1.16, 0.12}));
  EXPECT_THAT(made.shapes[1].xy, near({1.05, -0.1, 1.15, 0.1}));
  EXPECT_THAT(made.shapes[2].xy, near({1.5 - 0.18, -0.14, 1.5 + 0.18, 0.14}));
}

TEST(LefTechnology, WhatIsNotNeededIsPassedOver) {
  const Library library = library_with(R"(NAMESCASESENSITIVE ON ;
CLEARANCEMEASURE EUCLIDEAN ;
USEMINSPACING OBS ON ;
MAXVIASTACK 4 RANGE m1 m3 ;
PROPERTYDEFINITIONS
  LAYER LEF58_TYPE STRING ;
  MACRO n INTEGER RANGE 1 2 3 ;
END PROPERTYDEFINITIONS
SPACING
  SAMENET m1 m1 0.1 STACK ;
END SPACING
SITE core
  CLASS CORE ; SIZE 0.2 BY 2 ; SYMMETRY Y ;
END core
ARRAY a
  SITE core 0 0 N DO 1 BY 1 STEP 1 1 ;
  FLOORPLAN f
    CANPLACE core 0 0 N DO 1 BY 1 STEP 1 1 ;
  END f
END a
NONDEFAULTRULE wide
  HARDSPACING ;
  LAYER m1
    WIDTH 0.2 ;
  END m1
  VIA wide12
    LAYER m1 ; RECT 0 0 1 1 ;
  END wide12
  SPACING
    SAMENET m1 m1 0.1 ;
  END SPACING
  USEVIA v12 ;
END wide
ANTENNAINPUTGATEAREA 45 ;
BEGINEXT "tool"
  CREATOR "x" ; END LAYER MACRO
ENDEXT
)");
  EXPECT_EQ(library.layers[0].width_um, 0.1);
  EXPECT_EQ(library.via("wide12"), 1);
  EXPECT_THAT(library.macros, IsEmpty());
}

TEST(LefTechnology, LibrariesMayFollowEachOtherInAFile) {
  EXPECT_EQ(library_of(technology() + std::string("END LIBRARY\n") + inverter() + "END LIBRARY\n").macros.size(), 1U);
  EXPECT_EQ(library_of(technology() + std::string(inverter())).macros.size(), 1U);
}

TEST(LefTechnology, SeveralFilesAreOneLibrary) {
  const std::pair<std::string, std::string> first{"first.lef", technology()}, second{"second.lef", inverter()};
  const Library library = library_of({first, second});
  EXPECT_EQ(library.texts.size(), 2U);
  EXPECT_EQ(library.macro("INV"), 0);
  EXPECT_EQ(library.describe(library.macros[0].place), "second.lef:1:7");
  EXPECT_EQ(error_of([&] {
              library_of({second, first});
            }),
            R"(second.lef:7:13: no LAYER "m1" before this line; give the LEF file of the technology first)");
}

TEST(LefTechnology, TheSameFileTwiceIsRefused) {
  EXPECT_EQ(error_of([] {
              library_of({{"a.lef", inverter()}, {"b.lef", inverter()}});
            }),
            R"(a.lef:7:13: no LAYER "m1" before this line; give the LEF file of the technology first)");
  EXPECT_EQ(error_of([] {
              library_of({{"a.lef", technology()}, {"b.lef", technology()}});
            }),
            "b.lef: is the same text as a.lef; give it once");
}

TEST(LefTechnology, ATechnologyMayBeGivenAgainIfItSaysTheSame) {
  const std::string again = technology() + std::string("# again\n");
  EXPECT_EQ(library_of({{"first.lef", technology()}, {"same.lef", again}}).layers.size(), 5U);
  const auto with = [&](const std::string& text) {
    return error_of([&] { library_of({{"first.lef", technology()}, {"other.lef", text}}); });
  };
  EXPECT_EQ(with("LAYER m1\n TYPE ROUTING ; RESISTANCE RPERSQ 0.6 ;\nEND m1\n"),
            "other.lef:1:7: layer m1 has another RESISTANCE here than at first.lef:8:7; give one technology");
  EXPECT_THAT(with("LAYER m1\n TYPE CUT ;\nEND m1\n"), HasSubstr("layer m1 has another TYPE here"));
  EXPECT_THAT(with("VIA v12\n LAYER m1 ; RECT 0 0 1 1 ;\nEND v12\n"),
              HasSubstr("other.lef:1:5: VIA v12 has other shapes"));
  EXPECT_THAT(with("VIARULE gen12 GENERATE\n LAYER m1 ;\nEND gen12\n"), HasSubstr("VIARULE gen12 says something else"));
  const std::string more = "LAYER m3\n TYPE ROUTING ; RESISTANCE RPERSQ 0.1 ;\nEND m3\n";
  EXPECT_EQ(library_of({{"first.lef", technology()}, {"more.lef", more}}).layers[4].ohm_per_square, 0.1);
}

TEST(LefTechnology, BadStatementsAreRefusedByLine) {
  const auto error = [](const std::string& text) { return error_of([&] { library_of(text); }); };
  EXPECT_THAT(error("VERSION 5.8 ;\nlayer m1\n"),
              HasSubstr(R"(t.lef:2:1: "layer" is not known in a LEF file outside of)"));
  EXPECT_THAT(error("LAYER m1\n TYPE ROUTING ;\nEND m2\n"),
              HasSubstr(R"(t.lef:3:5: expected "m1" behind the END of LAYER m1)"));
  EXPECT_THAT(error("LAYER m1\n TYPE ROUTING ;\n"), HasSubstr("t.lef:1:7: LAYER m1 has no END; is the file cut off?"));
  EXPECT_THAT(error("LAYER m1\n WIDTH 0 ;\nEND m1\n"), HasSubstr("t.lef:2:8: the width of layer m1 is not above zero"));
  EXPECT_THAT(error("LAYER m1\n WIDTH -1 ;\nEND m1\n"),
              HasSubstr("t.lef:2:8: the width of layer m1 is not above zero"));
  EXPECT_THAT(error("LAYER m1\n RESISTANCE RPERSQ -1 ;\nEND m1\n"),
              HasSubstr("the resistance of layer m1 is below zero"));
  EXPECT_THAT(error("LAYER m1\n WIDTH 1e9 ;\nEND m1\n"),
              HasSubstr("t.lef:2:8: the width of a layer of 1000000000 um is"));
  EXPECT_THAT(error("UNITS\n DATABASE MICRONS 0 ;\nEND UNITS\n"),
              HasSubstr("t.lef:2:19: expected the number of database"));
  EXPECT_THAT(error("UNITS\n DATABASE MICRONS 1000 ;\n"), HasSubstr("t.lef:1:1: UNITS has no END UNITS"));
  EXPECT_THAT(error("SITE core\n CLASS CORE ;\n"), HasSubstr("t.lef:1:1: SITE has no END core; is the file cut off?"));
  EXPECT_THAT(error("BEGINEXT \"x\"\n"), HasSubstr("t.lef:1:1: BEGINEXT has no ENDEXT"));
  EXPECT_THAT(error("VIA v\n RECT 0 0 1 1 ;\nEND v\n"), HasSubstr("t.lef:2:2: RECT before a LAYER"));
  EXPECT_THAT(error("VIA v\n LAYER m9 ;\nEND v\n"), HasSubstr(R"(t.lef:2:8: no LAYER "m9" before this line)"));
  EXPECT_THAT(error("VIA v\n SHAPE x ;\nEND v\n"), HasSubstr(R"(t.lef:2:2: "SHAPE" is not known in VIA v)"));
  EXPECT_THAT(error("VIA v\n VIARULE r ;\nEND v\n"), HasSubstr("t.lef:1:5: this via of a VIARULE has no LAYERS"));
}

TEST(LefTechnology, ArraysOfCutsAreLimited) {
  const auto error = [](const std::string& rowcol) {
    return error_of([&] {
      library_with("VIA v\n VIARULE r ; CUTSIZE 1 1 ; CUTSPACING 1 1 ; LAYERS m1 v1 m2 ; ROWCOL " + rowcol +
                   " ;\nEND v\n");
    });
  };
  EXPECT_EQ(error("3 3"), "no error");
  EXPECT_THAT(error("100000 100000"), HasSubstr("an array of 100000 by 100000 makes more than 10000000 shapes"));
  EXPECT_THAT(error("3 3 ; PATTERN 2_E"), HasSubstr("PATTERN does not fit the cuts: ROWCOL says 3 rows"));
  EXPECT_THAT(error("1 5 ; PATTERN 1_E"), HasSubstr("PATTERN does not fit the cuts: ROWCOL says 5 columns"));
  EXPECT_THAT(error("1 3 ; PATTERN 1_X"), HasSubstr(R"("X" is no row of hexadecimal digits)"));
  EXPECT_THAT(error("1 3 ; PATTERN FFFFFFFFFFFFFFFFFF_E"), HasSubstr("ROWCOL says 1 rows"));
}

}  // namespace
}  // namespace gridiron::layout::test
