// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "engines/hybrid/csr_on.hpp"
#include "regularize/cell_grid.hpp"

namespace gridiron {

/// A network and its cells as kernels see them; edges are the entries of the matrix.
template <class D>
struct PlacedNetwork {
  CsrView<D> matrix;
  View<D, const double> pad;
  View<D, const CellPlace> place;  ///< of nodes
  View<D, const CellGrid> grid;
  View<D, const std::int64_t> first_cell;  ///< grids + 1
  std::int64_t cells;

  GRIDIRON_HOST_DEVICE std::int64_t cell(std::int64_t node) const {
    return first_cell[place[node].grid] + entry_of(place[node], grid[place[node].grid]);
  }
};

/// What the edges from a node to nodes of higher number add to the table of one axis. Entry c has slot cells + c, slots
/// below are for the trees of CellLines.
template <class D>
struct WireStamps {
  PlacedNetwork<D> network;
  Axis axis;

  std::int64_t slots() const { return 2 * network.cells; }

  template <class F>
  GRIDIRON_HOST_DEVICE void operator()(std::int64_t node, F f) const {
    const CsrView<D>& a = network.matrix;
    const CellPlace here = network.place[node];
    const CellGrid& grid = network.grid[here.grid];
    const CellLines lines(grid, axis);
    for (std::int64_t k = a.row_ptr[node]; k < a.row_ptr[node + 1]; ++k) {
      if (a.col[k] <= node) continue;
      const CellPlace there = network.place[a.col[k]];
      if (there.grid != here.grid) continue;
      const Route route(here, there);
      const Run run = route.along(axis, grid);
      const std::int64_t line = network.first_cell[here.grid] + run.line;
      const double siemens = static_cast<double>(route.steps()) * -a.value[k];
      lines.for_each_node(run.begin, run.end, [&](std::int64_t i) {
        f(i < lines.n ? line + i * lines.stride : network.cells + line + (i - lines.n) * lines.stride, siemens);
      });
    }
  }
};

/// What a node adds to gz: its pad, and its edges to other grids.
template <class D>
struct PadStamps {
  PlacedNetwork<D> network;

  std::int64_t slots() const { return network.cells; }

  template <class F>
  GRIDIRON_HOST_DEVICE void operator()(std::int64_t node, F f) const {
    const CsrView<D>& a = network.matrix;
    double siemens = network.pad[node];
    for (std::int64_t k = a.row_ptr[node]; k < a.row_ptr[node + 1]; ++k)
      if (network.place[a.col[k]].grid != network.place[node].grid) siemens -= a.value[k];
    if (siemens != 0) f(network.cell(node), siemens);
  }
};

/// before[i]: how many stamps nodes first … first + i − 1 have; returns how many there are of all.
template <class D, class Stamps>
std::int64_t count_stamps(const Stamps& stamps, std::int64_t first, View<D, std::int64_t> before) {
  Array<D, std::int32_t> number_array(before.size() - 1);
  const View<D, std::int32_t> number = number_array.view();
  D::for_each(
      number.size(), GRIDIRON_KERNEL(std::int64_t i) {
        std::int32_t count = 0;
        stamps(first + i, [&](std::int64_t, double) { ++count; });
        number[i] = count;
      });
  return D::template exclusive_scan<std::int32_t, std::int64_t>(View<D, const std::int32_t>(number), before);
}

/// Adds `count` stamps of the nodes from `first` on to their slots.
template <class D, class Stamps>
void add_stamps(const Stamps& stamps, std::int64_t first, View<D, const std::int64_t> before, std::int64_t count,
                View<D, double> sum) {
  Array<D, double> siemens_array(count);
  Array<D, std::int32_t> slot_array(count), begin_array(sum.size() + 1), order_array(count);
  const View<D, double> siemens = siemens_array.view();
  const View<D, std::int32_t> slot = slot_array.view(), begin = begin_array.view(), order = order_array.view();
  D::for_each(
      before.size() - 1, GRIDIRON_KERNEL(std::int64_t i) {
        std::int64_t at = before[i];
        stamps(first + i, [&](std::int64_t where, double value) {
          slot[at] = static_cast<std::int32_t>(where);
          siemens[at++] = value;
        });
      });
  D::group_by(View<D, const std::int32_t>(slot), sum.size(), begin, order);
  D::for_each_row(
      sum.size(), GRIDIRON_KERNEL(std::int64_t s) {
        if (begin[s] == begin[s + 1]) return;
        double total = sum[s];
        for (std::int32_t k = begin[s]; k < begin[s + 1]; ++k) total += siemens[order[k]];
        sum[s] = total;
      });
}

/// Per slot the sum of what the nodes stamp there, in their order. So many nodes are taken at once as memory for their
/// stamps may be spent on.
template <class D, class Stamps>
Array<D, double> sums_of(const Stamps& stamps, std::int64_t nodes) {
  constexpr std::int64_t kMostStamps = std::int64_t{1} << 27;
  Array<D, double> sums(stamps.slots());
  fill<D, double>(sums.view(), 0.0);
  std::int64_t some = nodes;
  for (std::int64_t first = 0; first < nodes;) {
    some = std::min(some, nodes - first);
    Array<D, std::int64_t> before(some + 1);
    const std::int64_t count = count_stamps<D>(stamps, first, before.view());
    if (count > kMostStamps && some > 1) {
      some /= 2;
      continue;
    }
    add_stamps<D>(stamps, first, std::as_const(before).view(), count, sums.view());
    first += some;
  }
  return sums;
}

/// Entries of one grid from the slots of WireStamps: their own and those of all nodes of the tree above them.
template <class D>
void spread(const CellGrid& grid, std::int64_t first_cell, Axis axis, View<D, const double> slots,
            View<D, double> table) {
  const CellLines lines(grid, axis);
  const std::int64_t cells = table.size(), ny = grid.ny, nx = grid.nx;
  D::for_each_line(
      grid.layers * ny, nx, GRIDIRON_KERNEL(std::int64_t line) { return line; },
      GRIDIRON_KERNEL(std::int64_t line, std::int64_t x) {
        const std::int64_t entry = first_cell + line * nx + x;
        const std::int64_t k = axis == Axis::x ? x : axis == Axis::y ? line % ny : line / ny;
        const std::int64_t start = entry - k * lines.stride, leaf = lines.n + k;
        int height = 0;
        while (leaf >> (height + 1) > 0) ++height;
        double above = 0;
        for (; height > 0; --height) above += slots[start + (leaf >> height) * lines.stride];
        table[entry] = slots[cells + entry] + above;
      });
}

}  // namespace gridiron
