// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/host_device.hpp"
#include "engines/stokes/layout.hpp"

/// For the rows of stencils: loops over nodes vectorise only around code that is part of their body.
#define GRIDIRON_INLINE GRIDIRON_HOST_DEVICE inline __attribute__((always_inline))

/// Before a loop over a small array that has to stay in the registers of a GPU.
#if defined(__CUDACC__)
#define GRIDIRON_UNROLL _Pragma("unroll")
#else
#define GRIDIRON_UNROLL
#endif

namespace gridiron::stokes {

/// The coefficients of a level with constant viscosity: a M + ν K between velocities by their distance on the lattice
/// of velocity nodes, and those of B. They are the same at every node of a kind; zeros outside the unknowns take care
/// of boundaries.
template <class T>
struct Stencil {
  T velocity[4][3][3] = {};  ///< [kind of the row][|dJ|][|dI|]
  T gradient[2][2] = {};     ///< [component][halfway along it]: 1/6 and 2/3 of 1-D, times the rest of B
  T inverse_diagonal[4] = {};

  Stencil() = default;
  /// (a hx hy) M⊗M + ν (hy/hx K⊗M + hx/hy M⊗K), and B with hy, hx in front.
  Stencil(double viscosity, double hx, double hy, double reaction) {
    using namespace taylor_hood;
    const double stiffness[2][3] = {{2 * kStiffness[0][0], kStiffness[0][1], kStiffness[0][2]},
                                    {kStiffness[1][1], kStiffness[1][0], 0}};
    const double mass[2][3] = {{2 * kMass[0][0], kMass[0][1], kMass[0][2]}, {kMass[1][1], kMass[1][0], 0}};
    for (int kind = 0; kind < 4; ++kind) {
      const int x = kind & 1, y = kind >> 1;
      for (int dj = 0; dj < 3 - y; ++dj)
        for (int di = 0; di < 3 - x; ++di)
          velocity[kind][dj][di] = static_cast<T>(
              viscosity * (hy / hx * stiffness[x][di] * mass[y][dj] + hx / hy * mass[x][di] * stiffness[y][dj]) +
              reaction * hx * hy * mass[x][di] * mass[y][dj]);
      inverse_diagonal[kind] = static_cast<T>(1 / static_cast<double>(velocity[kind][0][0]));
    }
    for (int component = 0; component < 2; ++component)
      for (int halfway = 0; halfway < 2; ++halfway)
        gradient[component][halfway] = static_cast<T>((component == 0 ? hy : hx) / 3 * (halfway ? 2. / 3 : 1. / 6));
  }
};

/// Values at a node and at what lies right of it, above it, and both.
template <class T>
struct Quartet {
  T value[4];
  GRIDIRON_INLINE T& operator[](int kind) { return value[kind]; }
  GRIDIRON_INLINE T operator[](int kind) const { return value[kind]; }
};

/// (a M + ν K) u for the four velocities at entry `at`; `u` begins with the component's planes.
template <class T, class V, class I>
GRIDIRON_INLINE Quartet<T> apply_velocity(const Stencil<T>& s, const V& u, I at, I pitch, I plane) {
  const auto n = [&](int i, int j) { return static_cast<T>(u[at + j * pitch + i]); };
  const auto x = [&](int i, int j) { return static_cast<T>(u[plane + at + j * pitch + i]); };
  const auto y = [&](int i, int j) { return static_cast<T>(u[2 * plane + at + j * pitch + i]); };
  const auto c = [&](int i, int j) { return static_cast<T>(u[3 * plane + at + j * pitch + i]); };
  const auto &a = s.velocity[0], &b = s.velocity[1], &e = s.velocity[2], &f = s.velocity[3];
  Quartet<T> out;
  out[0] =
      a[0][0] * n(0, 0) + a[0][1] * (x(-1, 0) + x(0, 0)) + a[1][0] * (y(0, -1) + y(0, 0)) +
      a[0][2] * (n(-1, 0) + n(1, 0)) + a[2][0] * (n(0, -1) + n(0, 1)) +
      a[1][1] * (c(-1, -1) + c(0, -1) + c(-1, 0) + c(0, 0)) + a[1][2] * (y(-1, -1) + y(1, -1) + y(-1, 0) + y(1, 0)) +
      a[2][1] * (x(-1, -1) + x(0, -1) + x(-1, 1) + x(0, 1)) + a[2][2] * (n(-1, -1) + n(1, -1) + n(-1, 1) + n(1, 1));
  out[1] = b[0][0] * x(0, 0) + b[0][1] * (n(0, 0) + n(1, 0)) + b[1][0] * (c(0, -1) + c(0, 0)) +
           b[2][0] * (x(0, -1) + x(0, 1)) + b[1][1] * (y(0, -1) + y(1, -1) + y(0, 0) + y(1, 0)) +
           b[2][1] * (n(0, -1) + n(1, -1) + n(0, 1) + n(1, 1));
  out[2] = e[0][0] * y(0, 0) + e[0][1] * (c(-1, 0) + c(0, 0)) + e[1][0] * (n(0, 0) + n(0, 1)) +
           e[0][2] * (y(-1, 0) + y(1, 0)) + e[1][1] * (x(-1, 0) + x(0, 0) + x(-1, 1) + x(0, 1)) +
           e[1][2] * (n(-1, 0) + n(1, 0) + n(-1, 1) + n(1, 1));
  out[3] = f[0][0] * c(0, 0) + f[0][1] * (y(0, 0) + y(1, 0)) + f[1][0] * (x(0, 0) + x(0, 1)) +
           f[1][1] * (n(0, 0) + n(1, 0) + n(0, 1) + n(1, 1));
  return out;
}

/// The matrices of an element, by nodes 3 J + I, for viscosities that vary from element to element.
template <class T>
struct ElementMatrices {
  T stiffness[9][9] = {}, mass[9][9] = {};  ///< of viscosity 1; times a hx hy

