// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "engines/engine_on.hpp"
#include "engines/hybrid/contracted_grid.hpp"
#include "engines/hybrid/hybrid_cycle.hpp"
#include "engines/hybrid/hybrid_tables.hpp"
#include "engines/hybrid/make_hybrid.hpp"
#include "engines/hybrid/shifted_grid.hpp"
#include "engines/hybrid/stars.hpp"
#include "engines/hybrid/stationary.hpp"
#include "linalg/block_columns.hpp"
#include "linalg/second_queue.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {

/// The hybrid multigrid iteration (Feng and Li, ICCAD 2008, Fig. 1) on device D: smooth on the original grid, solve the
/// regular grid for the residual, correct, smooth; by default as a preconditioner for flexible CG. The solver of the
/// regular grid is interchangeable.
///
/// If the grid has stars (Stars), the cycle includes an intermediate grid with the stars contracted, which it smooths
/// as well.
///
/// Several right-hand sides share matrices and tables, and are solved in packs if the solver of the regular grids
/// supports that.
///
/// An update keeps everything but values: lines and the order of rows, patterns, clusters of stars, plane and cells of
/// the regular grids, arrays and recordings. Choices based on the magnitude of conductances affect only how fast the
/// iteration converges, not its limit; if many conductances have changed a lot, everything is set up anew
/// (adapts_to_values).
template <class D, class T>
class HybridOn : public EngineOn<D> {
 public:
  HybridOn(HybridParams params, ParamList all_parameters, std::unique_ptr<RegularGridSolver<D, T>> solver)
      : params_(std::move(params)), all_parameters_(std::move(all_parameters)), solver_(std::move(solver)) {}

  void do_setup(const Problem& problem) override {
    one_.reset();
    together_.reset();
    second_packs_.reset();
    set_up_grids(problem);
    one_ = std::make_unique<Iteration<1>>(grids_, *solver_, params_.degree);
    one_->cg.deflate(&deflation_);
  }

  void do_update(const Problem& problem) override {
    const std::vector<RowRange> changed = changed_rows(this->problem().matrix, problem.matrix);
    const auto &before = std::get<PowerGrid>(this->problem().structure), &now = std::get<PowerGrid>(problem.structure);
    if (!has_same_layout(before, now)) return do_setup(problem);
    if (changed.empty()) return;
    for (const RowRange& range : changed) grids_[0].order.refill(problem.matrix, range, matrix_);
    grids_[0].smoother.refill(matrix_);
    PowerGrid shifted;
    const PowerGrid& grid = deflate_weak_parts(problem, shifted);
    one_->cg.deflate(&deflation_);
    for (Packs* packs : {together_.get(), second_packs_.get()})
      if (packs) packs->iteration.cg.deflate(&deflation_);
    if (grids_.size() == 1) return refill_tables(grid, matrix_);
    const Problem contracted = contracted_grid(grid, cluster_of_unknown_, leader_);
    const SellMatrix<D> smaller = grids_[1].order.to_rows(CsrOn<D>(contracted.matrix));
    grids_[1].smoother.refill(smaller);
    refill_tables(std::get<PowerGrid>(contracted.structure), smaller);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    const Stopwatch watch;
    const Clocks before = clocks();
    SolveStats stats = summed_up(solve_in_packs(
        travel_together(b.columns), b, x, [&](auto from, auto to) { return solve_together(from, to, stop); },
        [&](auto from, auto to) {
          return params_.cycle == "cg" ? solve_with(*one_, from, to, stop) : solve_stationary(from, to, stop);
        }));
    require_a_finite_column(stats, "hybrid");
    const Clocks after = clocks();
    HybridParts parts;
    parts.regular_grid_bytes = regular_grid_bytes();
    parts.transfers_s = after.within_solver - before.within_solver;
    parts.regular_grid_s = after.on_tables - before.on_tables - parts.transfers_s;
    if (!D::shares_host_memory) parts.transfers_s += after.of_columns - before.of_columns;
    parts.original_grid_s = watch.seconds() - parts.regular_grid_s - parts.transfers_s;
    stats.hybrid = parts;
    return stats;
  }
  bool takes_device_memory() const override { return !D::shares_host_memory; }
  bool begins_at_zero() const override { return true; }
  bool adapts_to_values() const override { return true; }

