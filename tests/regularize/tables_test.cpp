// SPDX-License-Identifier: Apache-2.0
#include "regularize/tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

/// A network with coordinates, built one node or edge per line.
struct PlacedNetwork {
  MergedNetwork network;
  Geometry geometry;

  PlacedNetwork& node(double x, double y, int32_t layer = 0, int32_t net = 0) {
    ++network.nodes;
    network.pad.push_back(0);
    network.injection.push_back(0);
    geometry.x_um.push_back(x);
    geometry.y_um.push_back(y);
    geometry.layer.push_back(layer);
    geometry.net.push_back(net);
    return *this;
  }
  PlacedNetwork& edge(int32_t a, int32_t b, double siemens) {
    network.a.push_back(a);
    network.b.push_back(b);
    network.conductance.push_back(siemens);
    return *this;
  }
  PlacedNetwork& pad(int32_t node, double siemens) {
    network.pad[node] = siemens;
    return *this;
  }
  PlacedNetwork& inject(int32_t node, double amperes) {
    network.injection[node] = amperes;
    return *this;
  }
};

Regularization regularized(const PlacedNetwork& p, const RegularizeOptions& options = {}) {
  return regularize(p.network, p.geometry, options);
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Column x of row y of layer l, as cell_of_node numbers it.
int64_t cell(const GridTables& g, int64_t x, int64_t y, int64_t l = 0) { return (l * g.ny + y) * g.nx + x; }

/// Nodes anywhere on four layers of two nets; wires between any of them, all values spread over decades.
PlacedNetwork random_grid(unsigned seed, int32_t nodes) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const auto below = [&](int32_t n) { return static_cast<int32_t>(random() % static_cast<unsigned>(n)); };
  PlacedNetwork p;
  for (int32_t i = 0; i < nodes; ++i) {
    p.node(300 * uniform() - 100, 70 * uniform(), below(5) - 1, below(2));
    if (below(10) == 0) p.pad(i, std::pow(10, 4 * uniform() - 2));
    p.inject(i, uniform() - 0.7);
  }
  for (int32_t e = 0; e < 3 * nodes; ++e) {
    const int32_t a = below(nodes), b = std::clamp(a + below(60) - 30, 0, nodes - 1);
    if (a != b) p.edge(a, b, std::pow(10, 4 * uniform() - 2));
  }
  return p;
}

/// Eq. (2) step by step: the expected result of regularize().
struct StepByStep {
  std::vector<std::vector<double>> gh, gv, via, gz;

  StepByStep(const PlacedNetwork& p, const Regularization& r) {
    for (const GridTables& g : r.grids) {
      for (auto* table : {&gh, &gv, &via, &gz}) table->emplace_back(g.cells(), 0.0);
    }
    const auto grid_of = [&](int32_t node) {
      const auto next = std::upper_bound(r.first_cell.begin(), r.first_cell.end(), r.cell_of_node[node]);
      return next - r.first_cell.begin() - 1;
    };
    for (int32_t i = 0; i < p.network.nodes; ++i) {
      const auto g = grid_of(i);
      gz[g][r.cell_of_node[i] - r.first_cell[g]] += p.network.pad[i];
    }
    for (int64_t e = 0; e < p.network.edges(); ++e) {
      const int32_t a = p.network.a[e], b = p.network.b[e];
      const double siemens = p.network.conductance[e];
      const auto g = grid_of(a), other = grid_of(b);
      const int64_t from = r.cell_of_node[a] - r.first_cell[g], to = r.cell_of_node[b] - r.first_cell[other];
      if (g != other) {
        gz[g][from] += siemens;
        gz[other][to] += siemens;
        continue;
      }
      const int64_t nx = r.grids[g].nx, plane = nx * r.grids[g].ny;
      const bool is_up = from / plane < to / plane || (from / plane == to / plane && from <= to);
      int64_t at = is_up ? from : to;
      const int64_t goal = is_up ? to : from;
      const auto steps = static_cast<double>(std::abs(goal % nx - at % nx) +
                                             std::abs(goal % plane / nx - at % plane / nx) + goal / plane - at / plane);
      while (at % nx != goal % nx) {
        const bool right = at % nx < goal % nx;
        gh[g][right ? at : at - 1] += steps * siemens;
        at += right ? 1 : -1;
      }
      while (at % plane != goal % plane) {
        const bool up = at % plane < goal % plane;
        gv[g][up ? at : at - nx] += steps * siemens;
        at += up ? nx : -nx;
      }
      for (; at != goal; at += plane) via[g][at] += steps * siemens;
    }
  }
};

