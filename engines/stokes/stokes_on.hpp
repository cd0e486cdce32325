// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device.

#include <memory>
#include <utility>
#include <vector>

#include "engines/device/engine_on.hpp"
#include "engines/linalg/flexible_gmres.hpp"
#include "engines/precision.hpp"
#include "engines/stokes/operator.hpp"
#include "engines/stokes/preconditioner.hpp"
#include "engines/stokes/stokes_engine.hpp"
#include "engines/stokes/stokes_matrix.hpp"
#include "support/error.hpp"

namespace gridiron::stokes {

/// Solves A x = b for the matrix of stokes_matrix(), working from Problem::structure alone: flexible GMRES in fp64
/// around a cycle in precision T.
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
    const std::vector<LevelPlan> plan = plan_levels(shape_);
    operator_ = StokesOperator<D>(shape_);
    preconditioner_ = std::make_unique<StokesPreconditioner<D, T>>(shape_, plan, params_);
    b_ = operator_.template vector<double>();
    x_ = operator_.template vector<double>();
    unknowns_ = Array<D, double>(shape_.unknowns());
    describe(plan);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    SolveStats stats = solve_columns(b, x, [&](std::span<const double> column, std::span<double> answer) {
      return solve_column(column, answer, stop);
    });
    require_a_finite_column(stats, "stokes");
    return stats;
  }

  std::int64_t bytes() const override {
    return preconditioner_ ? preconditioner_->bytes() + operator_.bytes() + b_.bytes() + x_.bytes() +
                                 unknowns_.bytes() + vectors_.bytes()
                           : 0;
  }
  std::vector<LevelSummary> levels() const override { return summary_; }
  ParamList parameters() const override { return list_params(params_); }

  /// Public, as nvcc takes no kernels from private functions.
  double pressure_sum(View<D, const double> planes) const {
    const std::int64_t first = Layout::kPressure * operator_.layout().plane;
    return D::template sum<1>(
        operator_.layout().plane, GRIDIRON_KERNEL(std::int64_t i) { return Sums<1>{{planes[first + i]}}; })[0];
  }

 private:
  /// The rows of B sum to zero, so the grounded pressure g follows from the sum of r_p, and what flows through the
  /// ground is moved to the right-hand side. What remains is singular and consistent; its pressure is shifted to g.
  ColumnStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    load(b, b_);
    const std::int64_t grounded = shape_.grounded_unknown();
    shift_pressure(x, -x[grounded]);
    load(x, x_);
    const double excess = pressure_sum(std::as_const(b_).view());
    const double level = excess / shape_.ground();
    std::vector<double> corrected;
    if (excess != 0) {
      corrected.assign(b.begin(), b.end());
      corrected[grounded] -= excess;
      load(corrected, b_);
    }
    const Preconditioner<D, T> precondition = [this](View<D, const double> r, double norm) {
      return preconditioner_->apply(r, norm);
    };
    ColumnStats stats = flexible_gmres<D, T>(operator_, std::as_const(b_).view(), x_.view(), stop, params_.restart,
                                             precondition, vectors_);
    collect<D>(shape_, operator_.layout(), std::as_const(x_).view(), unknowns_.view());
    unknowns_.copy_to(x);
    shift_pressure(x, level - x[grounded]);
    return stats;
  }

  void shift_pressure(std::span<double> x, double shift) const {
    for (double& p : x.subspan(2 * shape_.velocities())) p += shift;
  }

  void load(std::span<const double> unknowns, Array<D, double>& planes) {
    unknowns_.copy_from(unknowns);
    spread<D>(shape_, operator_.layout(), std::as_const(unknowns_).view(), planes.view());
  }

  void describe(const std::vector<LevelPlan>& plan) {
    summary_.clear();
    for (std::size_t k = 0; k < plan.size(); ++k)
      summary_.push_back({.unknowns = plan[k].grid.unknowns(),
                          .nonzeros = stokes_nonzeros(plan[k].grid),
                          .bytes = preconditioner_->multigrid().bytes(k),
                          .spectral_radius = plan[k].velocity_bound});
  }

  StokesParams params_;
  StokesGrid shape_;
  StokesOperator<D> operator_;
  std::unique_ptr<StokesPreconditioner<D, T>> preconditioner_;
  Array<D, double> b_, x_, unknowns_;
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