  int64_t bytes() const override {
    int64_t total =
        bytes_of(matrix_, deflation_, grids_, one_) + regular_grid_bytes() +
        static_cast<int64_t>(cluster_of_unknown_.size() * sizeof(int64_t) + leader_.size() * sizeof(int32_t));
    for (const Packs* packs : {together_.get(), second_packs_.get()})
      if (packs) total += packs->iteration.bytes();
    return total;
  }
  double bytes_per_iteration() const override {
    if (matrix_.rows() == 0) return 0;
    // Traffic of a flexible_cg step besides the product, counted from the vectors its kernels access.
    const double n = matrix_.rows(), vectors = n * (2 * sizeof(double) + 9 * sizeof(T));
    const double outer = vectors + grids_[0].smoother.product_traffic();
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
  MethodFigures figures() const override { return solver_->figures(); }
  ParamList parameters() const override { return all_parameters_; }

 private:
  static constexpr int kTogether = kColumnsTogether<T>;

  int64_t regular_grid_bytes() const {
    if (matrix_.rows() == 0) return 0;
    int64_t total = solver_->bytes();
    for (const Packs* packs : {together_.get(), second_packs_.get()})
      if (packs) total += packs->regular->bytes();
    return total;
  }

  /// What the iteration needs, besides the grids, for K right-hand sides at a time.
  template <int K>
  struct Iteration {
    BlockCg<D, T, SmoothedMatrix<D, T>, K, T> cg;
    HybridCycle<D, T, K> cycle;

    Iteration(const std::vector<SmoothedGrid<D, T>>& grids, RegularGridVectors<D, Columns<T, K>>& regular, int degree)
        : cg(grids[0].order.rows()), cycle(grids, regular, cg.residuals(), degree) {}
    int64_t bytes() const { return bytes_of(cycle, cg); }
  };

  /// The iteration for packs of columns, with vectors on the regular grids for as many.
  struct Packs {
    std::unique_ptr<typename RegularGridSolver<D, T>::Together> regular;
    Iteration<kTogether> iteration;

    Packs(std::unique_ptr<typename RegularGridSolver<D, T>::Together> on_tables,
          const std::vector<SmoothedGrid<D, T>>& grids, int degree)
        : regular(std::move(on_tables)), iteration(grids, *regular, degree) {}
  };

  /// Time spent so far, s; on two queues that of the first, as they take the same time.
  struct Clocks {
    double on_tables, within_solver, of_columns;
  };
  Clocks clocks() const {
    Clocks c{one_->cycle.regular_seconds(), solver_->transfer_seconds(),
             one_->cg.seconds_of_columns() + stationary_columns_.seconds()};
    if (together_) c.on_tables += together_->iteration.cycle.regular_seconds();
    if (together_) c.of_columns += together_->iteration.cg.seconds_of_columns();
    return c;
  }

  /// How many of `columns` columns are solved in packs; allocates what that needs if there are any.
  int64_t travel_together(int64_t columns) {
    const int64_t packed = columns_in_packs<kTogether>(columns);
    if (packed == 0 || params_.cycle != "cg" || params_.line_length > kLongestLineTogether) return 0;
    if (!together_) together_ = make_packs();
    return together_ ? packed : 0;
  }

  /// Null for solvers that handle one column at a time.
  std::unique_ptr<Packs> make_packs() const {
    auto regular = solver_->vectors_together();
    if (!regular) return nullptr;
    auto packs = std::make_unique<Packs>(std::move(regular), grids_, params_.degree);
    packs->iteration.cg.deflate(&deflation_);
    return packs;
  }

  std::vector<ColumnStats> solve_together(Block<const double> b, Block<double> x, const StopRule& stop) {
    const int64_t beside = solver_->has_no_scratch() ? columns_of_second_queue<D, kTogether>(b.columns) : 0;
    if (beside <= 0) return solve_with(together_->iteration, b, x, stop);
    if (!second_queue_) second_queue_ = std::make_unique<SecondQueue<D>>();
    return solve_on_two_queues(
        *second_queue_, beside, b, x, stop,
        [this](auto from, auto to, const StopRule& rule) { return solve_with(together_->iteration, from, to, rule); },
        [this](auto from, auto to, const StopRule& rule) {
          if (!second_packs_) second_packs_ = make_packs();
          return solve_with(second_packs_->iteration, from, to, rule);
        });
  }

  RowOfUnknown<D> order() const { return {grids_[0].order.unknowns(), grids_[0].order.row_of_unknown()}; }

  template <int K>
  std::vector<ColumnStats> solve_with(Iteration<K>& iteration, Block<const double> b, Block<double> x,
                                      const StopRule& stop) {
    return iteration.cg.solve(SmoothedMatrix<D, T>{matrix_, grids_[0].smoother}, b, x, stop,
                              iteration.cycle.preconditioner(), order());
  }

  std::vector<ColumnStats> solve_stationary(Block<const double> b, Block<double> x, const StopRule& stop) {
    if (stationary_columns_.b().size() != matrix_.rows()) stationary_columns_ = BlockColumns<D, 1>(matrix_.rows());
    std::vector<ColumnStats> stats;
    for (int64_t j = 0; j < b.columns; ++j) {
      stationary_columns_.load(b, x, {j}, stop.from_zero, order());
      stats.push_back(stationary<D, T>(matrix_, stationary_columns_.b(), stationary_columns_.x(), stop, one_->cycle,
                                       one_->cg.residuals(), deflation_));
      stationary_columns_.store(x, {j}, order());
    }
    return stats;
  }

  /// Temporaries are freed at the end.
  void set_up_grids(const Problem& problem) {
    grids_.clear();
    cluster_of_unknown_.clear();
    leader_.clear();
    const CsrOn<D> matrix(problem.matrix);
    matrix_ = add_grid(matrix);
    PowerGrid shifted;
    const PowerGrid& grid = deflate_weak_parts(problem, shifted);
    const Stars<D> stars = params_.stars == "contract" ? Stars<D>(matrix) : Stars<D>();
    if (stars.empty()) return set_up_tables(grid, matrix);

    cluster_of_unknown_ = stars.cluster_of_unknown().to_host();
    leader_ = stars.leader().to_host();
    const Problem contracted = contracted_grid(grid, cluster_of_unknown_, leader_);
    const CsrOn<D> smaller(contracted.matrix);
    add_grid(smaller);
    grids_[0].to_next = CellMap<D, T>(stars.cluster_of_unknown().view(), grids_[0].order, grids_[1].order);
    set_up_tables(std::get<PowerGrid>(contracted.structure), smaller);
  }

  /// Parts tied too weakly for T: the method treats their levels apart. Returns what regular grids may see instead, in
  /// `shifted`: the grid with stronger ties.
  const PowerGrid& deflate_weak_parts(const Problem& problem, PowerGrid& shifted) {
    const PowerGrid& grid = std::get<PowerGrid>(problem.structure);
    deflation_ = {};
    if (!may_have_weak_parts(matrix_)) return grid;
    const WeakParts parts = find_weak_parts(problem.matrix);
    if (parts.empty()) return grid;
    const std::vector<int32_t> row = grids_[0].order.row_of_unknown_on_host();
    deflation_ = Deflation<D>(parts, grids_[0].order.rows(), [&row](int64_t i) { return row[i]; });
    return shifted = with_shifts(grid, parts);
  }

  /// Returns the matrix by rows of the grid.
  SellMatrix<D> add_grid(const CsrOn<D>& matrix) {
    SmoothedGrid<D, T>& grid = grids_.emplace_back();
    const int64_t unknowns = matrix.view().rows;
    LineLayout<D> layout = lay_side_by_side(StrongLines<D>(matrix, params_.line_length));
    grid.order = RowOrder<D>(std::move(layout.unknown), unknowns);
    SellMatrix<D> by_rows = grid.order.to_rows(matrix);
    grid.nonzeros = by_rows.nonzeros() - (by_rows.rows() - unknowns);
    grid.smoother = LineSmoother<D, T>(by_rows, std::move(layout.begin), layout.longest);
    return by_rows;
  }

  /// The regular grids of `grid`, whose matrix is that of the last of grids_.
  void set_up_tables(const PowerGrid& grid, const CsrOn<D>& matrix) {
    regular_ = HybridTables<D>(grid, matrix, params_);
    solver_->setup(regular_.grids());
    grids_.back().to_next = CellMap<D, T>(regular_, grids_.back().order, *solver_);
    regular_.keep_shapes_only();
  }

  void refill_tables(const PowerGrid& grid, const SellMatrix<D>& matrix) {
    const SmoothedGrid<D, T>& last = grids_.back();
    regular_.refill(grid, matrix, last.order, [&] { return last.to_next.cell_of_unknown(last.order); });
    solver_->update(regular_.grids());
    regular_.keep_shapes_only();
  }

  /// Whether nodes, edges and coordinates are unchanged.
  static bool has_same_layout(const PowerGrid& before, const PowerGrid& now) {
    const Geometry &p = before.geometry, &q = now.geometry;
    return same_bytes(p.x_um, q.x_um) && same_bytes(p.y_um, q.y_um) && same_bytes(p.layer, q.layer) &&
           same_bytes(p.net, q.net) &&
           (before.network == now.network ||
            (same_bytes(before.network->a, now.network->a) && same_bytes(before.network->b, now.network->b)));
  }

  HybridParams params_;
  ParamList all_parameters_;
  std::unique_ptr<RegularGridSolver<D, T>> solver_;
  SellMatrix<D> matrix_;                     ///< of the original grid, by its rows
  Deflation<D> deflation_;                   ///< by the same rows
  std::vector<SmoothedGrid<D, T>> grids_;    ///< the original one, and that with its stars contracted if it has any
  HybridTables<D> regular_;                  ///< shapes only
  std::vector<int64_t> cluster_of_unknown_;  ///< and the leader of each cluster: of stars, where there are any
  std::vector<int32_t> leader_;
  std::unique_ptr<Iteration<1>> one_;
  std::unique_ptr<Packs> together_, second_packs_;  ///< when first needed; the other is for the second queue
  std::unique_ptr<SecondQueue<D>> second_queue_;
  BlockColumns<D, 1> stationary_columns_;
};

template <class D, class T>
std::unique_ptr<Engine> make_hybrid_on(const HybridParams& params, ParamList all_parameters,
                                       std::unique_ptr<RegularGridSolver<D, T>> solver) {
  return std::make_unique<HybridOn<D, T>>(params, std::move(all_parameters), std::move(solver));
}

}  // namespace gridiron
