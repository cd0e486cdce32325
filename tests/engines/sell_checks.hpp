// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "engines/linalg/sell.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// Rows of 0 … 7 entries, and every `hub`-th row full.
inline CsrMatrix mixed(std::int32_t n, std::int32_t hub) {
  Rows rows(n);
  std::mt19937 random(n);
  const auto number = [&] { return random() / 4294967296.0 - 0.5; };
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::uint32_t k = 0; k < random() % 8; ++k) rows[i][static_cast<std::int32_t>(random() % n)] = number();
    if (i % hub == hub - 1)
      for (std::int32_t j = 0; j < n; ++j) rows[i][j] = number();
  }
  return problem_of(rows).matrix;
}

template <class D>
void product_is_that_of_the_rows(const std::vector<std::int32_t>& sizes = {0, 1, 2, 31, 32, 33, 34, 63, 64, 65, 66, 67,
                                                                           200, 5000}) {
  for (const std::int32_t n : sizes) {
    for (const std::int32_t hub : {n <= 5000 ? 40 : 139'000, 1'000'000}) {
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
          matrix.view(), in, GRIDIRON_KERNEL(std::int64_t i, double sum) { y[i] = diagonal[i] * in[i] + sum; });
      const Sums<2> sums = D::template product_sum<2>(
          matrix.view(), in, GRIDIRON_KERNEL(std::int64_t i, double sum) {
            z[i] = sum;
            return Sums<2>{{1.0, sum}};
          });
      const std::vector<double> got = y_device.to_host(), off_diagonal = z_device.to_host(),
                                d = matrix.diagonal.to_host();
      double total = 0;
      for (std::int32_t i = 0; i < n; ++i) {
        ASSERT_NEAR(got[i], expected[i], 1e-12) << n << " row " << i;
        ASSERT_NEAR(got[i], d[i] * x[i] + off_diagonal[i], 1e-14);
        total += off_diagonal[i];
      }
      EXPECT_EQ(sums[0], n);
      EXPECT_NEAR(sums[1], total, 1e-10);
      EXPECT_EQ(matrix.nonzeros(), host.nonzeros());
    }
  }
}

}  // namespace gridiron::test
