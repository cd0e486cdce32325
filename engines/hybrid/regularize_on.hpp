// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "engines/hybrid/grid_on.hpp"
#include "engines/hybrid/row_order.hpp"
#include "engines/hybrid/stamp_on.hpp"
#include "engines/hybrid/survey_on.hpp"
#include "regularize/grid_shape.hpp"
#include "support/error.hpp"
#include "support/nonzeros.hpp"

namespace gridiron {

/// A Regularization on device D, without injections.
template <class D>
struct RegularizationOn {
  std::vector<CellGrid> shapes;
  std::vector<int64_t> first_cell{0};  ///< shapes + 1: cells and entries of tables are numbered through
  Array<D, double> gh, gv, via, gz;
  Array<D, int64_t> cell_of_node;

  bool has_layers() const {
    return std::any_of(shapes.begin(), shapes.end(), [](const CellGrid& grid) { return grid.layers > 1; });
  }
  std::vector<GridOn<D>> grids() const {
    std::vector<GridOn<D>> grids;
    for (size_t g = 0; g < shapes.size(); ++g) {
      const auto part = [&](const Array<D, double>& table) {
        return D::view(table.view().data() + first_cell[g], shapes[g].cells());
      };
      grids.push_back({shapes[g], part(gh), part(gv), part(via), part(gz)});
    }
    return grids;
  }
};

/// Errors: as regularize() for problems it declines.
template <class D>
void require_places(const MergedNetwork& network, const Geometry& geometry, const GeometryView<D>& nodes) {
  const View<D, const double> x_um = nodes.x_um, y_um = nodes.y_um;
  const View<D, const int32_t> layer = nodes.layer;
  const double refused = D::template sum<1>(
      layer.size(), GRIDIRON_KERNEL(int64_t i) {
        return Sums<1>{{is_place(x_um[i]) && is_place(y_um[i]) && layer[i] < kMostLayers ? 0.0 : 1.0}};
      })[0];
  if (layer.size() != network.nodes || refused > 0)
    throw InputError("regularization " + regularize_declines(network, geometry).value());
}

/// Cells as chosen by empty_grid(), and per grid the table of each layer from −1 on.
struct CellChoice {
  std::vector<CellGrid> shapes;
  std::vector<int64_t> first_cell{0};
  std::vector<int32_t> table_of_layer;

