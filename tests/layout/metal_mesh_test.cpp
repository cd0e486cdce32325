// SPDX-License-Identifier: Apache-2.0
// Finite volumes against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "layout/extract/metal_grid.hpp"
#include "layout/extract/stairs.hpp"
#include "support/union_find.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr Axes kHorizontal{}, kVertical{true};

MetalGrid mesh_of(LayerShapes shapes, Dbu cell, Axes axes = kHorizontal) {
  make_stairs(shapes, cell);
  std::vector<LayerShapes> layers;
  layers.push_back(std::move(shapes));
  return make_metal_grid(std::move(layers), {{axes, kFarthest, false, cell}});
}

/// The voltages of a mesh of one ohm per square, some of whose nodes are held (NaN: not), by conjugate gradients.
class Solution {
 public:
  Solution(const MetalGrid& grid, const std::function<double(Point)>& held) : grid_(grid) {
    const size_t n = grid.node_place.size();
    v_.resize(n), is_held_.resize(n);
    for (size_t i = 0; i < n; ++i) {
      const double volts = held(grid.node_place[i]);
      is_held_[i] = !std::isnan(volts);
      v_[i] = is_held_[i] ? volts : 0.5;
    }
    std::vector<double> r = currents(v_, true), p, q;
    std::vector<double> diagonal(n, 0);
    for (const Wire& w : grid.wires) diagonal[w.a] += siemens(w), diagonal[w.b] += siemens(w);
    const auto dot = [](const auto& a, const auto& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    const auto scaled = [&] {
      std::vector<double> z = r;
      for (size_t i = 0; i < n; ++i) z[i] = diagonal[i] > 0 ? z[i] / diagonal[i] : 0;
      return z;
    };
    for (double& x : r) x = -x;
    std::vector<double> z = scaled();
    p = z;
    double rz = dot(r, z);
    for (const double least = rz * 1e-26; rz > least;) {
      q = currents(p, true);
      const double alpha = rz / dot(p, q);
      for (size_t i = 0; i < n; ++i) v_[i] += alpha * p[i], r[i] -= alpha * q[i];
      z = scaled();
      const double next = dot(r, z);
      for (size_t i = 0; i < n; ++i) p[i] = z[i] + next / rz * p[i];
      rz = next;
    }
  }

  double volts(size_t node) const { return v_[node]; }
  double volts(const std::function<bool(Point)>& where) const {
    for (size_t i = 0; i < v_.size(); ++i)
      if (where(grid_.node_place[i])) return v_[i];
    return std::nan("");
  }
  /// Out of the nodes there.
  double amperes(const std::function<bool(Point)>& where) const {
    const std::vector<double> all = currents(v_, false);
    double sum = 0;
    for (size_t i = 0; i < all.size(); ++i)
      if (where(grid_.node_place[i])) sum += all[i];
    return sum;
  }

 private:
  static double siemens(const Wire& w) { return static_cast<double>(w.width) / w.length; }
  std::vector<double> currents(const std::vector<double>& v, bool free_only) const {
    std::vector<double> out(v.size(), 0);
    for (const Wire& w : grid_.wires) {
      const double i = siemens(w) * (v[w.a] - v[w.b]);
      out[w.a] += i, out[w.b] -= i;
    }
    for (size_t i = 0; free_only && i < v.size(); ++i)
      if (is_held_[i]) out[i] = 0;
    return out;
  }

  const MetalGrid& grid_;
  std::vector<double> v_;
  std::vector<uint8_t> is_held_;
};

/// Ends of a shape: the outermost cells towards the left, and towards the right, the top or the bottom.
struct Ends {
  Dbu left, right, bottom, top;
  explicit Ends(const MetalGrid& grid) {
    const Box box = bounds(grid.node_place);
    left = box.x0, right = box.x1, bottom = box.y0, top = box.y1;
  }
};

constexpr Dbu kWidth = 1 << 12, kLeg = 3 * kWidth;
double in_widths(int64_t length) { return static_cast<double>(length) / kWidth; }

/// Squares of the corner of a bend, without those of its legs.
double corner_squares(Dbu cell, Axes axes = kHorizontal) {
  const LayerShapes bend{{{0, 0, kLeg + kWidth, kWidth}, {kLeg, 0, kLeg + kWidth, kLeg + kWidth}}, {}, {}, {}};
  const MetalGrid grid = mesh_of(bend, cell, axes);
  const Ends ends(grid);
  const auto at_left = [&](Point p) { return p.x == ends.left; };
  const Solution s(grid, [&](Point p) { return at_left(p) ? 1.0 : p.y == ends.top ? 0.0 : std::nan(""); });
  return 1 / s.amperes(at_left) - in_widths(kLeg - ends.left) - in_widths(ends.top - kWidth);
}

/// Squares between two opposite middles of the sides of a square ring, by half.
double ring_squares(Dbu cell) {
  const Dbu outer = 2 * kLeg + 2 * kWidth, middle = outer / 2;
  const LayerShapes ring{{{0, 0, outer, kWidth},
                          {0, outer - kWidth, outer, outer},
                          {0, 0, kWidth, outer},
                          {outer - kWidth, 0, outer, outer}},
                         {},
                         {},
                         {}};
  const MetalGrid grid = mesh_of(ring, cell);
  Dbu last = 0;  // the column before the middle
  for (const Point p : grid.node_place)
    if (p.x < middle) last = std::max(last, p.x);
  const auto at_bottom = [&](Point p) { return p.x == last && p.y < kWidth; };
  const auto at_top = [&](Point p) { return p.x == last && p.y > kWidth; };
  const Solution s(grid, [&](Point p) { return at_bottom(p) ? 1.0 : at_top(p) ? 0.0 : std::nan(""); });
  // Left and right of these columns; nodes of a cell are in its middle.
  const double left = 2 * in_widths(last - kWidth) + in_widths(outer - 2 * kWidth);
  const double right = 2 * in_widths(outer - kWidth - last) + in_widths(outer - 2 * kWidth);
  const double siemens = s.amperes(at_bottom);
  // 1 / (left + 2 c) + 1 / (right + 2 c) = siemens
  double c = 0.5;
  for (int i = 0; i < 60; ++i) {
    const double a = left + 2 * c, b = right + 2 * c, f = 1 / a + 1 / b - siemens, df = -2 / (a * a) - 2 / (b * b);
    c -= f / df;
  }
  return c;
}

/// Volts between the right and the bottom arm of a cross per ampere from the left to the top one.
double cross_squares(Dbu cell) {
  const Dbu size = 2 * kLeg + kWidth;
  const LayerShapes cross{{{0, kLeg, size, kLeg + kWidth}, {kLeg, 0, kLeg + kWidth, size}}, {}, {}, {}};
  const MetalGrid grid = mesh_of(cross, cell);
  const Ends ends(grid);
  const auto at_left = [&](Point p) { return p.x == ends.left; };
  const Solution s(grid, [&](Point p) { return at_left(p) ? 1.0 : p.y == ends.top ? 0.0 : std::nan(""); });
  return (s.volts([&](Point p) { return p.y == ends.bottom; }) - s.volts([&](Point p) { return p.x == ends.right; })) /
         s.amperes(at_left);
}

/// Squares that a step to half the width adds to those of both wires.
double step_squares(Dbu cell) {
  const LayerShapes step{{{0, 0, kLeg, kWidth}, {kLeg, 0, 2 * kLeg, kWidth / 2}}, {}, {}, {}};
  const MetalGrid grid = mesh_of(step, cell);
  const Ends ends(grid);
  const auto at_left = [&](Point p) { return p.x == ends.left; };
  const Solution s(grid, [&](Point p) { return at_left(p) ? 1.0 : p.x == ends.right ? 0.0 : std::nan(""); });
  return 1 / s.amperes(at_left) - in_widths(kLeg - ends.left) - 2 * in_widths(ends.right - kLeg);
}

/// Squares of a wire at 45 degrees between two upright cuts, by how much it is longer than another.
double diagonal_squares(Dbu cell) {
  const auto squares = [&](Dbu length) {
    const LayerShapes wire{{}, {{{0, 0}, {length, length}, {length, length + kWidth}, {0, kWidth}}}, {}, {}};
    const MetalGrid grid = mesh_of(wire, cell);
    const Ends ends(grid);
    const auto at_left = [&](Point p) { return p.x == ends.left; };
    const Solution s(grid, [&](Point p) { return at_left(p) ? 1.0 : p.x == ends.right ? 0.0 : std::nan(""); });
    return 1 / s.amperes(at_left);
  };
  return squares(2 * kLeg) - squares(kLeg);
}

/// Errors at cells of 1/4, 1/8, 1/16 and 1/32 of the width.
std::vector<double> errors(const std::function<double(Dbu)>& squares, double exact) {
  std::vector<double> out;
  for (const int n : {4, 8, 16, 32}) out.push_back(squares(kWidth / n) - exact);
  return out;
}
double order(const std::vector<double>& errors) { return std::log2(errors[2] / errors[3]); }

/// 1 − 2 ln 2 / π, by conformal mapping; the order is that of any uniform mesh at an inner corner, 4/3.
TEST(MetalMesh, ABendConvergesToItsClosedForm) {
  constexpr double kExact = 1 - 2 * std::numbers::ln2 / std::numbers::pi;
  EXPECT_NEAR(kExact, 0.5587, 5e-5);
  const std::vector<double> e = errors([](Dbu cell) { return corner_squares(cell); }, kExact);
  EXPECT_THAT(e, ElementsAre(testing::DoubleNear(0.0570, 1e-4), testing::DoubleNear(0.0220, 1e-4),
                             testing::DoubleNear(0.0086, 1e-4), testing::DoubleNear(0.0034, 1e-4)));
  EXPECT_NEAR(order(e), 4.0 / 3, 0.05);
  // What the order leaves out is an order smaller.
  const double ratio = std::pow(2, 4.0 / 3);
  EXPECT_NEAR((ratio * e[3] - e[2]) / (ratio - 1), 0, 2e-4);
  EXPECT_NEAR(corner_squares(kWidth / 8, kVertical), corner_squares(kWidth / 8), 1e-9);
  EXPECT_DOUBLE_EQ(corner_squares(2 * kWidth), 1) << "of a chain of cells: by squares";
}

TEST(MetalMesh, ARingHasFourBends) {
  for (const int n : {2, 8}) EXPECT_NEAR(ring_squares(kWidth / n), corner_squares(kWidth / n), 1e-6) << n;
}

/// Van der Pauw: ln 2 / π of any shape that is the same after a quarter of a turn.
TEST(MetalMesh, ACrossConvergesToVanDerPauwsFormula) {
  const std::vector<double> e = errors(cross_squares, std::numbers::ln2 / std::numbers::pi);
  EXPECT_NEAR(e[3], 0, 1e-4);
  EXPECT_NEAR(order(e), 2, 0.2);
}

/// ((α² + 1) / α · ln((1 + α) / (1 − α)) − 2 ln(4 α / (1 − α²))) / π with α = 1/2.
TEST(MetalMesh, AStepConvergesToItsClosedForm) {
  const double exact = (2.5 * std::log(3) - 2 * std::log(8.0 / 3)) / std::numbers::pi;
  const std::vector<double> e = errors(step_squares, exact);
  EXPECT_NEAR(order(e), 4.0 / 3, 0.05);
  EXPECT_NEAR(e[3], 0, 5e-3);
  EXPECT_NEAR(step_squares(kWidth), exact, 1e-3) << "a chain of cells has a node before the step";
  EXPECT_NEAR(step_squares(10 * kLeg), exact, 1e-3);
}

TEST(MetalMesh, AWireAt45DegreesConverges) {
  const std::vector<double> e = errors(diagonal_squares, 2 * in_widths(kLeg));
  EXPECT_NEAR(order(e), 1, 0.1);
  EXPECT_NEAR(e[3], 0, 0.2);
}

TEST(MetalMesh, ErrorsShrinkFromAbove) {
  const double corner = 1 - 2 * std::numbers::ln2 / std::numbers::pi;
  for (const auto& e :
       {errors([](Dbu cell) { return corner_squares(cell); }, corner), errors(diagonal_squares, 2 * in_widths(kLeg))})
    for (size_t i = 0; i < e.size(); ++i) {
      EXPECT_GT(e[i], 0);
      EXPECT_LE(e[i], e[i > 0 ? i - 1 : 0]);
    }
}

/// Whatever the cells, in whatever parts the wire is drawn, along x and along y.
TEST(MetalMesh, AStraightWireIsExact) {
  for (const Dbu cell : {7, 40, 99, 100, 333, 1 << 20})
    for (const Axes axes : {kHorizontal, kVertical})
      for (const bool is_upright : {false, true}) {
        LayerShapes wire{
            {{0, 0, 400, 100}, {400, 0, 450, 100}, {300, 0, 1000, 100}}, {}, {{20, 50}, {460, 30}, {990, 50}}, {}};
        if (is_upright) {
          for (Box& b : wire.boxes) b = {b.y0, b.x0, b.y1, b.x1};
          for (Point& place : wire.places) std::swap(place.x, place.y);
        }
        const MetalGrid grid = mesh_of(wire, cell, axes);
        const Ends ends(grid);
        const auto along = [&](Point p) { return is_upright ? p.y : p.x; };
        const Dbu low = is_upright ? ends.bottom : ends.left, high = is_upright ? ends.top : ends.right;
        EXPECT_TRUE(cell < 100 || grid.wires.size() == 2) << cell;
        const auto is_low = [&](Point p) { return along(p) == low; };
        const Solution s(grid, [&](Point p) { return is_low(p) ? 1.0 : along(p) == high ? 0.0 : std::nan(""); });
        EXPECT_NEAR(1 / s.amperes(is_low), (high - low) / 100.0, 1e-9) << cell;
      }
}

/// Metal that is narrower than a cell has its nodes where something attaches: exact places, exact lengths.
TEST(MetalMesh, AChainHasItsNodesWhereSomethingAttaches) {
  LayerShapes wire{{{0, 0, 100'000, 100}}, {}, {{7, 50}, {13, 50}, {13, 80}, {90'001, 50}, {100'000, 50}}, {}};
  for (const Dbu cell : {100, 5'000, 1 << 20}) {
    const MetalGrid grid = mesh_of(wire, cell);
    EXPECT_THAT(grid.node_place, ElementsAre(Point{7, 50}, Point{13, 50}, Point{90'001, 50}, Point{99'999, 50}));
    EXPECT_THAT(grid.node_of_place[0], ElementsAre(0, 1, 1, 2, 3));
    ASSERT_THAT(grid.wires, SizeIs(3));
    EXPECT_EQ(grid.wires[1].length, 90'001 - 13);
    EXPECT_EQ(grid.wires[1].width, 100);
  }
  EXPECT_EQ(std::ssize(mesh_of(wire, 50).node_place), 2 * 2000);
}

TEST(MetalMesh, PlacesWithoutMetalHaveNodesOfTheirOwn) {
  const MetalGrid grid = mesh_of({{{0, 0, 100, 100}}, {}, {{50, 50}, {50, 300}, {900, 50}, {900, 50}}, {}}, 1000);
  EXPECT_THAT(grid.node_place, ElementsAre(Point{50, 50}, Point{50, 300}, Point{900, 50}));
  EXPECT_THAT(grid.node_of_place[0], ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(grid.wires, SizeIs(0));
  EXPECT_THAT(mesh_of({}, 1000).node_place, SizeIs(0));
}

/// For which places metal leads from one to the other: the first of each such set.
std::vector<int32_t> parts_of(const MetalGrid& grid) {
  UnionFind parts(std::ssize(grid.node_place));
  for (const Wire& w : grid.wires) parts.join(w.a, w.b);
  std::vector<int32_t> of_places, out;
  for (const int32_t node : grid.node_of_place[0]) of_places.push_back(parts.find(node));
  for (const int32_t p : of_places)
    out.push_back(static_cast<int32_t>(std::find(of_places.begin(), of_places.end(), p) - of_places.begin()));
  return out;
}

/// Boxes and places that meet in all ways; some touch at edges and corners only.
LayerShapes random_shapes(std::mt19937& random) {
  const auto at_most = [&](int most) { return static_cast<Dbu>(random() % (most + 1)); };
  LayerShapes shapes;
  for (int i = 3 + at_most(20); i > 0; --i) {
    const Point p{5 * at_most(20) - 50, 5 * at_most(20) - 50};
    shapes.boxes.push_back({p.x, p.y, p.x + 2 + at_most(30), p.y + 2 + at_most(30)});
    shapes.places.push_back(centre(shapes.boxes.back()));
  }
  return shapes;
}

TEST(MetalMesh, RandomShapesHangTogetherAsByPdnsimsRules) {
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    const LayerShapes shapes = random_shapes(random);
    for (const Axes axes : {kHorizontal, kVertical}) {
      const std::vector<int32_t> parts = parts_of(make_metal_grid({shapes}, {{axes, 4, false, 0}}));
      for (const Dbu cell : {2, 9, 1000}) {
        const MetalGrid grid = mesh_of(shapes, cell, axes);
        ASSERT_EQ(parts_of(grid), parts) << i << ' ' << cell;
        for (const Wire& w : grid.wires) ASSERT_TRUE(w.a < w.b && w.length > 0 && w.width > 0) << i << ' ' << cell;
        for (size_t n = 1; n < grid.node_place.size(); ++n)
          ASSERT_LT(grid.node_place[n - 1], grid.node_place[n]) << "all are different";
      }
    }
  }
}

TEST(MetalMesh, IsTheSameOnAnyNumberOfThreads) {
  std::mt19937 random(2);
  std::vector<LayerShapes> shapes;
  for (int i = 0; i < 8; ++i) shapes.push_back(random_shapes(random));
  const std::vector<LayerRules> rules(8, {kVertical, 100, true, 2});
  const int threads = omp_get_max_threads();
  std::vector<MetalGrid> results;
  for (const int n : {1, 3, 4}) {
    omp_set_num_threads(n);
    results.push_back(make_metal_grid(shapes, rules));
  }
  omp_set_num_threads(threads);
  for (const MetalGrid& other : results) {
    EXPECT_EQ(other.node_place, results[0].node_place);
    EXPECT_EQ(other.node_of_place, results[0].node_of_place);
    ASSERT_EQ(other.wires.size(), results[0].wires.size());
    for (size_t w = 0; w < other.wires.size(); ++w) {
      const Wire &a = other.wires[w], &b = results[0].wires[w];
      ASSERT_TRUE(a.a == b.a && a.b == b.b && a.length == b.length && a.width == b.width) << w;
    }
  }
}

/// 10¹⁰ cells: not made, but counted, and some that fit are told.
TEST(MetalMesh, TooManyCellsAreRefused) {
  const std::vector<LayerShapes> plane{{{{0, 0, 10'000'000, 10'000'000}}, {}, {}, {}}};
  try {
    make_metal_grid(plane, {{kHorizontal, kFarthest, false, 100}});
    FAIL();
  } catch (const TooManyCells& e) {
    EXPECT_EQ(e.cells, 10'000'000'000);
    EXPECT_GE(e.cell_that_fits, 448) << "10 mm by the root of the most cells";
    EXPECT_LE(e.cell_that_fits, 490);
  }
  EXPECT_THROW(make_metal_grid(plane, {{kHorizontal, 100, false, 100}}), TooManyCells) << "whatever the cells";
}

}  // namespace
}  // namespace gridiron::layout::test
