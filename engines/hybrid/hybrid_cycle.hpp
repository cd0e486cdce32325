// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "engines/hybrid/regular_grid_solver.hpp"
#include "engines/hybrid/smoothed_grid.hpp"
#include "engines/linalg/krylov.hpp"

namespace gridiron {

/// The vectors of a SmoothedGrid in a cycle, with entries V.
template <class D, class V>
struct SmoothedVectors {
  Array<D, V> b, x, other;

  explicit SmoothedVectors(std::int64_t rows) : b(rows), x(rows), other(rows) {
    fill<D, V>(b.view(), V{});  // padding rows are never written
  }
  std::int64_t bytes() const { return b.bytes() + x.bytes() + other.bytes(); }
};

/// The hybrid multigrid cycle on K columns: smooth on the original grid, solve the regular grids for the residual,
/// correct, smooth. Sees the grids and `regular` as they are whenever it is applied; their arrays must stay in place.
template <class D, class T, int K>
class HybridCycle {
 public:
  using Entry = Columns<T, K>;
  using Wide = Columns<double, K>;

  HybridCycle(const std::vector<SmoothedGrid<D, T>>& grids, RegularGridVectors<D, Entry>& regular, int degree)
      : grids_(grids), regular_(regular), degree_(degree), recording_(std::make_unique<typename D::Recording>()) {
    for (const SmoothedGrid<D, T>& grid : grids) vectors_.emplace_back(grid.order.rows());
  }

  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const SmoothedVectors<D, Entry>& v : vectors_) sum += v.bytes();
    return sum;
  }
  /// How long the regular grids have taken, s.
  double regular_seconds() const { return recording_->seconds(); }

  /// A Preconditioner.
  View<D, const Entry> apply(View<D, const Wide> r, const Wide& norm) {
    const Wide scale = unit_scale(r.size(), norm);
    const View<D, Entry> b = vectors_[0].b.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(std::int64_t i) { b[i] = to<T>(scale * r[i]); });
    recording_->run([this] { visit(0); });
    return std::as_const(vectors_[0]).x.view();
  }
  Preconditioner<D, T, K> preconditioner() {
    return [this](View<D, const Wide> r, const Wide& norm) { return apply(r, norm); };
  }

 private:
  /// x from b of a grid. Sweeps swap x and other an even number of times, so each visit finds them where it did before.
  void visit(std::size_t number) {
    const SmoothedGrid<D, T>& grid = grids_[number];
    SmoothedVectors<D, Entry>& v = vectors_[number];
    grid.smoother.smooth(v.b, v.x, v.other, degree_, true);
    grid.smoother.residual(v.b, v.x, v.other);
    if (number + 1 < grids_.size()) {
      SmoothedVectors<D, Entry>& next = vectors_[number + 1];
      grid.to_next.template restrict_to<Entry>(next.b.view(), v.other.view());
      visit(number + 1);
      grid.to_next.template add_from<Entry>(next.x.view(), v.x.view());
    } else {
      grid.to_next.template restrict_to<Entry>(regular_.rhs(), v.other.view());
      recording_->timed([this] { regular_.solve(); });
      grid.to_next.template add_from<Entry>(regular_.solution(), v.x.view());
    }
    grid.smoother.smooth(v.b, v.x, v.other, degree_, false);
  }

  const std::vector<SmoothedGrid<D, T>>& grids_;
  RegularGridVectors<D, Entry>& regular_;
  int degree_;
  std::vector<SmoothedVectors<D, Entry>> vectors_;
  std::unique_ptr<typename D::Recording> recording_;
};

}  // namespace gridiron
