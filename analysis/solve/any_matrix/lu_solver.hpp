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

  /// The engine in use, for reports.
  EngineRun run() const;

 private:
  std::vector<double> solve_with(Engine& engine, std::vector<double> b) const;
  Engine& transposed();
  double estimate(std::span<const double> b, std::span<const double> x, std::span<const double> residual);

  SolverOptions options_;
  Context context_;
  std::shared_ptr<const Problem> problem_;
  std::vector<double> sizes_;  ///< see SummedMatrix
  int64_t judged_;
  std::vector<double> scale_;  ///< what rows were multiplied by; empty for a symmetric matrix, which stays as it is
  std::unique_ptr<Engine> engine_, transposed_;
};

}  // namespace gridiron