  CellChoice(const Surveys& surveys, const RegularizeOptions& options) {
    for (const PartSurvey& part : surveys.parts) {
      const GridTables grid = empty_grid(part, options);
      shapes.push_back(grid);
      first_cell.push_back(first_cell.back() + grid.cells());
      for (int32_t layer = -1; layer < kMostLayers; ++layer) table_of_layer.push_back(grid.table_of(layer));
      if (first_cell.back() > kMostCells)
        throw ResourceError("the regular tables are limited to 2^28 cells; choose a smaller grid_scale");
    }
  }
  static constexpr int64_t kMostCells = int64_t{1} << 28;
};

template <class D>
Array<D, CellPlace> place_nodes(const GeometryView<D>& nodes, const Surveys& surveys, const CellChoice& cells,
                                View<D, const CellGrid> grid) {
  const Array<D, int32_t> part_of_net_array(surveys.part_of_net), table_of_layer_array(cells.table_of_layer);
  Array<D, CellPlace> place_array(nodes.net.size());
  const View<D, const int32_t> part_of_net = part_of_net_array.view(), table_of_layer = table_of_layer_array.view(),
                               net = nodes.net, layer = nodes.layer;
  const View<D, const double> x_um = nodes.x_um, y_um = nodes.y_um;
  const auto place = place_array.view();
  D::for_each(
      net.size(), GRIDIRON_KERNEL(int64_t i) {
        const int32_t g = part_of_net[net[i] + 1];
        place[i] = place_in(grid[g], g, table_of_layer[g * (kMostLayers + 1) + layer[i] + 1], x_um[i], y_um[i]);
      });
  return place_array;
}

/// The entries along one axis; zeros if no grid has several layers.
template <class D, class Matrix>
Array<D, double> table_along(Axis axis, const Stamps<D, Matrix>& stamps, View<D, const double> slots,
                             const RegularizationOn<D>& cells) {
  Array<D, double> table(stamps.cells);
  if (static_cast<int>(axis) < stamps.axes)
    for (size_t g = 0; g < cells.shapes.size(); ++g)
      spread<D>(cells.shapes[g], cells.first_cell[g], axis, slots, stamps.first_slot(axis), table.view());
  else
    fill<D, double>(table.view(), 0.0);
  return table;
}

/// Fills the tables on the cells of `result` from the cells of nodes, their pads and a matrix (see Stamps).
template <class D, class Matrix>
void stamp_tables(const Matrix& matrix, View<D, const double> pad, View<D, const CellPlace> place,
                  RegularizationOn<D>& result) {
  const Array<D, CellGrid> grid_array(result.shapes);
  const Array<D, int64_t> first_cell_array(result.first_cell);
  const Stamps<D, Matrix> stamps{matrix,
                                 pad,
                                 place,
                                 grid_array.view(),
                                 first_cell_array.view(),
                                 result.first_cell.back(),
                                 result.has_layers() ? 3 : 2};
  const Array<D, double> slot_array = sums_of<D>(stamps, place.size());
  const auto slots = slot_array.view();
  result.gh = table_along<D>(Axis::x, stamps, slots, result);
  result.gv = table_along<D>(Axis::y, stamps, slots, result);
  result.via = table_along<D>(Axis::layers, stamps, slots, result);
  result.gz = Array<D, double>(stamps.cells);
  const auto gz = result.gz.view();
  D::for_each(
      stamps.cells, GRIDIRON_KERNEL(int64_t c) { gz[c] = slots[c]; });
}

/// Cell coordinates of nodes from their cell numbers.
template <class D>
Array<D, CellPlace> places_of(View<D, const int64_t> cell_of_node, const RegularizationOn<D>& cells) {
  const Array<D, CellGrid> grid_array(cells.shapes);
  const Array<D, int64_t> first_cell_array(cells.first_cell);
  const auto grid = grid_array.view();
  const auto first_cell = first_cell_array.view();
  Array<D, CellPlace> place_array(cell_of_node.size());
  const auto place = place_array.view();
  D::for_each(
      place.size(), GRIDIRON_KERNEL(int64_t i) {
        const int64_t cell = cell_of_node[i];
        int64_t low = 0, high = grid.size();
        while (high - low > 1) {
          const int64_t middle = (low + high) / 2;
          (first_cell[middle] <= cell ? low : high) = middle;
        }
        const CellGrid& g = grid[low];
        const int64_t entry = cell - first_cell[low];
        place[i] = {static_cast<int32_t>(low), static_cast<int32_t>(entry / g.plane()),
                    static_cast<int32_t>(entry / g.nx % g.ny), static_cast<int32_t>(entry % g.nx)};
      });
  return place_array;
}

/// One value per node, mostly zero: only the nonzeros are copied.
template <class D>
Array<D, double> upload_sparse(const std::vector<double>& of_nodes) {
  const std::vector<int32_t> nodes = nonzeros(of_nodes);
  std::vector<double> values;
  for (const int32_t i : nodes) values.push_back(of_nodes[i]);
  Array<D, double> array(std::ssize(of_nodes));
  fill<D, double>(array.view(), 0.0);
  const Upload<D, int32_t> node_array(nodes);
  const Upload<D, double> value_array(values);
  const auto node = node_array.view();
  const auto value = value_array.view();
  const auto out = array.view();
  D::for_each(
      node.size(), GRIDIRON_KERNEL(int64_t k) { out[node[k]] = value[k]; });
  return array;
}

/// regularize() on device D: the same cells, and the same tables up to rounding, as edges are read from the matrix of
/// the network. Stamps on a cell are added in the order of nodes. Linear time up to the logarithm of wire lengths and
/// the cost of grouping; bitwise identical on any number of threads. Errors: as regularize(); ResourceError for more
/// than 2^28 cells.
template <class D>
RegularizationOn<D> regularize_on(const CsrOn<D>& matrix, const MergedNetwork& network, const Geometry& geometry,
                                  const GeometryOn<D>& uploaded, const RegularizeOptions& options) {
  options.check();
  const GeometryView<D> nodes = uploaded.view();
  require_places<D>(network, geometry, nodes);
  const Surveys surveys = survey_parts<D>(nodes, options.single_plane);
  const CellChoice cells(surveys, options);
  RegularizationOn<D> result;
  result.shapes = cells.shapes;
  result.first_cell = cells.first_cell;
  const Array<D, CellGrid> grid_array(cells.shapes);
  const Array<D, int64_t> first_cell_array(cells.first_cell);
  const auto grid = grid_array.view();
  const auto first_cell = first_cell_array.view();
  const Array<D, CellPlace> place_array = place_nodes<D>(nodes, surveys, cells, grid);
  const auto place = place_array.view();
  const Array<D, double> pad = upload_sparse<D>(network.pad);
  stamp_tables<D>(matrix.view(), pad.view(), place, result);
  result.cell_of_node = Array<D, int64_t>(network.nodes);
  const auto cell_of_node = result.cell_of_node.view();
  D::for_each(
      network.nodes, GRIDIRON_KERNEL(int64_t i) {
        cell_of_node[i] = first_cell[place[i].grid] + entry_of(place[i], grid[place[i].grid]);
      });
  return result;
}

/// The tables of a network with different values, by rows, whose nodes are in the same cells as before.
template <class D>
void regularize_again_on(const RowsByUnknown<D>& matrix, const MergedNetwork& network,
                         View<D, const int64_t> cell_of_node, RegularizationOn<D>& result) {
  const Array<D, CellPlace> place = places_of<D>(cell_of_node, result);
  const Array<D, double> pad = upload_sparse<D>(network.pad);
  stamp_tables<D>(matrix, pad.view(), place.view(), result);
}

}  // namespace gridiron
