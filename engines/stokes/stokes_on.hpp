// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "engines/engine_on.hpp"
#include "engines/precision.hpp"
#include "engines/stokes/operator.hpp"
#include "engines/stokes/preconditioner.hpp"
#include "engines/stokes/stokes_engine.hpp"
#include "engines/stokes_matrix.hpp"
#include "linalg/block_columns.hpp"
#include "linalg/flexible_gmres.hpp"
#include "support/error.hpp"

namespace gridiron::stokes {

/// Solves A x = b for the matrix of stokes_matrix(), working from Problem::structure alone: flexible GMRES in fp64
/// around a cycle in precision T. Right-hand sides are solved for one after the other, while the next ones transfers: a
/// stencil has no matrix that a block of them could share.
template <class D, class T>
class StokesOn : public EngineOn<D> {
 public:
  explicit StokesOn(StokesParams params) : params_(std::move(params)) {}

  void do_setup(const Problem& problem) override {
    if (const auto reason = stokes_declines(problem)) throw InputError("stokes: this engine " + *reason);
    preconditioner_.reset();
    vectors_ = {};
    shape_ = *problem.stokes_grid();
    const bool is_vanka = params_.relaxation == "vanka" || params_.relaxation == "auto";
    if (!shape_.has_constant_viscosity() && (params_.preconditioner != "multigrid" || !is_vanka))
      throw InputError("stokes: only relaxation=vanka is meant for a viscosity that varies");
    require_room_for_patches();
    std::vector<LevelPlan> plan = plan_levels(shape_);
    if (!D::shares_host_memory && params_.relaxation != "schur-uzawa")
      while (plan.size() > 1 && plan[plan.size() - 2].grid.unknowns() <= kFewUnknowns) plan.pop_back();
    operator_ = StokesOperator<D>(shape_);
    preconditioner_ = std::make_unique<StokesPreconditioner<D, T>>(shape_, plan, params_);
    b_ = operator_.template vector<double>();
    x_ = operator_.template vector<double>();
    columns_ = BlockColumns<D, 1>(shape_.unknowns());
    describe(plan);
  }

  /// The levels depend on the ratio of reaction to viscosity alone, so that a change of both by one factor keeps them.
  void do_update(const Problem& problem) override {
    const StokesGrid& grid = *problem.stokes_grid();
    if (!preconditioner_ || !has_same_levels(shape_, grid)) return do_setup(problem);
    shape_ = grid;
    operator_ = StokesOperator<D>(shape_);
    preconditioner_->set_viscosity(shape_);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    typename BlockColumns<D, 1>::TransferScope transfers(columns_, b, x, stop.from_zero);
    std::vector<ColumnStats> of_column;
    for (int64_t j = 0; j < b.columns; ++j) {
      columns_.load(b, x, {j}, stop.from_zero);
      of_column.push_back(solve_column(stop));
      columns_.store(x, {j});
      if (!std::isfinite(of_column.back().relative_residual)) forget();
    }
    transfers.finish();
    SolveStats stats = summed_up(std::move(of_column));
    require_a_finite_column(stats, "stokes");
    return stats;
  }
  bool takes_device_memory() const override { return !D::shares_host_memory; }
  bool begins_at_zero() const override { return true; }

  int64_t bytes() const override {
    return preconditioner_ ? bytes_of(preconditioner_, operator_, b_, x_, columns_, vectors_) : 0;
  }
  std::vector<LevelSummary> levels() const override { return summary_; }
  ParamList parameters() const override { return list_params(params_); }

  // Public, as nvcc takes no kernels from private functions.

  double pressure_sum(View<D, const double> planes) const {
    const int64_t first = Layout::kPressure * operator_.layout().plane;
    return D::template sum<1>(
        operator_.layout().plane, GRIDIRON_KERNEL(int64_t i) { return Sums<1>{{planes[first + i]}}; })[0];
  }

  /// Adds to an entry.
  void add(View<D, double> planes, int64_t entry, double value) const {
    D::for_each(
        1, GRIDIRON_KERNEL(int64_t) { planes[entry] += value; });
  }

