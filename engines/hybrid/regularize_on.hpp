// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engines/hybrid/grid_on.hpp"
#include "engines/hybrid/stamp_on.hpp"
#include "engines/hybrid/survey_on.hpp"
#include "regularize/grid_shape.hpp"
#include "support/error.hpp"

namespace gridiron {

/// A Regularization on device D, without injections.
template <class D>
struct RegularizationOn {
  std::vector<CellGrid> shapes;
  std::vector<std::int64_t> first_cell{0};  ///< shapes + 1: cells and entries of tables are numbered through
  Array<D, double> gh, gv, via, gz;
  Array<D, std::int64_t> cell_of_node;

  std::vector<GridOn<D>> grids() const {
    std::vector<GridOn<D>> grids;
    for (std::size_t g = 0; g < shapes.size(); ++g) {
      const auto part = [&](const Array<D, double>& table) {
        return D::view(table.view().data() + first_cell[g], shapes[g].cells());
      };
      grids.push_back({shapes[g], part(gh), part(gv), part(via), part(gz)});
    }
    return grids;
  }
};

/// Throws as regularize() does for what it cannot take.
template <class D>
void require_places(const MergedNetwork& network, const Geometry& geometry, const GeometryView<D>& nodes) {
  const View<D, const double> x_um = nodes.x_um, y_um = nodes.y_um;
  const View<D, const std::int32_t> layer = nodes.layer;
  const double refused = D::template sum<1>(
      layer.size(), GRIDIRON_KERNEL(std::int64_t i) {
        return Sums<1>{{is_place(x_um[i]) && is_place(y_um[i]) && layer[i] < kMostLayers ? 0.0 : 1.0}};
      })[0];
  if (layer.size() != network.nodes || refused > 0)
    throw InputError("regularization " + regularize_declines(network, geometry).value());
}

/// Cells as empty_grid() chooses them, and per grid the table of each layer from −1 on.
struct CellChoice {
  std::vector<CellGrid> shapes;
  std::vector<std::int64_t> first_cell{0};
  std::vector<std::int32_t> table_of_layer;

  CellChoice(const Surveys& surveys, const RegularizeOptions& options) {
    for (const PartSurvey& part : surveys.parts) {
      const GridTables grid = empty_grid(part, options);
      shapes.push_back(grid);
      first_cell.push_back(first_cell.back() + grid.cells());
      for (std::int32_t layer = -1; layer < kMostLayers; ++layer) table_of_layer.push_back(grid.table_of(layer));
      if (first_cell.back() > kMostCells)
        throw ResourceError("the regular tables take at most 2^28 cells; choose a smaller grid_scale");
    }
  }
  bool has_layers() const {
    return std::any_of(shapes.begin(), shapes.end(), [](const CellGrid& grid) { return grid.layers > 1; });
  }

  static constexpr std::int64_t kMostCells = std::int64_t{1} << 28;
};

template <class D>
Array<D, CellPlace> place_nodes(const GeometryView<D>& nodes, const Surveys& surveys, const CellChoice& cells,
                                View<D, const CellGrid> grid) {
  const Array<D, std::int32_t> part_of_net_array(surveys.part_of_net), table_of_layer_array(cells.table_of_layer);
  Array<D, CellPlace> place_array(nodes.net.size());
  const View<D, const std::int32_t> part_of_net = part_of_net_array.view(),
                                    table_of_layer = table_of_layer_array.view(), net = nodes.net, layer = nodes.layer;
  const View<D, const double> x_um = nodes.x_um, y_um = nodes.y_um;
  const View<D, CellPlace> place = place_array.view();
  D::for_each(
      net.size(), GRIDIRON_KERNEL(std::int64_t i) {
        const std::int32_t g = part_of_net[net[i] + 1];
        place[i] = place_in(grid[g], g, table_of_layer[g * (kMostLayers + 1) + layer[i] + 1], x_um[i], y_um[i]);
      });
  return place_array;
}

/// The entries along one axis; zeros where no grid has layers to go along.
template <class D>
Array<D, double> table_along(Axis axis, const Stamps<D>& stamps, View<D, const double> slots, const CellChoice& cells) {
  Array<D, double> table(stamps.cells);
  if (static_cast<int>(axis) < stamps.axes)
    for (std::size_t g = 0; g < cells.shapes.size(); ++g)
      spread<D>(cells.shapes[g], cells.first_cell[g], axis, slots, stamps.first_slot(axis), table.view());
  else
    fill<D, double>(table.view(), 0.0);
  return table;
}

/// regularize() on device D: the same cells, and the same tables but for rounding, as edges come from the matrix of the
/// network. What is stamped on a cell is added in the order of nodes. Linear time up to the logarithm of the length of
/// wires and what grouping takes; the same bits on any number of threads.
/// Errors: as regularize(); ResourceError for more than 2^28 cells.
template <class D>
RegularizationOn<D> regularize_on(const CsrOn<D>& matrix, const MergedNetwork& network, const Geometry& geometry,
                                  const GeometryOn<D>& uploaded, const RegularizeOptions& options) {
  options.check();
  const GeometryView<D> nodes = uploaded.view();
  require_places<D>(network, geometry, nodes);
  const Surveys surveys = survey_parts<D>(nodes, options.single_plane);
  const CellChoice cells(surveys, options);
  const Array<D, CellGrid> grid_array(cells.shapes);
  const Array<D, std::int64_t> first_cell_array(cells.first_cell);
  const Array<D, CellPlace> place_array = place_nodes<D>(nodes, surveys, cells, grid_array.view());
  const Upload<D, double> pad(network.pad);
  const Stamps<D> stamps{matrix.view(),
                         pad.view(),
                         place_array.view(),
                         grid_array.view(),
                         first_cell_array.view(),
                         cells.first_cell.back(),
                         cells.has_layers() ? 3 : 2};
  const Array<D, double> slot_array = sums_of<D>(stamps, network.nodes);
  const View<D, const double> slots = slot_array.view();

  RegularizationOn<D> result;
  result.shapes = cells.shapes;
  result.first_cell = cells.first_cell;
  result.gh = table_along<D>(Axis::x, stamps, slots, cells);
  result.gv = table_along<D>(Axis::y, stamps, slots, cells);
  result.via = table_along<D>(Axis::layers, stamps, slots, cells);
  result.gz = Array<D, double>(stamps.cells);
  const View<D, double> gz = result.gz.view();
  D::for_each(
      stamps.cells, GRIDIRON_KERNEL(std::int64_t c) { gz[c] = slots[c]; });
  result.cell_of_node = Array<D, std::int64_t>(network.nodes);
  const View<D, std::int64_t> cell_of_node = result.cell_of_node.view();
  D::for_each(
      network.nodes, GRIDIRON_KERNEL(std::int64_t i) { cell_of_node[i] = stamps.cell(i); });
  return result;
}

}  // namespace gridiron
