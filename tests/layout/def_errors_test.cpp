// SPDX-License-Identifier: Apache-2.0
// What is wrong in a DEF file is told by its place, in one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::string error_in(const std::string& sections) {
  return error_of([&] { chip_with(sections); });
}

TEST(DefErrors, Components) {
  const auto error = [](const std::string& rest) {
    return error_in("COMPONENTS 1 ;\n- u1 " + rest + "\nEND COMPONENTS\n");
  };
  EXPECT_EQ(error("INVX ;"),
            R"(chip.def:6:6: component "u1" is a "INVX", but no LEF file has such a MACRO; there are: INV)");
  EXPECT_EQ(error("INV + PLACED ( 1 2 ) NW ;"),
            R"(chip.def:6:27: expected an orientation: N, W, S, E, FN, FW, FS or FE, not "NW")");
  EXPECT_THAT(error("INV + PLACED ( 1 2 ) ;"),
              HasSubstr(R"(expected an orientation: N, W, S, E, FN, FW, FS or FE, not ";")"));
  EXPECT_THAT(error("INV + PLACED ( 3000000000 2 ) N ;"),
              HasSubstr("chip.def:6:21: a coordinate of 3000000000 database units"));
  EXPECT_EQ(error("INV + PUT ( 1 2 ) N ;"),
            R"(chip.def:6:12: "PUT" is not known in COMPONENTS; keywords are those of LEF and DEF 5.8, in capitals)");
  EXPECT_THAT(error(";"), HasSubstr(R"(chip.def:6:6: expected the macro of a component, not ";")"));
  EXPECT_THAT(error("INV + PLACED ( 1 2 N ;"), HasSubstr("expected ')' behind the coordinates of a point, not \"N\""));
  EXPECT_THAT(error("INV"), HasSubstr("chip.def"));
}

TEST(DefErrors, Vias) {
  const auto error = [](const std::string& rest) { return error_in("VIAS 1 ;\n- v " + rest + " ;\nEND VIAS\n"); };
  EXPECT_THAT(error("+ VIARULE r + CUTSIZE 1 1 + LAYERS m1 v9 m2"),
              HasSubstr(R"(chip.def:6:40: no LEF file has a LAYER "v9")"));
  EXPECT_THAT(error("+ VIARULE r + CUTSIZE 1 1 + LAYERS m1 m2 m3"),
              HasSubstr("via v is not on two layers with a cut layer"));
  EXPECT_THAT(error("+ VIARULE r + LAYERS m1 v1 m2"), HasSubstr("chip.def:6:3: this via of a VIARULE has no CUTSIZE"));
  EXPECT_THAT(error("+ VIARULE r + CUTSIZE 1 1"), HasSubstr("chip.def:6:3: this via of a VIARULE has no LAYERS"));
  EXPECT_THAT(error("+ VIARULE r + CUTSIZE 1 1 + LAYERS m1 v1 m2 + ROWCOL 100000 100000"),
              HasSubstr("makes more than"));
  EXPECT_THAT(error("+ VIARULE r + CUTSIZE 1000000000 1 + LAYERS m1 v1 m2 + ROWCOL 1 3"), HasSubstr("chip.def"));
  EXPECT_THAT(error("+ VIARULE r + CUTSIZE 1 1 + LAYERS m1 v1 m2 + ENCLOSURE -5 0 0 0"),
              HasSubstr("ENCLOSURE leaves no metal"));
  EXPECT_THAT(error("+ VIARULE r + CUTSIZE 1 1 + LAYERS m1 v1 m2 + RECT m1 ( 0 0 ) ( 1 1 )"),
              HasSubstr("both a VIARULE and shapes"));
  EXPECT_THAT(error("+ RECT m1 ( 0 0 ) ( 1 1 ) + RECT m2 ( 0 0 ) ( 1 1 ) + RECT m3 ( 0 0 ) ( 1 1 )"),
              HasSubstr("is not on two layers"));
  EXPECT_THAT(error("+ RECT m1 ( 0 0 ) ( 1 0 )"), HasSubstr("a RECT of a via has no area"));
  EXPECT_THAT(error("+ SHAPE m1"), HasSubstr(R"(chip.def:6:7: "SHAPE" is not known in via v)"));
  EXPECT_THAT(error("RECT m1"), HasSubstr(R"(expected '+' or ';' in via v, not "RECT")"));
  EXPECT_THAT(error("+ RECT m1 ( 0 0 ) ( 1 1 ) ;\n- v + RECT m1 ( 0 0 ) ( 1 1 )"), HasSubstr("via v is defined twice"));
}

