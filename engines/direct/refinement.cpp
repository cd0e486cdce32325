// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr int kMostSteps = 4;
constexpr int64_t kRowsPerRange = 1 << 14;

/// Norms for one right-hand side; long double so that the square of any double is in range.
struct Norms {
  long double residual_squares = 0, rhs_squares = 0;
  double max_residual = 0;

  void add(long double residual, double rhs) {
    residual_squares += residual * residual;
    rhs_squares += static_cast<long double>(rhs) * rhs;
    add_max(static_cast<double>(std::abs(residual)));
  }
  void add(const Norms& other) {
    residual_squares += other.residual_squares;
    rhs_squares += other.rhs_squares;
    add_max(other.max_residual);
  }
  double relative() const {
    if (residual_squares == 0) return 0;
    return static_cast<double>(std::sqrt(residual_squares / rhs_squares));
  }

 private:
  /// The comparison is negated so that a NaN persists.
  void add_max(double residual) {
    if (!(residual <= max_residual)) max_residual = residual;
  }
};

/// Columns whose residuals are formed in one pass over the matrix.
constexpr int64_t kColumnsPerPass = 8;

/// A matrix, with the sums of its rows where these are to be exact.
struct Operator {
  const CsrMatrix& a;
  std::span<const double> row_sums;

  /// sum[c] −= row · x_c, for `count` columns of x.
  void subtract_row(int64_t row, const double* x, int64_t stride, int64_t count, long double* sum) const {
    if (!row_sums.empty()) return subtract_by_differences(row, x, stride, count, sum);
    for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) {
      const long double value = a.value[k];
      const double* const entry = x + a.col[k];
      for (int64_t c = 0; c < count; ++c) sum[c] -= value * entry[c * stride];
    }
  }

 private:
  void subtract_by_differences(int64_t row, const double* x, int64_t stride, int64_t count, long double* sum) const {
    for (int64_t c = 0; c < count; ++c) {
      const long double own = x[c * stride + row];
      sum[c] -= row_sums[row] * own;
      for (int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k)
        if (a.col[k] != row) sum[c] -= a.value[k] * (x[c * stride + a.col[k]] - own);
    }
  }
};

/// r = b − A x and its norms, for each column of the blocks.
std::vector<Norms> residuals(const Operator& of, Block<const double> b, Block<const double> x, Block<double> r) {
  const CsrMatrix& a = of.a;
  const int64_t ranges = (a.rows + kRowsPerRange - 1) / kRowsPerRange;
  std::vector<Norms> of_range(ranges * b.columns);
  parallel_ranges(
      a.rows,
      [&](int64_t begin, int64_t end) {
        Norms* const norms = of_range.data() + begin / kRowsPerRange * b.columns;
        for (int64_t first = 0; first < b.columns; first += kColumnsPerPass) {
          const int64_t count = std::min(kColumnsPerPass, b.columns - first);
          for (int64_t row = begin; row < end; ++row) {
            long double sum[kColumnsPerPass];
            for (int64_t c = 0; c < count; ++c) sum[c] = b.data[(first + c) * b.rows + row];
            of.subtract_row(row, x.data + first * x.rows, x.rows, count, sum);
            for (int64_t c = 0; c < count; ++c) {
              const int64_t at = (first + c) * b.rows + row;
              r.data[at] = static_cast<double>(sum[c]);
              norms[first + c].add(sum[c], b.data[at]);
            }
          }
        }
      },
      kRowsPerRange);
  std::vector<Norms> total(b.columns);
  for (int64_t range = 0; range < ranges; ++range)
    for (int64_t j = 0; j < b.columns; ++j) total[j].add(of_range[range * b.columns + j]);
  return total;
}

/// The state of one right-hand side during refinement.
struct Column {
  ColumnStats stats;
  bool is_done = false;

  Column(const Norms& norms, const StopRule& stop) { take(norms, stop); }

  void take(const Norms& norms, const StopRule& stop) {
    stats.relative_residual = norms.relative();
    stats.max_residual = norms.max_residual;
    stats.history.push_back(stats.relative_residual);
    stats.converged = stats.relative_residual <= stop.relative_residual ||
                      (stop.absolute_max > 0 && stats.max_residual <= stop.absolute_max);
    is_done = stats.converged;
  }
};

/// Columns that have not converged, copied into a contiguous block.
class Remaining {
 public:
  Remaining(const std::vector<Column>& columns, int64_t rows) : rows_(rows) {
    for (size_t j = 0; j < columns.size(); ++j)
      if (!columns[j].is_done) number_.push_back(static_cast<int64_t>(j));
  }
  int64_t count() const { return std::ssize(number_); }
  int64_t operator[](int64_t k) const { return number_[k]; }

  std::vector<double> gathered(const double* all) const {
    std::vector<double> some(rows_ * count());
    for (int64_t k = 0; k < count(); ++k) std::copy_n(all + number_[k] * rows_, rows_, some.data() + k * rows_);
    return some;
  }

 private:
  int64_t rows_;
  std::vector<int64_t> number_;
};

}  // namespace

SolveStats solve_and_refine(const CsrMatrix& a, Block<const double> b, Block<double> x, const StopRule& stop,
                            const ApplyInverse& apply_inverse, std::vector<double>& r,
                            std::span<const double> row_sums) {
  const int64_t n = b.rows;
  const Operator exactly{a, row_sums};
  apply_inverse(b, x);
  if (std::isinf(stop.absolute_max)) {
    ColumnStats unjudged;
    unjudged.converged = true;
    return summed_up(std::vector<ColumnStats>(b.columns, unjudged));
  }
  r.resize(std::max(r.size(), static_cast<size_t>(n * b.columns)));
  std::vector<Column> columns;
  for (const Norms& norms : residuals(exactly, b, x, {r.data(), n, b.columns})) columns.emplace_back(norms, stop);

  // What the levels of weakly tied parts are off by hardly shows in the residual: steps that set them right may leave
  // it.
  const double kept = row_sums.empty() ? 1 : 4;
  const int most = std::min(stop.max_iterations, kMostSteps);
  for (int step = 0; step < most; ++step) {
    const Remaining remaining(columns, n);
    const int64_t count = remaining.count();
    if (count == 0) break;
    stop.throw_if_stopped();
    const std::vector<double> some_b = remaining.gathered(b.data), some_r = remaining.gathered(r.data());
    std::vector<double> refined(some_r.size()), new_r(some_r.size());
    apply_inverse({some_r.data(), n, count}, {refined.data(), n, count});
    for (int64_t k = 0; k < count; ++k)
      for (int64_t i = 0; i < n; ++i) refined[k * n + i] += x.data[remaining[k] * n + i];
    const std::vector<Norms> norms =
        residuals(exactly, {some_b.data(), n, count}, {refined.data(), n, count}, {new_r.data(), n, count});
    for (int64_t k = 0; k < count; ++k) {
      Column& column = columns[remaining[k]];
      const double before = column.stats.relative_residual;
      if (!(norms[k].relative() < kept * before)) {
        column.is_done = true;
        continue;
      }
      std::copy_n(refined.data() + k * n, n, x.data + remaining[k] * n);
      std::copy_n(new_r.data() + k * n, n, r.data() + remaining[k] * n);
      ++column.stats.iterations;
      column.take(norms[k], stop);
      column.is_done = column.is_done || column.stats.relative_residual > kept * before / 2;
    }
  }
  std::vector<ColumnStats> stats;
  for (Column& column : columns) stats.push_back(std::move(column.stats));
  return summed_up(std::move(stats));
}

}  // namespace gridiron
