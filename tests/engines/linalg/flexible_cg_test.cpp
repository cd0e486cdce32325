// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients whose residual and products are of single precision, with true residuals in doubles.
#include "linalg/flexible_cg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "linalg/block_columns.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

/// Products in single precision, from differences.
template <class D>
struct Rounded {
  SellMatrix<D> matrix;
  Array<D, float> value, row_sum;

  explicit Rounded(const CsrMatrix& host) : matrix(host), value(matrix.value.size()), row_sum(matrix.rows()) {
    const SellView<D, double> a = matrix.view();
    const View<D, const double> diagonal = std::as_const(matrix.diagonal).view();
    const View<D, float> rounded = value.view(), sums = row_sum.view();
    D::for_each(
        a.rows, GRIDIRON_KERNEL(int64_t i) {
          double sum = diagonal[i];
          for (const int64_t e : a.entries(i)) {
            sum += a.value[e];
            rounded[e] = static_cast<float>(a.value[e]);
          }
          sums[i] = static_cast<float>(sum);
        });
  }
  const SellMatrix<D>& exact() const { return matrix; }
};
template <class D, class T, int K, class G>
void product_and_dots(const Rounded<D>& a, View<D, const Columns<T, K>> p, View<D, const Columns<T, K>> r,
                      View<D, Columns<T, K>> q, G then) {
  const SellView<D, float, true> couplings{*a.matrix.pattern, a.value.view()};
  const View<D, const float> row_sum = a.row_sum.view();
  D::template product_sum_then<2 * K>(
      couplings, p,
      GRIDIRON_KERNEL(int64_t i, const Columns<T, K>& differences) {
        const Columns<T, K> value = row_sum[i] * p[i] + differences;
        q[i] = value;
        const Columns<double, K> wide = to<double>(p[i]);
        return sums_of(wide * value, wide * r[i]);
      },
      then);
}

template <class D>
class RoundedCg : public testing::Test {
 protected:
  static constexpr int K = 4;

  struct Run {
    std::vector<double> x;
    std::vector<ColumnStats> stats;
  };

  /// The columns of the block b, from x, in so many slots, without a preconditioner unless one is given.
  template <int Slots = K>
  static Run solve(
      const Problem& problem, const std::vector<double>& b, std::vector<double> x, StopRule stop,
      const Preconditioner<D, float, Slots, float>& precondition = [](auto r, const auto&) { return r; }) {
    const int64_t n = problem.matrix.rows, columns = static_cast<int64_t>(b.size()) / n;
    const Rounded<D> matrix(problem.matrix);
    BlockCg<D, float, Rounded<D>, Slots, float> cg(n);
    Run run{std::move(x), {}};
    run.stats = cg.solve(matrix, {b.data(), n, columns}, {run.x.data(), n, columns}, stop, precondition);
    return run;
  }

  static double true_residual(const Problem& problem, const double* b, const double* x) {
    std::vector<double> ax(problem.matrix.rows);
    multiply(problem.matrix, x, ax.data());
    double squares = 0, of_b = 0;
    for (size_t i = 0; i < ax.size(); ++i) {
      squares += (b[i] - ax[i]) * (b[i] - ax[i]);
      of_b += b[i] * b[i];
    }
    return std::sqrt(squares / of_b);
  }
};
using Devices = testing::Types<CpuDevice, CheckingDevice>;
TYPED_TEST_SUITE(RoundedCg, Devices);

TYPED_TEST(RoundedCg, ReachesWhatDoublesReach) {
  const Problem problem = test::poisson(31);
  const int64_t n = problem.matrix.rows;
  for (const int64_t columns : {1, 4, 9}) {
    const auto b = test::random_block(n * columns, 1);
    const auto run = this->solve(problem, b, std::vector<double>(b.size()), {.relative_residual = 1e-13});
    for (int64_t j = 0; j < columns; ++j) {
      EXPECT_TRUE(run.stats[j].converged);
      EXPECT_LE(this->true_residual(problem, &b[j * n], &run.x[j * n]), 1.1e-13);
      EXPECT_EQ(run.stats[j].history.size(), run.stats[j].iterations + 1);
    }
  }
}

/// For a single column on a device, the residual is preconditioned before its norm is known: with the same bits, and
/// hardly ever in vain.
TYPED_TEST(RoundedCg, GoesAheadOfTheNorm) {
  const Problem problem = test::poisson(31);
  const auto b = test::random_block(problem.matrix.rows, 1);
  const std::vector<double> zero(b.size());
  const StopRule stop{.relative_residual = 1e-11};
  int calls = 0, ahead = 0;
  double last = 0;
  const auto run = this->template solve<1>(problem, b, zero, stop, [&](auto r, double norm) {
    ++calls;
    ahead += norm == last;  // that of the residual before
    last = norm;
    return r;
  });
  const auto in_slots = this->solve(problem, b, zero, stop);
  EXPECT_TRUE(run.stats[0].converged);
  EXPECT_EQ(run.x, in_slots.x);
  EXPECT_EQ(run.stats[0].history, in_slots.stats[0].history);
  EXPECT_GE(calls, run.stats[0].iterations);
  EXPECT_LE(calls, run.stats[0].iterations + 1);
  EXPECT_EQ(ahead > 0, !TypeParam::shares_host_memory);
}

