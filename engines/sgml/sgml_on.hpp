// SPDX-License-Identifier: Apache-2.0
#pragma once

// The engine on a device D; instantiated once per device and precision.

#include <limits>
#include <memory>
#include <optional>

#include "engines/engine_on.hpp"
#include "engines/precision.hpp"
#include "engines/sgml/faithful.hpp"
#include "engines/sgml/grid_matrix.hpp"
#include "linalg/flexible_cg.hpp"
#include "support/error.hpp"

namespace gridiron::sgml {

template <class D, class T>
class SgmlOn : public EngineOn<D> {
 public:
  explicit SgmlOn(SgmlParams params) : params_(std::move(params)) {}

  void do_setup(const Problem& problem) override {
    if (const auto reason = not_a_grid_for_sgml(problem)) throw InputError("sgml: " + *reason);
    cycle_.reset();
    const std::vector<LevelPlan> plan = plan_levels(problem);
    matrix_ = Stencil<D, double>(plan[0].stencil);
    if (params_.schedule == "faithful")
      cycle_ = std::make_unique<FaithfulCycle<D, T>>(plan, params_);
    else
      cycle_ = std::make_unique<Cycle<D, T>>(plan, params_);
    b_ = Array<D, double>(cycle_->lattice().size());
    x_ = Array<D, double>(cycle_->lattice().size());
    fill<D, double>(b_.view(), 0.0);
    fill<D, double>(x_.view(), 0.0);
    describe(problem, plan);
  }

  /// Levels and fields are kept unless coefficients become or cease to be uniform, or coarsen along different axes.
  void do_update(const Problem& problem) override {
    if (not_a_grid_for_sgml(problem)) return do_setup(problem);
    const std::vector<LevelPlan> plan = plan_levels(problem);
    if (!cycle_->has_shape_of(plan) || !matrix_.has_shape_of(plan[0].stencil)) return do_setup(problem);
    matrix_.refill(plan[0].stencil);
    cycle_->refill(plan);
    describe(problem, plan);
  }

  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    stuck_.clear();
    SolveStats stats = solve_columns(b, x, [&](std::span<const double> column, std::span<double> answer) {
      return solve_column(column, answer, stop);
    });
    require_a_finite_column(stats, "sgml");
    return stats;
  }

  int64_t bytes() const override { return cycle_ ? bytes_of(cycle_, matrix_, b_, x_) : 0; }
  double bytes_per_iteration() const override { return cycle_ ? cycle_->bytes_per_cycle() + outer_traffic() : 0; }
  std::vector<LevelSummary> levels() const override { return summary_; }
  std::string note() const override { return note_ + (note_.empty() || stuck_.empty() ? "" : "; ") + stuck_; }
  ParamList parameters() const override { return list_params(params_); }

  // Kernels; public because nvcc accepts none in private functions.

  struct Starts {
    int64_t in_field, in_block;
  };
  struct Line {
    Lattice lattice;
    GRIDIRON_HOST_DEVICE Starts operator()(int64_t line) const {
      return {lattice.at(line, 0), line * lattice.unknowns(0)};
    }
  };
  /// Converts from one entry per unknown to the layout of the lattice.
  static void spread(const Lattice& lattice, View<D, const double> block, View<D, double> field) {
    D::for_each_line(
        lattice.lines(), lattice.unknowns(0), Line{lattice},
        GRIDIRON_KERNEL(const Starts& line, int64_t i) { field[line.in_field + i] = block[line.in_block + i]; });
  }
  static void gather(const Lattice& lattice, View<D, const double> field, View<D, double> block) {
    D::for_each_line(
        lattice.lines(), lattice.unknowns(0), Line{lattice},
        GRIDIRON_KERNEL(const Starts& line, int64_t i) { block[line.in_block + i] = field[line.in_field + i]; });
  }
  /// Subtracts `current` from one entry.
  static void draw(int64_t at, double current, View<D, double> b) {
    D::for_each(
        1, GRIDIRON_KERNEL(int64_t) { b[at] -= current; });
  }
  /// Σ b, or 0 if that is mere rounding.
  static double sum_of(View<D, const double> b) {
    const Sums<2> sums = D::template sum<2>(
        b.size(), GRIDIRON_KERNEL(int64_t i) {
          return Sums<2>{{b[i], b[i] < 0 ? -b[i] : b[i]}};
        });
    return std::abs(sums[0]) > 4 * std::numeric_limits<double>::epsilon() * sums[1] ? sums[0] : 0;
  }

 private:
  /// What follows from the problem besides the levels. Errors: SolverError when nothing determines the mean.
  void describe(const Problem& problem, const std::vector<LevelPlan>& plan) {
    ground_ = ground_of(problem);
    box_reaction_ = plan[0].box_reaction;
    if (box_reaction_ && *box_reaction_ == 0 && ground_.unknown < 0)
      throw SolverError(
          "sgml: the matrix is singular; with Neumann conditions on all faces something must determine the mean");
    note_ = embedding_note(plan);
    summary_.clear();
    for (size_t v = 0; v < plan.size(); ++v) {
      const Level<D, T>& level = cycle_->levels()[v];
      summary_.push_back({level.lattice().unknowns(), entries(plan[v].stencil), level.bytes(), level.band.highest});
    }
  }

