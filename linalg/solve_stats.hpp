// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "linalg/block.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// The parts of a hybrid engine in a solve. Seconds: on its regular grids, on transfers of vectors between host and
/// device, and on everything else, which is work on the original grid.
struct HybridParts {
  double original_grid_s = 0, regular_grid_s = 0, transfers_s = 0;
  int64_t regular_grid_bytes = 0;  ///< of Engine::bytes(); the rest is the original grid's
  void visit(auto& v) const {
    v("original_grid_s", original_grid_s)("regular_grid_s", regular_grid_s)("transfers_s", transfers_s);
  }
};

/// Statistics of a solve for one right-hand side.
struct ColumnStats {
  int iterations = 0;  ///< of the outer method; refinement steps for a direct engine
  double relative_residual = 0;
  double max_residual = 0;
  bool converged = false;
  std::vector<double> history;  ///< relative residual after each iteration, starting with the initial one

  void visit(auto& v) const {
    v("iterations", iterations)("relative_residual", relative_residual);
    v({"max_residual_a", "max_residual"}, max_residual)("converged", converged)("history", history);
  }
};

/// Statistics of a solve: the base holds the worst value of each figure over all right-hand sides, with the history of
/// the one whose relative residual is largest.
struct SolveStats : ColumnStats {
  std::vector<ColumnStats> columns;
  std::optional<HybridParts> hybrid;  ///< of all right-hand sides; reported by hybrid engines
};

/// Summarises the columns of a block.
SolveStats summed_up(std::vector<ColumnStats> columns);

/// For iterative engines. A bad right-hand side makes its own column NaN; errors: SolverError when every column is.
void require_a_finite_column(const SolveStats& stats, std::string_view engine);

/// Solves column by column with `solve(b_j, x_j)`, which returns ColumnStats.
SolveStats solve_columns(Block<const double> b, Block<double> x, auto solve) {
  std::vector<ColumnStats> columns;
  columns.reserve(b.columns);
  for (int64_t j = 0; j < b.columns; ++j) columns.push_back(solve(b.column(j), x.column(j)));
  return summed_up(std::move(columns));
}

}  // namespace gridiron
