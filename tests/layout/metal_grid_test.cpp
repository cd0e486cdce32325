// SPDX-License-Identifier: Apache-2.0
// Nodes and wires of one layer: small shapes by hand, and random ones against a plain implementation of the rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <random>

#include "layout/extract/box_tree.hpp"
#include "layout/extract/metal_grid.hpp"
#include "layout/extract/pieces.hpp"
#include "tests/layout/layer_reference.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Axes kHorizontal{false}, kVertical{true};

LayerShapes shapes_of(std::vector<Box> boxes, std::vector<Point> places = {}) {
  LayerShapes shapes;
  shapes.boxes = std::move(boxes);
  shapes.places = std::move(places);
  return shapes;
}

MetalGrid grid_of(LayerShapes shapes, const LayerRules& rules) {
  std::vector<LayerShapes> layers;
  layers.push_back(std::move(shapes));
  return make_metal_grid(std::move(layers), {rules});
}

/// Thousands of small loops are not worth threads.
class OneThread {
 public:
  OneThread() { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }

 private:
  int before_ = omp_get_max_threads();
};

void expect_as_reference(const LayerShapes& shapes, const LayerRules& rules) {
  const MetalGrid grid = grid_of(shapes, rules);
  const LayerReference reference(shapes, rules);
  std::vector<Box> pieces = grid.piece_box;
  std::ranges::sort(pieces, {}, [](const Box& b) { return std::tuple(b.x0, b.y0, b.x1, b.y1); });
  ASSERT_EQ(pieces, reference.pieces());
  ASSERT_EQ(grid.node_place, reference.nodes());
  for (size_t i = 0; i < shapes.places.size(); ++i)
    ASSERT_EQ(grid.node_place[grid.node_of_place[0][i]], reference.node_of(shapes.places[i]));
  std::map<std::pair<Point, Point>, std::pair<Dbu, Dbu>> wires;
  for (const Wire& w : grid.wires) {
    auto& [length, width] = wires[{grid.node_place[w.a], grid.node_place[w.b]}];
    length = w.length;
    width += w.width;
  }
  ASSERT_EQ(wires, reference.wires());
  for (size_t p = 0; p < grid.piece_box.size(); ++p)
    ASSERT_TRUE(holds(grid.piece_box[p], grid.node_place[grid.piece_node[p]]));
}

LayerShapes random_shapes(std::mt19937& random, Dbu extent, int boxes, int places, Dbu longest) {
  const auto at = [&](Dbu most) { return static_cast<Dbu>(random() % static_cast<unsigned>(most + 1)); };
  LayerShapes shapes;
  for (int i = 0; i < boxes; ++i) {
    const Dbu x = at(extent), y = at(extent);
    shapes.boxes.push_back({x, y, x + 1 + at(longest), y + 1 + at(longest)});
  }
  for (int i = 0; i < places; ++i) shapes.places.push_back({at(extent), at(extent)});
  return shapes;
}

TEST(MetalGrid, RandomShapesAreAsThePlainWayHasThem) {
  const OneThread one;
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const Dbu extent = 4 + static_cast<Dbu>(random() % 60);
    const LayerShapes shapes =
        random_shapes(random, extent, 1 + static_cast<int>(random() % 25), static_cast<int>(random() % 30), extent / 3);
    const auto pitch = static_cast<Dbu>(random() % 20);
    for (const Axes axes : {kHorizontal, kVertical})
      for (const bool has_fillers : {false, true}) {
        if (has_fillers && pitch < 2) continue;
        SCOPED_TRACE(testing::Message() << "round " << round << (axes.swapped ? ", vertical" : ", horizontal"));
        expect_as_reference(shapes, {axes, pitch, has_fillers});
        if (HasFatalFailure()) return;
      }
  }
}

/// Rails of boxes that overlap, touch and have gaps; in some of them others lie within a long one.
LayerShapes random_rails(std::mt19937& random) {
  const auto at = [&](int most) { return static_cast<Dbu>(random() % static_cast<unsigned>(most + 1)); };
  LayerShapes shapes;
  for (Dbu row = 0; row < 4; ++row) {
    const Dbu v = row * 100, height = 1 + at(30);
    const bool is_long = at(1) == 0;
    if (is_long) shapes.boxes.push_back({0, v, 500, v + height});
    for (int k = 0; k < 12; ++k) {
      const Dbu u = at(450), low = is_long ? at(height) : 0, high = is_long ? low + at(height - low) : height;
      shapes.boxes.push_back({u, v + low, u + 10 * at(5), v + high});
      shapes.places.push_back({u + at(60), v + at(height)});
    }
    if (is_long && at(3) == 0) shapes.boxes.push_back({-at(5), v, 500 + at(5), v + height + at(5)});
  }
  std::shuffle(shapes.boxes.begin(), shapes.boxes.end(), random);
  return shapes;
}

