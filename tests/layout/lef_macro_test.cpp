// SPDX-License-Identifier: Apache-2.0
// Macros of LEF: pins of power and ground with their shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A macro whose only pin, of power, has this port.
std::string with_port(const std::string& port, const std::string& use = "POWER") {
  return "MACRO A\n SIZE 4 BY 5 ;\n PIN p\n  USE " + use + " ;\n  PORT\n" + port + "  END\n END p\nEND A\n";
}
std::vector<ShapeUm> shapes_of(const std::string& port) {
  return library_with(with_port(port)).macros.at(0).pins.at(0).shapes;
}
std::vector<std::vector<double>> boxes_of(const std::string& port) {
  std::vector<std::vector<double>> boxes;
  for (const ShapeUm& shape : shapes_of(port)) boxes.push_back(shape.xy);
  return boxes;
}

TEST(LefMacro, WhatItSays) {
  const Library library = library_with(R"(MACRO NAND2
  CLASS CORE WELLTAP ;
  FIXEDMASK ;
  FOREIGN NAND2 0 0 N ;
  ORIGIN 0 0 ;
  EEQ OTHER ;
  SIZE 2.5 BY 3 ;
  SYMMETRY X Y ;
  SITE core ;
  PIN A[0]
    DIRECTION INPUT ;
    USE SIGNAL ;
    ANTENNAGATEAREA 0.1 LAYER m1 ;
    PORT
      LAYER m1 ; RECT 0 0 1 1 ;
    END
  END A[0]
  PIN VDD
    DIRECTION INOUT ;
    USE POWER ;
    SHAPE ABUTMENT ;
    NETEXPR "power VDD" ;
    PORT
      CLASS CORE ;
      LAYER m1 EXCEPTPGNET SPACING 0.1 ; RECT 0 2.9 2.5 3.1 ;
    END
    PORT
      LAYER m2 DESIGNRULEWIDTH 1 ; RECT MASK 2 1 1 0 0 ; POLYGON 0 0 1 0 1 1 ;
    END
  END VDD
  PIN VSS
    PORT
      LAYER m1 ; RECT 0 -0.1 2.5 0.1 ;
    END
    USE GROUND ;
  END VSS
  PIN CK
    USE CLOCK ;
  END CK
  OBS
    LAYER m1 ; RECT 0 0 1 1 ; PATH 0 0 1 1 ;
  END
  OBS
    LAYER m2 ; RECT 0 0 1 1 ;
  END
  DENSITY
    LAYER m1 ; RECT 0 0 1 1 50 ;
  END
  TIMING
    FROMPIN A ; TOPIN Z ;
  END TIMING
  PROPERTY width 2 ;
END NAND2
)");
  ASSERT_EQ(library.macros.size(), 1U);
  const Macro& macro = library.macros[0];
  EXPECT_EQ(macro.klass, "CORE");
  EXPECT_EQ(macro.width_um, 2.5);
  EXPECT_EQ(macro.height_um, 3);
  ASSERT_EQ(macro.pins.size(), 4U);
  EXPECT_EQ(macro.pins[0].name, "A[0]");
  EXPECT_EQ(macro.pins[0].use, Use::signal);
  EXPECT_THAT(macro.pins[0].shapes, IsEmpty());
  const MacroPin& vdd = macro.pins[1];
  EXPECT_EQ(vdd.use, Use::power);
  ASSERT_EQ(vdd.shapes.size(), 3U);
  EXPECT_THAT(vdd.shapes[0].xy, ElementsAre(0, 2.9, 2.5, 3.1));
  EXPECT_EQ(vdd.shapes[1].layer, library.layer("m2"));
  EXPECT_THAT(vdd.shapes[1].xy, ElementsAre(0, 0, 1, 1));
  EXPECT_TRUE(vdd.shapes[2].is_polygon);
  EXPECT_EQ(macro.pins[2].use, Use::ground);
  EXPECT_THAT(macro.pins[2].shapes, testing::SizeIs(1));
  EXPECT_EQ(macro.pins[3].use, Use::other);
}

