// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "engines/device/engine_on.hpp"
#include "engines/hybrid/contracted_grid.hpp"
#include "engines/hybrid/hybrid_tables.hpp"
#include "engines/hybrid/make_hybrid.hpp"
#include "engines/hybrid/smoothed_grid.hpp"
#include "engines/hybrid/stars.hpp"
#include "engines/hybrid/stationary.hpp"
#include "engines/linalg/flexible_cg.hpp"
#include "support/error.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// The hybrid multigrid iteration (Feng and Li, ICCAD 2008, Fig. 1) on device D: smooth on the original grid, solve the
/// regular grid for the residual, correct, smooth; by default as preconditioner of flexible CG. What solves the regular
/// grid is not its concern.
///
/// Where the grid has stars (Stars), the cycle goes by way of the grid with these contracted, which it smooths as well.
///
/// An update keeps all that is no number: lines and the order of rows, patterns, clusters of stars, plane and cells of
/// the regular grids, arrays and recordings. What was chosen by the size of conductances decides how fast the iteration
/// converges, not to what; where most of them are far from what they were (Changes::is_far), all is set up anew.
template <class D, class T>
class HybridOn : public EngineOn<D> {
 public:
  HybridOn(HybridParams params, ParamList all_parameters, std::unique_ptr<RegularGridSolver<D, T>> solver)
      : params_(std::move(params)), all_parameters_(std::move(all_parameters)), solver_(std::move(solver)) {}

  void do_setup(const Problem& problem) override {
    recording_.reset();
    set_up_grids(problem);
    recording_ = std::make_unique<typename D::Recording>();
  }

  void do_update(const Problem& problem) override {
    const Changes changes = changes_between(this->problem().matrix, problem.matrix);
    const auto &before = std::get<PowerGrid>(this->problem().structure), &now = std::get<PowerGrid>(problem.structure);
    if (changes.is_far || !has_same_layout(before, now)) return do_setup(problem);
    if (changes.rows.empty()) return;
    for (const RowRange& range : changes.rows) grids_[0].order.refill(problem.matrix, range, matrix_);
    grids_[0].smoother.refill(matrix_);
    if (grids_.size() == 1) return refill_tables(problem, matrix_);
    const Problem contracted = contracted_grid(problem, cluster_of_unknown_, leader_);
    const SellMatrix<D> smaller = grids_[1].order.to_rows(CsrOn<D>(contracted.matrix));
    grids_[1].smoother.refill(smaller);
    refill_tables(contracted, smaller);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    Stopwatch watch;
    vectors_there_and_back_ = 0;
    const double on_tables = recording_->seconds(), within = solver_->transfer_seconds();
    SolveStats stats = solve_columns(b, x, [&](std::span<const double> column, std::span<double> answer) {
      return solve_column(column, answer, stop);
    });
    HybridSeconds seconds;
    seconds.transfers = solver_->transfer_seconds() - within;
    seconds.regular_grid = recording_->seconds() - on_tables - seconds.transfers;
    if (!D::shares_host_memory) seconds.transfers += vectors_there_and_back_;
    seconds.original_grid = watch.seconds() - seconds.regular_grid - seconds.transfers;
    stats.seconds = seconds;
    return stats;
  }

