// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include <memory>

#include "engines/engine_on.hpp"
#include "engines/gpuhmd/gmd.hpp"
#include "engines/gpuhmd/params.hpp"
#include "engines/gpuhmd/short_float.hpp"
#include "engines/gpuhmd/table_cg.hpp"
#include "engines/precision.hpp"

namespace gridiron::gpuhmd {

template <class D, class T, class L = T>
class GmdOn : public EngineOn<D> {
 public:
  explicit GmdOn(GmdParams params)
      : params_(std::move(params)), gmd_({params_.coarse_size, params_.smoother == "tiles"}) {}

  void do_setup(const Problem& problem) override {
    size_ = problem.matrix.rows;
    cg_.reset();
    if (size_ == 0) return;
    const RegularGrid& grid = *problem.regular_grid();
    const BatchShape layout(static_cast<int32_t>(grid.unknowns(0)), static_cast<int32_t>(grid.unknowns(1)), 1);
    equations_ = no_equations<D>(layout);
    gmd_.setup(layout);
    fill_equations<D>(problem.matrix, {0, size_}, equations_, gmd_.to_ground());
    deflate_weak_parts(problem.matrix);
    gmd_.take(equations_);
    b_ = zeros<D, double>(layout.entries);
    x_ = zeros<D, double>(layout.entries);
    cg_ = std::make_unique<TableCg<D, T>>(equations_, gmd_, deflation_);
  }

  void do_update(const Problem& problem) override {
    const auto &before = *this->problem().regular_grid(), &now = *problem.regular_grid();
    if (before.unknowns(0) != now.unknowns(0) || !deflation_.empty()) return do_setup(problem);
    const std::vector<RowRange> changed = changed_rows(this->problem().matrix, problem.matrix);
    if (changed.empty()) return;
    for (const RowRange& range : changed) fill_equations<D>(problem.matrix, range, equations_, gmd_.to_ground());
    deflate_weak_parts(problem.matrix);
    gmd_.take(equations_);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    SolveStats stats = solve_columns(b, x, [&](std::span<const double> column, std::span<double> answer) {
      return solve_column(column, answer, stop);
    });
    require_a_finite_column(stats, "gmd");
    return stats;
  }

  int64_t bytes() const override { return cg_ ? bytes_of(equations_, deflation_, gmd_, b_, x_, cg_) : 0; }
  bool adapts_to_values() const override { return true; }
  double bytes_per_iteration() const override { return cg_ ? gmd_.traffic() + cg_->traffic() : 0; }
  std::vector<LevelSummary> levels() const override { return gmd_.levels(); }
  ParamList parameters() const override { return list_params(params_); }

  // Public, as nvcc takes no kernels from private functions.

  void scatter(std::span<const double> unknowns, View<D, double> out) const {
    const Upload<D, double> uploaded(unknowns);
    const auto in = uploaded.view();
    for_each_unknown<D>(
        equations_.shape, RowRange{0, size_},
        GRIDIRON_KERNEL(int64_t unknown, int64_t entry) { out[entry] = in[unknown]; });
  }
  void gather(View<D, const double> in, std::span<double> unknowns) const {
    Array<D, double> packed(size_);
    const auto out = packed.view();
    for_each_unknown<D>(
        equations_.shape, RowRange{0, size_},
        GRIDIRON_KERNEL(int64_t unknown, int64_t entry) { out[unknown] = in[entry]; });
    packed.copy_to(unknowns);
  }

  /// Parts tied to ground too weakly for T: the method treats their levels apart, and the multigrid cycle sees pads.
  void deflate_weak_parts(const CsrMatrix& matrix) {
    deflation_ = {};
    const View<D, T> to_ground = gmd_.to_ground();
    const View<D, const double> diagonal = equations_.diagonal.view();
    const Sums<2> sums = D::template sum<2>(
        diagonal.size(), GRIDIRON_KERNEL(int64_t i) {
          return Sums<2>{{diagonal[i], static_cast<double>(to_ground[i])}};
        });
    if (!(sums[1] < 10 * weak::kTie * sums[0])) return;
    const WeakParts parts = find_weak_parts(matrix);
    if (parts.empty()) return;
    const GridShape& shape = equations_.shape;
    deflation_ = Deflation<D>(parts, diagonal.size(), [&shape](int64_t i) {
      return shape.first + i / shape.used_nx * shape.nx + i % shape.used_nx;
    });
    const Array<D, double> shift_array(parts.shift);
    const auto shift = shift_array.view();
    const View<D, const int32_t> part = deflation_.part_of_row();
    D::for_each(
        to_ground.size(), GRIDIRON_KERNEL(int64_t i) {
          if (part[i] >= 0) to_ground[i] += static_cast<T>(shift[part[i]]);
        });
  }

 private:
  ColumnStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    scatter(b, b_.view());
    scatter(x, x_.view());
    ColumnStats stats = cg_->solve(b_.view(), x_.view(), stop, params_.cycle == "cg");
    gather(x_.view(), x);
    if (!stats.converged) clear_vectors();
    return stats;
  }

  /// Values of a breakdown must not reach the next solve.
  void clear_vectors() {
    cg_->clear_vectors();
    gmd_.clear_vectors();
    for (Array<D, double>* v : {&b_, &x_}) fill<D, double>(v->view(), 0.0);
  }

  GmdParams params_;
  int64_t size_ = 0;
  TableEquations<D> equations_;
  Deflation<D> deflation_;  ///< by entries of the tables
  Gmd<D, T, L> gmd_;
  Array<D, double> b_, x_;
  std::unique_ptr<TableCg<D, T>> cg_;
};

template <class D>
std::unique_ptr<Engine> make_gmd_on(const Settings& settings) {
  const GmdParams params = read_gmd(settings);
  return with_precision<ShortFloat>(params.precision, [&]<class P>(P) -> std::unique_ptr<Engine> {
    return std::make_unique<GmdOn<D, typename P::Vector, typename P::Table>>(params);
  });
}

}  // namespace gridiron::gpuhmd
