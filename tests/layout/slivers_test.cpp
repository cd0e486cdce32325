// SPDX-License-Identifier: Apache-2.0
// Shares of metal of wires that are cut narrower than their layer's WIDTH, worked out by hand.
#include "layout/slivers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;

/// Wires of m1, whose WIDTH is 100, from place to place, and the metal that they are in.
struct Drawing {
  Network network;

  void add_wire(Point a, Point b, Dbu width) {
    for (const Point place : {a, b}) network.node_layer.push_back(0), network.node_place.push_back(place);
    const auto nodes = static_cast<int32_t>(network.node_layer.size());
    network.from.push_back(nodes - 2), network.to.push_back(nodes - 1);
    network.width.push_back(width), network.ohm.push_back(1);
  }
  void add_piece(const Box& box) {
    network.piece_layer.push_back(0), network.piece_box.push_back(box), network.piece_node.push_back(0);
  }
  std::vector<std::pair<int64_t, Dbu>> slivers() const {
    std::vector<std::pair<int64_t, Dbu>> list;
    for (const Sliver& sliver : find_slivers(library_with(""), 1000, network))
      list.emplace_back(sliver.resistor, sliver.width);
    return list;
  }
};

using One = std::pair<int64_t, Dbu>;

/// 10 of a wire of 80 that runs across: alone it has all of that, with a second one half of it.
TEST(Slivers, ShareTheMetalBesideThem) {
  Drawing drawing;
  drawing.add_piece({0, 0, 10, 300});
  drawing.add_piece({10, 0, 80, 300});
  drawing.add_wire({0, 100}, {10, 300}, 10);
  EXPECT_THAT(drawing.slivers(), ElementsAre(One(0, 80)));
  drawing.add_wire({10, 300}, {40, 200}, 70);
  EXPECT_THAT(drawing.slivers(), ElementsAre(One(0, 40), One(1, 70))) << "or its own width";
  drawing.add_wire({20, 0}, {20, 90}, 70);
  drawing.add_wire({20, 150}, {80, 150}, 300);
  EXPECT_THAT(drawing.slivers(), testing::Contains(One(0, 40))) << "others begin beyond it, or run across";
}

/// Of wide metal a sliver has no more than WIDTH, however long the rail is.
TEST(Slivers, HaveNoMoreThanWidth) {
  Drawing drawing;
  drawing.add_piece({-5000, 0, 0, 300});
  drawing.add_piece({0, 0, 10, 400});
  drawing.add_piece({10, 0, 5000, 300});
  drawing.add_wire({0, 100}, {10, 300}, 10);
  EXPECT_THAT(drawing.slivers(), ElementsAre(One(0, 100)));
}

/// Only metal along all of the wire counts: a step of the metal's edge leaves less of it.
TEST(Slivers, MetalAlongAPartOfThemDoesNotCount) {
  Drawing drawing;
  drawing.add_piece({0, 0, 10, 300});
  drawing.add_piece({10, 0, 30, 300});
  drawing.add_piece({30, 0, 500, 150});
  drawing.add_piece({600, 0, 900, 300});
  drawing.add_wire({0, 100}, {10, 300}, 10);
  EXPECT_THAT(drawing.slivers(), ElementsAre(One(0, 30)));
}

/// Along the layer pieces are as high as the metal, and so narrow metal is drawn so.
TEST(Slivers, MetalDrawnNarrowIsNarrow) {
  Drawing drawing;
  drawing.add_piece({0, 0, 1000, 40});
  drawing.add_piece({0, 50, 1000, 300});
  drawing.add_wire({0, 20}, {1000, 20}, 40);
  drawing.add_wire({0, 150}, {1000, 150}, 250);
  EXPECT_THAT(drawing.slivers(), ElementsAre(One(0, 40)));
}

TEST(Slivers, OfTrapezoidsAreNotKnown) {
  Drawing drawing;
  drawing.add_piece({0, 0, 50, 300});
  drawing.network.trapezoids = {{0, {{0, 0}, {50, 50}, {50, 250}, {0, 300}}}};
  drawing.add_wire({0, 100}, {10, 200}, 50);
  EXPECT_THAT(drawing.slivers(), ElementsAre(One(0, 0)));
  drawing.network.is_mesh = true;
  EXPECT_THAT(drawing.slivers(), ElementsAre()) << "cells have shares of the current";
}

}  // namespace
}  // namespace gridiron::layout::test
