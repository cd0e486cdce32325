// SPDX-License-Identifier: Apache-2.0
// Special wiring: paths, extensions, vias in them, 45° segments, styles, and shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Box> boxes_of(const SpecialNet& net) {
  std::vector<Box> boxes;
  for (const LayerBox& box : net.boxes) boxes.push_back(box.box);
  return boxes;
}
std::vector<Point> places_of(const SpecialNet& net) {
  std::vector<Point> places;
  for (const PlacedVia& via : net.vias) places.push_back(via.place);
  return places;
}

TEST(DefWires, EndAtTheirPoints) {
  const SpecialNet net = net_with("+ ROUTED m1 20 ( 0 0 ) ( 100 * ) ( * 50 ) ( 30 * )");
  EXPECT_THAT(boxes_of(net), ElementsAre(Box{0, -10, 100, 10}, Box{90, 0, 110, 50}, Box{30, 40, 100, 60}));
  EXPECT_EQ(net.boxes[0].layer, 0);
}

TEST(DefWires, ExtensionsGoBeyondPoints) {
  EXPECT_THAT(boxes_of(net_with("+ ROUTED m1 20 ( 0 0 5 ) ( 100 0 7 ) ( 100 50 )")),
              ElementsAre(Box{-5, -10, 107, 10}, Box{90, -7, 110, 50}));
  EXPECT_THAT(boxes_of(net_with("+ ROUTED m1 20 ( 100 0 5 ) ( 0 0 7 )")), ElementsAre(Box{-7, -10, 105, 10}));
  EXPECT_THAT(boxes_of(net_with("+ ROUTED m1 20 ( 0 0 ) ( 100 0 ) v12 ( 100 0 9 ) ( 100 50 )")),
              ElementsAre(Box{0, -10, 100, 10}, Box{90, -9, 110, 50}));
}

TEST(DefWires, StrapsAreStraightWiresOfSuchAShape) {
  const SpecialNet net = net_with(R"(+ ROUTED m1 20 + SHAPE STRIPE ( 0 0 ) ( 100 0 ) ( 100 50 ) ( 150 100 )
    NEW m1 20 ( 0 200 ) ( 100 200 )
    NEW m1 20 + SHAPE FOLLOWPIN + STYLE 1 ( 0 300 ) ( 100 300 )
    NEW m1 20 + SHAPE BLOCKWIRE ( 0 400 ) ( 100 400 )
    NEW m2 20 + SHAPE RING ( 0 500 ) v12 ( 100 500 ))",
                                  "STYLES 1 ;\n- STYLE 1 ( 10 10 ) ( -10 10 ) ( -10 -10 ) ( 10 -10 ) ;\nEND STYLES\n");
  std::vector<Box> straps;
  for (const LayerBox& strap : net.straps) straps.push_back(strap.box);
  EXPECT_THAT(straps, ElementsAre(Box{0, -10, 100, 10}, Box{90, 0, 110, 50}, Box{0, 490, 100, 510}));
  EXPECT_EQ(net.straps.back().layer, 0) << "that behind the via";
  EXPECT_EQ(net.boxes.size(), 6U);
}

TEST(DefWires, OddWidthsAreKept) {
  EXPECT_THAT(boxes_of(net_with("+ ROUTED m1 21 ( 0 0 ) ( 100 0 )")), ElementsAre(Box{0, -10, 100, 11}));
}

TEST(DefWires, KindsOfRoutingAndAttributes) {
  const SpecialNet net = net_with(R"(+ FIXED m1 10 + SHAPE STRIPE ( 0 0 ) ( 100 0 )
    NEW m2 10 + SHAPE RING + STYLE 0 ( 0 0 ) ( 0 100 )
  + COVER m3 10 ( 0 0 ) ( 100 0 )
  + SHIELD clk m1 10 ( 0 0 ) ( 100 0 ) TAPER ( 200 0 ) TAPERRULE wide ( 300 0 )
  + ROUTED m1 10 ( 0 0 ) MASK 2 ( 100 0 ) MASK 031 v12 NEW m1 10 ( 0 0 ) VIRTUAL ( 50 0 ) ( 60 0 ))",
                                  "STYLES 1 ;\n- STYLE 0 ( 5 5 ) ( -5 5 ) ( -5 -5 ) ( 5 -5 ) ;\nEND STYLES\n");
  EXPECT_THAT(boxes_of(net),
              ElementsAre(Box{0, -5, 100, 5}, Box{-5, -5, 5, 105}, Box{0, -5, 100, 5}, Box{0, -5, 100, 5},
                          Box{100, -5, 200, 5}, Box{200, -5, 300, 5}, Box{0, -5, 100, 5}, Box{50, -5, 60, 5}));
  EXPECT_EQ(net.boxes[2].layer, 4);
}

