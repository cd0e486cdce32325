// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "device/column_reductions.hpp"
#include "device/device.hpp"

namespace gridiron::psc {

/// A block of k vectors on corners and edges.
template <class D, class S>
struct SkeletonBlock {
  Array<D, S> coarse, edge;

  SkeletonBlock(int64_t corners, int64_t edges, int64_t k) : coarse(corners * k), edge(edges * k) {}
  void clear() {
    fill<D, S>(coarse.view(), S(0));
    fill<D, S>(edge.view(), S(0));
  }
  void coarse_from(const SkeletonBlock& other) { copy<D, S>(other.coarse.view(), coarse.view()); }
};

/// Conjugate gradients for k systems with Σ of eq. (23) together; a column that is done goes on with steps of zero.
template <class D, class S>
class SkeletonCg {
  using Block = SkeletonBlock<D, S>;

 public:
  SkeletonCg(int64_t corners, int64_t edges, int64_t k)
      : corners_(corners),
        edges_(edges),
        k_(k),
        r_(corners, edges, k),
        p_(corners, edges, k),
        q_(corners, edges, k),
        x_(corners, edges, k),
        rho_(k),
        next_(k),
        curvature_(k),
        factor_(k),
        partial_(k * reduction_chunks(corners + edges)) {}

  int64_t columns() const { return k_; }
  int iterations() const { return iterations_; }
  Block& rhs() { return r_; }  ///< overwritten by solve()
  Block& solution() { return x_; }

  /// multiply(p, q): q = Σ p. Until every residual is `rtol` of the right-hand side.
  template <class F>
  void solve(double rtol, F multiply) {
    x_.clear();
    p_.clear();
    dot(r_, r_, rho_);
    const std::vector<double> at_first = rho_.to_host();
    fill<D, double>(factor_.view(), 0.0);
    for (iterations_ = 0; iterations_ < kMost; ++iterations_) {
      const std::vector<double> now = rho_.to_host();
      bool is_done = true;
      for (int64_t j = 0; j < k_; ++j) is_done = is_done && !(now[j] > rtol * rtol * at_first[j]);
      if (is_done) break;
      combine(true, r_, p_);
      multiply(std::as_const(p_), q_);
      dot(p_, q_, curvature_);
      ratios(1, rho_.view(), curvature_.view(), factor_.view());
      combine(false, p_, x_);
      ratios(-1, rho_.view(), curvature_.view(), factor_.view());
      combine(false, q_, r_);
      dot(r_, r_, next_);
      ratios(1, next_.view(), rho_.view(), factor_.view());
      std::swap(rho_, next_);
    }
  }

  // Public, as nvcc takes no kernels from private functions.

  /// Per column, x · y.
  void dot(const Block& x, const Block& y, Array<D, double>& out) {
    const auto xc = x.coarse.view(), yc = y.coarse.view(), xe = x.edge.view(), ye = y.edge.view();
    const auto to = out.view();
    const int64_t corners = corners_, edges = edges_;
    reduce_columns<D, Total>(
        corners + edges, k_, partial_.view(),
        GRIDIRON_KERNEL(int64_t i, int64_t j) {
          if (i < corners) return static_cast<double>(xc[j * corners + i]) * static_cast<double>(yc[j * corners + i]);
          const int64_t at = j * edges + i - corners;
          return static_cast<double>(xe[at]) * static_cast<double>(ye[at]);
        },
        GRIDIRON_KERNEL(int64_t j, double sum) { to[j] = sum; });
  }
  /// y_j = x_j + factor_j y_j, or y_j += factor_j x_j.
  static void combine(bool keeps_x, View<D, const double> factor, int64_t rows, int64_t k, View<D, const S> x,
                      View<D, S> y) {
    D::for_each_line(
        k, rows, LineNumber(), GRIDIRON_KERNEL(int64_t j, int64_t i) {
          const S f = static_cast<S>(factor[j]);
          const int64_t at = j * rows + i;
          y[at] = keeps_x ? x[at] + f * y[at] : y[at] + f * x[at];
        });
  }
  /// out_j = sign · a_j / b_j; 0 where b_j is.
  static void ratios(double sign, View<D, const double> a, View<D, const double> b, View<D, double> out) {
    D::for_each(
        out.size(), GRIDIRON_KERNEL(int64_t j) { out[j] = b[j] > 0 ? sign * a[j] / b[j] : 0.0; });
  }

 private:
  static constexpr int kMost = 1000;

  void combine(bool keeps_x, const Block& x, Block& y) {
    combine(keeps_x, factor_.view(), corners_, k_, x.coarse.view(), y.coarse.view());
    combine(keeps_x, factor_.view(), edges_, k_, x.edge.view(), y.edge.view());
  }

  int64_t corners_, edges_, k_;
  Block r_, p_, q_, x_;
  Array<D, double> rho_, next_, curvature_, factor_, partial_;
  int iterations_ = 0;
};

}  // namespace gridiron::psc
