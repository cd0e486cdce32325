// SPDX-License-Identifier: Apache-2.0
#include "linalg/solve_stats.hpp"

#include <algorithm>
#include <cmath>

#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// NaN is the worst of all.
bool is_worse(double value, double than) { return !std::isnan(than) && !(value <= than); }

}  // namespace

SolveStats summed_up(std::vector<ColumnStats> columns) {
  SolveStats worst;
  worst.converged = true;
  for (size_t j = 0; j < columns.size(); ++j) {
    const ColumnStats& stats = columns[j];
    worst.converged = worst.converged && stats.converged;
    worst.iterations = std::max(worst.iterations, stats.iterations);
    if (is_worse(stats.max_residual, worst.max_residual)) worst.max_residual = stats.max_residual;
    if (j > 0 && !is_worse(stats.relative_residual, worst.relative_residual)) continue;
    worst.relative_residual = stats.relative_residual;
    worst.history = stats.history;
  }
  worst.columns = std::move(columns);
  return worst;
}

void require_a_finite_column(const SolveStats& stats, std::string_view engine) {
  if (std::ranges::any_of(stats.columns, [](const ColumnStats& c) { return std::isfinite(c.relative_residual); }))
    return;
  throw solver_error("{}: the iteration broke down; is the matrix singular, not positive definite, or not finite?",
                     engine);
}

}  // namespace gridiron
