// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine for finite elements on a device D; instantiated once per device.

#include <cmath>
#include <memory>

#include "engines/engine_on.hpp"
#include "engines/psc/choose_level.hpp"
#include "engines/psc/direct_solver.hpp"
#include "linalg/block_refinement.hpp"
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
    cost_ = choose_level(mesh, params_, kShareOfMemory * usable_memory_bytes(), kWidestCell);
    const Prehandled p = prehandle(mesh, cost_.level, params_.condition == "yes", eliminate_for<D>());
    cond_cell_ = params_.condition == "yes" ? p.largest_condition() : NAN;
    cond_schur_ = NAN;
    if (params_.condition == "yes" && cost_.counts.edge > 0) {
      const Extremes extremes =
          extreme_eigenvalues(cost_.counts.edge, [&](const double* x, double* y) { p.multiply_schur(x, y); });
      cond_schur_ = extremes.largest / extremes.least;
    }
    matrix_ = BlockMatrix<D>(problem.matrix);
    solver_ = std::make_unique<DirectSolver<D, T>>(p, size_, params_);
    bytes_per_column_ = solver_->bytes_per_column() + 4 * size_ * static_cast<int64_t>(sizeof(double));
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    const int64_t at_once = std::clamp<int64_t>(kBlockBytes / bytes_per_column_, 1, kMostColumns);
    const int most_steps = params_.refine == "yes" ? kMostSteps : 0;
    SolveStats all = summed_up(refinement_.solve(matrix_, b, x, stop, at_once, most_steps,
                                                 [this](auto r, auto d, auto k) { solver_->apply(r, d, k, k); }));
    // The plain method answers with what it reaches.
    if (params_.refine == "no") {
      for (ColumnStats& s : all.columns) s.converged = std::isfinite(s.relative_residual);
      all = summed_up(std::move(all.columns));
    }
    require_a_finite_column(all, "psc");
    return all;
  }
  bool takes_device_memory() const override { return !D::shares_host_memory; }
  bool begins_at_zero() const override { return true; }

  int64_t bytes() const override { return solver_ ? bytes_of(matrix_, solver_, refinement_) : 0; }
  ParamList parameters() const override { return list_params(params_); }
  MethodFigures figures() const override {
    if (!solver_) return {};
    return {"psc",
            {{"coarse", cost_.counts.coarse},
             {"edge", cost_.counts.edge},
             {"interior", cost_.counts.interior},
             {"cells", cost_.counts.cells},
             {"groups", cost_.counts.groups},
             {"cell_width", std::ldexp(1.0, -cost_.level)},
             {"cond_cell", cond_cell_},
             {"cond_schur", cond_schur_},
             {"bytes_cells", solver_->cell_bytes()},
             {"bytes_schur", solver_->schur_bytes()},
             {"flops_per_rhs", solver_->flops_per_column()}}};
  }
  std::string note() const override {
    if (params_.method != "m3" || !solver_) return "";
    return "method m3 took " + std::to_string(solver_->inner_iterations()) + " iterations on corners and edges";
  }

 private:
  static constexpr double kShareOfMemory = 0.7;
  /// A GPU has 227 KB of shared memory, for (m + 1)² numbers of 8 bytes.
  static constexpr int64_t kWidestCell = D::shares_host_memory ? int64_t{1} << 40 : 128;
  static constexpr int64_t kMostColumns = D::shares_host_memory ? 256 : 1024;
  static constexpr int64_t kBlockBytes = D::shares_host_memory ? int64_t{3} << 30 : int64_t{24} << 30;
  static constexpr int kMostSteps = 12;

  PscParams params_;
  int64_t size_ = 0, bytes_per_column_ = 1;
  LevelCost cost_;
  double cond_cell_ = 0, cond_schur_ = 0;
  BlockMatrix<D> matrix_;
  std::unique_ptr<DirectSolver<D, T>> solver_;
  BlockRefinement<D> refinement_;
};

template <class D>
std::unique_ptr<Engine> make_psc_on(const Settings& settings) {
  PscParams params = read_psc(settings);
  if (params.method == "auto") params.method = "m1";
  return with_stored(params.precision,
                     [&]<class T>(T) -> std::unique_ptr<Engine> { return std::make_unique<PscOn<D, T>>(params); });
}

}  // namespace gridiron::psc
