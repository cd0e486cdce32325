// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "engines/aggamg/cycle.hpp"
#include "engines/aggamg/finest_matrix.hpp"
#include "engines/engine_on.hpp"
#include "engines/precision.hpp"
#include "engines/row_sums.hpp"
#include "linalg/block_columns.hpp"
#include "linalg/flexible_gmres.hpp"
#include "linalg/second_queue.hpp"

namespace gridiron::aggamg {

/// What the iteration needs, besides the matrices, for K right-hand sides at a time.
template <class D, class T, int K>
struct Iteration {
  Cycle<D, T, K> cycle;
  BlockCg<D, T, FinestMatrix<D, T>, K, T> cg;

  Iteration(const Hierarchy<D, T>& hierarchy, const AggAmgParams& params, bool symmetric, int k_levels)
      : cycle(hierarchy, params, symmetric, k_levels), cg(hierarchy.levels()[0].rows()) {}

  /// For one solve.
  template <class R>
  Preconditioner<D, T, K, R> preconditioner() {
    cycle.begin();
    return [this](View<D, const Columns<R, K>> r, const Columns<double, K>& norm) {
      return cycle.template apply<R>(r, norm);
    };
  }
  int64_t bytes() const {
    int64_t sum = cg.bytes();
    for (size_t k = 0; k < cycle.levels(); ++k) sum += cycle.bytes(k);
    return sum;
  }
};

template <class D, class T>
class AggAmgOn : public EngineOn<D> {
 public:
  explicit AggAmgOn(AggAmgParams params) : params_(std::move(params)) {}

  void do_setup(const Problem& problem) override {
    symmetric_ = problem.symmetric_positive_definite;
    one_.reset();
    together_.reset();
    second_packs_.reset();
    hierarchy_.reset();
    if (!beside_setup_) beside_setup_.emplace(nullptr);
    matrix_ = SellMatrix<D>(problem.matrix);
    form_with_shifts(problem, [&](const std::vector<double>& shift) {
      hierarchy_ = std::make_unique<Hierarchy<D, T>>(matrix_, shift, params_, symmetric_);
    });
    hierarchy_->finish(*beside_setup_);
    k_levels_ = params_.k_cycle == "adaptive" ? std::min(params_.k_levels, first_k_levels(problem)) : params_.k_levels;
    one_ = std::make_unique<Iteration<D, T, 1>>(*hierarchy_, params_, symmetric_, k_levels_);
    one_->cg.deflate(&deflation_);
  }

  void do_update(const Problem& problem) override {
    matrix_.copy_values(problem.matrix);
    form_with_shifts(problem, [&](const std::vector<double>& shift) { hierarchy_->update(matrix_, shift); });
    hierarchy_->finish(*beside_setup_);
    one_->cycle.take_new_values();
    one_->cg.deflate(&deflation_);
    for (Packs* packs : {together_.get(), second_packs_.get()}) {
      if (!packs) continue;
      packs->cycle.take_new_values();
      packs->cg.deflate(&deflation_);
    }
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    SolveStats stats = summed_up(solve_in_packs(
        uses_cg() ? columns_in_packs<kTogether>(b.columns) : 0, b, x,
        [&](auto from, auto to) { return solve_together(from, to, stop); },
        [&](auto from, auto to) { return solve_one_by_one(from, to, stop); }));
    require_a_finite_column(stats, "aggamg");
    return stats;
  }
  bool takes_device_memory() const override { return !D::shares_host_memory; }
  bool begins_at_zero() const override { return true; }
  bool adapts_to_values() const override { return true; }

  int64_t bytes() const override {
    return one_ ? bytes_of(matrix_, hierarchy_, deflation_, one_, together_, second_packs_) : 0;
  }
  double bytes_per_iteration() const override { return one_ ? outer_traffic() + cycle_traffic() : 0; }
  std::vector<LevelSummary> levels() const override {
    if (!one_) return {};
    std::vector<LevelSummary> rows = hierarchy_->summary();
    for (size_t k = 0; k < rows.size(); ++k) rows[k].bytes += one_->cycle.bytes(k);
    return rows;
  }
  ParamList parameters() const override { return list_params(params_); }

 private:
  static constexpr int kTogether = kColumnsTogether<T>;
  using Packs = Iteration<D, T, kTogether>;

  bool uses_cg() const { return params_.krylov == "cg" || (params_.krylov == "auto" && symmetric_); }

  std::vector<ColumnStats> solve_together(Block<const double> b, Block<double> x, const StopRule& stop) {
    const auto solve_with = [this](std::unique_ptr<Packs>& packs, auto from, auto to, const StopRule& rule) {
      if (!packs) {
        packs = std::make_unique<Packs>(*hierarchy_, params_, symmetric_, k_levels_);
        packs->cg.deflate(&deflation_);
      }
      return packs->cg.solve(finest(), from, to, rule, packs->template preconditioner<T>());
    };
    const int64_t beside = columns_of_second_queue<D, kTogether>(b.columns);
    if (beside <= 0) return solve_with(together_, b, x, stop);
    if (!second_queue_) second_queue_ = std::make_unique<SecondQueue<D>>();
    return solve_on_two_queues(
        *second_queue_, beside, b, x, stop,
        [&](auto from, auto to, const StopRule& rule) { return solve_with(together_, from, to, rule); },
        [&](auto from, auto to, const StopRule& rule) { return solve_with(second_packs_, from, to, rule); });
  }