TEST(MetalGrid, RailsAreAsThePlainWayHasThem) {
  const OneThread one;
  std::mt19937 random(10);
  for (int round = 0; round < 200; ++round) {
    LayerShapes along_x = random_rails(random), along_y = along_x;
    for (Box& box : along_y.boxes) box = kVertical(box);
    for (Point& place : along_y.places) place = kVertical(place);
    const auto pitch = static_cast<Dbu>(2 + random() % 100);
    for (const Axes axes : {kHorizontal, kVertical})
      for (const LayerShapes& shapes : {along_x, along_y}) {
        SCOPED_TRACE(testing::Message() << "round " << round << (axes.swapped ? ", vertical" : ", horizontal"));
        expect_as_reference(shapes, {axes, pitch, round % 2 == 0});
        if (HasFatalFailure()) return;
      }
  }
}

TEST(MetalGrid, WiresThatCrossAreAsThePlainWayHasThem) {
  const OneThread one;
  std::mt19937 random(8);
  for (int round = 0; round < 30; ++round) {
    LayerShapes shapes;
    for (int i = 0; i < 12; ++i) {
      const auto at = static_cast<Dbu>(random() % 1000), width = static_cast<Dbu>(1 + random() % 40);
      shapes.boxes.push_back(i % 2 ? Box{0, at, 1000, at + width} : Box{at, 0, at + width, 1000});
      for (int k = 0; k < 20; ++k) {
        const auto along = static_cast<Dbu>(random() % 1001), across = static_cast<Dbu>(random() % 40);
        shapes.places.push_back(i % 2 ? Point{along, at + across} : Point{at + across, along});
      }
    }
    for (const Axes axes : {kHorizontal, kVertical}) {
      expect_as_reference(shapes, {axes, 50, true});
      if (HasFatalFailure()) return;
    }
  }
}

