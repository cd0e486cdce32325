// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "engines/gpuhmd/table_equations.hpp"
#include "engines/hybrid/regular_grid_solver.hpp"
#include "linalg/deflation.hpp"

namespace gridiron::gpuhmd {

/// Flexible conjugate gradients around cycles of a Gmd, without a matrix. The same method as flexible_cg(); here the
/// step that updates the residual also writes it, scaled and rounded, as the right-hand side of the next cycle, and the
/// correction stays in the precision of the tables: a third of the memory traffic. Vectors are laid out like the tables
/// and are zero outside the grid.
template <class D, class T>
class TableCg {
 public:
  /// The levels of the parts in `deflation` are solved for separately.
  TableCg(const TableEquations<D>& equations, RegularGridSolver<D, T>& gmd, const Deflation<D>& deflation)
      : equations_(equations),
        gmd_(gmd),
        deflation_(deflation),
        r_(zeros<D, double>(equations.entries())),
        p_(zeros<D, double>(equations.entries())),
        q_(zeros<D, double>(equations.entries())) {}

  /// If `accelerated` is false, a stationary iteration with the cycle.
  ColumnStats solve(View<D, const double> b, View<D, double> x, const StopRule& stop, bool accelerated) {
    ConvergenceMonitor monitor{stop, norm2<D>(b), {}};
    const auto largest = [this] { return max_norm<D>(r_.view()); };
    double norm = true_residual(b, x);
    bool done = monitor.reached(norm, largest);
    while (!done && monitor.may_go_on()) {
      const double before = norm;
      double pq = 0;
      for (bool fresh = true; !done && monitor.may_go_on(); fresh = !accelerated) {
        cycle_.run([this] { gmd_.solve(); });
        pq = next_direction(fresh ? 0.0 : -correction_times_q() / pq);
        ++monitor.stats.iterations;
        if (!(pq > 0)) {  // not positive definite, or a cycle that returned nothing
          monitor.stats.history.push_back(monitor.stats.relative_residual);
          break;
        }
        norm = step(x, accelerated ? pr_ / pq : 1 / scale_);
        done = monitor.reached(norm, largest);
      }
      // As in flexible_cg(): the true residual decides.
      norm = true_residual(b, x);
      monitor.stats.history.pop_back();
      done = monitor.reached(norm, largest) || !(norm < 0.5 * before);
    }
    monitor.stats.max_residual = largest();
    return monitor.stats;
  }

  int64_t bytes() const { return bytes_of(r_, p_, q_); }

  /// Zeros everywhere, also outside the grid.
  void clear_vectors() {
    for (Array<D, double>* v : {&r_, &p_, &q_}) fill<D, double>(v->view(), 0.0);
  }

  /// Bytes that an iteration moves besides those of the cycle, counted from the vectors its kernels access.
  double traffic() const { return r_.size() * (14.0 * sizeof(double) + 3 * sizeof(T)); }

  // The parts of an iteration; public, as nvcc takes no kernels from private functions.

  double true_residual(View<D, const double> b, View<D, double> x) {
    const double norm = form_residual(b, x);
    if (deflation_.empty()) return norm;
    deflation_.template set_levels<1>(r_.view(), x, {{true}}, levels_);
    return form_residual(b, x);
  }

  /// r = b − A x, its norm, and the right-hand side of the next cycle.
  double form_residual(View<D, const double> b, View<D, const double> x) {
    const TableEquationsView<D> a(equations_);
    const auto r = r_.view();
    const double norm = std::sqrt(D::template sum<1>(
        equations_.shape.cells(), GRIDIRON_KERNEL(int64_t k) {
          const int64_t i = a.first + k;
          const double value = b[i] - a.product(i, x);
          r[i] = value;
          return Sums<1>{{value * value}};
        })[0]);
    scale_ = unit_scale(equations_.shape.cells(), norm);
    scale_to<D, T>(r, scale_, gmd_.rhs());
    return norm;
  }

  double correction_times_q() {
    const View<D, const T> z = std::as_const(gmd_).solution();
    const View<D, const double> q = q_.view();
    return D::template sum<1>(
        q.size(), GRIDIRON_KERNEL(int64_t i) { return Sums<1>{{z[i] * q[i]}}; })[0];
  }

  /// p = z + β p, q = A p; returns (p, q) and keeps (p, r).
  double next_direction(double beta) {
    const TableEquationsView<D> a(equations_);
    const View<D, const T> z = std::as_const(gmd_).solution();
    const auto p = p_.view(), q = q_.view();
    const View<D, const double> r = r_.view(), direction = p_.view();
    if (beta == 0) {  // p may hold infinities of an earlier breakdown
      D::for_each(
          p.size(), GRIDIRON_KERNEL(int64_t i) { p[i] = z[i]; });
    } else {
      D::for_each(
          p.size(), GRIDIRON_KERNEL(int64_t i) { p[i] = z[i] + beta * p[i]; });
    }
    if (!deflation_.empty()) deflation_.template project<double, 1>(p, levels_);
    const Sums<2> dots = D::template sum<2>(
        equations_.shape.cells(), GRIDIRON_KERNEL(int64_t k) {
          const int64_t i = a.first + k;
          const double value = a.product(i, direction);
          q[i] = value;
          return Sums<2>{{direction[i] * value, direction[i] * r[i]}};
        });
    pr_ = dots[1];
    return dots[0];
  }

  /// x += α p, r −= α q; returns the norm of r.
  double step(View<D, double> x, double alpha) {
    const auto r = r_.view();
    const View<D, const double> p = p_.view(), q = q_.view();
    const View<D, T> rhs = gmd_.rhs();
    const double scale = scale_;
    return std::sqrt(D::template sum<1>(
        r.size(), GRIDIRON_KERNEL(int64_t i) {
          x[i] += alpha * p[i];
          const double value = r[i] - alpha * q[i];
          r[i] = value;
          rhs[i] = static_cast<T>(scale * value);
          return Sums<1>{{value * value}};
        })[0]);
  }

 private:
  const TableEquations<D>& equations_;
  RegularGridSolver<D, T>& gmd_;
  const Deflation<D>& deflation_;
  typename Deflation<D>::template Vectors<1> levels_;
  Array<D, double> r_, p_, q_;
  typename D::Recording cycle_;
  double scale_ = 1, pr_ = 0;
};

}  // namespace gridiron::gpuhmd
