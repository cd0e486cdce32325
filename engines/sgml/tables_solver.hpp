// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "engines/hybrid/regular_grid_solver.hpp"
#include "engines/sgml/cycle.hpp"
#include "engines/sgml/tables_plan.hpp"

namespace gridiron::sgml {

/// SGML on the conductance tables of a power grid: one solve() is one sawtooth cycle on each of the grids, for one
/// column, as its levels hold vectors and coefficients together.
template <class D, class T>
class TablesSolver : public RegularGridSolver<D, T> {
 public:
  explicit TablesSolver(SgmlParams params) : params_(std::move(params)) {}

  void setup(const std::vector<GridOn<D>>& grids) override {
    cycles_.clear();
    queues_.clear();
    while (queues_.size() + 1 < std::min(grids.size(), kAtATime)) queues_.emplace_back(nullptr);
    first_.assign(1, 0);
    for (const GridOn<D>& grid : grids) {
      cycles_.push_back(std::make_unique<Cycle<D, T>>(plan_levels(grid, direct()), params_));
      first_.push_back(first_.back() + cycles_.back()->lattice().size());
    }
    for (Array<D, T>* v : {&rhs_, &solution_}) {
      *v = Array<D, T>(first_.back());
      fill<D, T>(v->view(), T(0));
    }
  }

  void update(const std::vector<GridOn<D>>& grids) override {
    for (size_t g = 0; g < grids.size(); ++g) cycles_[g]->refill(plan_levels(grids[g], direct()));
  }

  CellStrides strides(int64_t grid) const override {
    const Lattice& lattice = cycles_[grid]->lattice();
    const int64_t first = lattice.at(0, 0, 0);
    return {first_[grid] + first, lattice.at(0, 1, 0) - first, lattice.at(0, 0, 1) - first};
  }

  View<D, T> rhs() override { return rhs_.view(); }
  void solve() override {
    D::side_by_side(queues_, std::ssize(cycles_), [this](int64_t g) {
      copy(rhs_.view(), first_[g], cycles_[g]->rhs(), 0);
      cycles_[g]->run();
      copy(cycles_[g]->solution(), 0, solution_.view(), first_[g]);
    });
  }
  View<D, const T> solution() const override { return solution_.view(); }

  int64_t bytes() const override { return bytes_of(rhs_, solution_, cycles_); }
  double traffic() const override {
    double sum = 2.0 * bytes_of(rhs_, solution_);
    for (const auto& cycle : cycles_) sum += cycle->bytes_per_cycle();
    return sum;
  }
  std::vector<LevelSummary> levels() const override {
    std::vector<LevelSummary> rows;
    for (const auto& cycle : cycles_)
      for (size_t v = 0; v < cycle->levels().size(); ++v) {
        const Level<D, T>& level = cycle->levels()[v];
        if (rows.size() <= v) rows.emplace_back();
        rows[v].unknowns += level.lattice().unknowns();
        rows[v].nonzeros += level.lattice().unknowns() * (1 + 2 * level.stencil.half_neighbours_count());
        rows[v].bytes += level.bytes();
        rows[v].spectral_radius = level.band.highest;
      }
    return rows;
  }

  /// Public because nvcc accepts no kernels in private functions.
  static void copy(View<D, const T> from, int64_t first, View<D, T> to, int64_t to_first) {
    const int64_t n = from.size() - first < to.size() - to_first ? from.size() - first : to.size() - to_first;
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t i) { to[to_first + i] = from[first + i]; });
  }

 private:
  static constexpr int64_t kDirect = 200;  ///< unknowns of a coarsest level that is solved by its inverse

  int64_t direct() const { return params_.coarsest == "inverse" ? kDirect : 0; }

  static constexpr size_t kAtATime = 4;  ///< grids, where queues overlap

  SgmlParams params_;
  std::vector<typename D::Queue> queues_;
  std::vector<std::unique_ptr<Cycle<D, T>>> cycles_;  ///< per grid
  std::vector<int64_t> first_;                        ///< grids + 1: where their lattices begin in rhs_ and solution_
  Array<D, T> rhs_, solution_;
};

}  // namespace gridiron::sgml