TEST(DefErrors, Pins) {
  const auto error = [](const std::string& rest) { return error_in("PINS 1 ;\n- p " + rest + " ;\nEND PINS\n"); };
  EXPECT_THAT(error("+ LAYER m9 ( 0 0 ) ( 1 1 )"), HasSubstr(R"(chip.def:6:13: no LEF file has a LAYER "m9")"));
  EXPECT_THAT(error("+ USE POWER + LAYER m1 ( 0 0 ) ( 0 1 )"),
              HasSubstr("chip.def:6:28: a rectangle of pin p has no area"));
  EXPECT_THAT(error("+ PLACED ( 0 0 ) R0"), HasSubstr("expected an orientation"));
  EXPECT_THAT(error("+ LAYOUT m1"), HasSubstr(R"(chip.def:6:7: "LAYOUT" is not known in PINS)"));
  EXPECT_THAT(error("+ VIA v77 ( 0 0 )"), HasSubstr(R"(no via "v77" in VIAS or a LEF file)"));
  EXPECT_THAT(error("+ LAYER m1 ( 0 0 ) ( 1000000000 1 ) + PLACED ( 1000000000 1 ) N"), HasSubstr("out of range"));
}

TEST(DefErrors, Structure) {
  EXPECT_THAT(error_in("COMPONENT 3 ;\n- u1 INV ;\n"),
              HasSubstr("chip.def:5:1: COMPONENT has no END COMPONENT; is the file cut"));
  EXPECT_THAT(error_in("UINTS DISTANCE MICRONS 1000 ;\n"),
              HasSubstr(R"(chip.def:5:1: "UINTS" is not known in a DEF file outside)"));
  EXPECT_THAT(error_in("- u1 INV ;\n"),
              HasSubstr(R"(chip.def:5:1: "-" is not known in a DEF file outside of sections)"));
  EXPECT_THAT(error_in("COMPONENTS 1 ;\nu1 INV ;\nEND COMPONENTS\n"),
              HasSubstr(R"(chip.def:6:1: expected '-' or END COMPONENTS, not "u1")"));
  EXPECT_THAT(error_in("COMPONENTS 1 ;\n- u1 INV ;\nEND PINS\n"),
              HasSubstr(R"(chip.def:7:5: expected "COMPONENTS" in END COMPONENTS)"));
  EXPECT_THAT(error_in("COMPONENTS many ;\n"),
              HasSubstr(R"(chip.def:5:12: expected a number of COMPONENTS, not "many")"));
  EXPECT_THAT(error_in("COMPONENTS -2 ;\n"), HasSubstr("chip.def:5:12: a number of COMPONENTS below zero"));
  EXPECT_THAT(error_in("COMPONENTS 2 ;\n- u1 INV + PLACED ( 0 0 ) N\n- u2 INV + PLACED ( 0 0 ) N ;\nEND COMPONENTS\n"),
              HasSubstr(R"(chip.def:7:1: expected ';' behind component "u1", not "-")"));
  EXPECT_THAT(error_in("NETS 3 ;\n- a ( u1 A ) ;\n"),
              HasSubstr("chip.def:5:1: NETS has no END NETS; is the file cut off?"));
  EXPECT_THAT(error_in("DIEAREA ( 0 0 ) ;\n"), HasSubstr("DIEAREA has at least 2 points"));
  EXPECT_THAT(error_in("DIVIDERCHAR / ;\n"), HasSubstr("expected the character of DIVIDERCHAR in quotation marks"));
  EXPECT_THAT(error_in("SPECIALNETS 1 ;\n+ ROUTED m1 1 ( 0 0 ) ;\n"),
              HasSubstr("chip.def:6:1: expected '-' or END SPECIALNETS"));
  EXPECT_THAT(error_in("SPECIALNETS 1 ;\nNEW m1 1 ( 0 0 ) ;\n"),
              HasSubstr("chip.def:6:1: expected '-' or END SPECIALNETS"));
  EXPECT_THAT(error_in("SPECIALNETS 1 ;\n- VDD VSS ;\nEND SPECIALNETS\n"),
              HasSubstr("chip.def:6:7: expected '+', NEW or ';' in net VDD"));
  EXPECT_THAT(error_in("SPECIALNETS 1 ;\n- VDD ( * ) ;\nEND SPECIALNETS\n"), HasSubstr("expected the name of a pin"));
  EXPECT_THAT(error_of([] { chip_of("", Library()); }), HasSubstr("chip.def:1:1: the file ends without END DESIGN"));
}

