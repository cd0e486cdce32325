// SPDX-License-Identifier: Apache-2.0
// Transfers of block columns to a method and back: immediate if memory is shared, otherwise ahead of time.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "linalg/block_columns.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

constexpr int kPlaces = 4;

template <class D>
struct Jacobi {
  Array<D, Columns<float, kPlaces>> z;
  View<D, const Columns<float, kPlaces>> operator()(View<D, const Columns<double, kPlaces>> r,
                                                    const Columns<double, kPlaces>&) {
    const auto out = z.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(int64_t i) { out[i] = to<float>(0.25 * r[i]); });
    return std::as_const(z).view();
  }
};

template <class D>
std::vector<double> solve(const Problem& problem, const std::vector<double>& b, std::vector<double> x,
                          std::stop_token stop = {}) {
  const int64_t n = problem.matrix.rows, columns = static_cast<int64_t>(b.size()) / n;
  BlockCg<D, float, SellMatrix<D>, kPlaces> cg(n);
  Jacobi<D> jacobi{Array<D, Columns<float, kPlaces>>(n)};
  for (int round = 0; round < 2; ++round) {  // reuses memory, and starts from the solution
    const auto stats = cg.solve(SellMatrix<D>(problem.matrix), {b.data(), n, columns}, {x.data(), n, columns},
                                {.relative_residual = 1e-12, .stop = stop},
                                [&](View<D, const Columns<double, kPlaces>> r, const Columns<double, kPlaces>& norm) {
                                  return jacobi(r, norm);
                                });
    for (const ColumnStats& column : stats) {
      EXPECT_TRUE(column.converged);
      EXPECT_TRUE(round == 0 || column.iterations <= 1);
    }
  }
  return x;
}

TEST(BlockColumns, ArriveInOrderForAnyNumberOfThem) {
  const Problem problem = test::poisson(9);
  const int64_t n = problem.matrix.rows;
  for (const int64_t columns : {1, 3, 4, 5, 8, 9, 18}) {
    SCOPED_TRACE(columns);
    const std::vector<double> b = test::random_block(n * columns, 1);
    std::vector<double> guess = test::random_block(n * columns, 2);
    for (int64_t j = 0; j < columns; j += 3) std::fill_n(guess.begin() + j * n, n, 0.0);
    EXPECT_EQ(solve<CheckingDevice>(problem, b, guess), solve<CpuDevice>(problem, b, guess));
  }
}

TEST(BlockColumns, AStopLeavesNoTransferBehind) {
  const Problem problem = test::poisson(9);
  std::stop_source source;
  source.request_stop();
  const std::vector<double> b = test::random_block(problem.matrix.rows * 9, 1);
  EXPECT_THROW(solve<CheckingDevice>(problem, b, std::vector<double>(b.size()), source.get_token()), Stopped);
}

TEST(BlockColumns, ZeroMeansEveryEntry) {
  for (const size_t n : {size_t{1}, size_t{4096}, size_t{300'000}}) {
    std::vector<double> x(n, 0.0);
    EXPECT_TRUE(is_zero(x));
    for (const size_t at : {size_t{0}, n / 2, n - 1}) {
      x[at] = -1e-300;
      EXPECT_FALSE(is_zero(x)) << n << ' ' << at;
      x[at] = -0.0;
      EXPECT_TRUE(is_zero(x));
    }
    x[n - 1] = NAN;
    EXPECT_FALSE(is_zero(x));
  }
  EXPECT_TRUE(is_zero({}));
}

}  // namespace
}  // namespace gridiron
