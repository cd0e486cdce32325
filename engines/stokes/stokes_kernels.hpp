// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/stokes/level_grid.hpp"

namespace gridiron::stokes {

/// Velocities of one component at entry `at`: r = inside · (f − rows of A x).
template <int component, bool whole, class T, class F, class X, class R, class I>
GRIDIRON_INLINE void velocity_residual(const Stencil<T>& s, const Quartet<T>& inside, const F& f, const X& x,
                                       const R& r, I at, I pitch, I plane) {
  const Quartet<T> product = velocity_rows<component, whole>(s, x, at, pitch, plane);
  for (int kind = 0; kind < 4; ++kind) {
    const I k = at + (4 * component + kind) * plane;
    r[k] = inside[kind] * (f[k] - product[kind]);
  }
}

/// Velocities of one component at entry `at`: r = scale · inside · (f − rows of A x), viscosities varying.
template <int component, class T, class N, class F, class X, class R, class I>
GRIDIRON_INLINE void element_residual(const Stencil<T>& s, const ElementMatrices<T>& elements, const N& viscosity,
                                      const Quartet<T>& inside, const F& f, const X& x, const R& r, I at, I pitch,
                                      I plane) {
  const I first = at + 4 * component * plane;
  const Quartet<T> product = apply_elements(elements, viscosity, x, at, first, pitch, plane);
  const Quartet<T> gradient = apply_gradient<component>(s, x, at + Layout::kPressure * plane, pitch);
  for (int kind = 0; kind < 4; ++kind) {
    const I k = first + kind * plane;
    r[k] = inside[kind] * (f[k] - product[kind] - gradient[kind]);
  }
}

/// r = f − A x where viscosities vary.
template <class D, class T>
void form_element_residual(const LevelGrid<D, T>& grid, View<D, const T> f, View<D, const T> x, View<D, T> r) {
  const Stencil<T> s = grid.stencil;
  const ElementMatrices<T> elements = grid.elements;
  const View<D, const T> viscosity = grid.viscosity.view();
  const auto pitch = static_cast<Offset<D>>(grid.layout.pitch), plane = static_cast<Offset<D>>(grid.layout.plane);
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>& inside) {
        element_residual<0>(s, elements, viscosity, inside, f, x, r, at, pitch, plane);
        element_residual<1>(s, elements, viscosity, inside, f, x, r, at, pitch, plane);
        constexpr T one[4] = {1, 1, 1, 1};
        const auto p = at + Layout::kPressure * plane;
        r[p] = f[p] - apply_divergence(s, one, x, at, pitch, plane);
      });
}

/// r = f − A x; of the velocity block alone, without B, if `whole` is false (viscosities do not vary then).
template <bool whole, class D, class T>
void form_residual(const LevelGrid<D, T>& grid, View<D, const T> f, View<D, const T> x, View<D, T> r) {
  if (!grid.viscosity.empty()) return form_element_residual(grid, f, x, r);
  const Stencil<T> s = grid.stencil;
  const auto pitch = static_cast<Offset<D>>(grid.layout.pitch), plane = static_cast<Offset<D>>(grid.layout.plane);
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>& inside) {
        velocity_residual<0, whole>(s, inside, f, x, r, at, pitch, plane);
        velocity_residual<1, whole>(s, inside, f, x, r, at, pitch, plane);
        constexpr T one[4] = {1, 1, 1, 1};
        const auto p = at + Layout::kPressure * plane;
        if (whole) r[p] = f[p] - apply_divergence(s, one, x, at, pitch, plane);
      });
}

/// u += weight D⁻¹ r for velocities, or u = weight D⁻¹ r: a Jacobi step.
template <class D, class T>
void jacobi_step(const LevelGrid<D, T>& grid, T weight, bool from_zero, View<D, const T> r, View<D, T> x) {
  const Stencil<T> s = grid.stencil;
  const auto plane = static_cast<Offset<D>>(grid.layout.plane);
  const T keep = from_zero ? T(0) : T(1);
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>&) {
        for (int component = 0; component < 2; ++component)
          for (int kind = 0; kind < 4; ++kind) {
            const auto k = at + (4 * component + kind) * plane;
            x[k] = keep * x[k] + weight * s.inverse_diagonal[kind] * r[k];
          }
      });
}

/// s = B D⁻¹ r_u − t r_p and δp = weight diag(S)⁻¹ s: the right-hand side of S δp = s with S = B D⁻¹ Bᵀ, which is (17)
/// of the paper times −t, and one Jacobi step from zero. s and δp are planes.
template <class D, class T>
void begin_schur(const LevelGrid<D, T>& grid, T t, T weight, View<D, const T> inverse_diagonal, View<D, const T> r,
                 View<D, T> s, View<D, T> dp) {
  const Stencil<T> stencil = grid.stencil;
  const auto pitch = static_cast<Offset<D>>(grid.layout.pitch), plane = static_cast<Offset<D>>(grid.layout.plane);
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>&) {
        const T value = apply_divergence(stencil, stencil.inverse_diagonal, r, at, pitch, plane) -
                        t * r[at + Layout::kPressure * plane];
        s[at] = value;
        dp[at] = weight * inverse_diagonal[at] * value;
      });
}

/// Velocities of one component at entry `at`: u = keep u + weight D⁻¹ (r − Bᵀ δp), or without Bᵀ δp.
template <int component, bool whole, class T, class R, class P, class X, class I>
GRIDIRON_INLINE void correct_velocity(const Stencil<T>& s, const Quartet<T>& inside, T keep, T weight, const R& r,
                                      const P& dp, const X& x, I at, I pitch, I plane) {
  Quartet<T> gradient{};
  if (whole) gradient = apply_gradient<component>(s, dp, at, pitch);
  for (int kind = 0; kind < 4; ++kind) {
    const I k = at + (4 * component + kind) * plane;
    x[k] = keep * x[k] + weight * s.inverse_diagonal[kind] * inside[kind] * (r[k] - gradient[kind]);
  }
}

/// u += ω/t D⁻¹ (r_u − Bᵀ δp), p += ω δp: (18), or with `whole` false, without Bᵀ δp, (23). From zero: = instead of +=.
template <bool whole, class D, class T>
void end_schur(const LevelGrid<D, T>& grid, T velocity_weight, T pressure_weight, bool from_zero, View<D, const T> r,
               View<D, const T> dp, View<D, T> x) {
  const Stencil<T> s = grid.stencil;
  const auto pitch = static_cast<Offset<D>>(grid.layout.pitch), plane = static_cast<Offset<D>>(grid.layout.plane);
  const T keep = from_zero ? T(0) : T(1);
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>& inside) {
        correct_velocity<0, whole>(s, inside, keep, velocity_weight, r, dp, x, at, pitch, plane);
        correct_velocity<1, whole>(s, inside, keep, velocity_weight, r, dp, x, at, pitch, plane);
        const auto p = at + Layout::kPressure * plane;
        x[p] = keep * x[p] + pressure_weight * dp[at];
      });
}

}  // namespace gridiron::stokes
