// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include "engines/aggamg/cycle.hpp"
#include "support/error.hpp"

namespace gridiron::aggamg {

template <class D, class T>
class AggAmgOn : public Engine {
 public:
  explicit AggAmgOn(AggAmgParams params) : params_(std::move(params)) {}

  void setup(const Problem& problem) override {
    symmetric_ = problem.symmetric_positive_definite;
    matrix_ = DeviceCsr<D, double>(problem.matrix);
    hierarchy_ = std::make_unique<Hierarchy<D, T>>(problem.matrix, params_);
  }

  void update(const Problem& problem) override {
    if (!hierarchy_ || matrix_.rows != problem.matrix.rows || matrix_.nonzeros() != problem.matrix.nonzeros())
      return setup(problem);
    matrix_.copy_values(problem.matrix);
    hierarchy_->update(problem.matrix);
  }

  SolveStats solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    SolveStats worst;
    worst.converged = true;
    for (std::int64_t j = 0; j < b.columns; ++j) {
      const SolveStats stats = solve_column(b.column(j), x.column(j), stop);
      const bool all_converged = worst.converged && stats.converged;
      if (j == 0 || stats.relative_residual > worst.relative_residual) worst = stats;
      worst.converged = all_converged;
    }
    return worst;
  }

  std::int64_t bytes() const override { return hierarchy_ ? matrix_.bytes() + hierarchy_->bytes() : 0; }
  std::vector<LevelSummary> levels() const override {
    return hierarchy_ ? hierarchy_->summary() : std::vector<LevelSummary>();
  }
  ParamList parameters() const override { return list_params(params_); }

 private:
  SolveStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    if (b.empty()) return {.converged = true, .history = {0.0}};
    const Array<D, double> b_device(b);
    Array<D, double> x_device(std::span<const double>(x.data(), x.size()));
    Cycle<D, T> cycle(*hierarchy_, params_, symmetric_);
    const Preconditioner<D> precondition = [&](View<D, const double> r, View<D, double> z) { cycle.apply(r, z); };
    const bool use_cg = params_.krylov == "cg" || (params_.krylov == "auto" && symmetric_);
    const CsrView<D, double> a = std::as_const(matrix_).view();
    const SolveStats stats =
        use_cg ? flexible_cg<D>(a, b_device.view(), x_device.view(), stop, precondition)
               : flexible_gmres<D>(a, b_device.view(), x_device.view(), stop, params_.restart, precondition);
    if (!std::isfinite(stats.relative_residual))
      throw SolverError("aggamg: the iteration broke down; is the matrix singular, or not positive definite?");
    x_device.copy_to(x);
    return stats;
  }

  AggAmgParams params_;
  bool symmetric_ = true;
  DeviceCsr<D, double> matrix_;
  std::unique_ptr<Hierarchy<D, T>> hierarchy_;
};

}  // namespace gridiron::aggamg
