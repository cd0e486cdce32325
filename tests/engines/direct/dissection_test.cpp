// SPDX-License-Identifier: Apache-2.0
// Nested dissection by places: any places and any pattern give a permutation, good places a good one.
#include "engines/direct/dissection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/engines/hand_made_grids.hpp"
#include "tests/engines/psc/fem_systems.hpp"
#include "tests/engines/regular_grids.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

std::vector<int32_t> dissect(const CsrMatrix& a, const Coordinates& places) {
  return dissect_well(a, places, 1.0)->order;
}

using testing::ElementsAre;
using testing::HasSubstr;

Coordinates places(std::vector<float> x, std::vector<float> y) {
  Coordinates p;
  p.at = {std::move(x), std::move(y), {}};
  return p;
}

Coordinates random_places(int64_t n, unsigned seed) {
  const auto as_floats = [](const std::vector<double>& v) { return std::vector<float>(v.begin(), v.end()); };
  return places(as_floats(test::random_block(n, seed)), as_floats(test::random_block(n, seed + 1)));
}

/// The places of test::poisson(n).
Coordinates lattice(int32_t n) {
  std::vector<float> x, y;
  for (int32_t i = 0; i < n * n; ++i) {
    x.push_back(static_cast<float>(i % n));
    y.push_back(static_cast<float>(i / n));
  }
  return places(x, y);
}

void expect_permutation(const std::vector<int32_t>& order, int64_t n) {
  std::vector<int32_t> sorted = order, all(static_cast<size_t>(n));
  std::ranges::sort(sorted);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
}

