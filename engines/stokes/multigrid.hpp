// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "engines/stokes/coarsest.hpp"
#include "engines/stokes/params.hpp"
#include "engines/stokes/plan.hpp"
#include "engines/stokes/schur.hpp"
#include "engines/stokes/stokes_kernels.hpp"
#include "engines/stokes/vanka.hpp"
#include "engines/stokes/vanka_stencil.hpp"
#include "engines/stokes/vanka_tensor.hpp"

namespace gridiron::stokes {

/// Jacobi is for the velocity block alone: multigrid with it leaves the pressure at zero.
enum class Relaxation { braess_sarazin, vanka, schur_uzawa, jacobi };

/// V cycles (Algorithm 1 of the paper) with coarse matrices formed anew, not as Galerkin products, in the variables of
/// LevelPlan.
template <class D, class T>
class Multigrid {
 public:
  Multigrid(const std::vector<LevelPlan>& plan, const StokesParams& params, Relaxation relaxation, int pre, int post)
      : params_(params), relaxation_(relaxation), pre_(pre), post_(post) {
    SharedVanka shared;
    for (size_t k = 0; k < plan.size(); ++k) {
      const StokesGrid& grid = plan[k].grid;
      const Stencil<double> stencil(1, grid.spacing[0], grid.spacing[1], grid.reaction);
      Level& level = levels_.emplace_back(grid);
      level.from_finer = plan[k].from_finer;
      if (k + 1 == plan.size()) break;
      if (relaxation == Relaxation::vanka && !grid.has_constant_viscosity()) {
        const double weight = params.vanka_weight * kSquareVankaBound / measure_vanka(grid);
        level.vanka = Vanka<D, T>(grid, level.grid.layout, weight);
      } else if (relaxation == Relaxation::vanka) {
        share_vanka(grid, stencil, shared);
        if (uses_tensor_cores())
          level.vanka_tensor = VankaTensor<D, T>(level.grid.layout, shared.table, shared.of_tensors);
        else if (uses_vanka_stencil())
          level.vanka_stencil = VankaStencil<D, T>(level.grid.layout, shared.table, shared.middle);
        else
          level.vanka = Vanka<D, T>(level.grid.layout, shared.table, params.vanka != "simple");
      } else if (relaxation != Relaxation::jacobi) {
        level.schur = SchurComplement<D, T>(level.grid, stencil);
        for (auto* plane : {&level.s, &level.dp, &level.other_dp}) *plane = zero_array<D, T>(level.grid.layout.plane);
        level.scale = params.schur_scale * plan[k].velocity_bound / kSquareBound;
        level.jacobi = params.schur_jacobi * kSquareBound / plan[k].schur_bound;
      }
    }
    coarsest_ = CoarsestLevel<D, T>(plan.back().grid, levels_.back().grid.layout, relaxation != Relaxation::jacobi);
  }

  View<D, T> right_hand_side() { return levels_[0].f.view(); }
  View<D, T> solution() { return levels_[0].x.view(); }
  const LevelGrid<D, T>& grid() const { return levels_[0].grid; }

  /// One cycle for the right-hand side, from zero or from the solution so far.
  void cycle(bool from_zero) { cycle(0, from_zero); }

  /// Sets all vectors to zero.
  void forget() {
    for (Level& level : levels_)
      for (auto* vector : {&level.f, &level.x, &level.r, &level.s, &level.dp, &level.other_dp})
        fill<D, T>(vector->view(), T(0));
  }

  size_t levels() const { return levels_.size(); }
  int64_t bytes(size_t k) const { return levels_[k].bytes() + (k + 1 == levels_.size() ? coarsest_.bytes() : 0); }
  int64_t bytes() const {
    int64_t sum = table_bytes_;
    for (size_t k = 0; k < levels_.size(); ++k) sum += bytes(k);
    return sum;
  }
  /// Memory of the shared patch inverses or stencils.
  int64_t table_bytes() const { return table_bytes_; }

 private:
  struct Level {
    LevelGrid<D, T> grid;
    Transfer from_finer;
    Array<D, T> f, x, r;
    Vanka<D, T> vanka;
    VankaStencil<D, T> vanka_stencil;
    VankaTensor<D, T> vanka_tensor;
    SchurComplement<D, T> schur;
    Array<D, T> s, dp, other_dp;
    double scale = 1, jacobi = 1;  ///< t and weight of Braess-Sarazin

    explicit Level(const StokesGrid& points)
        : grid(points, Stencil<T>(1, points.spacing[0], points.spacing[1], points.reaction)),
          f(zero_array<D, T>(grid.layout.size())),
          x(zero_array<D, T>(grid.layout.size())),
          r(zero_array<D, T>(grid.layout.size())) {}
    int64_t bytes() const { return bytes_of(grid, f, x, r, vanka, vanka_tensor, schur, s, dp, other_dp); }
  };

  /// The coefficients of Vanka relaxation that levels of the same elements share.
  struct SharedVanka {
    const StokesGrid* grid = nullptr;  ///< of which they are
    std::shared_ptr<const Array<D, T>> table;
    VankaRow<T> middle;
    VankaRow<float> of_tensors;
  };

  /// Below `least` elements, classes of nodes are others.
  static bool shares_inverses(const StokesGrid& a, const StokesGrid& b, int64_t least) {
    for (int axis = 0; axis < 2; ++axis)
      if (a.spacing[axis] != b.spacing[axis] ||
          (a.elements[axis] != b.elements[axis] && (a.elements[axis] < least || b.elements[axis] < least)))
        return false;
    return a.reaction == b.reaction;
  }