  /// A Preconditioner: one hybrid cycle. (Public, as nvcc takes no kernels from private functions.)
  View<D, const T> apply(View<D, const double> r, double norm) {
    const double scale = unit_scale(r.size(), norm);
    const View<D, T> b = grids_[0].b.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(std::int64_t i) { b[i] = static_cast<T>(scale * r[i]); });
    recording_->run([this] { visit(0); });
    return std::as_const(grids_[0].x).view();
  }

  std::int64_t bytes() const override {
    std::int64_t total = matrix_.bytes() + *regular_grid_bytes() +
                         static_cast<std::int64_t>(cluster_of_unknown_.size() * sizeof(std::int64_t) +
                                                   leader_.size() * sizeof(std::int32_t));
    for (const SmoothedGrid<D, T>& grid : grids_) total += grid.bytes();
    return total;
  }
  std::optional<std::int64_t> regular_grid_bytes() const override { return matrix_.rows() > 0 ? solver_->bytes() : 0; }
  double bytes_per_iteration() const override {
    if (matrix_.rows() == 0) return 0;
    const double n = static_cast<double>(matrix_.rows()), entries = static_cast<double>(matrix_.value.size());
    // Of a step of flexible_cg: see the vectors that its kernels name.
    const double outer = entries * (sizeof(double) + sizeof(std::int32_t)) + n * (12 * sizeof(double) + 6 * sizeof(T));
    double cycle = solver_->traffic();
    for (const SmoothedGrid<D, T>& grid : grids_) cycle += grid.traffic(params_.degree);
    return outer + cycle;
  }
  std::vector<LevelSummary> levels() const override {
    std::vector<LevelSummary> all;
    for (const SmoothedGrid<D, T>& grid : grids_)
      all.push_back({grid.order.unknowns(), grid.nonzeros, grid.smoother.bytes(), 2});
    if (!all.empty()) all[0].bytes += matrix_.bytes();
    for (const LevelSummary& level : solver_->levels()) all.push_back(level);
    return all;
  }
  ParamList parameters() const override { return all_parameters_; }

 private:
  ColumnStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    if (b.empty()) return {.converged = true, .history = {0.0}};
    Stopwatch watch;
    const Array<D, double> b_device = grids_[0].order.to_rows(b);
    Array<D, double> x_device = grids_[0].order.to_rows(x);
    vectors_there_and_back_ += watch.seconds();
    const Preconditioner<D, T> precondition = [this](View<D, const double> r, double norm) { return apply(r, norm); };
    ColumnStats stats = params_.cycle == "cg"
                            ? flexible_cg<D, T>(matrix_, b_device.view(), x_device.view(), stop, precondition)
                            : stationary<D, T>(matrix_, b_device.view(), x_device.view(), stop, precondition);
    if (!std::isfinite(stats.relative_residual))
      throw SolverError("the hybrid iteration broke down; is the matrix singular, or not positive definite?");
    watch.lap();
    grids_[0].order.to_unknowns(std::as_const(x_device).view(), x);
    vectors_there_and_back_ += watch.seconds();
    return stats;
  }

  /// What is only needed here is freed at the end.
  void set_up_grids(const Problem& problem) {
    grids_.clear();
    cluster_of_unknown_.clear();
    leader_.clear();
    const CsrOn<D> matrix(problem.matrix);
    matrix_ = add_grid(matrix);
    const Stars<D> stars(matrix);
    if (stars.empty()) return set_up_tables(problem, matrix);

    cluster_of_unknown_ = stars.cluster_of_unknown().to_host();
    leader_ = stars.leader().to_host();
    const Problem contracted = contracted_grid(problem, cluster_of_unknown_, leader_);
    const CsrOn<D> smaller(contracted.matrix);
    add_grid(smaller);
    grids_[0].to_next = CellMap<D, T>(stars.cluster_of_unknown().view(), grids_[0].order, grids_[1].order);
    fill<D, T>(grids_[1].b.view(), T(0));  // rows that stand for nobody are never written
    set_up_tables(contracted, smaller);
  }

  /// Returns the matrix by rows of the grid.
  SellMatrix<D> add_grid(const CsrOn<D>& matrix) {
    SmoothedGrid<D, T>& grid = grids_.emplace_back();
    const std::int64_t unknowns = matrix.view().rows;
    LineLayout<D> layout = lay_side_by_side(StrongLines<D>(matrix, params_.line_length));
    grid.order = RowOrder<D>(std::move(layout.unknown), unknowns);
    SellMatrix<D> by_rows = grid.order.to_rows(matrix);
    grid.nonzeros = by_rows.nonzeros() - (by_rows.rows() - unknowns);
    grid.smoother = LineSmoother<D, T>(by_rows, std::move(layout.begin), layout.longest);
    for (Array<D, T>* v : {&grid.b, &grid.x, &grid.other}) *v = Array<D, T>(by_rows.rows());
    return by_rows;
  }

  /// The regular grids of `problem`, whose matrix is that of the last of grids_.
  void set_up_tables(const Problem& problem, const CsrOn<D>& matrix) {
    regular_ = HybridTables<D>(problem, matrix, params_);
    solver_->setup(regular_.grids());
    grids_.back().to_next = CellMap<D, T>(regular_, grids_.back().order, *solver_);
    regular_.keep_shapes_only();
  }

  void refill_tables(const Problem& problem, const SellMatrix<D>& matrix) {
    const SmoothedGrid<D, T>& grid = grids_.back();
    regular_.refill(problem, matrix, grid.order, [&] { return grid.to_next.cell_of_unknown(grid.order); });
    solver_->update(regular_.grids());
    regular_.keep_shapes_only();
  }

  /// Whether edges and nodes are where they were.
  static bool has_same_layout(const PowerGrid& before, const PowerGrid& now) {
    const Geometry &p = before.geometry, &q = now.geometry;
    return same_bytes(p.x_um, q.x_um) && same_bytes(p.y_um, q.y_um) && same_bytes(p.layer, q.layer) &&
           same_bytes(p.net, q.net) &&
           (before.network == now.network ||
            (same_bytes(before.network->a, now.network->a) && same_bytes(before.network->b, now.network->b)));
  }

  /// x from b of a grid. Sweeps swap x and other an even number of times, so each visit finds them where it did before.
  void visit(std::size_t number) {
    SmoothedGrid<D, T>& grid = grids_[number];
    const View<D, const T> b = std::as_const(grid.b).view();
    grid.smoother.smooth(b, grid.x, grid.other, params_.degree, true);
    grid.smoother.residual(b, grid.x.view(), grid.other.view());
    if (number + 1 < grids_.size()) {
      grid.to_next.restrict_to(grids_[number + 1].b.view(), grid.other.view());
      visit(number + 1);
      grid.to_next.add_from(grids_[number + 1].x.view(), grid.x.view());
    } else {
      grid.to_next.restrict_to(solver_->rhs(), grid.other.view());
      recording_->timed([this] { solver_->solve(); });
      grid.to_next.add_from(solver_->solution(), grid.x.view());
    }
    grid.smoother.smooth(b, grid.x, grid.other, params_.degree, false);
  }

  HybridParams params_;
  ParamList all_parameters_;
  std::unique_ptr<RegularGridSolver<D, T>> solver_;
  SellMatrix<D> matrix_;                   ///< of the original grid, by its rows
  std::vector<SmoothedGrid<D, T>> grids_;  ///< the original one, and that with its stars contracted if it has any
  HybridTables<D> regular_;                ///< shapes only
  std::vector<std::int64_t> cluster_of_unknown_;  ///< and the leader of each cluster: of stars, where there are any
  std::vector<std::int32_t> leader_;
  std::unique_ptr<typename D::Recording> recording_;
  double vectors_there_and_back_ = 0;  ///< s, in a solve
};

template <class D, class T>
std::unique_ptr<Engine> make_hybrid_on(const HybridParams& params, ParamList all_parameters,
                                       std::unique_ptr<RegularGridSolver<D, T>> solver) {
  return std::make_unique<HybridOn<D, T>>(params, std::move(all_parameters), std::move(solver));
}

}  // namespace gridiron