  /// Shifts the pressure so that it is `level` where it is grounded.
  void set_pressure_level(View<D, double> planes, double level) const {
    const int64_t grounded = grounded_entry();
    const double shift = level - D::template sum<1>(
                                     1, GRIDIRON_KERNEL(int64_t) { return Sums<1>{{planes[grounded]}}; })[0];
    const Offset<D> first = Layout::kPressure * operator_.layout().plane;
    for_each_node(
        operator_.grid(), GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<double>&) { planes[first + at] += shift; });
  }

 private:
  /// A GPU solves as few at once in the time of one relaxation of theirs, which it spends on starting kernels. Not with
  /// Schur-Uzawa, which then takes up to half as many iterations more.
  static constexpr int64_t kFewUnknowns = 600;

  /// The rows of B sum to zero, so the grounded pressure g follows from the sum of r_p, and what flows through the
  /// ground is moved to the right-hand side. What remains is singular and consistent; its pressure is shifted to g.
  ColumnStats solve_column(const StopRule& stop) {
    const Layout& layout = operator_.layout();
    spread<D>(shape_, layout, columns_.b(), b_.view());
    spread<D>(shape_, layout, columns_.x(), x_.view());
    set_pressure_level(x_.view(), 0);
    const double excess = pressure_sum(b_.view());
    if (excess != 0) add(b_.view(), grounded_entry(), -excess);
    const Preconditioner<D, T> precondition = [this](View<D, const double> r, double norm) {
      return preconditioner_->apply(r, norm);
    };
    ColumnStats stats =
        flexible_gmres<D, T>(operator_, b_.view(), x_.view(), stop, params_.restart, precondition, vectors_);
    set_pressure_level(x_.view(), excess / shape_.ground());
    collect<D>(shape_, layout, x_.view(), columns_.x());
    return stats;
  }

  /// An inverse for every patch takes ten times the memory of all else; a GPU tells by itself when it has no more.
  void require_room_for_patches() const {
    const bool is_vanka =
        params_.relaxation == "vanka" || (params_.relaxation == "auto" && !shape_.has_constant_viscosity());
    const bool has_inverses = is_vanka && (params_.vanka == "simple" || !shape_.has_constant_viscosity());
    if (!D::shares_host_memory || !has_inverses || params_.preconditioner != "multigrid") return;
    const double bytes = 4. / 3 * kPatch * kPatch * sizeof(T) * shape_.pressures();
    require_memory(bytes, shape_);
  }

  int64_t grounded_entry() const {
    return Layout::kPressure * operator_.layout().plane +
           operator_.layout().at(shape_.elements[0] / 2, shape_.elements[1] / 2);
  }

  /// After a solve that overflowed: zeros around the unknowns may no longer be zero.
  void forget() {
    vectors_ = {};
    preconditioner_->forget();
    for (auto* vector : {&b_, &x_}) fill<D, double>(vector->view(), 0.0);
  }

  void describe(const std::vector<LevelPlan>& plan) {
    summary_.clear();
    for (size_t k = 0; k < plan.size(); ++k)
      summary_.push_back({.unknowns = plan[k].grid.unknowns(),
                          .nonzeros = stokes_nonzeros(plan[k].grid),
                          .bytes = preconditioner_->multigrid().bytes(k),
                          .spectral_radius = plan[k].velocity_bound});
  }

  StokesParams params_;
  StokesGrid shape_;
  StokesOperator<D> operator_;
  std::unique_ptr<StokesPreconditioner<D, T>> preconditioner_;
  Array<D, double> b_, x_;
  BlockColumns<D, 1> columns_;
  GmresVectors<D, T> vectors_;
  std::vector<LevelSummary> summary_;
};

template <class D>
std::unique_ptr<Engine> make_stokes_on(const Settings& settings) {
  const StokesParams params = read(settings);
  return with_precision(params.precision, [&]<class P>(P) -> std::unique_ptr<Engine> {
    return std::make_unique<StokesOn<D, typename P::Vector>>(params);
  });
}

}  // namespace gridiron::stokes
