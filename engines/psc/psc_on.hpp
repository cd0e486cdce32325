// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine for finite elements on a device D; instantiated once per device.

#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "engines/device/engine_on.hpp"
#include "engines/psc/block_residual.hpp"
#include "engines/psc/choose_level.hpp"
#include "engines/psc/direct_solver.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace gridiron::psc {

/// Solves by DirectSolver and refines with residuals in fp64, each column until the stop rule holds for it or a step no
/// longer halves its residual.
template <class D, class T>
class PscOn : public EngineOn<D> {
 public:
  explicit PscOn(PscParams params) : params_(std::move(params)) {}

  void do_setup(const Problem& problem) override {
    solver_.reset();
    size_ = problem.matrix.rows;
    if (size_ == 0) return;
    const RefinedMesh& mesh = *problem.refined_mesh();
    cost_ = choose_level(mesh, params_, kShareOfMemory * static_cast<double>(usable_memory_bytes()), kWidestCell);
    const Prehandled p = prehandle(mesh, cost_.level, params_.condition == "yes", eliminate_for<D>());
    cond_cell_ = params_.condition == "yes" ? p.largest_condition() : std::numeric_limits<double>::quiet_NaN();
    cond_schur_ = std::numeric_limits<double>::quiet_NaN();
    if (params_.condition == "yes" && cost_.counts.edge > 0) {
      const Extremes extremes =
          extreme_eigenvalues(cost_.counts.edge, [&](const double* x, double* y) { p.multiply_schur(x, y); });
      cond_schur_ = extremes.largest / extremes.least;
    }
    matrix_ = BlockMatrix<D>(problem.matrix);
    solver_ = std::make_unique<DirectSolver<D, T>>(p, size_, params_);
    bytes_per_column_ = solver_->bytes_per_column() + 4 * size_ * static_cast<std::int64_t>(sizeof(double));
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    const std::int64_t at_once = std::clamp<std::int64_t>(kBlockBytes / bytes_per_column_, 1, kMostColumns);
    std::vector<ColumnStats> stats;
    for (std::int64_t first = 0; first < b.columns; first += at_once) {
      stop.throw_if_stopped();
      const std::int64_t count = std::min(at_once, b.columns - first);
      for (ColumnStats& column : solve_block(b.part(first, count), x.part(first, count), stop))
        stats.push_back(std::move(column));
    }
    SolveStats all = summed_up(std::move(stats));
    require_a_finite_column(all, "psc");
    return all;
  }
  bool takes_device_memory() const override { return !D::shares_host_memory; }

  std::int64_t bytes() const override {
    return solver_ ? matrix_.bytes() + solver_->bytes() + b_.bytes() + x_.bytes() + r_.bytes() + d_.bytes() : 0;
  }
  ParamList parameters() const override { return list_params(params_); }
  MethodFigures figures() const override {
    if (!solver_) return {};
    const auto number = [](auto n) { return static_cast<double>(n); };
    return {"psc",
            {{"coarse", number(cost_.counts.coarse)},
             {"edge", number(cost_.counts.edge)},
             {"interior", number(cost_.counts.interior)},
             {"cells", number(cost_.counts.cells)},
             {"groups", number(cost_.counts.groups)},
             {"cell_width", std::ldexp(1.0, -cost_.level)},
             {"cond_cell", cond_cell_},
             {"cond_schur", cond_schur_},
             {"bytes_cells", number(solver_->cell_bytes())},
             {"bytes_schur", number(solver_->schur_bytes())},
             {"flops_per_rhs", solver_->flops_per_column()}}};
  }
  std::string note() const override {
    if (params_.method != "m3" || !solver_) return "";
    return "method m3 took " + std::to_string(solver_->inner_iterations()) + " iterations on corners and edges";
  }

 private:
  static constexpr double kShareOfMemory = 0.7;
  /// A GPU has 227 KB of shared memory, for (m + 1)² numbers of 8 bytes.
  static constexpr std::int64_t kWidestCell = D::shares_host_memory ? std::int64_t{1} << 40 : 128;
  static constexpr std::int64_t kMostColumns = D::shares_host_memory ? 256 : 1024;
  static constexpr std::int64_t kBlockBytes = D::shares_host_memory ? std::int64_t{3} << 30 : std::int64_t{24} << 30;
  static constexpr int kMostSteps = 12;