/// Where the residual falls so far that a column is done, what was preconditioned ahead is not for the next one.
TYPED_TEST(RoundedCg, ForgetsWhatWentAheadInVain) {
  using D = TypeParam;
  const Problem problem = test::poisson(15);
  const int64_t n = problem.matrix.rows;
  const auto b = test::random_block(2 * n, 1);
  const std::vector<double> second(b.begin() + n, b.end());
  const StopRule stop{.relative_residual = 1e-4};
  int calls = 0;
  Array<D, float> answer(n);
  const auto both = this->template solve<1>(problem, b, std::vector<double>(2 * n), stop, [&](auto r, double) {
    const View<D, float> to = answer.view();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { to[i] = r[i]; });
    if (++calls == 5) {
      const std::vector<float> residual = answer.to_host();
      const std::vector<double> wide(residual.begin(), residual.end()),
          exact = test::dense_reference(problem.matrix, wide);
      answer.copy_from(std::vector<float>(exact.begin(), exact.end()));
    }
    return std::as_const(answer).view();
  });
  EXPECT_TRUE(both.stats[0].converged);
  EXPECT_EQ(both.stats[0].iterations, 5);
  EXPECT_LE(this->true_residual(problem, b.data(), both.x.data()), 1e-4);
  const auto alone = this->template solve<1>(problem, second, std::vector<double>(n), stop);
  EXPECT_EQ(both.stats[1].history, alone.stats[0].history);
  EXPECT_TRUE(std::equal(alone.x.begin(), alone.x.end(), both.x.begin() + n));
}

/// Right-hand sides beyond the range of single precision, a guess that is good already, and none at all.
TYPED_TEST(RoundedCg, ScalesEveryColumnByItself) {
  const Problem problem = test::poisson(15);
  const int64_t n = problem.matrix.rows;
  const std::vector<double> size = {1e-60, 1, 1e60, 0, 1};
  auto b = test::random_block(n * 5, 1);
  for (int64_t k = 0; k < n * 5; ++k) b[k] *= size[k / n];
  std::vector<double> guess(b.size());
  const auto exact = test::dense_reference(problem.matrix, std::vector<double>(b.begin() + 4 * n, b.end()));
  for (int64_t i = 0; i < n; ++i) guess[4 * n + i] = exact[i] * (1 + 1e-6 * (i % 3));
  const auto run = this->solve(problem, b, guess, {.relative_residual = 1e-11});
  for (const int64_t j : {0, 1, 2, 4}) {
    EXPECT_TRUE(run.stats[j].converged) << j;
    EXPECT_LE(this->true_residual(problem, &b[j * n], &run.x[j * n]), 1.1e-11) << j;
  }
  EXPECT_EQ(run.stats[3].iterations, 0);
  for (int64_t i = 0; i < n; ++i) EXPECT_EQ(run.x[3 * n + i], 0);
  EXPECT_LT(run.stats[4].iterations, run.stats[1].iterations);
}

/// Tolerances around the residual at which the true one is formed: a claim that misses by rounding is not the end.
TYPED_TEST(RoundedCg, MeetsAnyTolerance) {
  const Problem problem = test::poisson(15);
  const auto b = test::random_block(problem.matrix.rows, 1);
  for (int k = 0; k < 60; ++k) {
    const double tolerance = 2e-4 * std::pow(0.9, k);
    const auto run = this->solve(problem, b, std::vector<double>(b.size()), {.relative_residual = tolerance});
    EXPECT_TRUE(run.stats[0].converged) << tolerance;
    EXPECT_LE(this->true_residual(problem, b.data(), run.x.data()), tolerance * (1 + 1e-9));
  }
}

/// Guesses that have nothing to do with the right-hand side: a solution of zero, and 1e13 times too large.
TYPED_TEST(RoundedCg, ForgetsWrongGuesses) {
  const Problem problem = test::poisson(15);
  const int64_t n = problem.matrix.rows;
  auto b = test::random_block(n * 2, 1), guess = test::random_block(n * 2, 2);
  for (int64_t i = 0; i < n; ++i) {
    b[i] = 0;
    guess[n + i] *= 1e13;
  }
  const auto none = this->solve(problem, std::vector<double>(b.begin(), b.begin() + n),
                                std::vector<double>(guess.begin(), guess.begin() + n), {.relative_residual = 1e-11});
  EXPECT_TRUE(none.stats[0].converged);
  for (int64_t i = 0; i < n; ++i) EXPECT_NEAR(none.x[i], 0, 1e-9);
  const auto both = this->solve(problem, b, guess, {.relative_residual = 0.1});
  EXPECT_TRUE(both.stats[1].converged);
  EXPECT_LE(this->true_residual(problem, &b[n], &both.x[n]), 0.11);
}

/// Where no progress is possible the method stops and says so.
TYPED_TEST(RoundedCg, StopsAtTheRoundingOfDoubles) {
  const Problem problem = test::poisson(15);
  const auto b = test::random_block(problem.matrix.rows, 1);
  const auto run =
      this->solve(problem, b, std::vector<double>(b.size()), {.relative_residual = 1e-20, .max_iterations = 100'000});
  EXPECT_FALSE(run.stats[0].converged);
  EXPECT_LT(run.stats[0].relative_residual, 1e-14);
  EXPECT_LT(run.stats[0].iterations, 500);
}

}  // namespace
}  // namespace gridiron
