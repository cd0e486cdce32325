// SPDX-License-Identifier: Apache-2.0
// Parts that are tied so weakly that single precision loses their level: found, and taken out of the iteration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "engines/hybrid/shifted_grid.hpp"
#include "linalg/deflation.hpp"
#include "linalg/weak_parts.hpp"
#include "tests/engines/linalg/weak_checks.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using test::Rows;

using testing::ElementsAre;

void couple(Rows& rows, int32_t i, int32_t j, double g) {
  rows[i][i] += g;
  rows[j][j] += g;
  rows[i][j] -= g;
  rows[j][i] -= g;
}

/// Chains of `length` unknowns with couplings of 1; nothing ties them to ground.
Rows chains(int32_t count, int32_t length) {
  Rows rows(static_cast<size_t>(count * length));
  for (int32_t i = 0; i < count * length; ++i)
    if (i % length > 0) couple(rows, i - 1, i, 1);
  return rows;
}

WeakParts parts_of(const Rows& rows) { return find_weak_parts(test::problem_of(rows).matrix); }

template <class D>
bool is_conspicuous(const Rows& rows) {
  return may_have_weak_parts(SellMatrix<D>(test::problem_of(rows).matrix));
}

TEST(WeakParts, OnePadHoldsAChain) {
  Rows rows = chains(1, 4);
  rows[0][0] += 1e-9;
  const WeakParts parts = parts_of(rows);
  EXPECT_THAT(parts.of_unknown, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(parts.ties.row, ElementsAre(0));
  EXPECT_NEAR(parts.ties.value[0], 1e-9, 1e-15);
  EXPECT_NEAR(parts.inverse[0], 1e9, 1e3);
  EXPECT_NEAR(parts.shift[0], 1e-7 * 6 / 4, 1e-15);  // Σ a_ii = 1 + 2 + 2 + 1
}

/// The rounding of a diagonal of 2 is larger than this pad.
TEST(WeakParts, RowSumsShowWhatDiagonalsCannotHold) {
  Rows rows = chains(2, 3);
  rows[1][1] += 1e-18;
  couple(rows, 0, 3, 1e-20);
  EXPECT_EQ(parts_of(rows).count(), 0);  // singular, for all that the matrix tells
  const WeakParts parts = find_weak_parts(test::problem_of(rows).matrix, std::vector<double>{0, 1e-18, 0, 0, 0, 0});
  EXPECT_THAT(parts.of_unknown, ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_NEAR(parts.inverse[0], 1e18, 1e3);
  EXPECT_NEAR(parts.inverse[1], 1e18, 1e3);
  EXPECT_NEAR(parts.inverse[3], 1.01e20, 1e5);
}

TEST(WeakParts, AreNotFoundWhereTiesAreStrong) {
  Rows rows = chains(1, 4);
  rows[0][0] += 1e-3;
  EXPECT_TRUE(parts_of(rows).empty());
  EXPECT_TRUE(find_weak_parts(test::poisson(20).matrix).empty());
  EXPECT_TRUE(find_weak_parts({0, {0}, {}, {}}).empty());
}

/// Two domains behind switches of 1e-9 to a live one, and coupled with each other by 2e-9.
TEST(WeakParts, SwitchedDomainsAreOnesOfTheirOwn) {
  Rows rows = chains(3, 3);
  rows[0][0] += 1;
  couple(rows, 1, 3, 1e-9);
  couple(rows, 2, 6, 1e-9);
  couple(rows, 4, 7, 2e-9);
  const WeakParts parts = parts_of(rows);
  EXPECT_THAT(parts.of_unknown, ElementsAre(-1, -1, -1, 0, 0, 0, 1, 1, 1));
  // ZᵀA Z = 1e-9 · (3 −2; −2 3), whose inverse is 1e9/5 · (3 2; 2 3).
  EXPECT_NEAR(parts.inverse[0], 0.6e9, 1e3);
  EXPECT_NEAR(parts.inverse[1], 0.4e9, 1e3);
  EXPECT_NEAR(parts.inverse[3], 0.6e9, 1e3);
  EXPECT_THAT(parts.ties.begin, ElementsAre(0, 4, 8));
  EXPECT_THAT(parts.ties.row, ElementsAre(1, 3, 4, 7, 2, 4, 6, 7));
}

TEST(WeakParts, AtMostAFewHundredThoseTiedMostWeakly) {
  constexpr int32_t kCount = 300;
  Rows rows = chains(kCount, 2);
  for (int32_t c = 0; c < kCount; ++c) rows[2 * c][2 * c] += 1e-10 * (c + 1);
  const WeakParts parts = parts_of(rows);
  EXPECT_EQ(parts.count(), 256);
  EXPECT_EQ(parts.of_unknown[2 * 255], 255);
  EXPECT_EQ(parts.of_unknown[2 * 256], -1);
}

template <class D>
class WeakPartsOn : public testing::Test {};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(WeakPartsOn, Devices);

TYPED_TEST(WeakPartsOn, AreSuspectedWhereTheyAre) {
  Rows weak_pad = chains(1, 4), weak_switch = chains(2, 4), few_pads = chains(1, 200'000), strong = chains(2, 4);
  weak_pad[0][0] += 1e-9;
  weak_switch[0][0] += 1;
  couple(weak_switch, 1, 5, 1e-9);
  few_pads[0][0] += 1e-2;
  strong[0][0] += 1;
  strong[4][4] += 0.5;
  EXPECT_TRUE(is_conspicuous<TypeParam>(weak_pad));
  EXPECT_TRUE(is_conspicuous<TypeParam>(weak_switch));
  EXPECT_TRUE(is_conspicuous<TypeParam>(few_pads));
  EXPECT_FALSE(is_conspicuous<TypeParam>(strong));
  EXPECT_FALSE(is_conspicuous<TypeParam>({}));
}

TYPED_TEST(WeakPartsOn, AddsRuns) { test::adds_runs<TypeParam>(); }
TYPED_TEST(WeakPartsOn, AreFoundAsByTheHost) { test::finds_weak_clusters<TypeParam>(); }

/// Two weak chains next to a strong one; long enough that a part has several pieces.
template <int K>
struct Setting {
  static constexpr int32_t kLength = 5000;
  Problem problem;

  Setting() {
    Rows rows = chains(3, kLength);
    rows[0][0] += 1e-6;
    rows[kLength][kLength] += 1;
    couple(rows, kLength + 1, 2 * kLength, 1e-5);
    problem = test::problem_of(rows);
  }
  static std::vector<Columns<double, K>> numbers() {
    std::vector<Columns<double, K>> x(3 * kLength);
    for (size_t i = 0; i < x.size(); ++i)
      for (int c = 0; c < K; ++c) column(x[i], c) = std::sin(0.37 * static_cast<double>(i * (c + 1)));
    return x;
  }
};

/// Sum of column c over the unknowns of a part.
template <class V>
double sum_over(const std::vector<V>& x, const WeakParts& parts, int32_t part, int c) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (parts.of_unknown[i] == part) sum += column(x[i], c);
  return sum;
}

template <class D, int K>
void check_levels() {
  const Setting<K> setting;
  const WeakParts parts = find_weak_parts(setting.problem.matrix);
  ASSERT_EQ(parts.count(), 2);
  const SellMatrix<D> matrix(setting.problem.matrix);
  const Deflation<D> deflation(parts, matrix.rows(), [](int64_t i) { return i; });
  typename Deflation<D>::template Vectors<K> vectors;
  using Wide = Columns<double, K>;
  Chosen<K> all;
  for (int c = 0; c < K; ++c) all[c] = true;

  Array<D, Wide> b(setting.numbers()), x(matrix.rows()), r(matrix.rows());
  fill<D, Wide>(x.view(), Wide{});
  const auto form_residual = [&] {
    if constexpr (K == 1)
      residual<D>(matrix, std::as_const(b).view(), std::as_const(x).view(), r.view());
    else
      residual<D, K>(matrix, std::as_const(b).view(), std::as_const(x).view(), r.view(), all);
  };
  form_residual();
  deflation.template set_levels<K>(std::as_const(r).view(), x.view(), all, vectors);
  form_residual();
  const std::vector<Wide> left = r.to_host();
  for (int32_t part = 0; part < 2; ++part)
    for (int c = 0; c < K; ++c) EXPECT_NEAR(sum_over(left, parts, part, c), 0, 1e-8) << part << ", column " << c;

  Array<D, Wide> p(setting.numbers()), image(matrix.rows());
  deflation.template project<double, K>(p.view(), vectors);
  fill<D, Wide>(b.view(), Wide{});
  std::swap(x, p);
  form_residual();  // −A p
  const std::vector<Wide> product = r.to_host();
  for (int32_t part = 0; part < 2; ++part)
    for (int c = 0; c < K; ++c) EXPECT_NEAR(sum_over(product, parts, part, c), 0, 1e-11) << part << ", column " << c;
}

TYPED_TEST(WeakPartsOn, LevelsLeaveNoResidualAndDirectionsNoLevel) {
  check_levels<TypeParam, 1>();
  check_levels<TypeParam, 8>();
}

TEST(WeakParts, ShiftsBecomePads) {
  auto network = std::make_shared<MergedNetwork>();
  network->nodes = 3;
  network->pad = {1, 0, 2};
  WeakParts parts;
  parts.of_unknown = {-1, 0, 0};
  parts.shift = {0.25};
  const PowerGrid shifted = with_shifts({network, {}}, parts);
  EXPECT_THAT(shifted.network->pad, ElementsAre(1, 0.25, 2.25));
  EXPECT_THAT(network->pad, ElementsAre(1, 0, 2));
}

}  // namespace
}  // namespace gridiron
