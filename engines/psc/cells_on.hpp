// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/psc/prehandled.hpp"
#include "engines/psc/skeleton_kernels.hpp"
#include "engines/psc/stored_matrices.hpp"
#include "support/lists.hpp"

namespace gridiron::psc {

/// A sparse matrix on device D.
template <class D, class S>
class RowsOn {
 public:
  RowsOn() = default;
  RowsOn(const Prehandled::Sparse& matrix, int64_t columns)
      : columns_(columns), begin_(matrix.begin), column_(matrix.column), value_(rounded<S>(matrix.value)) {}
  RowsView<D, S> view() const { return {begin_.view(), column_.view(), value_.view(), begin_.size() - 1, columns_}; }
  int64_t bytes() const { return bytes_of(begin_, column_, value_); }

 private:
  int64_t columns_ = 0;
  Array<D, int32_t> begin_, column_;
  Array<D, S> value_;
};

/// The index tables and scales of Prehandled on device D.
template <class D, class S>
class CellsOn {
 public:
  CellsOn() = default;
  CellsOn(const Prehandled& p, int64_t unknowns) {
    const MacroCells& cells = p.cells;
    const CellLattice& lattice = cells.lattice;
    shape_.lattice = lattice;
    while ((int64_t{1} << shape_.log2_m) < lattice.m) ++shape_.log2_m;
    shape_.cells = cells.cells;
    shape_.n = unknowns;
    shape_.interior = lattice.interior();
    shape_.edge = lattice.edge();
    shape_.corners = lattice.corners;
    shape_.all_edge = cells.edge();
    shape_.coarse = cells.coarse();
    shape_.by_edge = Divider(shape_.edge);
    shape_.by_corners = Divider(shape_.corners);
    std::vector<int32_t> corner, group_of_cell;
    for (int k = 0; k < lattice.corners; ++k)
      corner.push_back(static_cast<int32_t>(lattice.at(lattice.corner(k).i, lattice.corner(k).j)));
    std::vector<double> interior_scale;
    for (size_t g = 0; g < p.groups.size(); ++g) {
      group_of_cell.insert(group_of_cell.end(), cells.groups[g].cells, static_cast<int32_t>(g));
      append(interior_scale, p.groups[g].interior_scale);
    }
    const std::vector<int32_t> node = lattice.node_positions(), interior = lattice.interior_positions(),
                               edge = lattice.edge_positions();
    shape_.nodes = std::ssize(node);
    tables_.reserve(11);
    shape_.node_position = keep(node);
    shape_.interior_position = keep(interior);
    shape_.edge_position = keep(edge);
    shape_.corner_position = keep(corner);
    shape_.node_unknown = keep(unknowns_of_cells(p, node, interior, edge, corner));
    shape_.edge_of_cell = keep(cells.edge_of_cell);
    shape_.corner_of_cell = keep(cells.corner_of_cell);
    shape_.cells_of_edge = keep(p.cells_of_edge);
    shape_.corner_begin = keep(p.cells_of_corner.begin);
    shape_.cells_of_corner = keep(p.cells_of_corner.column);
    shape_.group_of_cell = keep(group_of_cell);
    const auto keep_scale = [this](const std::vector<double>& host) {
      return std::as_const(scales_.emplace_back(rounded<S>(host))).view();
    };
    scales_.reserve(3);
    shape_.interior_scale = keep_scale(interior_scale);
    shape_.edge_scale = keep_scale(p.edge_scale);
    shape_.edge_ratio = keep_scale(p.edge_ratio);
  }

  /// For blocks of k columns.
  CellsView<D, S> view(int64_t k) const {
    CellsView<D, S> view = shape_;
    view.k = k;
    return view;
  }
  int64_t bytes() const { return bytes_of(tables_, scales_); }

 private:
  View<D, const int32_t> keep(const std::vector<int32_t>& host) { return tables_.emplace_back(host).view(); }

  /// Per cell and node, in the order of `node`: its unknown; −1 for the boundary, and on edges and at corners in all
  /// cells but the first that has the node.
  static std::vector<int32_t> unknowns_of_cells(const Prehandled& p, const std::vector<int32_t>& node,
                                                const std::vector<int32_t>& interior, const std::vector<int32_t>& edge,
                                                const std::vector<int32_t>& corner) {
    const MacroCells& cells = p.cells;
    std::vector<int32_t> unknown, at_position(cells.lattice.size(), -1);
    unknown.reserve(cells.cells * node.size());
    for (int64_t c = 0; c < cells.cells; ++c) {
      const auto first = [c](const std::vector<int32_t>& places) { return c * std::ssize(places); };
      for (size_t i = 0; i < interior.size(); ++i)
        at_position[interior[i]] = cells.interior_unknown[first(interior) + i];
      for (size_t e = 0; e < edge.size(); ++e) {
        const int64_t place = first(edge) + e;
        const int32_t at = cells.edge_of_cell[place];
        at_position[edge[e]] = at >= 0 && p.cells_of_edge[2 * at] == place ? cells.edge_unknown[at] : -1;
      }
      for (size_t q = 0; q < corner.size(); ++q) {
        const int64_t place = first(corner) + q;
        const int32_t at = cells.corner_of_cell[place];
        at_position[corner[q]] =
            at >= 0 && p.cells_of_corner.column[p.cells_of_corner.begin[at]] == place ? cells.coarse_unknown[at] : -1;
      }
      for (const int32_t position : node) unknown.push_back(at_position[position]);
    }
    return unknown;
  }

  CellsView<D, S> shape_{};
  std::vector<Array<D, int32_t>> tables_;
  std::vector<Array<D, S>> scales_;
};

}  // namespace gridiron::psc