/// Nonzeros of the Cholesky factor, column by column: the rows below a pivot are those of its column of the matrix and
/// of the columns whose first row below the diagonal it is.
int64_t nonzeros_of_factor(const CsrMatrix& a, const std::vector<int32_t>& order) {
  std::vector<int32_t> position(order.size());
  for (size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<int32_t>(k);
  std::vector<std::vector<int32_t>> rows(order.size());
  int64_t total = 0;
  for (int32_t k = 0; k < static_cast<int32_t>(order.size()); ++k) {
    for (int64_t e = a.row_ptr[order[k]]; e < a.row_ptr[order[k] + 1]; ++e)
      if (position[a.col[e]] > k) rows[k].push_back(position[a.col[e]]);
    std::ranges::sort(rows[k]);
    rows[k].erase(std::unique(rows[k].begin(), rows[k].end()), rows[k].end());
    total += 1 + static_cast<int64_t>(rows[k].size());
    if (rows[k].empty()) continue;
    auto& parent = rows[rows[k].front()];
    parent.insert(parent.end(), rows[k].begin() + 1, rows[k].end());
    rows[k].clear();
  }
  return total;
}

std::vector<int32_t> natural_order(int64_t n) {
  std::vector<int32_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(Dissection, EverySizeGivesAPermutation) {
  for (const int32_t n : {0, 1, 2, 3, 100, 101, 102, 199, 200, 201, 202, 1000}) {
    SCOPED_TRACE(n);
    expect_permutation(dissect(test::problem_of(test::Rows(n)).matrix, random_places(n, 1)), n);
    const CsrMatrix a = n == 0 ? test::problem_of({}).matrix : test::random_grid(n, 0, 3).matrix;
    expect_permutation(dissect(a, random_places(n, 1)), n);
    Coordinates deep = random_places(n, 1);
    deep.axes = 3;
    deep.at[2] = random_places(n, 5).at[0];
    expect_permutation(dissect(a, deep), n);
  }
}

TEST(Dissection, OneUnknownPerPlaceNeedNotBe) {
  const int32_t n = 60, all = n * n;
  const CsrMatrix a = test::poisson(n).matrix;
  const std::vector<float> same(all, 7.0F), huge(all, std::numeric_limits<float>::max());
  const Coordinates grid = lattice(n);
  expect_permutation(dissect(a, places(same, same)), all);
  expect_permutation(dissect(a, places(huge, same)), all);
  expect_permutation(dissect(a, places(grid.at[0], same)), all);
  expect_permutation(dissect(a, places(same, grid.at[1])), all);
  expect_permutation(dissect(a, places(grid.at[0], grid.at[0])), all);
}

TEST(Dissection, FarClustersAreDivided) {
  const int32_t n = 64, all = n * n;
  const CsrMatrix a = test::poisson(n).matrix;
  const int64_t good = nonzeros_of_factor(a, dissect(a, lattice(n)));
  Coordinates far = lattice(n);
  for (int32_t i = all / 2; i < all; ++i) far.at[1][i] += 1e5F;
  EXPECT_LT(nonzeros_of_factor(a, dissect(a, far)), 1.25 * static_cast<double>(good))
      << "only the first cut is another";

  Coordinates scattered = lattice(n);  // each bin of one division holds half of what is left
  for (int32_t i = 0; i < all; ++i) scattered.at[0][i] = std::ldexp(1.0F, i % 250 - 125);
  expect_permutation(dissect(a, scattered), all);
  Coordinates extreme = lattice(n);  // an extent that no float holds
  for (int32_t i = 0; i < all; ++i) extreme.at[0][i] = (i % 2 ? 1 : -1) * std::numeric_limits<float>::max();
  expect_permutation(dissect(a, extreme), all);
}

TEST(Dissection, HubsDoNoHarm) {
  const int32_t n = 80, all = n * n + 2;
  test::Rows rows(all);
  const CsrMatrix grid = test::poisson(n).matrix;
  for (int32_t i = 0; i < n * n; ++i) {
    for (int64_t e = grid.row_ptr[i]; e < grid.row_ptr[i + 1]; ++e) rows[i][grid.col[e]] = grid.value[e];
    rows[i][all - 2] = rows[all - 2][i] = -1;
    if (i % 3 == 0) rows[i][all - 1] = rows[all - 1][i] = -1;
  }
  rows[all - 2][all - 2] = rows[all - 1][all - 1] = 2.0 * all;
  const CsrMatrix a = test::problem_of(rows).matrix;
  Coordinates p = lattice(n);
  for (int hub = 0; hub < 2; ++hub)
    for (int axis = 0; axis < 2; ++axis) p.at[axis].push_back(40.0F);
  const auto order = dissect(a, p);
  expect_permutation(order, all);
  const auto without = dissect(grid, lattice(n));
  EXPECT_LT(nonzeros_of_factor(a, order), nonzeros_of_factor(grid, without) + 3 * all);
}

/// A lattice of n × n with nodes that are coupled to a tenth of its own each, on opposite sides of all cuts.
std::pair<CsrMatrix, Coordinates> lattice_with_hubs(int32_t n, int32_t hubs) {
  const int32_t nodes = n * n;
  test::Rows rows(nodes + hubs);
  const CsrMatrix grid = test::poisson(n).matrix;
  for (int32_t i = 0; i < nodes; ++i) {
    for (int64_t e = grid.row_ptr[i]; e < grid.row_ptr[i + 1]; ++e) rows[i][grid.col[e]] = grid.value[e];
    const int32_t hub = (i % n * 7 + i / n * 3) % 10;
    if (hub < hubs) rows[i][nodes + hub] = rows[nodes + hub][i] = -1;
  }
  Coordinates p = lattice(n);
  for (int32_t hub = 0; hub < hubs; ++hub) {
    rows[nodes + hub][nodes + hub] = 2.0 * nodes;
    p.at[0].push_back(hub % 2 ? static_cast<float>(n) : -1.0F);
    p.at[1].push_back(static_cast<float>(hub % 2 ? 3 * n / 4 : n / 4));
  }
  return {test::problem_of(rows).matrix, p};
}

TEST(Dissection, HubsOnEitherSideOfCutsAreNoSeparators) {
  for (const int32_t hubs : {2, 8}) {
    SCOPED_TRACE(hubs);
    const int32_t n = 100;
    const auto [a, p] = lattice_with_hubs(n, hubs);
    const auto order = dissect(a, p);
    expect_permutation(order, a.rows);
    for (int32_t k = 1; k <= hubs; ++k) EXPECT_GE(order[a.rows - k], n * n) << "last";
    EXPECT_LE(
        nonzeros_of_factor(a, order),
        nonzeros_of_factor(test::poisson(n).matrix, dissect(test::poisson(n).matrix, lattice(n))) + hubs * a.rows);
  }
}

/// Two lattices of n × n side by side, the first nodes of facing columns coupled.
std::pair<CsrMatrix, Coordinates> two_lattices(int32_t n, int32_t couplings) {
  const CsrMatrix one = test::poisson(n).matrix;
  test::Rows rows(2 * n * n);
  Coordinates p = places({}, {});
  for (int32_t side = 0; side < 2; ++side)
    for (int32_t i = 0; i < n * n; ++i) {
      for (int64_t e = one.row_ptr[i]; e < one.row_ptr[i + 1]; ++e)
        rows[side * n * n + i][side * n * n + one.col[e]] = one.value[e];
      p.at[0].push_back(static_cast<float>(i % n + side * (n + 1)));
      p.at[1].push_back(static_cast<float>(i / n));
    }
  for (int32_t k = 0; k < couplings; ++k) {
    const int32_t left = k * n + n - 1, right = n * n + k * n;
    rows[left][right] = rows[right][left] = -0.1;
  }
  return {test::problem_of(rows).matrix, p};
}

TEST(Dissection, DomainsSideBySideAreDividedAndThenEachOfThem) {
  const int32_t n = 100;
  const CsrMatrix one = test::poisson(n).matrix;
  const int64_t alone = nonzeros_of_factor(one, dissect(one, lattice(n)));
  for (const int32_t couplings : {0, 4}) {
    SCOPED_TRACE(couplings);
    const auto [a, p] = two_lattices(n, couplings);
    EXPECT_LT(nonzeros_of_factor(a, dissect(a, p)), 2.02 * static_cast<double>(alone));
  }
}

TEST(Dissection, FewNodesFarOffDoNotHideTheOthers) {
  const int32_t n = 100;
  const CsrMatrix a = test::poisson(n).matrix;
  const int64_t good = nonzeros_of_factor(a, dissect(a, lattice(n)));
  for (const float where : {1e6F, -1e30F}) {
    Coordinates p = lattice(n);
    p.at[0][n * n - 1] = where;
    EXPECT_LT(nonzeros_of_factor(a, dissect(a, p)), 1.02 * static_cast<double>(good)) << where;
  }
}

TEST(Dissection, DeclinesWhatNoCutDivides) {
  const int32_t n = 160, all = n * n;
  const CsrMatrix a = test::poisson(n).matrix;
  EXPECT_FALSE(dissect_well(a, random_places(all, 3), 0.25));
  EXPECT_FALSE(dissect_well(a, places(std::vector<float>(all, 1.0F), std::vector<float>(all, 1.0F)), 0.25));
  const auto dissected = dissect_well(a, lattice(n), 0.25);
  ASSERT_TRUE(dissected);
  EXPECT_EQ(dissected->order, dissect(a, lattice(n)));
}

/// Lattices of n × n at the same places, the corners of which are coupled in a chain.
std::pair<CsrMatrix, Coordinates> stacked_lattices(int32_t n, int32_t count) {
  const CsrMatrix one = test::poisson(n).matrix;
  const Coordinates of_one = lattice(n);
  const int32_t nodes = n * n;
  test::Rows rows(int64_t{count} * nodes);
  Coordinates p = places({}, {});
  for (int32_t k = 0; k < count; ++k) {
    for (int32_t i = 0; i < nodes; ++i)
      for (int64_t e = one.row_ptr[i]; e < one.row_ptr[i + 1]; ++e)
        rows[k * nodes + i][k * nodes + one.col[e]] = one.value[e];
    for (const int axis : {0, 1}) p.at[axis].insert(p.at[axis].end(), of_one.at[axis].begin(), of_one.at[axis].end());
    if (k > 0) rows[(k - 1) * nodes][k * nodes] = rows[k * nodes][(k - 1) * nodes] = -0.1;
  }
  return {test::problem_of(rows).matrix, p};
}

TEST(Dissection, DeclinesManyStackedLatticesWhoseCutsAreLong) {
  const auto [few, places_of_few] = stacked_lattices(80, 4);
  EXPECT_TRUE(dissect_well(few, places_of_few, 0.25));
  const auto [many, places_of_many] = stacked_lattices(28, 36);
  EXPECT_FALSE(dissect_well(many, places_of_many, 0.25));
}

void expect_parts(const CsrMatrix& a, const Dissected& dissected) {
  expect_permutation(dissected.order, a.rows);
  constexpr int64_t kNone = -1;
  std::vector<int64_t> position(dissected.order.size()), part_of(dissected.order.size(), kNone);
  int64_t done = 0;
  for (size_t part = 0; part < dissected.parts.size(); ++part) {
    const auto [first, last] = dissected.parts[part];
    ASSERT_LE(done, first);
    ASSERT_LT(first, last);
    done = last;
    for (int64_t k = first; k < last; ++k) part_of[dissected.order[k]] = static_cast<int64_t>(part);
  }
  ASSERT_LE(done, a.rows);
  for (int64_t k = 0; k < a.rows; ++k) position[dissected.order[k]] = k;
  for (int64_t row = 0; row < a.rows; ++row)
    for (int64_t e = a.row_ptr[row]; e < a.row_ptr[row + 1]; ++e) {
      const int32_t other = a.col[e];
      if (part_of[row] == kNone || part_of[row] == part_of[other]) continue;
      ASSERT_EQ(part_of[other], kNone);
      ASSERT_GT(position[other], position[row]);
    }
}

TEST(Dissection, PartsAreCoupledToWhatFollowsThemOnly) {
  const int32_t n = 200;
  const CsrMatrix a = test::poisson(n).matrix;
  const Dissected good = *dissect_well(a, lattice(n), 1);
  EXPECT_GT(good.parts.size(), 2U);
  expect_parts(a, good);
  Coordinates on_a_line = random_places(n * n, 5);
  std::ranges::fill(on_a_line.at[1], 0.0F);  // cuts of which a whole side is the separator
  expect_parts(a, *dissect_well(a, on_a_line, 1));
  const std::vector<float> same(n * n, 1.0F);
  expect_parts(a, *dissect_well(a, places(same, same), 1));
  expect_parts(a, *dissect_well(a, random_places(n * n, 5), 1));
  expect_parts(test::problem_of({}).matrix, *dissect_well(test::problem_of({}).matrix, places({}, {}), 1));
}

TEST(Dissection, PlacesThatSayNothingGiveMinimumDegree) {
  const int32_t n = 100;
  const CsrMatrix a = test::poisson(n).matrix;
  const std::vector<float> same(n * n, 0.0F);
  EXPECT_EQ(dissect(a, random_places(n * n, 3)), dissect(a, places(same, same)));
}

TEST(Dissection, MuchLessFillThanABandOnLattices) {
  // A band of n has n³ nonzeros, nested dissection with squares 31/4 n² log₂ n (George 1973).
  const int32_t n = 128;
  const CsrMatrix a = test::poisson(n).matrix;
  const std::vector<float> same(n * n, 0.0F);
  const int64_t dissected = nonzeros_of_factor(a, dissect(a, lattice(n)));
  EXPECT_LT(dissected, 7.75 * n * n * std::log2(n) / 2);
  EXPECT_LT(dissected, nonzeros_of_factor(a, dissect(a, places(same, same)))) << "minimum degree";
  EXPECT_LT(dissected, nonzeros_of_factor(a, natural_order(n * n)) / 4);
}

TEST(Dissection, DiagonalCutsNeedEqualSpacingsOnly) {
  const int32_t n = 128;
  const CsrMatrix a = test::poisson(n).matrix;
  Coordinates stretched = lattice(n);
  for (float& x : stretched.at[0]) x *= 1000;  // diagonals are as steep as columns then
  EXPECT_LT(nonzeros_of_factor(a, dissect(a, lattice(n))), nonzeros_of_factor(a, dissect(a, stretched)));
}

TEST(Dissection, NarrowStripsAreLeftToMinimumDegree) {
  const int32_t length = 4000, width = 3;
  test::Rows rows(length * width);
  Coordinates strip = places({}, {});
  for (int32_t i = 0; i < length * width; ++i) {
    rows[i][i] = 5;
    if (i % width > 0) rows[i][i - 1] = rows[i - 1][i] = -1;
    if (i >= width) rows[i][i - width] = rows[i - width][i] = -1;
    strip.at[0].push_back(static_cast<float>(i / width));
    strip.at[1].push_back(static_cast<float>(i % width));
  }
  const CsrMatrix a = test::problem_of(rows).matrix;
  const std::vector<float> same(length * width, 0.0F);
  EXPECT_EQ(dissect(a, strip), dissect(a, places(same, same)));
}

/// No vertex is coupled to another one but those above and below it.
void expect_partition(const CsrMatrix& a, const PartitionTree& tree, int levels) {
  expect_permutation(tree.order, a.rows);
  EXPECT_EQ(tree.levels, levels);
  ASSERT_EQ(tree.sizes.size(), (size_t{1} << levels) - 1);
  std::vector<uint32_t> vertex_of(static_cast<size_t>(a.rows));
  size_t at = 0, k = 0;
  for (uint32_t first = 1U << (levels - 1); first > 0; first /= 2)
    for (uint32_t vertex = first; vertex < 2 * first; ++vertex, ++k)
      for (int32_t i = 0; i < tree.sizes[k]; ++i) vertex_of[tree.order[at++]] = vertex;
  ASSERT_EQ(at, vertex_of.size());
  for (int32_t i = 0; i < a.rows; ++i)
    for (int64_t e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) {
      uint32_t upper = vertex_of[i], lower = vertex_of[a.col[e]];
      if (upper > lower) std::swap(upper, lower);
      while (lower > upper) lower /= 2;
      ASSERT_EQ(lower, upper) << i << " and " << a.col[e];
    }
}

TEST(PartitionTree, EverySizeAndDepth) {
  for (const int32_t n : {0, 1, 2, 15, 16, 17, 100, 141})
    for (const int levels : {1, 2, 3, 10, 16}) {
      SCOPED_TRACE(testing::Message() << n << " x " << n << ", " << levels << " levels");
      const CsrMatrix a = n == 0 ? test::problem_of({}).matrix : test::poisson(n).matrix;
      expect_partition(a, *dissect_into_tree(a, lattice(n), levels, 1), levels);
      const std::vector<float> same(n * n, 1.0F);
      expect_partition(a, *dissect_into_tree(a, places(same, same), levels, 1), levels);
      if (n > 2) expect_partition(a, *dissect_into_tree(a, random_places(n * n, 3), levels, 1), levels);
    }
}

TEST(PartitionTree, LeavesAreOrderedAndBalanced) {
  const int32_t n = 141;
  const CsrMatrix a = test::poisson(n).matrix;
  const PartitionTree tree = *dissect_into_tree(a, lattice(n), 5, 1);
  EXPECT_LT(static_cast<double>(nonzeros_of_factor(a, tree.order)),
            1.05 * static_cast<double>(nonzeros_of_factor(a, dissect(a, lattice(n)))));
  for (int leaf = 0; leaf < 16; ++leaf)
    EXPECT_LE(tree.sizes[leaf], std::pow(0.7, 4) * n * n) << leaf << ": a cut leaves three tenths on either side";
  EXPECT_LE(tree.sizes.back(), n) << "one row or column";
}

TEST(PartitionTree, HubsAreOfTheRoot) {
  const int32_t n = 60, all = n * n;
  test::Rows rows(all + 1);
  for (int32_t i = 0; i < all; ++i) {
    rows[i][i] = 5;
    rows[i][all] = rows[all][i] = -1;
    if (i % n > 0) rows[i][i - 1] = rows[i - 1][i] = -1;
    if (i >= n) rows[i][i - n] = rows[i - n][i] = -1;
  }
  rows[all][all] = all + 1;
  const CsrMatrix a = test::problem_of(rows).matrix;
  Coordinates with_hub = lattice(n);
  for (auto& x : {&with_hub.at[0], &with_hub.at[1]}) x->push_back(0.0F);
  const PartitionTree tree = *dissect_into_tree(a, with_hub, 4, 1);
  expect_partition(a, tree, 4);
  EXPECT_EQ(tree.order.back(), all);
  EXPECT_GT(tree.sizes.back(), 1) << "and a separator";
}

TEST(PartitionTree, NoneWherePlacesDivideBadly) {
  const CsrMatrix a = test::poisson(150).matrix;
  const std::vector<float> same(150 * 150, 0.0F);
  EXPECT_FALSE(dissect_into_tree(a, places(same, same), 4, 0.25));
  EXPECT_TRUE(dissect_into_tree(a, lattice(150), 4, 0.25));
}

TEST(PartitionTree, SameForEveryNumberOfThreads) {
  const CsrMatrix a = test::poisson(200).matrix;
  const int before = omp_get_max_threads();
  std::vector<PartitionTree> trees;
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    trees.push_back(*dissect_into_tree(a, lattice(200), 6, 1));
  }
  omp_set_num_threads(before);
  for (const int k : {1, 2}) {
    EXPECT_EQ(trees[0].order, trees[k].order);
    EXPECT_EQ(trees[0].sizes, trees[k].sizes);
  }
}

TEST(Dissection, SameForEveryNumberOfThreads) {
  const Problem plane = test::poisson(200), space = test::problem_on(test::unit_grid(3, 30));
  const int before = omp_get_max_threads();
  std::vector<std::vector<int32_t>> in_plane, in_space;
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    in_plane.push_back(dissect(plane.matrix, lattice(200)));
    in_space.push_back(dissect(space.matrix, *coordinates_of(space)));
  }
  omp_set_num_threads(before);
  for (const int k : {1, 2}) {
    EXPECT_EQ(in_plane[0], in_plane[k]);
    EXPECT_EQ(in_space[0], in_space[k]);
  }
}

