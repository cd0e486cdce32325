// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/solve/any_matrix/nodal_equations.hpp"
#include "analysis/solve/solver_options.hpp"
#include "engines/engine.hpp"
#include "linalg/csr_matrix.hpp"
#include "support/context.hpp"

namespace gridiron {

/// Solves equations whose matrix need be neither symmetric nor definite, by sparse LU factorization with pivoting, and
/// estimates errors: no theory bounds them, as that of M-matrices does.
class LuSolver {
 public:
  /// Of the unknowns, the first `judged` are those whose errors are estimated. Errors: InputError for an engine or
  /// device that does not factorize such matrices; SingularMatrix; ResourceError.
  LuSolver(SummedMatrix matrix, int64_t judged, const SolverOptions& options, const Context& context);

  struct Solution {
    std::vector<double> x;
    ColumnStats stats;
    double error = 0;         ///< estimate of the largest error among the judged unknowns
    double max_residual = 0;  ///< of the rows of these
  };
  /// Refines the solution as far as doubles go. Errors: SolverError where it is not finite.
  Solution solve(std::span<const double> b);
  /// The same for one of many right-hand sides, such as those of steps. Estimates are found anew, several solves each,
  /// only where a row is further off than the last one allowed for; otherwise that one is scaled, by the row that is
  /// furthest off, and may be larger than a new one.
  Solution solve_in_turn(std::span<const double> b);

  int64_t nonzeros() const { return problem_->matrix.nonzeros(); }
  /// The engine in use, for reports.
  EngineRun run() const;

 private:
  std::vector<double> solve_with(Engine& engine, std::vector<double> b) const;
  std::vector<double> solve_transposed(std::vector<double> b) const;
  struct Refined {
    Solution solution;            ///< without the estimate
    std::vector<double> allowed;  ///< per row what the residual and rounding come to
  };
  Refined refined(std::span<const double> b);
  double estimate(std::span<const double> allowed);

  SolverOptions options_;
  Context context_;
  std::shared_ptr<const Problem> problem_;
  std::vector<double> sizes_;  ///< see SummedMatrix
  int64_t judged_;
  std::vector<double> scale_;  ///< what rows were multiplied by; empty for a symmetric matrix, which stays as it is
  std::unique_ptr<Engine> engine_;
  std::vector<double> allowed_;  ///< at least what solve_in_turn() has met,
  double error_ = 0;             ///< and the estimate for it
};

}  // namespace gridiron