TEST(LefMacro, OriginMovesShapes) {
  const Library library = library_with(
      "MACRO A\n ORIGIN 1 2 ;\n SIZE 4 BY 5 ;\n PIN p\n  USE POWER ;\n  PORT\n   LAYER m1 ; RECT -1 -2 0 0 ; POLYGON 0 "
      "0 1 0 1 1 ;\n"
      "  END\n END p\nEND A\n");
  EXPECT_THAT(library.macros[0].pins[0].shapes[0].xy, ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(library.macros[0].pins[0].shapes[1].xy, ElementsAre(1, 2, 2, 2, 2, 3));
}

TEST(LefMacro, PathsReachHalfAWidthBeyondTheirPoints) {
  EXPECT_THAT(boxes_of("LAYER m1 ; WIDTH 0.5 ; PATH 0 0 2 0 2 3 ; PATH ( 1 1 ) ;\n"),
              ElementsAre(ElementsAre(-0.25, -0.25, 2.25, 0.25), ElementsAre(1.75, -0.25, 2.25, 3.25),
                          ElementsAre(0.75, 0.75, 1.25, 1.25)));
  EXPECT_THAT(boxes_of("LAYER m3 ; PATH 1 0 0 0 ;\n"), ElementsAre(ElementsAre(-0.1, -0.1, 1.1, 0.1)));
}

TEST(LefMacro, ShapesMayBeRepeated) {
  EXPECT_THAT(
      boxes_of("LAYER m1 ; RECT ITERATE 0 0 1 1 DO 2 BY 2 STEP 2 3 ;\n"),
      ElementsAre(ElementsAre(0, 0, 1, 1), ElementsAre(0, 3, 1, 4), ElementsAre(2, 0, 3, 1), ElementsAre(2, 3, 3, 4)));
  EXPECT_THAT(boxes_of("LAYER m1 ; PATH ITERATE 0 0 1 0 DO 2 BY 1 STEP 2 0 ;\n"), testing::SizeIs(2));
  EXPECT_THAT(boxes_of("LAYER m1 ; POLYGON ITERATE ( 0 0 ) ( 1 0 ) ( 1 1 ) DO 1 BY 2 STEP 0 2 ;\n"),
              ElementsAre(ElementsAre(0, 0, 1, 0, 1, 1), ElementsAre(0, 2, 1, 2, 1, 3)));
}

TEST(LefMacro, ViasOfPinsAreTheirShapes) {
  const std::vector<ShapeUm> shapes = shapes_of("VIA 1 2 v12 ; VIA MASK 13 ITERATE 0 0 v12 DO 1 BY 2 STEP 0 1 ;\n");
  ASSERT_EQ(shapes.size(), 9U);
  EXPECT_THAT(shapes[0].xy, ElementsAre(0.9, 1.95, 1.1, 2.05));
  EXPECT_EQ(shapes[1].layer, 1);
  EXPECT_THAT(shapes[8].xy, ElementsAre(-0.05, 0.9, 0.05, 1.1));
}

TEST(LefMacro, NamesMayHaveEscapes) {
  const Library library = library_with("MACRO A\\[1\\]\n SIZE 1 BY 1 ;\n PIN p\\[0\\]\n END p\\[0\\]\nEND A\\[1\\]\n");
  EXPECT_EQ(library.macro("A[1]"), 0);
  EXPECT_EQ(library.macros[0].pins[0].name, "p[0]");
}

TEST(LefMacro, TwoMacrosOfOneNameAreRefusedWithBothPlaces) {
  std::string other = inverter();
  other.replace(other.find("2.9"), 3, "2.8");
  EXPECT_THAT(error_of([&] { library_with(inverter() + other); }),
              testing::AllOf(HasSubstr("t.lef:44:7: MACRO INV is defined here again and differently, after "),
                             HasSubstr("t.lef:34:7; give one")));
}

/// Of a cell that has a LEF file of its own and is in a merged one, too.
TEST(LefMacro, AMacroMayBeRepeatedWordByWord) {
  const Library library = library_with(inverter() + std::string(inverter()));
  EXPECT_EQ(library.macros.size(), 1U);
  EXPECT_EQ(library.macros[0].pins[0].shapes.size(), 1U);
}

TEST(LefMacro, BadStatementsAreRefusedByLine) {
  const auto error = [](const std::string& text) { return error_of([&] { library_of(technology() + text); }); };
  const auto port = [&](const std::string& text) { return error(with_port(text)); };
  EXPECT_THAT(error("MACRO A\n SIZ 1 BY 1 ;\nEND A\n"), HasSubstr(R"(t.lef:35:2: "SIZ" is not known in MACRO A)"));
  EXPECT_THAT(error("MACRO A\n SIZE 1 BY -1 ;\nEND A\n"), HasSubstr("t.lef:35:2: the SIZE of MACRO A is below zero"));
  EXPECT_THAT(error("MACRO A\n SIZE 1 1 ;\nEND A\n"), HasSubstr(R"(t.lef:35:9: expected "BY" in SIZE, not "1")"));
  EXPECT_THAT(error("MACRO A\n PIN p\n  USAGE x ;\n END p\nEND A\n"),
              HasSubstr(R"("USAGE" is not known in PIN p of MACRO A)"));
  EXPECT_THAT(error("MACRO A\n PIN p\n  USE POWER ;\n"), HasSubstr("t.lef:35:6: PIN p of MACRO A has no END"));
  EXPECT_THAT(error("MACRO A\n PIN p\n  PORT\n  LAYER m1 ;\n"), HasSubstr("t.lef:37:3: a PORT of PIN p"));
  EXPECT_THAT(error("MACRO A\n OBS\n LAYER m1 ;\n"), HasSubstr("t.lef:35:2: OBS has no END"));
  EXPECT_THAT(port("LAYER m7 ; RECT 0 0 1 1 ;\n"), HasSubstr(R"(no LAYER "m7" before this line)"));
  EXPECT_THAT(port("RECT 0 0 1 1 ;\n"), HasSubstr("RECT before a LAYER"));
  EXPECT_THAT(port("LAYER m1 ; RECT 0 0 0 1 ;\n"),
              HasSubstr("t.lef:39:12: a rectangle of PIN p of MACRO A has no area"));
  EXPECT_THAT(port("LAYER m1 ; RECT 0 0 1 ;\n"), HasSubstr(R"(expected a coordinate, not ";")"));
  EXPECT_THAT(port("LAYER m1 ; RECT 0 0 1 1 2 ;\n"), HasSubstr(R"(expected ";" in PIN p of MACRO A, not "2")"));
  EXPECT_THAT(port("LAYER m1 ; POLYGON 0 0 1 1 ;\n"), HasSubstr("a POLYGON has at least three corners"));
  EXPECT_THAT(port("LAYER m1 ; PATH 0 0 1 1 ;\n"), HasSubstr("is not along an axis"));
  EXPECT_THAT(port("LAYER m1 ; WIDTH 0 ; PATH 0 0 1 0 ;\n"), HasSubstr("the width of a PATH"));
  EXPECT_THAT(port("VIA 0 0 v99 ;\n"), HasSubstr(R"(no VIA "v99" before this line)"));
  EXPECT_THAT(port("LAYER m1 ; CIRCLE 0 0 1 ;\n"), HasSubstr(R"("CIRCLE" is not known in a PORT of PIN p of MACRO A)"));
  EXPECT_THAT(port("LAYER m1 ; RECT ITERATE 0 0 1 1 ;\n"), HasSubstr("expected DO"));
  EXPECT_THAT(port("LAYER m1 ; RECT ITERATE 0 0 1 1 DO 1000000 BY 1000000 STEP 1 1 ;\n"),
              HasSubstr("makes more than 10000000"));
}

TEST(LefMacro, ShapesOfSignalsAreNotJudged) {
  EXPECT_EQ(
      error_of([] { library_with(with_port("LAYER m1 ; RECT 0 0 0 1 ; PATH 0 0 1 1 ; VIA 0 0 v99 ;\n", "SIGNAL")); }),
      "no error");
  EXPECT_EQ(error_of([] { library_with(with_port("LAYER poly ; RECT 0 0 1 1 ; PATH 0 0 1 0 ;\n", "SIGNAL")); }),
            "no error");
}

}  // namespace
}  // namespace gridiron::layout::test
