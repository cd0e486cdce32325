// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "linalg/block.hpp"
#include "linalg/block_matrix.hpp"
#include "linalg/solve_stats.hpp"
#include "linalg/stop_rule.hpp"

namespace gridiron {

/// Iterative refinement of a direct method on device D with residuals in fp64 (Higham, Accuracy and Stability of
/// Numerical Algorithms, ch. 12): many right-hand sides at once, each until the stop rule holds for it or a step no
/// longer halves its residual. Keeps its vectors between calls.
template <class D>
class BlockRefinement {
 public:
  /// d ≈ A⁻¹ r for n × k blocks. Always called with the same two arrays while k stays the same, so that recordings
  /// stay valid.
  using Apply = std::function<void(View<D, const double> r, View<D, double> d, int64_t k)>;

  /// Solves A X = B in blocks of up to `at_once` columns, in host memory or on the device; what `x` holds on entry is
  /// ignored. Errors: Stopped, and those of `apply`.
  std::vector<ColumnStats> solve(const BlockMatrix<D>& a, Block<const double> b, Block<double> x, const StopRule& stop,
                                 int64_t at_once, int most_steps, const Apply& apply) {
    std::vector<ColumnStats> stats;
    for (int64_t first = 0; first < b.columns; first += at_once) {
      stop.throw_if_stopped();
      const int64_t count = std::min(at_once, b.columns - first);
      for (ColumnStats& column : solve_block(a, b.part(first, count), x.part(first, count), stop, most_steps, apply))
        stats.push_back(std::move(column));
    }
    return stats;
  }

  int64_t bytes() const { return bytes_of(b_, x_, r_, d_); }

 private:
  std::vector<ColumnStats> solve_block(const BlockMatrix<D>& a, Block<const double> b, Block<double> x,
                                       const StopRule& stop, int most_steps, const Apply& apply) {
    const int64_t k = b.columns;
    allocate(b.rows * k);
    copy_in(b);
    const View<D, const double> rhs = b_.view();
    copy<D, double>(rhs, r_.view());
    apply(r_.view(), d_.view(), k);
    copy<D, double>(d_.view(), x_.view());

    std::vector<ColumnStats> stats(k);
    std::vector<bool> is_done(k, false);
    std::vector<double> take(k, 1.0);
    const std::vector<double> norm_b = a.norms(rhs, k);
    const auto look = [&](int64_t j, double norm, double largest) {
      ColumnStats& s = stats[j];
      s.relative_residual = norm == 0 ? 0 : norm / norm_b[j];
      s.max_residual = largest;
      s.history.push_back(s.relative_residual);
      s.converged =
          s.relative_residual <= stop.relative_residual || (stop.absolute_max > 0 && largest <= stop.absolute_max);
      is_done[j] = s.converged || !std::isfinite(s.relative_residual);
    };
    ResidualNorms now = a.residual(rhs, x_.view(), r_.view(), k);
    for (int64_t j = 0; j < k; ++j) look(j, now.norm[j], now.largest[j]);

    const int most = std::min(stop.max_iterations, most_steps);
    for (int step = 0; step < most && !std::ranges::all_of(is_done, std::identity()); ++step) {
      stop.throw_if_stopped();
      apply(r_.view(), d_.view(), k);
      for (int64_t j = 0; j < k; ++j) take[j] = is_done[j] ? 0.0 : 1.0;
      a.add_columns(take, d_.view(), x_.view());
      now = a.residual(rhs, x_.view(), r_.view(), k);
      bool is_worse_somewhere = false;
      for (int64_t j = 0; j < k; ++j) {
        take[j] = 0;
        if (is_done[j]) continue;
        const double before = stats[j].relative_residual;
        if (!(now.norm[j] / norm_b[j] < before)) {  // taken back
          is_done[j] = true;
          take[j] = -1;
          is_worse_somewhere = true;
          continue;
        }
        ++stats[j].iterations;
        look(j, now.norm[j], now.largest[j]);
        is_done[j] = is_done[j] || stats[j].relative_residual > before / 2;
      }
      if (is_worse_somewhere) a.add_columns(take, d_.view(), x_.view());
    }
    copy_out(x);
    return stats;
  }

  void allocate(int64_t entries) {
    if (b_.size() == entries) return;
    for (Array<D, double>* v : {&b_, &x_, &r_, &d_}) {
      *v = {};
      *v = Array<D, double>(entries);
    }
  }
  void copy_in(Block<const double> b) {
    if (b.memory == Memory::device)
      copy<D, double>(D::view(b.data, b_.size()), b_.view());
    else
      b_.copy_from({b.data, static_cast<size_t>(b_.size())});
  }
  void copy_out(Block<double> x) {
    if (x.memory == Memory::device)
      copy<D, double>(x_.view(), D::view(x.data, x_.size()));
    else
      x_.copy_to({x.data, static_cast<size_t>(x_.size())});
  }

  Array<D, double> b_, x_, r_, d_;
};

}  // namespace gridiron