/// Nodes of gcd's size times a hundred, and the same bits on any number of threads.
TEST(MetalGrid, IsTheSameOnAnyNumberOfThreads) {
  std::mt19937 random(9);
  std::vector<LayerShapes> shapes;
  for (int layer = 0; layer < 3; ++layer) {
    LayerShapes& s = shapes.emplace_back();
    for (Dbu row = 0; row < 200; ++row) {
      s.boxes.push_back({0, row * 2800, 400'000, row * 2800 + 340});
      for (int k = 0; k < 300; ++k) {
        const auto x = static_cast<Dbu>(random() % 400'000);
        s.boxes.push_back({x, row * 2800, x + 140, row * 2800 + 900});
        s.places.push_back({x + 70, row * 2800 + 450});
      }
    }
  }
  const std::vector<LayerRules> rules = {
      {kHorizontal, 2800, false}, {kVertical, 3800, false}, {kHorizontal, 2800, true}};
  const int threads = omp_get_max_threads();
  std::vector<MetalGrid> results;
  for (const int n : {1, 2, 4}) {
    omp_set_num_threads(n);
    results.push_back(make_metal_grid(shapes, rules));
  }
  omp_set_num_threads(threads);
  const auto wires = [](const MetalGrid& g) {
    std::vector<std::tuple<int32_t, int32_t, Dbu, Dbu>> out;
    for (const Wire& w : g.wires) out.emplace_back(w.a, w.b, w.length, w.width);
    return out;
  };
  for (const MetalGrid& other : {results[1], results[2]}) {
    EXPECT_EQ(other.node_layer, results[0].node_layer);
    EXPECT_EQ(other.node_place, results[0].node_place);
    EXPECT_EQ(other.node_of_place, results[0].node_of_place);
    EXPECT_EQ(wires(other), wires(results[0]));
    EXPECT_EQ(other.piece_box, results[0].piece_box);
    EXPECT_EQ(other.piece_node, results[0].piece_node);
  }
}

TEST(MetalGrid, OneWireHasANodeInItsMiddle) {
  const MetalGrid grid = grid_of(shapes_of({{0, 0, 1000, 100}}), {kHorizontal, 200, false});
  EXPECT_THAT(grid.node_place, ElementsAre(Point{500, 50}));
  EXPECT_THAT(grid.wires, IsEmpty());
}

/// The last filler would be on the edge; the middle takes up the one that is half a pitch from it.
TEST(MetalGrid, FillersAreAPitchApartFromHalfAPitchOn) {
  const MetalGrid grid = grid_of(shapes_of({{0, 0, 1000, 100}}), {kHorizontal, 400, true});
  EXPECT_THAT(grid.node_place, ElementsAre(Point{200, 50}, Point{500, 50}));
  EXPECT_THAT(grid_of(shapes_of({{0, 0, 1000, 100}}), {kHorizontal, 300, true}).node_place,
              ElementsAre(Point{150, 50}, Point{450, 50}, Point{750, 50}));
}

/// Two places on a wire at half a pitch of each other, and one unit beyond that.
TEST(MetalGrid, NodesMergeUpToHalfAPitch) {
  const LayerRules rules{kHorizontal, 200, false};
  EXPECT_THAT(grid_of(shapes_of({{0, 0, 1000, 100}}, {{100, 50}, {200, 50}}), rules).node_place,
              ElementsAre(Point{100, 50}, Point{500, 50}));
  EXPECT_THAT(grid_of(shapes_of({{0, 0, 1000, 100}}, {{100, 50}, {201, 50}}), rules).node_place,
              ElementsAre(Point{100, 50}, Point{201, 50}, Point{500, 50}));
}

/// A vertical arm below the left end of a horizontal one: cut at right angles to x, both are as high as the metal is.
TEST(MetalGrid, AnLIsCutAcrossItsLayersDirection) {
  const LayerShapes shapes = shapes_of({{0, 0, 100, 1000}, {0, 900, 1000, 1000}});
  const MetalGrid horizontal = grid_of(shapes, {kHorizontal, 20, false});
  EXPECT_THAT(horizontal.piece_box, ElementsAre(Box{0, 0, 100, 1000}, Box{100, 900, 1000, 1000}));
  EXPECT_THAT(horizontal.node_place, ElementsAre(Point{50, 500}, Point{100, 950}, Point{550, 950}));
  ASSERT_THAT(horizontal.wires, SizeIs(2));
  EXPECT_EQ(horizontal.wires[0].length, 450);
  EXPECT_EQ(horizontal.wires[0].width, 100);
  const MetalGrid vertical = grid_of(shapes, {kVertical, 20, false});
  EXPECT_THAT(vertical.piece_box, ElementsAre(Box{0, 0, 100, 900}, Box{0, 900, 1000, 1000}));
  EXPECT_THAT(vertical.node_place, ElementsAre(Point{50, 450}, Point{50, 900}, Point{500, 950}));
}

TEST(MetalGrid, ACrossIsThreePieces) {
  const MetalGrid grid = grid_of(shapes_of({{0, 450, 1000, 550}, {450, 0, 550, 1000}}), {kHorizontal, 20, false});
  EXPECT_THAT(grid.piece_box, ElementsAre(Box{0, 450, 450, 550}, Box{450, 0, 550, 1000}, Box{550, 450, 1000, 550}));
  EXPECT_THAT(grid.node_place,
              ElementsAre(Point{225, 500}, Point{450, 500}, Point{500, 500}, Point{550, 500}, Point{775, 500}));
  EXPECT_THAT(grid.wires, SizeIs(4));
}

TEST(MetalGrid, ShapesThatTouchAtACornerOnlyAreApart) {
  const LayerShapes corner = shapes_of({{0, 0, 100, 100}, {100, 100, 200, 200}});
  EXPECT_THAT(grid_of(corner, {kHorizontal, 10, false}).node_place, ElementsAre(Point{50, 50}, Point{150, 150}));
  LayerShapes ring = corner;  // they are one polygon around the corner
  ring.boxes.push_back({200, -100, 300, 200});
  ring.boxes.push_back({0, -100, 300, 0});
  EXPECT_THAT(grid_of(ring, {kHorizontal, 10, false}).node_place, testing::Contains(Point{100, 100}));
}

TEST(MetalGrid, APlaceAwayFromMetalHasANodeOfItsOwn) {
  const MetalGrid grid = grid_of(shapes_of({{0, 0, 100, 100}}, {{500, 500}, {50, 60}}), {kHorizontal, 100, false});
  EXPECT_THAT(grid.node_place, ElementsAre(Point{50, 50}, Point{500, 500}));
  EXPECT_THAT(grid.node_of_place[0], ElementsAre(1, 0));
}

TEST(MetalGrid, NoShapesGiveNothing) {
  const MetalGrid grid = grid_of({}, {kHorizontal, 100, true});
  EXPECT_THAT(grid.node_place, IsEmpty());
  EXPECT_THAT(grid.piece_box, IsEmpty());
}

TEST(MetalGrid, MiddlesAreRoundedTowardsZero) {
  EXPECT_THAT(grid_of(shapes_of({{-5, -5, 0, 0}}), {kHorizontal, 2, false}).node_place, ElementsAre(Point{-2, -2}));
  EXPECT_THAT(grid_of(shapes_of({{0, 0, 5, 5}}), {kHorizontal, 2, false}).node_place, ElementsAre(Point{2, 2}));
}

/// An octagon of 300 with corners of 100: two trapezoids and the rectangle between them.
TEST(MetalGrid, AnOctagonIsCutIntoTrapezoids) {
  LayerShapes shapes;
  shapes.polygons.push_back({{100, 0}, {200, 0}, {300, 100}, {300, 200}, {200, 300}, {100, 300}, {0, 200}, {0, 100}});
  const MetalGrid grid = grid_of(shapes, {kVertical, 10, false});
  EXPECT_THAT(grid.piece_box, ElementsAre(Box{0, 0, 100, 300}, Box{100, 0, 200, 300}, Box{200, 0, 300, 300}));
  EXPECT_THAT(grid.node_place,
              ElementsAre(Point{50, 150}, Point{100, 150}, Point{150, 150}, Point{200, 150}, Point{250, 150}));
  ASSERT_THAT(grid.wires, SizeIs(4));
  EXPECT_EQ(grid.wires[0].width, 200);  // the mean of 100 and 300
  EXPECT_EQ(grid.wires[1].width, 300);
}

TEST(MetalGrid, ARightTriangleIsHalfOfItsBox) {
  LayerShapes shapes;
  shapes.polygons.push_back({{0, 0}, {1000, 0}, {0, 1000}});
  shapes.places = {{100, 100}, {500, 100}};
  const MetalGrid grid = grid_of(shapes, {kHorizontal, 10, false});
  ASSERT_THAT(grid.wires, SizeIs(2));
  EXPECT_EQ(grid.wires[0].width, 500);
}

TEST(MetalGrid, AWireOf45DegreesJoinsOthers) {
  LayerShapes shapes;
  shapes.boxes = {{0, 0, 1000, 100}, {2000, 1000, 3000, 1100}};
  shapes.polygons.push_back({{950, 0}, {1050, 0}, {2050, 1000}, {2050, 1100}, {1950, 1100}, {950, 100}});
  const MetalGrid grid = grid_of(shapes, {kHorizontal, 10, false});
  std::set<int32_t> reached{0};
  for (size_t round = 0; round < grid.node_place.size(); ++round)
    for (const Wire& w : grid.wires)
      if (reached.contains(w.a) || reached.contains(w.b)) reached.insert({w.a, w.b});
  EXPECT_EQ(reached.size(), grid.node_place.size());
}

TEST(BoxTree, FindsWhatALookAtEachFinds) {
  std::mt19937 random(3);
  const auto at = [&] { return static_cast<Dbu>(random() % 200); };
  for (int round = 0; round < 200; ++round) {
    std::vector<Box> boxes(1 + random() % 100);
    for (Box& b : boxes) {
      const Dbu x = at(), y = at();
      b = {x, y, x + at() / 20, y + at() / 20};
    }
    const BoxTree tree(boxes);
    const Dbu x = at(), y = at();
    const Box window{x, y, x + 30, y + 20};
    std::vector<int32_t> meeting;
    const auto distance = [&](int32_t i) {
      const int64_t dx = std::max({0, boxes[i].x0 - x, x - boxes[i].x1}),
                    dy = std::max({0, boxes[i].y0 - y, y - boxes[i].y1});
      return dx * dx + dy * dy;
    };
    int32_t nearest = 0;
    for (int32_t i = 0; i < std::ssize(boxes); ++i) {
      if (meets(boxes[i], window)) meeting.push_back(i);
      if (distance(i) < distance(nearest)) nearest = i;
    }
    EXPECT_EQ(tree.meeting(window), meeting);
    EXPECT_EQ(tree.nearest({x, y}), nearest);
  }
  EXPECT_THAT(BoxTree({}).meeting({0, 0, 1, 1}), IsEmpty());
}

}  // namespace
}  // namespace gridiron::layout::test