  ElementMatrices() = default;
  ElementMatrices(double hx, double hy, double reaction) {
    using namespace taylor_hood;
    for (int a = 0; a < 9; ++a)
      for (int b = 0; b < 9; ++b) {
        const double kx = kStiffness[a % 3][b % 3], ky = kStiffness[a / 3][b / 3];
        const double mx = kMass[a % 3][b % 3], my = kMass[a / 3][b / 3];
        stiffness[a][b] = static_cast<T>(hy / hx * kx * my + hx / hy * mx * ky);
        mass[a][b] = static_cast<T>(reaction * hx * hy * mx * my);
      }
  }
};

/// What the element at (i, j) from entry `at` adds to the row of its node a.
template <class T, class N, class V, class I>
GRIDIRON_INLINE T apply_element(const ElementMatrices<T>& element, int a, const N& viscosity, const V& u, I at, I first,
                                int i, int j, I pitch, I plane) {
  const I corner = j * pitch + i;
  const T nu = viscosity[at + corner];
  T sum = 0;
  for (int b = 0; b < 9; ++b) {
    const int x = b % 3, y = b / 3;
    const I place = ((x & 1) + 2 * (y & 1)) * plane + first + corner + (y / 2) * pitch + x / 2;
    sum += (nu * element.stiffness[a][b] + element.mass[a][b]) * static_cast<T>(u[place]);
  }
  return sum;
}

/// apply_velocity() with a viscosity for each element; entries outside the domain are multiplied by zeros of u or by
/// the caller's mask. `first` is `at` in the component's planes.
template <class T, class N, class V, class I>
GRIDIRON_INLINE Quartet<T> apply_elements(const ElementMatrices<T>& e, const N& viscosity, const V& u, I at, I first,
                                          I pitch, I plane) {
  const auto part = [&](int a, int i, int j) {
    return apply_element(e, a, viscosity, u, at, first, i, j, pitch, plane);
  };
  return {{part(0, 0, 0) + part(2, -1, 0) + part(6, 0, -1) + part(8, -1, -1), part(1, 0, 0) + part(7, 0, -1),
           part(3, 0, 0) + part(5, -1, 0), part(4, 0, 0)}};
}

/// Bᵀ p for the four velocities of a component at entry `at` of `p`.
template <int component, class T, class V, class I>
GRIDIRON_INLINE Quartet<T> apply_gradient(const Stencil<T>& s, const V& p, I at, I pitch) {
  const I along = component == 0 ? 1 : pitch, across = component == 0 ? pitch : 1;
  const auto value = [&](I k) { return static_cast<T>(p[at + k]); };
  const T wide = value(along) - value(-along), narrow = value(along) - value(0);
  const T next_wide = value(along + across) - value(across - along);
  const T next_narrow = value(along + across) - value(across);
  const T vertex = s.gradient[component][0], halfway = s.gradient[component][1];
  const T beside_along = halfway * narrow, beside_across = vertex * (wide + next_wide);
  return {{vertex * wide, component == 0 ? beside_along : beside_across, component == 0 ? beside_across : beside_along,
           halfway * (narrow + next_narrow)}};
}

/// What one component contributes to the row of B for the pressure at entry `at`, with velocities of each kind
/// multiplied by `factor`.
template <int component, class T, class V, class I>
GRIDIRON_INLINE T divergence_part(const Stencil<T>& s, const T (&factor)[4], const V& u, I at, I pitch, I plane) {
  const I along = component == 0 ? 1 : pitch, across = component == 0 ? pitch : 1;
  constexpr int beside_along = component == 0 ? 1 : 2, beside_across = 3 - beside_along;
  const auto value = [&](int kind, I k) { return static_cast<T>(u[(4 * component + kind) * plane + at + k]); };
  return s.gradient[component][0] *
             (factor[0] * (value(0, -along) - value(0, along)) +
              factor[beside_across] * (value(beside_across, -along) - value(beside_across, along) +
                                       value(beside_across, -along - across) - value(beside_across, along - across))) +
         s.gradient[component][1] *
             (factor[beside_along] * (value(beside_along, -along) - value(beside_along, 0)) +
              factor[3] * (value(3, -along) - value(3, 0) + value(3, -along - across) - value(3, -across)));
}

/// The row of B for the pressure at entry `at`.
template <class T, class V, class I>
GRIDIRON_INLINE T apply_divergence(const Stencil<T>& s, const T (&factor)[4], const V& u, I at, I pitch, I plane) {
  return divergence_part<0>(s, factor, u, at, pitch, plane) + divergence_part<1>(s, factor, u, at, pitch, plane);
}

/// The rows of (a M + ν K) u + Bᵀ p for the four velocities of a component at entry `at`, or without Bᵀ p.
template <int component, bool with_pressure, class T, class V, class I>
GRIDIRON_INLINE Quartet<T> velocity_rows(const Stencil<T>& s, const V& x, I at, I pitch, I plane) {
  Quartet<T> rows = apply_velocity(s, x, at + 4 * component * plane, pitch, plane);
  if (!with_pressure) return rows;
  const Quartet<T> gradient = apply_gradient<component>(s, x, at + Layout::kPressure * plane, pitch);
  for (int kind = 0; kind < 4; ++kind) rows[kind] += gradient[kind];
  return rows;
}

}  // namespace gridiron::stokes
