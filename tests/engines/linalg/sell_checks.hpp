// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/sell.hpp"
#include "linalg/short_sell.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// Rows of 0 … 7 entries; every `hub`-th row is full.
inline CsrMatrix mixed(int32_t n, int32_t hub) {
  Rows rows(n);
  std::mt19937 random(n);
  const auto number = [&] { return random() / 4294967296.0 - 0.5; };
  for (int32_t i = 0; i < n; ++i) {
    for (uint32_t k = 0; k < random() % 8; ++k) rows[i][static_cast<int32_t>(random() % n)] = number();
    if (i % hub == hub - 1)
      for (int32_t j = 0; j < n; ++j) rows[i][j] = number();
  }
  return problem_of(rows).matrix;
}

template <class D>
void product_is_that_of_the_rows(const std::vector<int32_t>& sizes = {0, 1, 2, 31, 32, 33, 34, 63, 64, 65, 66, 67, 200,
                                                                      5000}) {
  for (const int32_t n : sizes) {
    for (const int32_t hub : {n <= 5000 ? 40 : 139'000, 1'000'000}) {
      const CsrMatrix host = mixed(n, hub);
      const SellMatrix<D> matrix(host);
      const std::vector<double> x = random_block(n, 7);
      std::vector<double> expected(n);
      multiply(host, x.data(), expected.data());

      const Array<D, double> x_device(x);
      Array<D, double> y_device(n), z_device(n);
      const View<D, const double> in = x_device.view(), diagonal = matrix.diagonal.view();
      const View<D, double> y = y_device.view(), z = z_device.view();
      D::for_each_product(
          matrix.view(), in, GRIDIRON_KERNEL(int64_t i, double sum) { y[i] = diagonal[i] * in[i] + sum; });
      const Sums<2> sums = D::template product_sum<2>(
          matrix.view(), in, GRIDIRON_KERNEL(int64_t i, double sum) {
            z[i] = sum;
            return Sums<2>{{1.0, sum}};
          });
      const std::vector<double> got = y_device.to_host(), off_diagonal = z_device.to_host(),
                                d = matrix.diagonal.to_host();
      double total = 0, all_terms = 0;
      for (int32_t i = 0; i < n; ++i) {
        double terms = 0;  // any order of summation is within entries · 2⁻⁵³ of the sum of these
        for (auto k = host.row_ptr[i]; k < host.row_ptr[i + 1]; ++k) terms += std::abs(host.value[k] * x[host.col[k]]);
        const double rounding = 0x1p-52 * static_cast<double>(host.row_ptr[i + 1] - host.row_ptr[i] + 2) * terms;
        ASSERT_NEAR(got[i], expected[i], rounding) << n << " row " << i;
        ASSERT_NEAR(got[i], d[i] * x[i] + off_diagonal[i], rounding);
        total += off_diagonal[i];
        all_terms += terms;
      }
      EXPECT_EQ(sums[0], n);
      EXPECT_NEAR(sums[1], total, 0x1p-52 * (n + 1) * all_terms);
      EXPECT_EQ(matrix.nonzeros(), host.nonzeros());
    }
  }
}

/// Columns of packs have the same products as alone.
template <class D>
void product_of_packs_is_that_of_their_columns(const std::vector<int32_t>& sizes = {0, 1, 33, 200, 5000}) {
  constexpr int K = 8;
  for (const int32_t n : sizes) {
    const CsrMatrix host = mixed(n, n <= 5000 ? 40 : 139'000);
    const SellMatrix<D> matrix(host);
    std::vector<Pack<double, K>> x(n);
    for (int c = 0; c < K; ++c) {
      const std::vector<double> column = random_block(n, 7 + c);
      for (int32_t i = 0; i < n; ++i) x[i][c] = column[i];
    }
    const Array<D, Pack<double, K>> x_device(x);
    Array<D, Pack<double, K>> y_device(n), z_device(n);
    const View<D, const Pack<double, K>> in = x_device.view();
    const View<D, const double> diagonal = matrix.diagonal.view();
    const View<D, Pack<double, K>> y = y_device.view(), z = z_device.view();
    D::for_each_product(
        matrix.view(), in,
        GRIDIRON_KERNEL(int64_t i, const Pack<double, K>& sum) { y[i] = diagonal[i] * in[i] + sum; });
    const Sums<K> sums = D::template product_sum<K>(
        matrix.view(), in, GRIDIRON_KERNEL(int64_t i, const Pack<double, K>& sum) {
          z[i] = sum;
          return sums_of(diagonal[i] * in[i] + sum);
        });
    const std::vector<Pack<double, K>> got = y_device.to_host(), off_diagonal = z_device.to_host();
    const std::vector<double> d = matrix.diagonal.to_host();
    for (int c = 0; c < K; ++c) {
      std::vector<double> alone(n), expected(n);
      for (int32_t i = 0; i < n; ++i) alone[i] = x[i][c];
      multiply(host, alone.data(), expected.data());
      double total = 0, all_terms = 0;
      for (int32_t i = 0; i < n; ++i) {
        double terms = 0;
        for (auto k = host.row_ptr[i]; k < host.row_ptr[i + 1]; ++k)
          terms += std::abs(host.value[k] * alone[host.col[k]]);
        const double rounding = 0x1p-52 * static_cast<double>(host.row_ptr[i + 1] - host.row_ptr[i] + 2) * terms;
        ASSERT_NEAR(got[i][c], expected[i], rounding) << n << " row " << i << " column " << c;
        ASSERT_NEAR(d[i] * alone[i] + off_diagonal[i][c], expected[i], rounding);
        total += got[i][c];
        all_terms += terms;
      }
      EXPECT_NEAR(sums[c], total, 0x1p-52 * (n + 1) * all_terms);
    }
  }
}

/// Products of differences are Σ a_ij (x_j − x_i), alone, summed up and in packs.
template <class D>
void product_of_differences_is_that_of_the_rows(const std::vector<int32_t>& sizes = {0, 1, 2, 31, 32, 33, 34, 65, 200,
                                                                                     5000}) {
  constexpr int K = 8;
  for (const int32_t n : sizes) {
    for (const int32_t hub : {n <= 5000 ? 40 : 139'000, 1'000'000}) {
      const CsrMatrix host = mixed(n, hub);
      const SellMatrix<D> matrix(host);
      const SellView<D, double, true> differences{*matrix.pattern, std::as_const(matrix.value).view()};
      const std::vector<double> x = random_block(n, 7);
      std::vector<Pack<double, K>> columns(n);
      for (int32_t i = 0; i < n; ++i)
        for (int c = 0; c < K; ++c) columns[i][c] = (c + 1) * x[i];
      const Array<D, double> x_device(x);
      const Array<D, Pack<double, K>> columns_device(columns);
      Array<D, double> y_device(n), z_device(n);
      Array<D, Pack<double, K>> packs_device(n);
      const View<D, double> y = y_device.view(), z = z_device.view();
      const View<D, Pack<double, K>> packs = packs_device.view();
      D::for_each_product(
          differences, x_device.view(), GRIDIRON_KERNEL(int64_t i, double sum) { y[i] = sum; });
      D::template product_sum<1>(
          differences, x_device.view(), GRIDIRON_KERNEL(int64_t i, double sum) {
            z[i] = sum;
            return Sums<1>{{sum}};
          });
      D::for_each_product(
          differences, columns_device.view(),
          GRIDIRON_KERNEL(int64_t i, const Pack<double, K>& sum) { packs[i] = sum; });
      const std::vector<double> alone = y_device.to_host(), summed = z_device.to_host();
      const std::vector<Pack<double, K>> together = packs_device.to_host();
      for (int32_t i = 0; i < n; ++i) {
        double expected = 0, terms = 0;
        for (auto k = host.row_ptr[i]; k < host.row_ptr[i + 1]; ++k) {
          expected += host.value[k] * (x[host.col[k]] - x[i]);
          terms += std::abs(host.value[k]) * (std::abs(x[host.col[k]]) + std::abs(x[i]));
        }
        const double rounding = 0x1p-52 * static_cast<double>(host.row_ptr[i + 1] - host.row_ptr[i] + 2) * terms;
        ASSERT_NEAR(alone[i], expected, rounding) << n << " row " << i;
        ASSERT_NEAR(summed[i], expected, rounding) << n << " row " << i;
        for (int c = 0; c < K; ++c)
          ASSERT_NEAR(together[i][c], (c + 1) * expected, (c + 1) * rounding) << n << ' ' << i;
      }
    }
  }
}

/// Couplings with the next rows, and of some rows with one that is far away, below or above.
inline CsrMatrix with_distant_columns(int32_t n, int32_t distance) {
  CsrMatrix a;
  a.rows = n;
  a.row_ptr.push_back(0);
  for (int32_t i = 0; i < n; ++i) {
    const auto add = [&](int32_t col, double value) {
      if (col < 0 || col >= n) return;
      a.col.push_back(col);
      a.value.push_back(value);
    };
    if (i % 96 == 1) add(i - distance, -0.3 - i % 7);
    if (i % 5 != 2) add(i - 1, -1.0 / (1 + i % 11));
    add(i, 3);
    if (i % 7 != 3) add(i + 1, -2.0 / (1 + i % 13));
    if (i % 30 == 0) add(i + distance, -0.7 - i % 4);
    a.row_ptr.push_back(static_cast<int64_t>(a.col.size()));
  }
  return a;
}

/// A ShortSell of the matrix with row i times weight_i: its products on scalars and packs are those of entries rounded
/// to bf16. Entries may be stored in `longest` times the room at most.
template <class D>
void short_copy_has_products_of_rounded_entries(const CsrMatrix& host, double longest) {
  constexpr int K = 3;
  const auto n = static_cast<int32_t>(host.rows);
  const SellMatrix<D> matrix(host);
  ShortSell<D> copy{SellPatternView<D>(*matrix.pattern)};
  ASSERT_FALSE(copy.is_empty());
  EXPECT_LE(static_cast<double>(copy.stored()), longest * static_cast<double>(matrix.value.size()));
  std::vector<double> weight(n);
  for (int32_t i = 0; i < n; ++i) weight[i] = 1 + i % 3;
  const Array<D, double> weight_device(weight);
  copy.template fill<double>(matrix.view(), std::as_const(matrix).diagonal.view());  // to be replaced
  copy.template fill<double>(matrix.view(), weight_device.view());

  std::vector<float> x(n);
  std::vector<Pack<float, K>> columns(n);
  const std::vector<double> entries = random_block(n, 7);
  for (int32_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(entries[i]);
    for (int c = 0; c < K; ++c) columns[i][c] = static_cast<float>(1 << c) * x[i];
  }
  const Array<D, float> x_device(x);
  const Array<D, Pack<float, K>> columns_device(columns);
  Array<D, float> y_device(n), z_device(n);
  Array<D, Pack<float, K>> packs_device(n);
  const View<D, float> y = y_device.view(), z = z_device.view();
  const View<D, Pack<float, K>> packs = packs_device.view();
  D::for_each_product(
      copy.view(), x_device.view(), GRIDIRON_KERNEL(int64_t i, float sum) { y[i] = sum; });
  D::template product_sum<1>(
      copy.view(), x_device.view(), GRIDIRON_KERNEL(int64_t i, float sum) {
        z[i] = sum;
        return Sums<1>{{sum}};
      });
  D::for_each_product(
      copy.view(), columns_device.view(), GRIDIRON_KERNEL(int64_t i, const Pack<float, K>& sum) { packs[i] = sum; });
  const std::vector<float> alone = y_device.to_host(), summed = z_device.to_host();
  const std::vector<Pack<float, K>> together = packs_device.to_host();
  for (int32_t i = 0; i < n; ++i) {
    double expected = 0, terms = 0;
    for (auto k = host.row_ptr[i]; k < host.row_ptr[i + 1]; ++k) {
      const double rounded = high_of(ShortSell<D>::rounded(static_cast<float>(weight[i] * host.value[k])));
      ASSERT_NEAR(rounded, weight[i] * host.value[k], std::abs(weight[i] * host.value[k]) / 256);
      expected += rounded * (static_cast<double>(x[host.col[k]]) - x[i]);
      terms += std::abs(rounded) * (std::abs(x[host.col[k]]) + std::abs(x[i]));
    }
    const double rounding = 0x1p-23 * 8 * terms;
    ASSERT_NEAR(alone[i], expected, rounding) << n << " row " << i;
    ASSERT_NEAR(summed[i], expected, rounding) << n << " row " << i;
    for (int c = 0; c < K; ++c) ASSERT_NEAR(together[i][c], (1 << c) * expected, (1 << c) * rounding) << n << ' ' << i;
  }
}

template <class D>
void short_copies_have_products_of_rounded_entries() {
  for (const int32_t n : {2, 31, 32, 33, 34, 63, 64, 65, 1000})
    short_copy_has_products_of_rounded_entries<D>(with_distant_columns(n, 17), 1);
  for (const int32_t n : {140'000, 140'031})
    for (const int32_t distance : {65'530, 65'536, 70'000})
      short_copy_has_products_of_rounded_entries<D>(with_distant_columns(n, distance), 1.15);
}

}  // namespace gridiron::test
