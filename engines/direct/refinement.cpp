// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr int kMostSteps = 4;
constexpr std::int64_t kRowsPerRange = 1 << 14;

/// Of one right-hand side; long double so that squares of any double are in range.
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
  /// Negated so that NaN, once there, stays.
  void add_max(double residual) {
    if (!(residual <= max_residual)) max_residual = residual;
  }
};

/// r = b − A x for one column.
Norms residual(const CsrMatrix& a, std::span<const double> b, std::span<const double> x, std::span<double> r) {
  std::vector<Norms> of_range((a.rows + kRowsPerRange - 1) / kRowsPerRange);
  parallel_ranges(
      a.rows,
      [&](std::int64_t begin, std::int64_t end) {
        Norms norms;
        for (std::int64_t row = begin; row < end; ++row) {
          long double sum = b[row];
          for (std::int64_t k = a.row_ptr[row]; k < a.row_ptr[row + 1]; ++k) {
            sum -= static_cast<long double>(a.value[k]) * x[a.col[k]];
          }
          r[row] = static_cast<double>(sum);
          norms.add(sum, b[row]);
        }
        of_range[begin / kRowsPerRange] = norms;
      },
      kRowsPerRange);
  Norms total;
  for (const Norms& norms : of_range) total.add(norms);
  return total;
}

struct Worst {
  double relative = 0, max = 0;

  bool satisfies(const StopRule& stop) const {
    return relative <= stop.relative_residual || (stop.absolute_max > 0 && max <= stop.absolute_max);
  }
};

Worst residuals(const CsrMatrix& a, Block<const double> b, Block<const double> x, Block<double> r) {
  Worst worst;
  for (std::int64_t j = 0; j < b.columns; ++j) {
    const Norms norms = residual(a, b.column(j), x.column(j), r.column(j));
    if (!(norms.relative() <= worst.relative)) worst.relative = norms.relative();
    if (!(norms.max_residual <= worst.max)) worst.max = norms.max_residual;
  }
  return worst;
}

}  // namespace

SolveStats solve_and_refine(const CsrMatrix& a, Block<const double> b, Block<double> x, const StopRule& stop,
                            const ApplyInverse& apply_inverse) {
  const std::size_t entries = b.rows * b.columns;
  if (entries == 0) return {.converged = true, .history = {0.0}};
  const auto read_only = [](Block<double> block) { return Block<const double>{block.data, block.rows, block.columns}; };
  std::vector<double> r_values(entries), refined_values;
  const Block<double> r{r_values.data(), b.rows, b.columns};

  apply_inverse(b, x);
  Worst worst = residuals(a, b, read_only(x), r);
  SolveStats stats;
  stats.history.push_back(worst.relative);

  for (const int most = std::min(stop.max_iterations, kMostSteps); stats.iterations < most && !worst.satisfies(stop);) {
    refined_values.resize(entries);
    const Block<double> refined{refined_values.data(), b.rows, b.columns};
    apply_inverse(read_only(r), refined);
    for (std::size_t i = 0; i < entries; ++i) refined_values[i] += x.data[i];

    const Worst now = residuals(a, b, read_only(refined), r);
    if (!(now.relative < worst.relative)) break;
    std::copy(refined_values.begin(), refined_values.end(), x.data);
    ++stats.iterations;
    stats.history.push_back(now.relative);
    const bool halved = now.relative <= worst.relative / 2;
    worst = now;
    if (!halved) break;
  }
  stats.relative_residual = worst.relative;
  stats.max_residual = worst.max;
  stats.converged = worst.satisfies(stop);
  return stats;
}

}  // namespace gridiron