  ColumnStats solve_column(std::span<const double> b, std::span<double> x, const StopRule& stop) {
    const Lattice& lattice = cycle_->lattice();
    Array<D, double> column(b);
    spread(lattice, column.view(), b_.view());
    ConvergenceMonitor monitor{stop, norm2<D>(column.view()), {}, kPatience};
    const double sources = box_reaction_ ? sum_of(column.view()) : 0;
    column.copy_from(std::span<const double>(x.data(), x.size()));
    spread(lattice, column.view(), x_.view());
    if (box_reaction_) take_up_sources(sources);

    // The cycle's source is scaled by the last known residual, so that fp32 can represent it whatever its magnitude.
    double scale = monitor.norm_b > 0 ? 1 / monitor.norm_b : 1;
    double norm = residual(scale);
    bool done = monitor.reached(norm, [this] { return largest_residual(); });
    bool pays = true;
    while (!done && pays && monitor.may_go_on()) {
      const double before = norm;
      const View<D, const T> u = cycle_->apply();
      const double level = box_reaction_ ? mean<D, T>(lattice, u) : 0;
      add_scaled<D, T>(lattice, 1 / scale, u, level, x_.view());
      scale = 1 / norm;
      norm = residual(scale);
      ++monitor.stats.iterations;
      done = monitor.reached(norm, [this] { return largest_residual(); });
      pays = params_.cycle == "stationary" || norm * kSlow < before;
    }
    if (!done && monitor.may_go_on()) accelerate(monitor);
    if (!monitor.stats.converged && monitor.stats.iterations < stop.max_iterations)
      stuck_ =
          "stopped when the residual no longer decreased, due to rounding or a rough sigma; for the latter use another "
          "engine, such as aggamg";
    monitor.stats.max_residual = largest_residual();
    gather(lattice, x_.view(), column.view());
    column.copy_to(x);
    if (ground_.unknown >= 0) {
      const double lift = sources / ground_.conductance - x[ground_.unknown];
      for (double& value : x) value += lift;
    }
    return monitor.stats;
  }

  /// Conjugate gradients preconditioned by the cycle, from the current iterate.
  void accelerate(ConvergenceMonitor& monitor) {
    monitor.stats.history.pop_back();  // will be recorded again
    flexible_cg<D, T>(matrix_, b_.view(), x_.view(), monitor,
                      Preconditioner<D, T>([this](View<D, const double> r, double norm) {
                        scale_to<D, T>(r, unit_scale(r.size(), norm), cycle_->rhs());
                        return box_reaction_ ? cycle_->apply_without_mean() : cycle_->apply();
                      }));
  }

  /// Fills the cycle's source with scale · (b − A x); ‖b − A x‖₂.
  double residual(double scale) {
    Residual<D, T> kernel{x_.view(), b_.view(), cycle_->rhs(), scale};
    matrix_.visit(kernel);
    return std::sqrt(kernel.squares);
  }

  /// What flows into an insulated box leaves it through the reaction, which determines the mean of x, or through the
  /// ground. Either way it is handled outside the cycles: the residual sums to zero, in fp32 too, where a large mean
  /// would swamp everything else.
  void take_up_sources(double sum) {
    if (ground_.unknown >= 0) {
      const Lattice& lattice = cycle_->lattice();
      const int64_t nx = lattice.unknowns(0), at = lattice.at(ground_.unknown / nx, ground_.unknown % nx);
      draw(at, sum, b_.view());
    } else {
      const double now = mean<D, double>(cycle_->lattice(), x_.view());
      add_constant<D, double>(cycle_->lattice(), sum / *box_reaction_ - now, x_.view());
    }
  }
  double largest_residual() {
    LargestResidual<D> kernel{x_.view(), b_.view()};
    matrix_.visit(kernel);
    return kernel.largest;
  }

  static int64_t entries(const StencilData& stencil) {
    return stencil.lattice.unknowns() * (1 + 2 * half_neighbour_count(stencil.lattice.dimensions, stencil.all_around));
  }
  /// Correction of x and residual: x three times, b, the cycle's result and its next source.
  double outer_traffic() const {
    return 4 * static_cast<double>(x_.bytes()) + static_cast<double>(matrix_.bytes()) +
           2 * static_cast<double>(cycle_->levels()[0].rhs.bytes());
  }

  /// If a cycle reduces the residual by less than this factor, conjugate gradients are cheaper: they take 1.4 times a
  /// cycle's time.
  static constexpr double kSlow = 6;
  static constexpr int kPatience = 50;

  SgmlParams params_;
  Stencil<D, double> matrix_;
  std::unique_ptr<Cycle<D, T>> cycle_;
  Array<D, double> b_, x_;
  Ground ground_;
  std::optional<double> box_reaction_;  ///< LevelPlan::box_reaction
  std::vector<LevelSummary> summary_;
  std::string note_, stuck_;
};

template <class D>
std::unique_ptr<Engine> make_for_points(const SgmlParams& params) {
  return with_precision(params.precision, [&]<class P>(P) -> std::unique_ptr<Engine> {
    return std::make_unique<SgmlOn<D, typename P::Vector>>(params);
  });
}

}  // namespace gridiron::sgml
