// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "engines/hybrid/cell_map.hpp"
#include "engines/hybrid/hybrid_grid.hpp"
#include "engines/hybrid/line_smoother.hpp"
#include "engines/hybrid/stationary.hpp"
#include "support/error.hpp"

namespace gridiron {

/// The hybrid multigrid iteration (Feng and Li, ICCAD 2008, Fig. 1) on device D: smooth on the original grid, solve the
/// regular grid for the residual, correct, smooth; by default as preconditioner of flexible CG. What solves the regular
/// grid is not its concern.
///
/// Unknowns are numbered along strong lines, which the smoother wants and the rest is indifferent to.
template <class D, class T>
class HybridOn : public Engine {
 public:
  HybridOn(HybridParams params, ParamList all_parameters, std::unique_ptr<RegularGridSolver<D, T>> solver)
      : params_(std::move(params)), all_parameters_(std::move(all_parameters)), solver_(std::move(solver)) {}

  void setup(const Problem& problem) override {
    StrongLines lines = find_strong_lines(problem.matrix, params_.line_length);
    order_ = std::move(lines.order);
    {
      const CsrMatrix matrix = permuted(problem.matrix, order_);
      matrix_ = SellMatrix<D>(matrix);
      smoother_ = LineSmoother<D, T>(matrix, lines.begin);
    }
    const Regularization regular = regular_grids(std::get<PowerGrid>(problem.structure), params_);
    solver_->setup(regular.grids);
    cells_ = CellMap<D, T>(regular, order_, *solver_);
    for (Array<D, T>* v : {&b_, &x_, &next_}) *v = Array<D, T>(matrix_.rows());
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

  /// A Preconditioner: one hybrid cycle. (Public, as nvcc takes no kernels from private functions.)
  View<D, const T> apply(View<D, const double> r, double norm) {
    const double scale = unit_scale(r.size(), norm);
    const View<D, T> b = b_.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(std::int64_t i) { b[i] = static_cast<T>(scale * r[i]); });
    smoother_.smooth(b, x_, next_, params_.degree, true);
    smoother_.residual(b, x_.view(), next_.view());
    cells_.restrict_to(solver_->rhs(), next_.view());
    solver_->solve();
    cells_.add_from(solver_->solution(), x_.view());
    smoother_.smooth(b, x_, next_, params_.degree, false);
    return std::as_const(x_).view();
  }

  std::int64_t bytes() const override {
    return matrix_.bytes() + smoother_.bytes() + cells_.bytes() + b_.bytes() + x_.bytes() + next_.bytes() +
           (matrix_.rows() > 0 ? solver_->bytes() : 0);
  }
  std::vector<LevelSummary> levels() const override {
    std::vector<LevelSummary> all{{matrix_.rows(), matrix_.nonzeros(), matrix_.bytes() + smoother_.bytes(), 2}};
    for (const LevelSummary& level : solver_->levels()) all.push_back(level);
    return all;
  }
  ParamList parameters() const override { return all_parameters_; }

 private:
  SolveStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    if (b.empty()) return {.converged = true, .history = {0.0}};
    std::vector<double> ordered(b.size());
    const auto in_order = [&](std::span<const double> v) {
      for (std::size_t i = 0; i < ordered.size(); ++i) ordered[i] = v[order_[i]];
      return std::span<const double>(ordered);
    };
    const Array<D, double> b_device(in_order(b));
    Array<D, double> x_device(in_order(x));
    const Preconditioner<D, T> cycle = [this](View<D, const double> r, double norm) { return apply(r, norm); };
    const SolveStats stats = params_.cycle == "cg"
                                 ? flexible_cg<D, T>(matrix_, b_device.view(), x_device.view(), stop, cycle)
                                 : stationary<D, T>(matrix_, b_device.view(), x_device.view(), stop, cycle);
    if (!std::isfinite(stats.relative_residual))
      throw SolverError("the hybrid iteration broke down; is the matrix singular, or not positive definite?");
    x_device.copy_to(ordered);
    for (std::size_t i = 0; i < ordered.size(); ++i) x[order_[i]] = ordered[i];
    return stats;
  }

  HybridParams params_;
  ParamList all_parameters_;
  std::unique_ptr<RegularGridSolver<D, T>> solver_;
  std::vector<std::int32_t> order_;  ///< unknown i here is order_[i] of the problem
  SellMatrix<D> matrix_;
  LineSmoother<D, T> smoother_;
  CellMap<D, T> cells_;
  Array<D, T> b_, x_, next_;
};

}  // namespace gridiron