  bool uses_tensor_cores() const {
    return params_.vanka == "tensor" || (params_.vanka == "auto" && !D::shares_host_memory && std::is_same_v<T, float>);
  }
  bool uses_vanka_stencil() const {
    return params_.vanka == "stencil" || uses_tensor_cores() || (params_.vanka == "auto" && !D::shares_host_memory);
  }

  void share_vanka(const StokesGrid& grid, const Stencil<double>& stencil, SharedVanka& shared) {
    const bool as_stencil = uses_vanka_stencil();
    const int64_t least = as_stencil ? WideClasses::kMost - 1 : NodeClasses::kMost - 1;
    if (shared.grid && shares_inverses(*shared.grid, grid, least)) return;
    const auto [nx, ny] = grid.elements;
    const double weight = params_.vanka_weight * kSquareVankaBound / measure_vanka(grid);
    std::vector<double> table = vanka_table(stencil, nx, ny, weight);
    if (as_stencil) {
      table = vanka_stencil_table(table, nx, ny);
      shared.middle = middle_vanka_row<T>(table, nx, ny);
      shared.of_tensors = middle_vanka_row<float>(table, nx, ny);
    }
    shared.table = std::make_shared<const Array<D, T>>(std::vector<T>(table.begin(), table.end()));
    table_bytes_ += shared.table->bytes();
    shared.grid = &grid;
  }

  void cycle(size_t k, bool from_zero) {
    Level& level = levels_[k];
    if (k + 1 == levels_.size()) return coarsest_.solve(level.f.view(), level.x.view());
    for (int sweep = 0; sweep < pre_; ++sweep) relax(level, from_zero && sweep == 0);
    if (pre_ == 0 && from_zero) fill<D, T>(level.x.view(), T(0));
    Level& coarse = levels_[k + 1];
    form_residual_of(level);
    restrict_to<D, T>(coarse.grid, level.grid.layout, coarse.from_finer, level.r.view(), coarse.f.view());
    cycle(k + 1, true);
    interpolate_from<D, T>(coarse.grid, level.grid.layout, coarse.from_finer, coarse.x.view(), level.x.view());
    for (int sweep = 0; sweep < post_; ++sweep) relax(level, false);
  }

  void form_residual_of(Level& level) {
    const View<D, const T> f = level.f.view(), x = level.x.view();
    if (relaxation_ == Relaxation::jacobi)
      form_residual<false>(level.grid, f, x, level.r.view());
    else
      form_residual<true>(level.grid, f, x, level.r.view());
  }

  void relax(Level& level, bool from_zero) {
    if (!from_zero) form_residual_of(level);
    const View<D, const T> r = from_zero ? level.f.view() : level.r.view();
    const auto x = level.x.view();
    switch (relaxation_) {
      case Relaxation::vanka:
        if (!level.vanka_tensor.empty()) return level.vanka_tensor.relax(from_zero, r, x);
        if (!level.vanka_stencil.empty()) return level.vanka_stencil.relax(level.grid, from_zero, r, x);
        return level.vanka.relax(level.grid, from_zero, r, x);
      case Relaxation::jacobi:
        return from_zero ? jacobi_step<true>(level.grid, static_cast<T>(params_.velocity_jacobi), r, x)
                         : jacobi_step<false>(level.grid, static_cast<T>(params_.velocity_jacobi), r, x);
      case Relaxation::braess_sarazin:
        return braess_sarazin(level, from_zero, r, x);
      case Relaxation::schur_uzawa:
        return schur_uzawa(level, from_zero, r, x);
    }
  }

  /// Algorithm 2 of the paper, with Jacobi sweeps for (17).
  void braess_sarazin(Level& level, bool from_zero, View<D, const T> r, View<D, T> x) {
    const T t = static_cast<T>(level.scale), weight = static_cast<T>(level.jacobi);
    begin_schur<D, T>(level.grid, t, weight, level.schur.inverse_diagonal(), r, level.s.view(), level.dp.view());
    for (int sweep = 1; sweep < params_.schur_sweeps; ++sweep) {
      level.schur.sweep(weight, level.s.view(), level.dp.view(), level.other_dp.view());
      std::swap(level.dp, level.other_dp);
    }
    const double omega = params_.schur_weight;
    end<true>(level, omega / level.scale, omega, from_zero, r, x);
  }

  /// Algorithm 4 with one Jacobi sweep for S δp = r_p − B δu, the corrected (24).
  void schur_uzawa(Level& level, bool from_zero, View<D, const T> r, View<D, T> x) {
    const double t = params_.uzawa_scale;
    begin_schur<D, T>(level.grid, static_cast<T>(t), static_cast<T>(params_.uzawa_weight),
                      level.schur.inverse_diagonal(), r, level.s.view(), level.dp.view());
    end<false>(level, 1 / t, 1, from_zero, r, x);
  }

  template <bool whole>
  void end(Level& level, double velocity_weight, double pressure_weight, bool from_zero, View<D, const T> r,
           View<D, T> x) {
    const T u = static_cast<T>(velocity_weight), p = static_cast<T>(pressure_weight);
    const View<D, const T> dp = level.dp.view();
    from_zero ? end_schur<whole, true, D, T>(level.grid, u, p, r, dp, x)
              : end_schur<whole, false, D, T>(level.grid, u, p, r, dp, x);
  }

  StokesParams params_;
  Relaxation relaxation_;
  int pre_, post_;
  std::vector<Level> levels_;
  CoarsestLevel<D, T> coarsest_;
  int64_t table_bytes_ = 0;
};

}  // namespace gridiron::stokes