TEST(DefWires, ViasChangeTheLayerOfWhatFollows) {
  const SpecialNet net =
      net_with("+ ROUTED m1 10 ( 0 0 ) v12 ( 0 100 ) v12 ( 100 100 ) NEW m1 0 ( 1 2 ) v12 FS NEW m2 0 ( 3 4 ) v12");
  EXPECT_EQ(net.boxes[0].layer, 2);
  EXPECT_EQ(net.boxes[1].layer, 0);
  EXPECT_THAT(places_of(net), ElementsAre(Point{0, 0}, Point{0, 100}, Point{1, 2}, Point{3, 4}));
  EXPECT_EQ(net.vias[2].orientation, Orientation::FS);
  EXPECT_EQ(net.vias[3].orientation, Orientation::N);
}

TEST(DefWires, ViasOfOneLayerDoNotChangeIt) {
  const SpecialNet net =
      net_with("+ ROUTED m2 10 ( 0 0 ) turn ( 0 100 )", "VIAS 1 ;\n- turn + RECT m2 ( -5 -5 ) ( 5 5 ) ;\nEND VIAS\n");
  EXPECT_EQ(net.boxes[0].layer, 2);
}

TEST(DefWires, ArraysOfVias) {
  const SpecialNet net = net_with("+ ROUTED m1 50 ( 200 100 ) v12 N DO 2 BY 3 STEP 10 -20 ( 200 200 )");
  EXPECT_THAT(places_of(net), ElementsAre(Point{200, 100}, Point{200, 80}, Point{200, 60}, Point{210, 100},
                                          Point{210, 80}, Point{210, 60}));
  EXPECT_THAT(boxes_of(net), ElementsAre(Box{175, 100, 225, 200}));
}

TEST(DefWires, ShapesOfNets) {
  const SpecialNet net = net_with(
      "+ RECT m1 ( 10 20 ) ( 0 0 ) + FIXED + SHAPE RING + MASK 2 + RECT m3 + MASK 1 ( 0 0 ) ( 10 5 )\n"
      "+ POLYGON m2 ( 0 0 ) ( * 100 ) ( 100 * ) ( 200 200 ) ( 200 0 ) + SHAPE STRIPE + VIA v12 W ( 30 30 ) ( 40 * )\n"
      "+ ROUTED m1 10 ( 5 5 ) RECT ( 3 4 -1 -2 ) ( 50 5 )");
  EXPECT_THAT(boxes_of(net), ElementsAre(Box{0, 0, 10, 20}, Box{0, 0, 10, 5}, Box{4, 3, 8, 9}, Box{5, 0, 50, 10}));
  EXPECT_EQ(net.boxes[1].layer, 4);
  ASSERT_EQ(net.polygons.size(), 1U);
  EXPECT_THAT(net.polygons[0].corners,
              ElementsAre(Point{0, 0}, Point{0, 100}, Point{100, 100}, Point{200, 200}, Point{200, 0}));
  EXPECT_THAT(places_of(net), ElementsAre(Point{30, 30}, Point{40, 30}));
  EXPECT_EQ(net.vias[1].orientation, Orientation::W);
}

/// The sides of a diagonal wire are as far apart as it is wide; OpenROAD has the same corners.
TEST(DefWires, DiagonalsHaveOctagonsAtTheirEnds) {
  const SpecialNet net = net_with("+ ROUTED m1 100 ( 0 0 ) ( 300 300 )");
  EXPECT_THAT(net.boxes, IsEmpty());
  ASSERT_EQ(net.polygons.size(), 1U);
  EXPECT_THAT(net.polygons[0].corners, ElementsAre(Point{-50, -21}, Point{-21, -50}, Point{21, -50}, Point{350, 279},
                                                   Point{350, 321}, Point{321, 350}, Point{279, 350}, Point{-50, 21}));
  EXPECT_EQ(net_with("+ ROUTED m1 100 ( 300 300 9 ) ( 0 0 7 )").polygons[0].corners, net.polygons[0].corners);
  EXPECT_THAT(net_with("+ ROUTED m1 100 ( 0 300 ) ( 300 0 )").polygons[0].corners,
              ElementsAre(Point{-50, 279}, Point{279, -50}, Point{321, -50}, Point{350, -21}, Point{350, 21},
                          Point{21, 350}, Point{-21, 350}, Point{-50, 321}));
}

/// Example 1 and 2 of "Examples of X Routing with Styles" in the DEF manual.
TEST(DefWires, StylesShapeSegments) {
  const char* styles = R"(STYLES 2 ;
- STYLE 0 ( 30 10 ) ( 10 30 ) ( -10 30 ) ( -30 10 ) ( -30 -10 ) ( -10 -30 ) ( 10 -30 ) ( 30 -10 ) ; # octagon
- STYLE 1 ( 25 25 ) ( -25 * ) ( * -25 ) ( 25 * ) ; # square
END STYLES
)";
  const SpecialNet net = net_with(
      "+ ROUTED m3 50 + STYLE 0 ( 0 0 ) ( 150 150 ) NEW m3 50 + STYLE 1 ( 150 150 ) ( 300 0 ) ( 400 0 )", styles);
  ASSERT_EQ(net.polygons.size(), 2U);
  EXPECT_THAT(net.polygons[0].corners, ElementsAre(Point{-30, -10}, Point{-10, -30}, Point{10, -30}, Point{180, 140},
                                                   Point{180, 160}, Point{160, 180}, Point{140, 180}, Point{-30, 10}));
  EXPECT_THAT(net.polygons[1].corners, ElementsAre(Point{125, 125}, Point{275, -25}, Point{325, -25}, Point{325, 25},
                                                   Point{175, 175}, Point{125, 175}));
  EXPECT_THAT(boxes_of(net), ElementsAre(Box{275, -25, 425, 25}));
}