/// Cut anywhere, a file is refused, and never read as a smaller one.
TEST(DefErrors, FilesThatAreCutOff) {
  const Library library = library_with(inverter());
  const std::string text = design(R"(VIAS 1 ;
- v + VIARULE gen12 + CUTSIZE 20 20 + LAYERS m1 v1 m2 + ROWCOL 2 3 ;
END VIAS
COMPONENTS 2 ;
- u1 INV + PLACED ( 10 20 ) N ;
- u\[2\] INV + FIXED ( 10 20 ) N + PROPERTY a "b c" ;
END COMPONENTS
PINS 1 ;
- VDD + NET VDD + USE POWER + PORT + LAYER m1 ( 0 0 ) ( 1 1 ) + PLACED ( 1 1 ) N ;
END PINS
SPECIALNETS 1 ;
- VDD ( * VDD ) + USE POWER + ROUTED m1 10 + SHAPE STRIPE ( 0 0 ) ( 100 0 5 ) v DO 2 BY 3 STEP 10 20
  NEW m1 10 ( 0 0 ) ( 50 50 ) ;
END SPECIALNETS
NETS 1 ;
- a ( u1 A ) ;
END NETS
)");
  EXPECT_EQ(error_of([&] { chip_of(text, library); }), "no error");
  for (size_t length = 0; length < text.rfind("DESIGN") + 6; ++length)
    EXPECT_THAT(error_of([&] { chip_of(text.substr(0, length), library); }),
                MatchesRegex("chip\\.def:[0-9]+:[0-9]+: .+"))
        << length;
}

TEST(DefErrors, SemicolonsThatStickToWordsAreNamed) {
  const auto error = [](const std::string& text) { return error_of([&] { chip_of(text, Library()); }); };
  EXPECT_EQ(error("VERSION 5.8;\nDESIGN t ;\n"),
            R"(chip.def:1:9: expected ';' at the end of VERSION, not "5.8;"; put a blank before the semicolon)");
  EXPECT_EQ(error("UNITS DISTANCE MICRONS 1000;\n"),
            "chip.def:1:24: expected the number of database units per um, not "
            R"("1000;"; put a blank before the semicolon)");
  EXPECT_THAT(error("HISTORY moved it; again ;\nEND DESIGN\n"), HasSubstr("no UNITS"));
}

TEST(DefErrors, UnitsAreOneUsualNumber) {
  const auto error = [](const std::string& text) { return error_of([&] { chip_of(text, Library()); }); };
  EXPECT_THAT(error("UNITS DISTANCE MICRONS 100000000 ;\n"),
              HasSubstr("chip.def:1:24: 100000000 database units per um; is the number right?"));
  EXPECT_THAT(error("UNITS DISTANCE MICRONS 1000 ;\nUNITS DISTANCE MICRONS 2000 ;\n"),
              HasSubstr("chip.def:2:24: UNITS of 2000 per um, after 1000 before"));
  EXPECT_EQ(error("UNITS DISTANCE MICRONS 1000 ;\nUNITS DISTANCE MICRONS 1000 ;\nEND DESIGN\n"), "no error");
}

TEST(DefErrors, KeywordsAreCapitals) {
  EXPECT_THAT(error_of([&] { chip_of("version 5.8 ;\n", Library()); }),
              HasSubstr(R"(chip.def:1:1: "version" is not known in a DEF file outside of sections)"));
}

TEST(DefErrors, LibrariesThatAreCutOff) {
  const std::string text = technology() + std::string(inverter());
  int64_t readable = 0;
  for (size_t length = 0; length <= text.size(); ++length)
    readable += error_of([&] { library_of(text.substr(0, length)); }) == "no error" ? 1 : 0;
  EXPECT_LT(readable, 100);  // END LIBRARY may be missing: between blocks, and in comments and numbers of statements
}

TEST(DefErrors, LongNamesAreComparedInPartOnly) {
  EXPECT_THAT(error_in("COMPONENTS 1 ;\n- u1 " + std::string(3'000'000, 'x') + " ;\nEND COMPONENTS\n"),
              HasSubstr("chip.def:6:6: component"));
}

}  // namespace
}  // namespace gridiron::layout::test