TEST(CoordinatesOf, NodesWithoutPlaceTakeThatOfTheNearestNode) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  test::Deck deck;
  deck.node(1, 10, 0, 0, 1.0);
  deck.node(kUnknown, kUnknown, 0, 0);
  deck.node(kUnknown, 5, 0, 0);
  deck.node(4, 40, 0, 0);
  deck.node(5, std::numeric_limits<double>::infinity(), 0, 0, 1.0);
  deck.node(6, 60, 0, 0, 1.0);
  for (int32_t i = 0; i < 3; ++i) deck.wire(i, i + 1, 1.0);
  deck.finish();
  const auto found = coordinates_of(deck.problem);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->axes, 2);
  EXPECT_THAT(found->at[0], ElementsAre(1, 1, 4, 4, 0, 6));
  EXPECT_THAT(found->at[1], ElementsAre(10, 10, 40, 40, 0, 60));
}

TEST(CoordinatesOf, TooFewPlacesAreNone) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  test::Deck deck;
  for (int i = 0; i < 5; ++i) deck.node(i < 2 ? i : kUnknown, 0, 0, 0, 1.0);
  deck.finish();
  EXPECT_FALSE(coordinates_of(deck.problem));
  EXPECT_FALSE(coordinates_of(test::poisson(10)));
}