TEST(Regularize, FigureThreeOfThePaper) {
  // Six locations in a row. Metal 1 has wires of two steps (g31, g32) and of one (g33), metal 2 has one-step wires.
  const double g31 = 3, g32 = 5, g33 = 7, g21 = 0.5, g22 = 0.25, g23 = 0.125, g24 = 2;
  PlacedNetwork p;
  for (int x = 0; x < 6; ++x) p.node(10 * x, 0, 1);
  for (const int x : {0, 2, 4, 5}) p.node(10 * x, 0, 0);
  p.edge(0, 1, g21).edge(1, 2, g22).edge(3, 4, g23).edge(4, 5, g24);
  p.edge(6, 7, g31).edge(7, 8, g32).edge(8, 9, g33);
  p.pad(0, 11).pad(5, 13).inject(7, -1).inject(8, -2);

  const Regularization r = regularized(p, {.single_plane = true, .tile = 1});
  ASSERT_EQ(r.grids.size(), 1u);
  EXPECT_THAT(r.grids[0].gh, ElementsAre(2 * g31 + g21, 2 * g31 + g22, 2 * g32, 2 * g32 + g23, g33 + g24, 0));
  EXPECT_THAT(r.grids[0].gz, ElementsAre(11, 0, 0, 0, 0, 13));
  EXPECT_THAT(r.grids[0].iz, ElementsAre(0, 0, -1, 0, -2, 0));
  EXPECT_THAT(r.grids[0].gv, Each(0));
  EXPECT_THAT(r.grids[0].via, Each(0));
  EXPECT_THAT(r.cell_of_node, ElementsAre(0, 1, 2, 3, 4, 5, 0, 2, 4, 5));
}

TEST(Regularize, WireAroundACornerIsOneChain) {
  // A 4 × 3 mesh of nodes on two layers fixes the cells; one wire leads 2 steps along x, 2 along y and 1 up.
  PlacedNetwork p;
  for (int layer = 0; layer < 2; ++layer)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x) p.node(2 * x, 2 * y, 3 + layer);
  const auto at = [](int x, int y, int layer) { return (layer * 3 + y) * 4 + x; };
  p.edge(at(3, 2, 1), at(1, 0, 0), 10);
  const Regularization r = regularized(p, {.tile = 1});
  const GridTables& g = r.grids.at(0);
  ASSERT_THAT(std::vector({g.layers, g.nx, g.ny}), ElementsAre(2, 4, 3));
  EXPECT_THAT(g.metal, ElementsAre(3, 4));

  std::vector<double> gh(24, 0), gv(24, 0), via(24, 0);
  gh[at(1, 0, 0)] = gh[at(2, 0, 0)] = 50;
  gv[at(3, 0, 0)] = gv[at(3, 1, 0)] = 50;
  via[at(3, 2, 0)] = 50;
  EXPECT_EQ(g.gh, gh);
  EXPECT_EQ(g.gv, gv);
  EXPECT_EQ(g.via, via);
}