  std::vector<ColumnStats> solve_block(Block<const double> b, Block<double> x, const StopRule& stop) {
    const std::int64_t k = b.columns, entries = size_ * k;
    if (b_.size() != entries)
      for (Array<D, double>* v : {&b_, &x_, &r_, &d_}) {
        *v = {};
        *v = Array<D, double>(entries);
      }
    copy_in(b);
    const View<D, const double> rhs = std::as_const(b_).view();
    // Always from the same array into the same one: then the solver's recording stays valid.
    matrix_.copy(rhs, r_.view());
    solver_->apply(std::as_const(r_).view(), d_.view(), k, k);
    matrix_.copy(std::as_const(d_).view(), x_.view());

    std::vector<ColumnStats> stats(static_cast<std::size_t>(k));
    std::vector<bool> is_done(static_cast<std::size_t>(k), false);
    std::vector<double> take(static_cast<std::size_t>(k), 1.0);
    const std::vector<double> norm_b = matrix_.norms(rhs, k);
    const auto look = [&](std::int64_t j, double norm, double largest) {
      ColumnStats& s = stats[j];
      s.relative_residual = norm == 0 ? 0 : norm / norm_b[j];
      s.max_residual = largest;
      s.history.push_back(s.relative_residual);
      s.converged =
          s.relative_residual <= stop.relative_residual || (stop.absolute_max > 0 && largest <= stop.absolute_max);
      is_done[j] = s.converged || !std::isfinite(s.relative_residual);
    };
    ResidualNorms now = matrix_.residual(rhs, std::as_const(x_).view(), r_.view(), k);
    for (std::int64_t j = 0; j < k; ++j) look(j, now.norm[j], now.largest[j]);

    const int most = params_.refine == "yes" ? std::min(stop.max_iterations, kMostSteps) : 0;
    for (int step = 0; step < most && !std::ranges::all_of(is_done, std::identity()); ++step) {
      stop.throw_if_stopped();
      solver_->apply(std::as_const(r_).view(), d_.view(), k, k);
      for (std::int64_t j = 0; j < k; ++j) take[j] = is_done[j] ? 0.0 : 1.0;
      matrix_.add_columns(take, std::as_const(d_).view(), x_.view());
      now = matrix_.residual(rhs, std::as_const(x_).view(), r_.view(), k);
      bool is_worse_somewhere = false;
      for (std::int64_t j = 0; j < k; ++j) {
        take[j] = 0;
        if (is_done[j]) continue;
        const double before = stats[j].relative_residual;
        if (!(now.norm[j] / norm_b[j] < before)) {  // taken back
          is_done[j] = true;
          take[j] = -1;
          is_worse_somewhere = true;
          continue;
        }
        ++stats[j].iterations;
        look(j, now.norm[j], now.largest[j]);
        is_done[j] = is_done[j] || stats[j].relative_residual > before / 2;
      }
      if (is_worse_somewhere) matrix_.add_columns(take, std::as_const(d_).view(), x_.view());
    }
    copy_out(x);
    // The plain method answers with what it reaches.
    if (params_.refine == "no")
      for (ColumnStats& s : stats) s.converged = std::isfinite(s.relative_residual);
    return stats;
  }

  void copy_in(Block<const double> b) {
    if (b.memory == Memory::device)
      matrix_.copy(D::view(b.data, b_.size()), b_.view());
    else
      b_.copy_from({b.data, static_cast<std::size_t>(b_.size())});
  }
  void copy_out(Block<double> x) {
    if (x.memory == Memory::device)
      matrix_.copy(std::as_const(x_).view(), D::view(x.data, x_.size()));
    else
      x_.copy_to({x.data, static_cast<std::size_t>(x_.size())});
  }

  PscParams params_;
  std::int64_t size_ = 0, bytes_per_column_ = 1;
  LevelCost cost_;
  double cond_cell_ = 0, cond_schur_ = 0;
  BlockMatrix<D> matrix_;
  std::unique_ptr<DirectSolver<D, T>> solver_;
  Array<D, double> b_, x_, r_, d_;
};

template <class D>
std::unique_ptr<Engine> make_psc_on(const Settings& settings) {
  PscParams params = read_psc(settings);
  if (params.method == "auto") params.method = "m1";
  return with_stored(params.precision,
                     [&]<class T>(T) -> std::unique_ptr<Engine> { return std::make_unique<PscOn<D, T>>(params); });
}

}  // namespace gridiron::psc
