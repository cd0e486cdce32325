// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "engines/hybrid/params.hpp"
#include "engines/hybrid/regularize_on.hpp"
#include "support/freed_memory.hpp"

namespace gridiron {

/// Regular grids of a problem for kernels of device D, and the cell of each unknown, numbered through all grids.
///
/// Devices with separate memory build them there, from the matrix that they have anyway. On a CPU regularize() is
/// faster, as it sorts nothing: with regularize_on() the setup of gpuhmd takes 13 to 18 % longer on two cores on a
/// generated IBM-style grid of a million nodes.
template <class D>
class HybridTables {
 public:
  HybridTables() = default;
  HybridTables(const PowerGrid& grid, const CsrOn<D>& matrix, const HybridParams& params) {
    const auto& [network, geometry] = grid;
    const GeometryOn<D> uploaded(geometry);
    RegularizeOptions options;
    options.grid_scale = params.grid_scale;
    options.single_plane =
        params.plane == "single" || (params.plane == "auto" && vias_dominate(matrix, uploaded.view().layer));
    options.tile = 1;
    if constexpr (kOnHost)
      regular_ = regularize(*network, geometry, options);
    else
      regular_ = regularize_on<D>(matrix, *network, geometry, uploaded, options);
  }

  /// Frees what refill() recomputes.
  void keep_shapes_only() {
    if constexpr (kOnHost) {
      free_memory(regular_.cell_of_node);
      for (GridTables& grid : regular_.grids) free_memory(grid.gh, grid.gv, grid.via, grid.gz, grid.iz);
    } else {
      for (Array<D, double>* table : {&regular_.gh, &regular_.gv, &regular_.via, &regular_.gz}) *table = {};
      regular_.cell_of_node = {};
    }
  }

  /// The tables of a grid with different values but unchanged node locations. `matrix`: by rows of `order`;
  /// `cell_of_unknown` supplies the cells of its unknowns to a device that cannot see host memory.
  template <class Cells>
  void refill(const PowerGrid& grid, const SellMatrix<D>& matrix, const RowOrder<D>& order, Cells cell_of_unknown) {
    const auto& [network, geometry] = grid;
    if constexpr (kOnHost) {
      regularize_again(*network, geometry, regular_);
    } else {
      const Array<D, int64_t> cells = cell_of_unknown();
      regularize_again_on<D>(order.by_unknown(matrix), *network, cells.view(), regular_);
    }
  }

  std::vector<GridOn<D>> grids() const {
    if constexpr (kOnHost)
      return grids_on_host(regular_.grids);
    else
      return regular_.grids();
  }
  View<D, const int64_t> cell_of_unknown() const {
    if constexpr (kOnHost)
      return D::view(regular_.cell_of_node.data(), std::ssize(regular_.cell_of_node));
    else
      return regular_.cell_of_node.view();
  }

  /// Whether most nodes with both vias and wires are coupled more strongly by the vias: then the layers at one location
  /// have nearly the same voltage, and a single plane describes the grid. Otherwise a rail and the strap above it need
  /// separate tables. (Public because nvcc accepts no kernels in private functions.)
  static bool vias_dominate(const CsrOn<D>& matrix, View<D, const int32_t> layer) {
    const CsrView<D> a = matrix.view();
    return D::template sum<1>(
               a.rows, GRIDIRON_KERNEL(int64_t i) {
                 double wires = 0, vias = 0;
                 for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
                   if (a.col[k] != i) (layer[a.col[k]] == layer[i] ? wires : vias) -= a.value[k];
                 const bool has_both = wires > 0 && vias > 0;
                 return Sums<1>{{has_both ? (vias > wires ? 1.0 : -1.0) : 0.0}};
               })[0] >= 0;
  }

 private:
  static constexpr bool kOnHost = D::shares_host_memory;

  std::conditional_t<kOnHost, Regularization, RegularizationOn<D>> regular_;
};

}  // namespace gridiron
