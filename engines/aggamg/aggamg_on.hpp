// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include "engines/aggamg/cycle.hpp"
#include "engines/device/engine_on.hpp"
#include "engines/precision.hpp"
#include "support/error.hpp"

namespace gridiron::aggamg {

template <class D, class T>
class AggAmgOn : public EngineOn<D> {
 public:
  explicit AggAmgOn(AggAmgParams params) : params_(std::move(params)) {}

  void do_setup(const Problem& problem) override {
    symmetric_ = problem.symmetric_positive_definite;
    cycle_.reset();
    hierarchy_.reset();
    matrix_ = SellMatrix<D>(problem.matrix);
    hierarchy_ = std::make_unique<Hierarchy<D, T>>(matrix_, params_);
    cycle_ = std::make_unique<Cycle<D, T>>(*hierarchy_, params_, symmetric_);
  }

  void do_update(const Problem& problem) override {
    matrix_.copy_values(problem.matrix);
    hierarchy_->update(matrix_);
    cycle_ = std::make_unique<Cycle<D, T>>(*hierarchy_, params_, symmetric_);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    return solve_columns(b, x, [&](std::span<const double> column, std::span<double> answer) {
      return solve_column(column, answer, stop);
    });
  }

  std::int64_t bytes() const override { return hierarchy_ ? matrix_.bytes() + hierarchy_->bytes() : 0; }
  double bytes_per_iteration() const override { return hierarchy_ ? outer_traffic() + cycle_traffic() : 0; }
  std::vector<LevelSummary> levels() const override {
    return hierarchy_ ? hierarchy_->summary() : std::vector<LevelSummary>();
  }
  ParamList parameters() const override { return list_params(params_); }

 private:
  ColumnStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    if (b.empty()) return {.converged = true, .history = {0.0}};
    const Array<D, double> b_device(b);
    Array<D, double> x_device(std::span<const double>(x.data(), x.size()));
    const Preconditioner<D, T> precondition = [&](View<D, const double> r, double norm) {
      return cycle_->apply(r, norm);
    };
    const bool use_cg = params_.krylov == "cg" || (params_.krylov == "auto" && symmetric_);
    const ColumnStats stats =
        use_cg ? flexible_cg<D, T>(matrix_, b_device.view(), x_device.view(), stop, precondition)
               : flexible_gmres<D, T>(matrix_, b_device.view(), x_device.view(), stop, params_.restart, precondition);
    if (!std::isfinite(stats.relative_residual))
      throw SolverError(
          "aggamg: the iteration broke down; is the matrix singular, not positive definite, or not finite?");
    x_device.copy_to(x);
    return stats;
  }

  /// One step of flexible_cg around the preconditioner: see the vectors its kernels name.
  double outer_traffic() const {
    const double n = static_cast<double>(matrix_.rows()), entries = static_cast<double>(matrix_.value.size());
    return entries * (sizeof(double) + sizeof(std::int32_t)) + n * (12 * sizeof(double) + 6 * sizeof(T));
  }
  double cycle_traffic() const {
    double total = 0, visits = 1;
    for (std::size_t k = 0; k + 1 < hierarchy_->levels().size(); ++k) {
      const Level<D, T>& level = hierarchy_->levels()[k];
      const double n = static_cast<double>(level.rows()), m = static_cast<double>(hierarchy_->levels()[k + 1].rows());
      const double matrix = static_cast<double>(level.value.size()) * (sizeof(T) + sizeof(std::int32_t));
      const double smooth = (2 * params_.degree - 1) * (matrix + 3 * n * sizeof(T)) + n * sizeof(T);
      const double restrict_to = matrix + n * (5 * sizeof(T) + sizeof(std::int32_t)) + 3 * m * sizeof(T);
      const double prolong = n * (2 * sizeof(T) + sizeof(std::int32_t)) + m * sizeof(T);
      total += visits * (smooth + restrict_to + prolong);
      if (k > 0 && static_cast<int>(k) <= params_.k_levels) total += visits / 2 * (2 * matrix + 15 * n * sizeof(T));
      if (static_cast<int>(k) < params_.k_levels) visits *= 2;
    }
    return total;
  }

  AggAmgParams params_;
  bool symmetric_ = true;
  SellMatrix<D> matrix_;
  std::unique_ptr<Hierarchy<D, T>> hierarchy_;
  std::unique_ptr<Cycle<D, T>> cycle_;
};

template <class D>
std::unique_ptr<Engine> make_on(const Settings& settings) {
  const AggAmgParams params = read(settings);
  return with_precision(params.precision, [&]<class P>(P) -> std::unique_ptr<Engine> {
    return std::make_unique<AggAmgOn<D, typename P::Vector>>(params);
  });
}

}  // namespace gridiron::aggamg