TEST(CoordinatesOf, PointsOfGridsAndMeshes) {
  RegularGrid grid = test::unit_grid(3, 4);
  const auto points = coordinates_of(test::problem_on(grid));
  ASSERT_TRUE(points);
  EXPECT_EQ(points->axes, 3);
  EXPECT_THAT(points->at[0], ElementsAre(0, 1, 0, 1, 0, 1, 0, 1));
  EXPECT_THAT(points->at[1], ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(points->at[2], ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));

  const Problem mesh = test::problem_on(unit_square_mesh(4, 1), 2);
  const auto nodes = coordinates_of(mesh);
  ASSERT_TRUE(nodes);
  EXPECT_THAT(nodes->at[0], ElementsAre(0.25F, 0.5F, 0.75F, 0.25F, 0.5F, 0.75F, 0.25F, 0.5F, 0.75F));
  EXPECT_THAT(nodes->at[1], ElementsAre(0.25F, 0.25F, 0.25F, 0.5F, 0.5F, 0.5F, 0.75F, 0.75F, 0.75F));
}

std::string ordering_of(const Engine& engine) { return engine.parameters().front().value; }

TEST(CholmodOrdering, EveryOrderingSolvesAPlacedGrid) {
  test::Deck deck;
  test::add_mesh(deck, 30, 30, 10.0, 0);
  deck.finish();
  const auto b = test::random_block(deck.network.nodes, 2);
  const auto expected = test::dense_reference(deck.problem.matrix, b);
  for (const char* ordering : {"auto", "geometric", "amd", "metis", "best"}) {
    SCOPED_TRACE(ordering);
    const auto engine = find_engine("cholmod").make({{"ordering", ordering}});
    engine->setup(deck.problem);
    engine->update(deck.problem);
    EXPECT_EQ(ordering_of(*engine), ordering == std::string("auto") ? "amd" : ordering) << "a small grid";
    const auto x = test::solve(*engine, deck.problem, b).x;
    for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-9);
  }
}

