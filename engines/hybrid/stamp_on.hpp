// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "linalg/csr_on.hpp"
#include "regularize/cell_grid.hpp"

namespace gridiron {

/// What the nodes of a network add to the tables of its grids, as kernels see it. Edges are the entries of the matrix,
/// a CsrView or RowsByUnknown.
///
/// Each value goes to a slot: those of gz, one per cell, come first; then those of the tables along each axis, two per
/// cell: one for the trees of CellLines, and one for the entry itself.
template <class D, class Matrix = CsrView<D>>
struct Stamps {
  Matrix matrix;
  View<D, const double> pad;
  View<D, const CellPlace> place;  ///< of nodes
  View<D, const CellGrid> grid;
  View<D, const int64_t> first_cell;  ///< grids + 1
  int64_t cells;
  int axes;  ///< 2 where no grid has layers

  GRIDIRON_HOST_DEVICE int64_t slots() const { return (1 + 2 * axes) * cells; }
  GRIDIRON_HOST_DEVICE int64_t first_slot(Axis axis) const { return (1 + 2 * static_cast<int>(axis)) * cells; }

  GRIDIRON_HOST_DEVICE int64_t cell(int64_t node) const {
    return first_cell[place[node].grid] + entry_of(place[node], grid[place[node].grid]);
  }

  /// f(slot, siemens) for the pad of a node, its edges to other grids, and its edges to nodes of higher number.
  template <class F>
  GRIDIRON_HOST_DEVICE void of_node(int64_t node, F f) const {
    const CellPlace here = place[node];
    double to_ground = pad[node];
    matrix.for_each_entry(node, [&](int32_t other, double value) {
      if (other == node) return;
      const CellPlace there = place[other];
      if (there.grid != here.grid)
        to_ground -= value;
      else if (other > node)
        of_wire(Route(here, there), -value, f);
    });
    if (to_ground != 0) f(cell(node), to_ground);
  }

  template <class F>
  GRIDIRON_HOST_DEVICE void of_wire(const Route& route, double conductance, F& f) const {
    const int32_t g = route.low.grid;
    const double siemens = route.steps() * conductance;
    for (int a = 0; a < axes; ++a) {
      const auto axis = static_cast<Axis>(a);
      const Run run = route.along(axis, grid[g]);
      const CellLines lines(grid[g], axis);
      const int64_t trees = first_slot(axis) + first_cell[g] + run.line, entries = trees + cells;
      lines.for_each_node(run.begin, run.end, [&](int64_t i) {
        f(i < lines.n ? trees + i * lines.stride : entries + (i - lines.n) * lines.stride, siemens);
      });
    }
  }
};

/// before[i]: how many stamps nodes first … first + i − 1 have; returns how many there are of all.
template <class D, class Matrix>
int64_t count_stamps(const Stamps<D, Matrix>& stamps, int64_t first, View<D, int64_t> before) {
  Array<D, int32_t> number_array(before.size() - 1);
  const auto number = number_array.view();
  D::for_each(
      number.size(), GRIDIRON_KERNEL(int64_t i) {
        int32_t count = 0;
        stamps.of_node(first + i, [&](int64_t, double) { ++count; });
        number[i] = count;
      });
  return D::exclusive_scan(number, before);
}

/// Adds `count` stamps of the nodes from `first` on to their slots.
template <class D, class Matrix>
void add_stamps(const Stamps<D, Matrix>& stamps, int64_t first, View<D, const int64_t> before, int64_t count,
                View<D, double> sum) {
  Array<D, double> siemens_array(count);
  Array<D, int32_t> slot_array(count), begin_array(sum.size() + 1), order_array(count);
  const auto siemens = siemens_array.view();
  const auto slot = slot_array.view(), begin = begin_array.view(), order = order_array.view();
  D::for_each(
      before.size() - 1, GRIDIRON_KERNEL(int64_t i) {
        int64_t at = before[i];
        stamps.of_node(first + i, [&](int64_t where, double value) {
          slot[at] = static_cast<int32_t>(where);
          siemens[at++] = value;
        });
      });
  D::group_by(slot, sum.size(), begin, order);
  D::for_each(
      sum.size(), GRIDIRON_KERNEL(int64_t s) {
        if (begin[s] == begin[s + 1]) return;
        double total = sum[s];
        for (int32_t k = begin[s]; k < begin[s + 1]; ++k) total += siemens[order[k]];
        sum[s] = total;
      });
}

inline constexpr int64_t kMostStamps = int64_t{1} << 27;

/// Per slot the sum of what the nodes stamp there, in their order. To save memory, nodes are processed in batches when
/// they have more than `most` stamps.
template <class D, class Matrix>
Array<D, double> sums_of(const Stamps<D, Matrix>& stamps, int64_t nodes, int64_t most = kMostStamps) {
  Array<D, double> sums(stamps.slots());
  fill<D, double>(sums.view(), 0.0);
  int64_t some = nodes;
  for (int64_t first = 0; first < nodes;) {
    some = std::min(some, nodes - first);
    Array<D, int64_t> before(some + 1);
    const int64_t count = count_stamps<D>(stamps, first, before.view());
    if (count > most && some > 1) {
      some /= 2;
      continue;
    }
    add_stamps<D>(stamps, first, before.view(), count, sums.view());
    first += some;
  }
  return sums;
}

/// A table of one grid along one axis from its slots: entries, and all nodes of the trees above them.
template <class D>
void spread(const CellGrid& grid, int64_t first_cell, Axis axis, View<D, const double> slots, int64_t first_slot,
            View<D, double> table) {
  const CellLines lines(grid, axis);
  const int64_t cells = table.size(), ny = grid.ny, nx = grid.nx;
  D::for_each_line(
      grid.layers * ny, nx, LineNumber(), GRIDIRON_KERNEL(int64_t line, int64_t x) {
        const int64_t entry = first_cell + line * nx + x;
        const int64_t k = axis == Axis::x ? x : axis == Axis::y ? line % ny : line / ny;
        const int64_t tree = first_slot + entry - k * lines.stride, leaf = lines.n + k;
        int height = 0;
        while (leaf >> (height + 1) > 0) ++height;
        double above = 0;
        for (; height > 0; --height) above += slots[tree + (leaf >> height) * lines.stride];
        table[entry] = slots[first_slot + cells + entry] + above;
      });
}

}  // namespace gridiron
