// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/psc/prehandled.hpp"
#include "engines/psc/psc_kernels.hpp"

namespace gridiron::psc {

template <class T>
std::vector<T> rounded(const std::vector<double>& values) {
  std::vector<T> out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(T(static_cast<Sum<T>>(v)));
  return out;
}

/// A sparse matrix on device D.
template <class D, class S>
class RowsOn {
 public:
  RowsOn() = default;
  RowsOn(const Prehandled::Sparse& matrix, std::int64_t columns)
      : columns_(columns), begin_(matrix.begin), column_(matrix.column), value_(rounded<S>(matrix.value)) {}
  RowsView<D, S> view() const { return {begin_.view(), column_.view(), value_.view(), begin_.size() - 1, columns_}; }
  std::int64_t bytes() const { return begin_.bytes() + column_.bytes() + value_.bytes(); }

 private:
  std::int64_t columns_ = 0;
  Array<D, std::int32_t> begin_, column_;
  Array<D, S> value_;
};

/// The index tables and scales of Prehandled on device D.
template <class D, class S>
class CellsOn {
 public:
  CellsOn() = default;
  CellsOn(const Prehandled& p, std::int64_t unknowns) {
    const MacroCells& cells = p.cells;
    const CellLattice& lattice = cells.lattice;
    shape_.lattice = lattice;
    shape_.cells = cells.cells;
    shape_.edges = cells.edges;
    shape_.n = unknowns;
    shape_.interior = lattice.interior();
    shape_.edge = lattice.edge();
    shape_.corners = lattice.corners;
    shape_.all_edge = cells.edge();
    shape_.coarse = cells.coarse();
    std::vector<std::int32_t> corner, group_of_cell;
    for (int k = 0; k < lattice.corners; ++k)
      corner.push_back(static_cast<std::int32_t>(lattice.at(lattice.corner(k).i, lattice.corner(k).j)));
    std::vector<double> interior_scale;
    for (std::size_t g = 0; g < p.groups.size(); ++g) {
      group_of_cell.insert(group_of_cell.end(), static_cast<std::size_t>(cells.groups[g].cells),
                           static_cast<std::int32_t>(g));
      interior_scale.insert(interior_scale.end(), p.groups[g].interior_scale.begin(), p.groups[g].interior_scale.end());
    }
    const auto keep = [this](const std::vector<std::int32_t>& host) {
      return std::as_const(tables_.emplace_back(host)).view();
    };
    tables_.reserve(15);
    shape_.interior_position = keep(lattice.interior_positions());
    shape_.edge_position = keep(lattice.edge_positions());
    shape_.corner_position = keep(corner);
    shape_.interior_unknown = keep(cells.interior_unknown);
    shape_.edge_of_cell = keep(cells.edge_of_cell);
    shape_.corner_of_cell = keep(cells.corner_of_cell);
    shape_.edge_unknown = keep(cells.edge_unknown);
    shape_.coarse_unknown = keep(cells.coarse_unknown);
    shape_.end_of_edge = keep(cells.end_of_edge);
    shape_.cells_of_edge = keep(p.cells_of_edge);
    shape_.corner_begin = keep(p.cells_of_corner.begin);
    shape_.cells_of_corner = keep(p.cells_of_corner.column);
    shape_.end_begin = keep(p.edges_of_corner.begin);
    shape_.edges_of_corner = keep(p.edges_of_corner.column);
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
  CellsView<D, S> view(std::int64_t k) const {
    CellsView<D, S> view = shape_;
    view.k = k;
    return view;
  }
  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const auto& table : tables_) sum += table.bytes();
    for (const auto& scale : scales_) sum += scale.bytes();
    return sum;
  }

 private:
  CellsView<D, S> shape_{};
  std::vector<Array<D, std::int32_t>> tables_;
  std::vector<Array<D, S>> scales_;
};

}  // namespace gridiron::psc