TEST(CholmodOrdering, AutoTakesCoordinatesOfLargeGrids) {
  const Problem with = test::problem_on(test::unit_grid(2, 152));
  Problem without = with;
  without.structure = {};
  const auto b = test::random_block(with.matrix.rows, 2);
  const auto by_places = find_engine("cholmod").make({}), by_degree = find_engine("cholmod").make({});
  by_places->setup(with);
  by_degree->setup(without);
  EXPECT_EQ(ordering_of(*by_places), "geometric");
  EXPECT_EQ(ordering_of(*by_degree), "amd");
  EXPECT_LT(by_places->bytes(), by_degree->bytes());
  const auto x = test::solve(*by_places, with, b).x, expected = test::solve(*by_degree, without, b).x;
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-9);

  by_places->setup(without);
  EXPECT_EQ(ordering_of(*by_places), "amd") << "the ordering is chosen by every setup";
}

TEST(CholmodOrdering, AutoTakesAmdWherePlacesDivideNothing) {
  test::Deck deck;
  test::add_mesh(deck, 120, 120, 10.0, 0);
  const Coordinates elsewhere = random_places(deck.network.nodes, 7);
  test::Deck scattered = deck;
  scattered.geometry.x_um.assign(elsewhere.at[0].begin(), elsewhere.at[0].end());
  scattered.geometry.y_um.assign(elsewhere.at[1].begin(), elsewhere.at[1].end());
  deck.finish();
  scattered.finish();
  const auto automatic = find_engine("cholmod").make({}),
             asked = find_engine("cholmod").make({{"ordering", "geometric"}});
  automatic->setup(deck.problem);
  EXPECT_EQ(ordering_of(*automatic), "geometric");
  automatic->setup(scattered.problem);
  EXPECT_EQ(ordering_of(*automatic), "amd");
  asked->setup(scattered.problem);
  EXPECT_EQ(ordering_of(*asked), "geometric");
}

TEST(CholmodOrdering, GeometricWithoutPlacesIsAnError) {
  const auto engine = find_engine("cholmod").make({{"ordering", "geometric"}});
  try {
    engine->setup(test::poisson(10));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("coordinates"));
  }
  const Problem placed = test::problem_on(test::unit_grid(2, 12));
  EXPECT_NO_THROW(engine->setup(placed));
}

TEST(CholmodOrdering, NothingIsOrderedEitherWay) {
  Problem nothing = test::problem_of({}), of_grid = nothing;
  of_grid.structure = PowerGrid{std::make_shared<const MergedNetwork>(), {}};
  for (const char* ordering : {"auto", "geometric", "best"})
    for (const Problem& problem : {nothing, of_grid})
      EXPECT_NO_THROW(find_engine("cholmod").make({{"ordering", ordering}})->setup(problem)) << ordering;
}

TEST(CholmodOrdering, UnknownOrderingListsTheKnownOnes) {
  try {
    find_engine("cholmod").make({{"ordering", "spatial"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("spatial"), HasSubstr("geometric"), HasSubstr("metis")));
  }
}

}  // namespace
}  // namespace gridiron
