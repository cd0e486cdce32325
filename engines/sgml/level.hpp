// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "engines/sgml/plan.hpp"

namespace gridiron::sgml {

/// One level on a device; fields are in the layout of its lattice, their rings zero.
template <class D, class T>
struct Level {
  Stencil<D, T> stencil;
  Band band{};
  std::array<AxisMap, 3> to_next;
  Array<D, T> rhs;     ///< sources, restricted and integrated over the cell
  Array<D, T> u;       ///< the solution so far
  Array<D, T> other;   ///< output of a sweep
  Array<D, T> before;  ///< u as it came from the next finer level

  template <class Field>
  Level(const BasicLevelPlan<Field>& plan, bool is_finest)
      : stencil(plan.stencil), band(plan.band), to_next(plan.to_next), rhs(zeros()), u(zeros()), other(zeros()) {
    if (!is_finest) before = zeros();
  }

  /// Whether refill() accepts a plan.
  template <class Field>
  bool has_shape_of(const BasicLevelPlan<Field>& plan) const {
    return stencil.has_shape_of(plan.stencil) && to_next == plan.to_next;
  }
  template <class Field>
  void refill(const BasicLevelPlan<Field>& plan) {
    stencil.refill(plan.stencil);
    band = plan.band;
  }

  const Lattice& lattice() const { return stencil.lattice(); }
  int64_t bytes() const { return bytes_of(stencil, rhs, u, other, before); }

  Array<D, T> zeros() const {
    Array<D, T> array(lattice().size());
    fill<D, T>(array.view(), T(0));
    return array;
  }
};

/// Pseudo time step of sweep i of k, in units of the local diagonal: the paper's forward Euler with the steps of the
/// Chebyshev polynomial over the band, short and long ones alternating to keep rounding errors from growing.
inline double pseudo_time_step(const Band& band, int i, int k) {
  const int root = i % 2 == 0 ? i / 2 : k - 1 - i / 2;
  const double cosine = std::cos(std::numbers::pi * (2 * root + 1) / (2.0 * k));
  return 2 / (band.highest + band.lowest + (band.highest - band.lowest) * cosine);
}

// Kernels. Public functions of structs, as nvcc requires.

/// What is known of a line of the lattice before its points are visited.
template <class S>
struct LineOf {
  S stencil;
  GRIDIRON_HOST_DEVICE typename S::Line operator()(int64_t line) const { return stencil.line(line); }
};

/// u after a relaxation at point i of a line.
template <class S, class T, class F, class U>
GRIDIRON_HOST_DEVICE T relaxed(const S& stencil, const typename S::Line& line, int64_t i, T tau, const F& f,
                               const U& u) {
  const int64_t at = line.at + i;
  const T kept = (1 - tau) * u[at];
  return kept + tau * stencil.divided(line, i, f[at] + stencil.inflow(line, i, u));
}

/// (b − A x) at point i of a line.
template <class S, class X>
GRIDIRON_HOST_DEVICE double residual_at(const S& stencil, const typename S::Line& line, int64_t i, const X& b,
                                        const X& x) {
  const int64_t at = line.at + i;
  return b[at] + stencil.inflow(line, i, x) - stencil.diagonal_at(line, i) * x[at];
}

/// out = u + step · (rhs − A u) / diagonal: the relaxation D_λ of Algorithm 2.
template <class D, class T>
struct Relax {
  View<D, const T> u, rhs;
  View<D, T> out;
  T step;

  template <class S>
  void operator()(const S& stencil) const {
    if constexpr (S::kHasColumns)
      by_columns(stencil);
    else
      by_points(stencil);
  }

  template <class S>
  void by_points(const S& stencil) const {
    const View<D, const T> from = u, f = rhs;
    const View<D, T> to = out;
    const T tau = step;
    D::for_each_line(
        stencil.lattice.lines(), stencil.lattice.unknowns(0), LineOf<S>{stencil},
        GRIDIRON_KERNEL(const typename S::Line& line, int64_t i) {
          to[line.at + i] = relaxed(stencil, line, i, tau, f, from);
        });
  }

  /// 9 loads per point instead of 27.
  template <class S>
  void by_columns(const S& stencil) const {
    const View<D, const T> from = u, f = rhs;
    const View<D, T> to = out;
    const T tau = step;
    const int64_t n = stencil.lattice.unknowns(0);
    D::for_each_tile(
        stencil.lattice.lines(), static_cast<int>(n + 2), 2 * ((n + 2) * sizeof(T) + 64),
        GRIDIRON_KERNEL(typename D::Tile & tile) {
          const auto line = stencil.line(tile.index());
          const auto beside = tile.template shared<T>(n + 2), within = tile.template shared<T>(n + 2);
          tile.each(n + 2, [=](int64_t k) {
            const auto column = stencil.column(line, k - 1, from);
            beside[k] = column.beside;
            within[k] = column.within;
          });
          tile.each(n, [=](int64_t i) {
            const int64_t at = line.at + i;
            const T inflow = beside[i] + beside[i + 2] + stencil.share_x[i] * within[i + 1];
            to[at] = (1 - tau) * from[at] + tau * stencil.divided(line, i, f[at] + inflow);
          });
        });
  }
};

/// Several relaxations of a level that fits into a single tile: on a GPU one kernel instead of many that are shorter
/// than a launch. Sweeps go from u to `other` and back.
template <class D, class T>
struct RelaxInOneTile {
  static constexpr int64_t kMostUnknowns = 2048;
  static constexpr int kMostSweeps = 16;
  struct Steps {
    int count = 0;
    T tau[kMostSweeps] = {};
  };
  View<D, T> u, other;
  View<D, const T> rhs;
  Steps steps;

