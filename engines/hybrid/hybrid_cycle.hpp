// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "engines/hybrid/regular_grid_solver.hpp"
#include "engines/hybrid/smoothed_grid.hpp"
#include "linalg/krylov.hpp"

namespace gridiron {

/// The vectors of a SmoothedGrid in a cycle, with entries V; b only where the cycle forms it.
template <class D, class V>
struct SmoothedVectors {
  Array<D, V> b, x, other;

  SmoothedVectors(int64_t rows, bool has_b) : b(has_b ? rows : 0), x(rows), other(rows) {
    fill<D, V>(b.view(), V{});  // padding rows are never written
  }
  int64_t bytes() const { return bytes_of(b, x, other); }
};

/// The hybrid multigrid cycle on K columns: smooth on the original grid, solve the regular grids for the residual,
/// correct, smooth. Sees the grids, `regular` and its right-hand side as they are whenever it is applied; their arrays
/// must stay in place.
template <class D, class T, int K>
class HybridCycle {
 public:
  using Entry = Columns<T, K>;

  HybridCycle(const std::vector<SmoothedGrid<D, T>>& grids, RegularGridVectors<D, Entry>& regular,
              View<D, const Entry> rhs, int degree)
      : grids_(grids),
        regular_(regular),
        rhs_(rhs),
        degree_(degree),
        recording_(std::make_unique<typename D::Recording>()) {
    for (const SmoothedGrid<D, T>& grid : grids) vectors_.emplace_back(grid.order.rows(), !vectors_.empty());
  }

  int64_t bytes() const { return bytes_of(vectors_); }
  /// How long the regular grids have taken, s.
  double regular_seconds() const { return recording_->seconds(); }

  /// An approximation to A⁻¹ times the right-hand side.
  View<D, const Entry> apply() {
    recording_->run([this] { visit(0, rhs_); });
    return vectors_[0].x.view();
  }
  /// For a method whose residual is the cycle's right-hand side.
  Preconditioner<D, T, K, T> preconditioner() {
    return [this](View<D, const Entry>, const Columns<double, K>&) { return apply(); };
  }

 private:
  /// x from b of a grid. Sweeps swap x and other an even number of times, so each visit finds them where it did before.
  void visit(size_t number, View<D, const Entry> b) {
    const SmoothedGrid<D, T>& grid = grids_[number];
    SmoothedVectors<D, Entry>& v = vectors_[number];
    grid.smoother.smooth(b, v.x, v.other, degree_, true);
    grid.smoother.residual(b, v.x, v.other);
    if (number + 1 < grids_.size()) {
      SmoothedVectors<D, Entry>& next = vectors_[number + 1];
      grid.to_next.template restrict_to<Entry>(next.b.view(), v.other.view());
      visit(number + 1, next.b.view());
      grid.to_next.template add_from<Entry>(next.x.view(), v.x.view());
    } else {
      grid.to_next.template restrict_to<Entry>(regular_.rhs(), v.other.view());
      recording_->timed([this] { regular_.solve(); });
      grid.to_next.template add_from<Entry>(regular_.solution(), v.x.view());
    }
    grid.smoother.smooth(b, v.x, v.other, degree_, false);
  }

  const std::vector<SmoothedGrid<D, T>>& grids_;
  RegularGridVectors<D, Entry>& regular_;
  View<D, const Entry> rhs_;
  int degree_;
  std::vector<SmoothedVectors<D, Entry>> vectors_;
  std::unique_ptr<typename D::Recording> recording_;
};

}  // namespace gridiron
