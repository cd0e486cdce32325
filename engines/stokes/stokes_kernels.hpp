// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/stokes/vector_access.hpp"

namespace gridiron::stokes {

/// Rows of A x for the velocities of one component at entry `at`, where viscosities vary.
template <int component, class T, class N, class X, class I>
GRIDIRON_INLINE Quartet<T> element_rows(const Stencil<T>& s, const ElementMatrices<T>& elements, const N& viscosity,
                                        const X& x, I at, I pitch, I plane) {
  Quartet<T> rows = apply_elements(elements, viscosity, x, at, at + 4 * component * plane, pitch, plane);
  const Quartet<T> gradient = apply_gradient<component>(s, x, at + Layout::kPressure * plane, pitch);
  for (int kind = 0; kind < 4; ++kind) rows[kind] += gradient[kind];
  return rows;
}

/// r = f − A x at entry `at`, given the rows of A x.
template <bool whole, class T, class F, class R, class I>
GRIDIRON_INLINE void store_residual(const Quartet<T>& inside, const F& f, const R& r, I at, I plane,
                                    const Quartet<T>& u, const Quartet<T>& v, T divergence) {
  const Quartet<T> of_u = load_quartet<T>(f, at, plane), of_v = load_quartet<T>(f, at + 4 * plane, plane);
  const T of_p = whole ? f[at + Layout::kPressure * plane] : T(0);
  for (int kind = 0; kind < 4; ++kind) {
    r[at + kind * plane] = inside[kind] * (of_u[kind] - u[kind]);
    r[at + (4 + kind) * plane] = inside[kind] * (of_v[kind] - v[kind]);
  }
  if (whole) r[at + Layout::kPressure * plane] = of_p - divergence;
}

/// r = f − A x where viscosities vary.
template <class D, class T>
void form_element_residual(const LevelGrid<D, T>& grid, View<D, const T> f, View<D, const T> x, View<D, T> r) {
  const Stencil<T> s = grid.stencil;
  const ElementMatrices<T> elements = grid.elements;
  const auto viscosity = grid.viscosity.view();
  const Offset<D> pitch = grid.layout.pitch, plane = grid.layout.plane;
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>& inside) {
        const Quartet<T> u = element_rows<0>(s, elements, viscosity, x, at, pitch, plane);
        const Quartet<T> v = element_rows<1>(s, elements, viscosity, x, at, pitch, plane);
        constexpr T one[4] = {1, 1, 1, 1};
        store_residual<true>(inside, f, r, at, plane, u, v, apply_divergence(s, one, x, at, pitch, plane));
      });
}

/// r = f − A x; of the velocity block alone, without B, if `whole` is false (viscosities do not vary then).
template <bool whole, class D, class T>
void form_residual(const LevelGrid<D, T>& grid, View<D, const T> f, View<D, const T> x, View<D, T> r) {
  if (!grid.viscosity.empty()) return form_element_residual(grid, f, x, r);
  const Stencil<T> s = grid.stencil;
  const Offset<D> pitch = grid.layout.pitch, plane = grid.layout.plane;
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>& inside) {
        const Quartet<T> u = velocity_rows<0, whole>(s, x, at, pitch, plane);
        const Quartet<T> v = velocity_rows<1, whole>(s, x, at, pitch, plane);
        constexpr T one[4] = {1, 1, 1, 1};
        const T divergence = whole ? apply_divergence(s, one, x, at, pitch, plane) : T(0);
        store_residual<whole>(inside, f, r, at, plane, u, v, divergence);
      });
}

/// u += weight D⁻¹ r for velocities, or from zero u = weight D⁻¹ r: a Jacobi step.
template <bool from_zero, class D, class T>
void jacobi_step(const LevelGrid<D, T>& grid, T weight, View<D, const T> r, View<D, T> x) {
  const Stencil<T> s = grid.stencil;
  const Offset<D> plane = grid.layout.plane;
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>&) {
        Quartet<T> u = load_quartet<T>(r, at, plane), v = load_quartet<T>(r, at + 4 * plane, plane);
        for (int kind = 0; kind < 4; ++kind) {
          u[kind] = weight * s.inverse_diagonal[kind] * u[kind];
          v[kind] = weight * s.inverse_diagonal[kind] * v[kind];
        }
        add_at_node<from_zero, false>(x, at, plane, u, v, T(0));
      });
}

/// s = B D⁻¹ r_u − t r_p and δp = weight diag(S)⁻¹ s: the right-hand side of S δp = s with S = B D⁻¹ Bᵀ, which is (17)
/// of the paper times −t, and one Jacobi step from zero. s and δp are planes.
template <class D, class T>
void begin_schur(const LevelGrid<D, T>& grid, T t, T weight, View<D, const T> inverse_diagonal, View<D, const T> r,
                 View<D, T> s, View<D, T> dp) {
  const Stencil<T> stencil = grid.stencil;
  const Offset<D> pitch = grid.layout.pitch, plane = grid.layout.plane;
  for_each_node(
      grid, GRIDIRON_NODE_KERNEL(Offset<D> at, const Quartet<T>&) {
        const T scale = weight * inverse_diagonal[at];
        const T value = apply_divergence(stencil, stencil.inverse_diagonal, r, at, pitch, plane) -
                        t * r[at + Layout::kPressure * plane];
        s[at] = value;
        dp[at] = scale * value;
      });
}

/// u += ω/t D⁻¹ (r_u − Bᵀ δp), p += ω δp: (18), or with `whole` false, without Bᵀ δp, (23). From zero: = instead of +=.
template <bool whole, bool from_zero, class D, class T>
void end_schur(const LevelGrid<D, T>& grid, T velocity_weight, T pressure_weight, View<D, const T> r,
               View<D, const T> dp, View<D, T> x) {
  using I = Offset<D>;
  constexpr int count = kStreamed<D>, pressure = Layout::kPressure;
  const Stencil<T> s = grid.stencil;
  const I pitch = grid.layout.pitch, plane = grid.layout.plane;
  for_each_streamed_node(
      grid, GRIDIRON_NODE_KERNEL(I at, const Quartet<T>(&inside)[count]) {
        StreamedNodes<T, Layout::kPlanes, count> old{};
        if (!from_zero) old.load(x, at, plane);
        StreamedNodes<T, pressure, count> change;
        change.load(r, at, plane);
        for (int n = 0; n < count; ++n) {
          Quartet<T> gradients[2] = {};
          if (whole) gradients[0] = apply_gradient<0>(s, dp, at + n, pitch);
          if (whole) gradients[1] = apply_gradient<1>(s, dp, at + n, pitch);
          GRIDIRON_UNROLL
          for (int k = 0; k < pressure; ++k) {
            const T step = velocity_weight * s.inverse_diagonal[k % 4] * inside[n][k % 4] *
                           (change.of[k][n] - gradients[k / 4][k % 4]);
            old.of[k][n] = from_zero ? step : old.of[k][n] + step;
          }
          const T step = pressure_weight * dp[at + n];
          old.of[pressure][n] = from_zero ? step : old.of[pressure][n] + step;
        }
        old.store(x, at, plane);
      });
}

}  // namespace gridiron::stokes