  template <class S>
  void operator()(const S& stencil) const {
    const View<D, T> first = u, second = other;
    const View<D, const T> f = rhs;
    const Steps s = steps;
    const int64_t lines = stencil.lattice.lines(), length = stencil.lattice.unknowns(0);
    D::for_each_tile(
        1, static_cast<int>(lines * length), 0, GRIDIRON_KERNEL(typename D::Tile & tile) {
          for (int k = 0; k < s.count; ++k) {
            const View<D, const T> from = k % 2 == 0 ? first : second;
            const View<D, T> to = k % 2 == 0 ? second : first;
            const T tau = s.tau[k];
            tile.each_line(
                lines, length, [=](int64_t line) { return stencil.line(line); },
                [=](const typename S::Line& line, int64_t i) {
                  to[line.at + i] = relaxed(stencil, line, i, tau, f, from);
                });
          }
        });
  }
};

/// x += scale · (u − level), where both lie on the lattice.
template <class D, class T>
void add_scaled(const Lattice& lattice, double scale, View<D, const T> u, double level, View<D, double> x) {
  D::for_each_line(
      lattice.lines(), lattice.unknowns(0), GRIDIRON_KERNEL(int64_t line) { return lattice.at(line, 0); },
      GRIDIRON_KERNEL(int64_t start, int64_t i) {
        const int64_t at = start + i;
        x[at] += scale * (static_cast<double>(u[at]) - level);
      });
}

/// x += constant
template <class D, class T>
void add_constant(const Lattice& lattice, double constant, View<D, T> x) {
  D::for_each_line(
      lattice.lines(), lattice.unknowns(0), GRIDIRON_KERNEL(int64_t line) { return lattice.at(line, 0); },
      GRIDIRON_KERNEL(int64_t start, int64_t i) { x[start + i] += static_cast<T>(constant); });
}

/// Mean of u over the box.
template <class D, class T>
double mean(const Lattice& lattice, View<D, const T> u) {
  const Lattice l = lattice;
  const Sums<2> sums = D::template sum_of_lines<2>(
      l.lines(), l.unknowns(0), LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t i) {
        const double share = l.share(0, i) * l.share(1, l.y_of(line)) * l.share(2, l.z_of(line));
        return Sums<2>{{share * u[l.at(line, i)], share}};
      });
  return sums[0] / sums[1];
}

/// rhs = scale · (b − A x); Σ (b − A x)².
template <class D, class T>
struct Residual {
  View<D, const double> x, b;
  View<D, T> rhs;
  double scale;
  double squares = 0;

  template <class S>
  void operator()(const S& stencil) {
    const View<D, const double> at_x = x, at_b = b;
    const View<D, T> out = rhs;
    const double factor = scale;
    squares = D::template sum_of_lines<1>(
        stencil.lattice.lines(), stencil.lattice.unknowns(0), LineOf<S>{stencil},
        GRIDIRON_KERNEL(const typename S::Line& line, int64_t i) {
          const double r = residual_at(stencil, line, i, at_b, at_x);
          out[line.at + i] = static_cast<T>(factor * r);
          return Sums<1>{{r * r}};
        })[0];
  }
};

/// q = A p; then((p, q), (p, r)) on the device.
template <class D, class T, class G>
struct ProductAndDots {
  View<D, const T> p;
  View<D, const double> r;
  View<D, double> q;
  G then;

  /// p in the precision of the sums.
  struct Widened {
    View<D, const T> p;
    GRIDIRON_HOST_DEVICE double operator[](int64_t i) const { return p[i]; }
  };
  template <class S>
  void operator()(const S& stencil) {
    const Widened at_p{p};
    const View<D, const double> at_r = r;
    const View<D, double> out = q;
    D::template sum_of_lines_then<2>(
        stencil.lattice.lines(), stencil.lattice.unknowns(0), LineOf<S>{stencil},
        GRIDIRON_KERNEL(const typename S::Line& line, int64_t i) {
          const int64_t at = line.at + i;
          const double pi = at_p[at], v = stencil.diagonal_at(line, i) * pi - stencil.inflow(line, i, at_p);
          out[at] = v;
          return Sums<2>{{pi * v, pi * at_r[at]}};
        },
        then);
  }
};

// What flexible_cg() requires of a matrix.

template <class D>
void residual(const Stencil<D, double>& a, View<D, const double> b, View<D, const double> x, View<D, double> r) {
  Residual<D, double> kernel{x, b, r, 1};
  a.visit(kernel);
}
template <class D, class T, int K, class G>
void product_and_dots(const Stencil<D, double>& a, View<D, const T> p, View<D, const double> r, View<D, double> q,
                      G then) {
  ProductAndDots<D, T, G> kernel{p, r, q, then};
  a.visit(kernel);
}

/// max |b − A x|
template <class D>
struct LargestResidual {
  View<D, const double> x, b;
  double largest = 0;

  template <class S>
  void operator()(const S& stencil) {
    const View<D, const double> at_x = x, at_b = b;
    largest = D::max_of_lines(
        stencil.lattice.lines(), stencil.lattice.unknowns(0), LineOf<S>{stencil},
        GRIDIRON_KERNEL(const typename S::Line& line, int64_t i) {
          const double r = residual_at(stencil, line, i, at_b, at_x);
          return r < 0 ? -r : r;
        });
  }
};

}  // namespace gridiron::sgml
