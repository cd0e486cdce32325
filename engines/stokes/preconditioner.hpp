// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engines/stokes/multigrid.hpp"
#include "linalg/krylov.hpp"

namespace gridiron::stokes {

/// The preconditioner that parameters choose: a V cycle on the whole system, or the block-triangular one (Algorithm 5
/// of the paper, with the mass matrix divided by ν).
template <class D, class T>
class StokesPreconditioner {
 public:
  StokesPreconditioner(const StokesGrid& grid, const std::vector<LevelPlan>& plan, const StokesParams& params)
      : is_triangular_(params.preconditioner == "block-triangular"),
        spacing_(std::sqrt(grid.spacing[0] * grid.spacing[1])),
        viscosity_(reference_viscosity(grid)),
        multigrid_(plan, params, relaxation_of(params, !grid.has_constant_viscosity()),
                   is_triangular_ ? kTriangularSweeps : params.pre, is_triangular_ ? kTriangularSweeps : params.post),
        out_(zero_array<D, T>(multigrid_.grid().layout.size())),
        recording_(std::make_unique<typename D::Recording>()) {
    if (!is_triangular_) return;
    const int64_t plane = multigrid_.grid().layout.plane;
    for (auto* pressure : {&rhs_, &pressure_, &other_pressure_}) *pressure = zero_array<D, T>(plane);
  }

  /// A Preconditioner.
  View<D, const T> apply(View<D, const double> r, double norm) {
    load(r, unit_scale(r.size(), norm));
    recording_->run([this] {
      if (is_triangular_)
        block_triangular();
      else
        multigrid_.cycle(true);
      unload();
    });
    return out_.view();
  }

  /// For a grid of the same levels (has_same_levels()).
  void set_viscosity(const StokesGrid& grid) {
    viscosity_ = reference_viscosity(grid);
    recording_ = std::make_unique<typename D::Recording>();  // it holds the old one
  }

  /// Sets all vectors to zero, as after an overflow they may not be where they have to.
  void forget() {
    multigrid_.forget();
    for (auto* vector : {&out_, &rhs_, &pressure_, &other_pressure_}) fill<D, T>(vector->view(), T(0));
  }

  const Multigrid<D, T>& multigrid() const { return multigrid_; }
  int64_t bytes() const { return bytes_of(multigrid_, out_, rhs_, pressure_, other_pressure_); }

  // The parts of apply(); public, as nvcc takes no kernels from private functions.

  /// The right-hand side in the variables of LevelPlan; the pressure's goes to `rhs_` if it is solved for apart.
  void load(View<D, const double> r, double scale) {
    const View<D, T> f = multigrid_.right_hand_side();
    const int64_t first = Layout::kPressure * multigrid_.grid().layout.plane;
    const double pressure_scale = scale * viscosity_ / spacing_;
    const bool is_triangular = is_triangular_;
    const View<D, T> rhs = is_triangular_ ? rhs_.view() : f;
    D::for_each(
        r.size(), GRIDIRON_KERNEL(int64_t i) {
          const bool is_pressure = i >= first;
          const T value = static_cast<T>((is_pressure ? pressure_scale : scale) * r[i]);
          if (is_pressure && is_triangular)
            rhs[i - first] = value;
          else
            f[i] = value;
        });
  }

  void unload() {
    const View<D, const T> x = multigrid_.solution();
    const View<D, const T> pressure = pressure_.view();
    const auto out = out_.view();
    const int64_t first = Layout::kPressure * multigrid_.grid().layout.plane;
    const T u = static_cast<T>(1 / viscosity_), p = static_cast<T>(1 / spacing_);
    const bool is_triangular = is_triangular_;
    D::for_each(
        x.size(), GRIDIRON_KERNEL(int64_t i) {
          if (i < first)
            out[i] = u * x[i];
          else
            out[i] = p * (is_triangular ? pressure[i - first] : x[i]);
        });
  }

  void block_triangular() {
    solve_mass_matrix();
    subtract_gradient();
    for (int cycle = 0; cycle < kTriangularCycles; ++cycle) multigrid_.cycle(cycle == 0);
  }

  /// −M δp = r_p by Jacobi sweeps from zero. M is the pressure's mass matrix over hx hy: (1 4 1)/6 along each axis,
  /// half of the middle at the ends.
  void solve_mass_matrix() {
    for (int sweep = 0; sweep < kMassSweeps; ++sweep) {
      mass_sweep(sweep == 0);
      std::swap(pressure_, other_pressure_);
    }
  }

  void mass_sweep(bool from_zero) {
    const Layout layout = multigrid_.grid().layout;
    const View<D, const T> rhs = rhs_.view(), p = pressure_.view();
    const auto out = other_pressure_.view();
    const T keep = from_zero ? T(0) : T(1), weight = static_cast<T>(kMassWeight);
    const Offset<D> nx = layout.nx, ny = layout.ny;
    const Offset<D> up = layout.pitch;
    for_each_node_at(
        multigrid_.grid(), GRIDIRON_NODE_KERNEL(Offset<D> at, Offset<D> i, Offset<D> j, const Quartet<T>&) {
          const T x = i == 0 || i == nx ? T(2) : T(4), y = j == 0 || j == ny ? T(2) : T(4);
          const T product = x * y * p[at] + y * (p[at - 1] + p[at + 1]) + x * (p[at - up] + p[at + up]) +
                            p[at - up - 1] + p[at - up + 1] + p[at + up - 1] + p[at + up + 1];
          out[at] = keep * p[at] + weight / (x * y) * (T(-36) * rhs[at] - keep * product);
        });
  }

  /// f_u −= Bᵀ δp
  void subtract_gradient() {
    const Stencil<T> s = multigrid_.grid().stencil;
    const Offset<D> pitch = multigrid_.grid().layout.pitch;
    const Offset<D> plane = multigrid_.grid().layout.plane;
    const View<D, const T> p = pressure_.view();
    const View<D, T> f = multigrid_.right_hand_side();
    for_each_node(
        multigrid_.grid(), GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>& inside) {
          const Quartet<T> u = apply_gradient<0>(s, p, at, pitch), v = apply_gradient<1>(s, p, at, pitch);
          for (int kind = 0; kind < 4; ++kind) {
            f[at + kind * plane] -= inside[kind] * u[kind];
            f[at + (kind + 4) * plane] -= inside[kind] * v[kind];
          }
        });
  }

 private:
  static constexpr int kTriangularSweeps = 3, kTriangularCycles = 3, kMassSweeps = 8;
  static constexpr double kMassWeight = 0.8;

  static Relaxation relaxation_of(const StokesParams& params, bool varies) {
    if (params.preconditioner == "block-triangular") return Relaxation::jacobi;
    if (params.relaxation == "vanka" || (params.relaxation == "auto" && varies)) return Relaxation::vanka;
    return params.relaxation == "schur-uzawa" ? Relaxation::schur_uzawa : Relaxation::braess_sarazin;
  }

  bool is_triangular_;
  double spacing_, viscosity_;
  Multigrid<D, T> multigrid_;
  Array<D, T> out_;
  Array<D, T> rhs_, pressure_, other_pressure_;  ///< of block_triangular(): r_p, δp
  std::unique_ptr<typename D::Recording> recording_;
};

}  // namespace gridiron::stokes