TEST(DefWires, StylesHaveEightPointsAtMost) {
  EXPECT_THAT(
      error_of([] {
        net_with("",
                 "STYLES 1 ;\n- STYLE 0 ( 0 0 ) ( 0 0 ) ( 0 0 ) ( 0 0 ) ( 0 0 ) ( 0 0 ) ( 0 0 ) ( 0 0 ) ( 0 0 ) ;\n");
      }),
      HasSubstr("chip.def:6:11: a STYLE has eight points at most"));
}

TEST(DefWires, BadWiresAreRefused) {
  const auto error = [](const std::string& wires) { return error_of([&] { net_with(wires); }); };
  EXPECT_EQ(error("+ ROUTED m1 0 ( 0 0 ) ( 10 0 )"),
            "chip.def:7:23: a wire of net VDD has no width; only vias may have 0 there");
  EXPECT_THAT(error("+ ROUTED m1 -5 ( 0 0 ) ( 10 0 )"),
              HasSubstr("chip.def:7:13: the width of this wire of net VDD is below zero"));
  EXPECT_THAT(error("+ ROUTED m9 5 ( 0 0 ) ( 10 0 )"), HasSubstr(R"(chip.def:7:10: no LEF file has a LAYER "m9")"));
  EXPECT_THAT(error("+ ROUTED m1 5 ( 0 0 ) ( 10 5 )"),
              HasSubstr("from ( 0 0 ) to ( 10 5 ) is neither along an axis nor at 45"));
  EXPECT_THAT(error("+ ROUTED m1 5 ( * 0 ) ( 10 5 )"), HasSubstr("'*' repeats a coordinate"));
  EXPECT_THAT(error("+ ROUTED m1 5 ( 0 0 ) v99"), HasSubstr(R"(chip.def:7:23: no via "v99" in VIAS or a LEF file)"));
  EXPECT_THAT(error("+ ROUTED m1 5 v12"), HasSubstr("via v12 before a point of this wire"));
  EXPECT_THAT(error("+ ROUTED m1 5"), HasSubstr("expected a point of this wire, like ( 0 100 ), not \";\""));
  EXPECT_THAT(error("+ ROUTED m3 5 ( 0 0 ) v12 ( 10 0 )"), HasSubstr("via v12 does not reach layer m3"));
  EXPECT_EQ(error("+ ROUTED m3 5 ( 0 0 ) v12"), "no error");
  EXPECT_THAT(error("+ ROUTED m1 5 ( 0 0 -20 ) ( 10 0 )"),
              HasSubstr("the extensions of this wire leave nothing of it"));
  EXPECT_THAT(error("+ ROUTED m1 5 + STYLE 3 ( 0 0 ) ( 10 0 )"), HasSubstr("STYLES has no style 3"));
  EXPECT_THAT(error("+ ROUTED m1 5 + COLOR 3 ( 0 0 ) ( 10 0 )"),
              HasSubstr(R"("COLOR" is not known in a wire before its points)"));
  EXPECT_THAT(error("+ ROUTED m1 5 ( 0 0 ) v12 DO 1000000 BY 1000000 STEP 1 1"),
              HasSubstr("chip.def:7:23: an array of 1000000 by 1000000 makes more than 100000000 shapes"));
  EXPECT_THAT(error("+ ROUTED m1 5 ( 0 0 ) v12 DO 0 BY 1 STEP 1 1"),
              HasSubstr("expected a number of columns from 1 on, not 0"));
  EXPECT_THAT(error("+ ROUTED m1 5 ( 0 0 ) v12 DO 3 BY 1 STEP 1000000000 1"), HasSubstr("is out of range"));
  EXPECT_THAT(error("+ ROUTED m1 1000000000 ( 1000000000 0 ) ( 1000000000 10 )"), HasSubstr("is out of range"));
  EXPECT_THAT(error("+ RECT m1 ( 0 0 ) ( 10 0 )"), HasSubstr("a RECT has no area"));
  EXPECT_THAT(error("+ POLYGON m1 ( 0 0 ) ( 10 0 )"), HasSubstr("a POLYGON has at least 3 points"));
  EXPECT_THAT(error("+ VIA v12"), HasSubstr("+ VIA has at least 1 points"));
  EXPECT_THAT(error("NEW m1 5 ( 0 0 ) ( 10 0 )"), HasSubstr("chip.def:7:1: NEW before the first wire"));
  EXPECT_THAT(error("+ RECT m1 ( 0 0 ) ( 1 1 ) NEW m1 5 ( 0 0 ) ( 10 0 )"), HasSubstr("NEW before the first wire"));
  EXPECT_THAT(error("+ POWERED m1"), HasSubstr(R"(chip.def:7:3: "POWERED" is not known in SPECIALNETS)"));
}

}  // namespace
}  // namespace gridiron::layout::test
