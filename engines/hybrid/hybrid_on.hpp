// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "engines/hybrid/cell_map.hpp"
#include "engines/hybrid/hybrid_tables.hpp"
#include "engines/hybrid/line_smoother.hpp"
#include "engines/hybrid/stationary.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// The hybrid multigrid iteration (Feng and Li, ICCAD 2008, Fig. 1) on device D: smooth on the original grid, solve the
/// regular grid for the residual, correct, smooth; by default as preconditioner of flexible CG. What solves the regular
/// grid is not its concern.
///
/// Rows follow strong lines, side by side (LineLayout), which the smoother wants and the rest is indifferent to.
template <class D, class T>
class HybridOn : public Engine {
 public:
  HybridOn(HybridParams params, ParamList all_parameters, std::unique_ptr<RegularGridSolver<D, T>> solver)
      : params_(std::move(params)), all_parameters_(std::move(all_parameters)), solver_(std::move(solver)) {}

  void setup(const Problem& problem) override {
    recording_.reset();
    set_up_grids(problem);
    for (Array<D, T>* v : {&b_, &x_, &other_}) *v = Array<D, T>(matrix_.rows());
    recording_ = std::make_unique<typename D::Recording>();
  }

  SolveStats solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    Stopwatch watch;
    vectors_there_and_back_ = 0;
    const double on_tables = recording_->seconds(), within = solver_->transfer_seconds();
    SolveStats worst = solve_columns(b, x, [&](std::span<const double> column, std::span<double> answer) {
      return solve_column(column, answer, stop);
    });
    HybridSeconds seconds;
    seconds.transfers = solver_->transfer_seconds() - within;
    seconds.regular_grid = recording_->seconds() - on_tables - seconds.transfers;
    if (!D::shares_host_memory) seconds.transfers += vectors_there_and_back_;
    seconds.original_grid = watch.seconds() - seconds.regular_grid - seconds.transfers;
    worst.seconds = seconds;
    return worst;
  }

  /// A Preconditioner: one hybrid cycle. (Public, as nvcc takes no kernels from private functions.)
  View<D, const T> apply(View<D, const double> r, double norm) {
    const double scale = unit_scale(r.size(), norm);
    const View<D, T> b = b_.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(std::int64_t i) { b[i] = static_cast<T>(scale * r[i]); });
    recording_->run([this] { cycle(); });
    return std::as_const(x_).view();
  }

  std::int64_t bytes() const override {
    return order_.bytes() + matrix_.bytes() + smoother_.bytes() + cells_.bytes() + b_.bytes() + x_.bytes() +
           other_.bytes() + *regular_grid_bytes();
  }
  std::optional<std::int64_t> regular_grid_bytes() const override { return matrix_.rows() > 0 ? solver_->bytes() : 0; }
  double bytes_per_iteration() const override {
    if (matrix_.rows() == 0) return 0;
    const double n = static_cast<double>(matrix_.rows()), entries = static_cast<double>(matrix_.value.size());
    // Of a step of flexible_cg: see the vectors that its kernels name.
    const double outer = entries * (sizeof(double) + sizeof(std::int32_t)) + n * (12 * sizeof(double) + 6 * sizeof(T));
    return outer + smoother_.sweep_traffic(params_.degree, true) + smoother_.residual_traffic() +
           smoother_.sweep_traffic(params_.degree, false) + cells_.traffic() + solver_->traffic();
  }
  std::vector<LevelSummary> levels() const override {
    std::vector<LevelSummary> all{{order_.unknowns(), matrix_.nonzeros() - (order_.rows() - order_.unknowns()),
                                   matrix_.bytes() + smoother_.bytes(), 2}};
    for (const LevelSummary& level : solver_->levels()) all.push_back(level);
    return all;
  }
  ParamList parameters() const override { return all_parameters_; }

 private:
  SolveStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    if (b.empty()) return {.converged = true, .history = {0.0}};
    Stopwatch watch;
    const Array<D, double> b_device = order_.to_rows(b);
    Array<D, double> x_device = order_.to_rows(x);
    vectors_there_and_back_ += watch.seconds();
    const Preconditioner<D, T> precondition = [this](View<D, const double> r, double norm) { return apply(r, norm); };
    const SolveStats stats = params_.cycle == "cg"
                                 ? flexible_cg<D, T>(matrix_, b_device.view(), x_device.view(), stop, precondition)
                                 : stationary<D, T>(matrix_, b_device.view(), x_device.view(), stop, precondition);
    if (!std::isfinite(stats.relative_residual))
      throw SolverError("the hybrid iteration broke down; is the matrix singular, or not positive definite?");
    watch.lap();
    order_.to_unknowns(std::as_const(x_device).view(), x);
    vectors_there_and_back_ += watch.seconds();
    return stats;
  }

  /// What is only needed here is freed at the end.
  void set_up_grids(const Problem& problem) {
    const CsrOn<D> matrix(problem.matrix);
    LineLayout<D> layout = lay_side_by_side(StrongLines<D>(matrix, params_.line_length));
    order_ = RowOrder<D>(std::move(layout.unknown), problem.matrix.rows);
    matrix_ = order_.to_rows(matrix);
    smoother_ = LineSmoother<D, T>(matrix_, std::move(layout.begin), layout.longest);
    const HybridTables<D> regular(problem, matrix, params_);
    solver_->setup(regular.grids());
    cells_ = CellMap<D, T>(regular, order_, *solver_);
  }

  /// x_ from b_. Sweeps swap x_ and other_ an even number of times, so each cycle finds them where it did before.
  void cycle() {
    const View<D, const T> b = std::as_const(b_).view();
    smoother_.smooth(b, x_, other_, params_.degree, true);
    smoother_.residual(b, x_.view(), other_.view());
    cells_.restrict_to(solver_->rhs(), other_.view());
    recording_->timed([this] { solver_->solve(); });
    cells_.add_from(solver_->solution(), x_.view());
    smoother_.smooth(b, x_, other_, params_.degree, false);
  }

  HybridParams params_;
  ParamList all_parameters_;
  std::unique_ptr<RegularGridSolver<D, T>> solver_;
  RowOrder<D> order_;
  SellMatrix<D> matrix_;
  LineSmoother<D, T> smoother_;
  CellMap<D, T> cells_;
  Array<D, T> b_, x_, other_;
  std::unique_ptr<typename D::Recording> recording_;
  double vectors_there_and_back_ = 0;  ///< s, in a solve
};

}  // namespace gridiron