  std::vector<ColumnStats> solve_one_by_one(Block<const double> b, Block<double> x, const StopRule& stop) {
    if (uses_cg()) return one_->cg.solve(finest(), b, x, stop, one_->template preconditioner<T>());
    BlockColumns<D, 1> column(b.rows);
    GmresVectors<D, T> vectors;
    std::vector<ColumnStats> stats;
    for (int64_t j = 0; j < b.columns; ++j) {
      column.load(b, x, {j}, stop.from_zero);
      stats.push_back(flexible_gmres<D, T>(SellOperator<D>(matrix_), column.b(), column.x(), stop, params_.restart,
                                           one_->template preconditioner<double>(), vectors));
      column.store(x, {j});
    }
    return stats;
  }

  FinestMatrix<D, T> finest() const { return {matrix_, hierarchy_->levels()[0], hierarchy_->row_sum()}; }

  /// Parts tied too weakly for T: the method treats their levels apart, so that the hierarchy may see a shifted matrix.
  /// form(shift) forms it, with a shift for each row; empty: none. Devices that have the matrix in memory of their own
  /// look for such parts while a hierarchy without shifts is formed, which is formed anew if there are any. Products
  /// with such parts are formed from differences and row sums, as rounding of the diagonal may be more than their ties.
  template <class Form>
  void form_with_shifts(const Problem& problem, Form form) {
    deflation_ = {};
    if (!SellPatternView<D>(*matrix_.pattern).has_tails()) matrix_.row_sum = {};
    std::vector<double> shift;
    if (!uses_cg() || !has_weak_ties(matrix_)) return form(shift);
    if constexpr (!D::shares_host_memory) {
      Array<D, double> weak;
      side_by_side<D>(
          *beside_setup_, [&] { form(shift); }, [&] { weak = count_weak_clusters(matrix_); });
      if (weak.to_host()[0] == 0 && !hides_a_pad(problem)) return;
    }
    const std::vector<double> row_sums = row_sums_of(problem);
    if (const WeakParts parts = find_weak_parts(problem.matrix, row_sums); !parts.empty()) {
      deflation_ = Deflation<D>(parts, problem.matrix.rows, [](int64_t i) { return i; });
      if (!row_sums.empty()) matrix_.row_sum = Array<D, double>(row_sums);
      for (const int32_t part : parts.of_unknown) shift.push_back(part >= 0 ? parts.shift[part] : 0.0);
    }
    if (D::shares_host_memory || !shift.empty()) form(shift);
  }

  /// One step of flexible_cg around the preconditioner, counted from the vectors its kernels access.
  double outer_traffic() const {
    const double n = matrix_.rows(), entries = matrix_.value.size();
    return entries * (sizeof(T) + sizeof(int32_t)) + n * (2 * sizeof(double) + 17 * sizeof(T));
  }
  double cycle_traffic() const {
    const int k_levels = one_->cycle.k_levels();
    double total = 0, visits = 1;
    for (size_t k = 0; k + 1 < hierarchy_->levels().size(); ++k) {
      const Level<D, T>& level = hierarchy_->levels()[k];
      const double n = level.rows(), m = hierarchy_->levels()[k + 1].rows();
      const double matrix = level.product_traffic();
      const double smooth = (2 * params_.degree - 1) * (matrix + 4 * n * sizeof(T)) + n * sizeof(T);
      const double restrict_to = matrix + n * (5 * sizeof(T) + sizeof(int32_t)) + 4 * m * sizeof(T);
      const double prolong = n * (2 * sizeof(T) + sizeof(int32_t)) + m * sizeof(T);
      total += visits * (smooth + restrict_to + prolong);
      if (k > 0 && static_cast<int>(k) <= k_levels) total += visits / 2 * (2 * matrix + 15 * n * sizeof(T));
      if (static_cast<int>(k) < k_levels) visits *= 2;
    }
    return total;
  }

  AggAmgParams params_;
  bool symmetric_ = true;
  int k_levels_ = 0;  ///< that cycles begin with
  SellMatrix<D> matrix_;
  Deflation<D> deflation_;
  std::unique_ptr<Hierarchy<D, T>> hierarchy_;
  std::unique_ptr<Iteration<D, T, 1>> one_;
  std::unique_ptr<Packs> together_, second_packs_;  ///< when first needed; the other is for the second queue
  std::unique_ptr<SecondQueue<D>> second_queue_;
  std::optional<typename D::Queue> beside_setup_;
};

template <class D>
std::unique_ptr<Engine> make_on(const Settings& settings) {
  const AggAmgParams params = read(settings, !D::shares_host_memory);
  return with_precision(params.precision, [&]<class P>(P) -> std::unique_ptr<Engine> {
    return std::make_unique<AggAmgOn<D, typename P::Vector>>(params);
  });
}

}  // namespace gridiron::aggamg
