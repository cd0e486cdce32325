// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/hybrid/regular_grid_solver.hpp"
#include "support/parallel.hpp"

namespace gridiron {

/// The way between the unknowns of the original grid and the vectors of a RegularGridSolver.
template <class D, class T>
class CellMap {
 public:
  CellMap() = default;

  /// Unknown i of the solver's problem is node order[i] of the network.
  CellMap(const Regularization& regular, const std::vector<std::int32_t>& order,
          const RegularGridSolver<D, T>& solver) {
    const auto n = static_cast<std::int64_t>(order.size());
    const std::int64_t cells = regular.first_cell.back();
    std::vector<std::int32_t> cell(n), position(cells);
    for (std::size_t g = 0; g < regular.grids.size(); ++g)
      parallel_ranges(regular.grids[g].cells(), [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t c = first; c < last; ++c)
          position[regular.first_cell[g] + c] =
              static_cast<std::int32_t>(solver.position(regular.grids[g], static_cast<std::int64_t>(g), c));
      });
    for (std::int64_t i = 0; i < n; ++i) cell[i] = static_cast<std::int32_t>(regular.cell_of_node[order[i]]);
    begin_ = Array<D, std::int32_t>(cells + 1);
    members_ = Array<D, std::int32_t>(n);
    const Array<D, std::int32_t> key(cell);
    D::group_by(key.view(), cells, begin_.view(), members_.view());
    for (std::int64_t i = 0; i < n; ++i) cell[i] = position[cell[i]];
    of_unknown_ = Array<D, std::int32_t>(cell);
    of_cell_ = Array<D, std::int32_t>(position);
  }

  /// Each cell gets the sum of its unknowns (eq. 5).
  void restrict_to(View<D, T> cells, View<D, const T> unknowns) const {
    const View<D, const std::int32_t> begin = begin_.view(), members = members_.view(), position = of_cell_.view();
    D::for_each_row(
        position.size(), GRIDIRON_KERNEL(std::int64_t c) {
          T sum = 0;
          for (std::int32_t m = begin[c]; m < begin[c + 1]; ++m) sum += unknowns[members[m]];
          cells[position[c]] = sum;
        });
  }

  /// Each unknown is changed by the value of its cell (eq. 6).
  void add_from(View<D, const T> cells, View<D, T> unknowns) const {
    const View<D, const std::int32_t> position = of_unknown_.view();
    D::for_each(
        unknowns.size(), GRIDIRON_KERNEL(std::int64_t i) { unknowns[i] += cells[position[i]]; });
  }

  std::int64_t bytes() const { return begin_.bytes() + members_.bytes() + of_unknown_.bytes() + of_cell_.bytes(); }

 private:
  Array<D, std::int32_t> begin_;
  Array<D, std::int32_t> members_;     ///< unknowns, cell after cell
  Array<D, std::int32_t> of_unknown_;  ///< positions in the solver's vectors
  Array<D, std::int32_t> of_cell_;
};

}  // namespace gridiron