TEST(Regularize, RegularMeshKeepsItsConductances) {
  // A pitch of 0.7 µm on two layers: cells are the nodes, tables the conductances themselves.
  constexpr int kColumns = 21, kRows = 13, kLayers = 2;
  const auto at = [](int x, int y, int layer) { return (layer * kRows + y) * kColumns + x; };
  const auto siemens = [](int from, int to) { return 1.0 / (3 + from % 7 + to % 11); };
  PlacedNetwork p;
  for (int layer = 0; layer < kLayers; ++layer)
    for (int y = 0; y < kRows; ++y)
      for (int x = 0; x < kColumns; ++x) p.node(-1000 + 0.7 * x, 0.7 * y, 2 * layer).inject(at(x, y, layer), -0.25 * x);
  for (int layer = 0; layer < kLayers; ++layer)
    for (int y = 0; y < kRows; ++y)
      for (int x = 0; x < kColumns; ++x)
        for (const auto& [dx, dy, dl] : {std::array{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
          if (x + dx < kColumns && y + dy < kRows && layer + dl < kLayers)
            p.edge(at(x, y, layer), at(x + dx, y + dy, layer + dl),
                   siemens(at(x, y, layer), at(x + dx, y + dy, layer + dl)));

  const Regularization r = regularized(p, {.tile = 8});
  const GridTables& g = r.grids.at(0);
  ASSERT_THAT(std::vector({g.used_nx, g.used_ny, g.nx, g.ny}), ElementsAre(kColumns, kRows, 24, 16));
  EXPECT_NEAR(g.pitch_x_um, 0.7, 1e-12);
  EXPECT_NEAR(g.pitch_y_um, 0.7, 1e-12);
  EXPECT_NEAR(g.x0_um, -1000.35, 1e-12);
  int64_t wrong = 0;
  for (int layer = 0; layer < kLayers; ++layer)
    for (int y = 0; y < g.ny; ++y)
      for (int x = 0; x < g.nx; ++x) {
        const int64_t c = cell(g, x, y, layer);
        const bool is_node = x < kColumns && y < kRows;
        const auto expected = [&](int dx, int dy, int dl) {
          if (!is_node || x + dx >= kColumns || y + dy >= kRows || layer + dl >= kLayers) return 0.0;
          return siemens(at(x, y, layer), at(x + dx, y + dy, layer + dl));
        };
        wrong += g.gh[c] != expected(1, 0, 0);
        wrong += g.gv[c] != expected(0, 1, 0);
        wrong += g.via[c] != expected(0, 0, 1);
        wrong += g.iz[c] != (is_node ? -0.25 * x : 0.0);
        if (is_node) wrong += r.cell_of_node[at(x, y, layer)] != c;
      }
  EXPECT_EQ(wrong, 0);
}

TEST(Regularize, LongWiresSpreadLikeSteps) {
  PlacedNetwork p;
  for (int x = 0; x < 1000; ++x) p.node(x, 0);
  std::mt19937 random(5);
  for (int e = 0; e < 3000; ++e) {
    const auto a = static_cast<int32_t>(random() % 1000), b = static_cast<int32_t>(random() % 1000);
    if (a != b) p.edge(a, b, 1 + static_cast<double>(random() % 64));  // whole numbers: sums are exact in any order
  }
  const Regularization r = regularized(p);
  EXPECT_EQ(r.grids.at(0).nx, 1000);
  EXPECT_EQ(r.grids[0].gh, StepByStep(p, r).gh[0]);
}

class RandomGrids : public testing::TestWithParam<int> {};

TEST_P(RandomGrids, TablesAreEquationTwoStepByStep) {
  const auto seed = static_cast<unsigned>(GetParam());
  const PlacedNetwork p = random_grid(seed, 400);
  const Regularization r = regularized(
      p,
      {.grid_scale = 0.5 + 0.25 * (GetParam() % 5), .single_plane = GetParam() % 3 == 0, .tile = 1 + GetParam() % 9});
  const StepByStep expected(p, r);
  ASSERT_EQ(r.grids.size(), 2u);
  for (size_t g = 0; g < r.grids.size(); ++g) {
    const double rounding = 1e-12 * std::max(sum(expected.gh[g]), sum(expected.gz[g]));
    EXPECT_THAT(r.grids[g].gh, Pointwise(DoubleNear(rounding), expected.gh[g]));
    EXPECT_THAT(r.grids[g].gv, Pointwise(DoubleNear(rounding), expected.gv[g]));
    EXPECT_THAT(r.grids[g].via, Pointwise(DoubleNear(rounding), expected.via[g]));
    EXPECT_THAT(r.grids[g].gz, Pointwise(DoubleNear(rounding), expected.gz[g]));
  }
}

TEST_P(RandomGrids, PadsAndInjectionsAreConserved) {
  PlacedNetwork p = random_grid(static_cast<unsigned>(GetParam()), 3000);
  for (int32_t& net : p.geometry.net) net = 0;
  const GridTables g = regularized(p).grids.at(0);
  EXPECT_NEAR(sum(g.gz), sum(p.network.pad), 1e-13 * sum(p.network.pad));
  EXPECT_NEAR(sum(g.iz), sum(p.network.injection), 1e-13 * 3000);
}

TEST_P(RandomGrids, SameBitsOnAnyNumberOfThreads) {
  const PlacedNetwork p = random_grid(static_cast<unsigned>(GetParam()), 20000);
  const int threads = omp_get_max_threads();
  std::vector<Regularization> results;
  for (const int count : {1, 2, 3}) {
    omp_set_num_threads(count);
    results.push_back(regularized(p, {.single_plane = GetParam() % 2 == 0}));
  }
  omp_set_num_threads(threads);
  for (const Regularization& r : results) {
    EXPECT_EQ(r.cell_of_node, results[0].cell_of_node);
    for (size_t g = 0; g < r.grids.size(); ++g)
      for (const auto table : {&GridTables::gh, &GridTables::gv, &GridTables::via, &GridTables::gz, &GridTables::iz})
        EXPECT_EQ(r.grids[g].*table, results[0].grids[g].*table);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGrids, testing::Range(0, 12));

TEST(Regularize, NumberOfCellsFollowsTheScale) {
  const PlacedNetwork p = random_grid(3, 20000);
  for (const double scale : {0.5, 1.0, 2.0})
    for (const bool single_plane : {false, true}) {
      const Regularization r = regularized(p, {.grid_scale = scale, .single_plane = single_plane});
      double used = 0, rounding = 0;
      for (const GridTables& g : r.grids) {
        used += double(g.layers) * g.used_nx * g.used_ny;
        rounding += double(g.layers) * (g.used_nx + g.used_ny) / 2;
      }
      EXPECT_NEAR(used, scale * 20000, rounding) << scale << single_plane;
    }
}

TEST(Regularize, SinglePlaneCountsPlacesOnce) {
  PlacedNetwork p;
  for (int layer = 0; layer < 3; ++layer)
    for (int x = 0; x < 10; ++x)
      for (int y = 0; y < 10; ++y) p.node(x, y, layer);
  const GridTables g = regularized(p, {.single_plane = true, .tile = 1}).grids.at(0);
  EXPECT_THAT(std::vector({g.layers, g.nx, g.ny}), ElementsAre(1, 10, 10));
  EXPECT_THAT(g.metal, ElementsAre(-1));
}

/// Every cell with a node, a wire or a pad reaches a pad along the tables.
bool reaches_pads(const GridTables& g) {
  std::vector<int64_t> stack;
  std::vector<bool> seen(g.cells(), false);
  for (int64_t c = 0; c < g.cells(); ++c)
    if (g.gz[c] > 0) {
      stack.push_back(c);
      seen[c] = true;
    }
  const int64_t plane = int64_t{g.nx} * g.ny;
  const auto go = [&](int64_t to, double siemens) {
    if (siemens > 0 && !seen[to]) {
      seen[to] = true;
      stack.push_back(to);
    }
  };
  while (!stack.empty()) {
    const int64_t c = stack.back();
    stack.pop_back();
    if (g.gh[c] > 0) go(c + 1, g.gh[c]);
    if (g.gv[c] > 0) go(c + g.nx, g.gv[c]);
    if (g.via[c] > 0) go(c + plane, g.via[c]);
    if (c >= 1) go(c - 1, g.gh[c - 1]);
    if (c >= g.nx) go(c - g.nx, g.gv[c - g.nx]);
    if (c >= plane) go(c - plane, g.via[c - plane]);
  }
  for (int64_t c = 0; c < g.cells(); ++c)
    if ((g.gh[c] > 0 || g.gv[c] > 0 || g.via[c] > 0 || g.iz[c] != 0) && !seen[c]) return false;
  return true;
}

TEST(Regularize, TablesOfARegularNetworkAreRegular) {
  // Two nets, one of which is anchored only by a wire to the other; no shared coordinates.
  for (unsigned seed = 0; seed < 10; ++seed) {
    PlacedNetwork p = random_grid(seed, 500);
    for (int32_t i = 1; i < 500; ++i) p.edge(i, i - 1 - static_cast<int32_t>(seed) % i, 1);
    std::fill(p.network.pad.begin(), p.network.pad.end(), 0.0);
    p.pad(0, 1);
    for (const bool single_plane : {false, true})
      for (const GridTables& g : regularized(p, {.single_plane = single_plane}).grids) EXPECT_TRUE(reaches_pads(g));
  }
}

TEST(Regularize, PartsOverlapWithoutMixing) {
  PlacedNetwork p;
  p.node(0, 0, 0, 4).node(9, 0, 0, 4).node(0, 0, 0, 7).node(9, 0, 0, 7);
  p.edge(0, 1, 2).edge(2, 3, 5).edge(1, 2, 0.5).pad(3, 1);
  const Regularization r = regularized(p, {.tile = 1});
  ASSERT_EQ(r.grids.size(), 2u);
  EXPECT_EQ(r.grids[0].net, 4);
  EXPECT_EQ(r.grids[1].net, 7);
  EXPECT_THAT(r.grids[0].gh, ElementsAre(2, 0));
  EXPECT_THAT(r.grids[0].gz, ElementsAre(0, 0.5)) << "the edge to the other part";
  EXPECT_THAT(r.grids[1].gh, ElementsAre(5, 0));
  EXPECT_THAT(r.grids[1].gz, ElementsAre(0.5, 1));
  EXPECT_THAT(r.first_cell, ElementsAre(0, 2, 4));
  EXPECT_THAT(r.cell_of_node, ElementsAre(0, 1, 2, 3));
}

TEST(Regularize, EmptyNetworkHasNoGrids) {
  const Regularization r = regularized({});
  EXPECT_TRUE(r.grids.empty());
  EXPECT_THAT(r.first_cell, ElementsAre(0));
}

TEST(Regularize, SingleNodeIsOneCell) {
  const GridTables g = regularized(PlacedNetwork().node(-5, 8, -1, -1).pad(0, 2).inject(0, 3)).grids.at(0);
  EXPECT_THAT(std::vector({g.layers, g.nx, g.ny}), ElementsAre(1, 1, 1));
  EXPECT_THAT(g.metal, ElementsAre(-1));
  EXPECT_THAT(g.gz, ElementsAre(2));
  EXPECT_THAT(g.iz, ElementsAre(3));
  EXPECT_GT(g.pitch_x_um, 0);
}

TEST(Regularize, AllNodesInOnePointShareACellPerLayer) {
  PlacedNetwork p;
  for (int i = 0; i < 100; ++i) p.node(4, 4, i % 2).pad(i, 1);
  for (int i = 1; i < 100; ++i) p.edge(i - 1, i, 1);
  const GridTables g = regularized(p).grids.at(0);
  EXPECT_THAT(std::vector({g.layers, g.nx, g.ny}), ElementsAre(2, 1, 1));
  EXPECT_THAT(g.gz, ElementsAre(50, 50));
  EXPECT_THAT(g.via, ElementsAre(99, 0));
}

TEST(Regularize, RowAndColumnHaveOneRowAndOneColumn) {
  PlacedNetwork row, column;
  for (int i = 0; i < 100; ++i) {
    row.node(2.5 * i, 7);
    column.node(7, 2.5 * i);
  }
  const GridTables r = regularized(row).grids.at(0), c = regularized(column).grids.at(0);
  EXPECT_THAT(std::vector({r.nx, r.used_nx, r.ny, r.used_ny}), ElementsAre(104, 100, 1, 1));
  EXPECT_THAT(std::vector({c.nx, c.used_nx, c.ny, c.used_ny}), ElementsAre(1, 1, 104, 100));
  EXPECT_DOUBLE_EQ(r.pitch_x_um, 2.5);
  EXPECT_EQ(r.pitch_y_um, r.pitch_x_um);
  EXPECT_DOUBLE_EQ(r.y0_um, 5.75);
}

TEST(Regularize, CoordinatesFarFromEachOtherAndFromZero) {
  PlacedNetwork far;
  for (const double x : {-1e9, 0.0, 1e9})
    for (const double y : {1e9, 1e9 + 1e-3}) far.node(x, y);
  const GridTables g = regularized(far, {.tile = 1}).grids.at(0);
  EXPECT_LE(g.cells(), 12);
  EXPECT_THAT(std::vector({g.nx, g.ny}), ElementsAre(6, 1)) << "a row, as near to square cells as six of them get";

  PlacedNetwork huge, tiny;
  const double least = std::numeric_limits<double>::denorm_min();
  for (int i = 0; i < 50; ++i) {
    huge.node(i % 2 ? 1e100 : -1e100, i * 2e98).inject(i, 1);
    tiny.node(i * least, i % 7 * least).inject(i, 1);
  }
  for (const PlacedNetwork* p : {&huge, &tiny}) {
    const GridTables t = regularized(*p).grids.at(0);
    EXPECT_LE(t.cells(), 64 * 50);
    EXPECT_EQ(sum(t.iz), 50);
  }
}

TEST(Regularize, CellsAreSquareInALongBox) {
  PlacedNetwork p;
  for (int x = 0; x < 500; ++x)
    for (int y = 0; y < 10; ++y) p.node(3.0 * x, 0.3 * y);  // wires along x would be ten times longer
  const GridTables g = regularized(p).grids.at(0);
  EXPECT_NEAR(g.pitch_x_um / g.pitch_y_um, 1, 0.2);
}

TEST(Regularize, UnknownLayerHasItsOwnTableBelowTheOthers) {
  PlacedNetwork p;
  p.node(0, 0, 2).node(0, 0, -1).node(1, 0, 2).edge(0, 1, 3).edge(0, 2, 4);
  const GridTables g = regularized(p, {.grid_scale = 2, .tile = 1}).grids.at(0);
  EXPECT_THAT(g.metal, ElementsAre(-1, 2));
  EXPECT_EQ(sum(g.via), 3);
}

TEST(RegularizeDeclines, CountsNodesWithoutCoordinates) {
  PlacedNetwork p = random_grid(1, 12000);
  for (int i = 0; i < 312; ++i) p.geometry.x_um[i] = NAN;
  p.geometry.y_um[5000] = INFINITY;
  EXPECT_EQ(regularize_declines(p.network, p.geometry), "needs node coordinates: 313 of 12 000 nodes have none");
  EXPECT_THROW(regularized(p), InputError);
  EXPECT_EQ(regularize_declines(p.network, {}), "needs node coordinates: 12 000 of 12 000 nodes have none");
  EXPECT_EQ(regularize_declines({}, {}), std::nullopt);
  EXPECT_EQ(regularize_declines(random_grid(1, 100).network, random_grid(1, 100).geometry), std::nullopt);
}

TEST(RegularizeDeclines, ALayerPerNodeIsNoLayer) {
  PlacedNetwork p;
  for (int i = 0; i < 5000; ++i) p.node(i, i, i);
  EXPECT_THAT(regularize_declines(p.network, p.geometry).value_or(""), HasSubstr("5000"));
}

TEST(Regularize, RefusesOptionsOutOfRange) {
  const PlacedNetwork p = PlacedNetwork().node(0, 0);
  for (const double scale : {0.0, -1.0, 1e9, double(NAN)})
    EXPECT_THROW(regularized(p, {.grid_scale = scale}), InputError) << scale;
  for (const int tile : {0, -8, 1 << 20}) EXPECT_THROW(regularized(p, {.tile = tile}), InputError) << tile;
}

}  // namespace
}  // namespace gridiron
