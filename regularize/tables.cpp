// SPDX-License-Identifier: Apache-2.0
#include "regularize/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "regularize/grid_shape.hpp"
#include "regularize/stamp.hpp"
#include "regularize/survey.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"
#include "support/nonzeros.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr double kMostGridScale = 64;
constexpr int kLargestTile = 1024;

/// "10 000".
std::string grouped(int64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

void check_memory(double cells, double nodes) {
  constexpr double kBytesPerCell = 8 * 8, kBytesPerNode = 24;  // tables and trees; locations and cells
  const double needed = kBytesPerCell * cells + kBytesPerNode * nodes;
  if (needed > usable_memory_bytes())
    throw resource_error(
        "the regular tables of {:.3g} cells need {:.1f} GB, more than this machine has; choose a smaller grid_scale",
        cells, needed / 1e9);
}

void allocate(std::vector<GridTables>& grids, bool is_loaded) {
  for (GridTables& grid : grids) {
    for (std::vector<double>* table : {&grid.gh, &grid.gv, &grid.via, &grid.gz})
      assign_in_parallel(*table, grid.cells());
    if (is_loaded) assign_in_parallel(grid.iz, grid.cells());
  }
}

std::vector<CellPlace> place_nodes_on(const std::vector<GridTables>& grids, const std::vector<int32_t>& part_of_net,
                                      const Geometry& geometry) {
  const auto nodes = std::ssize(geometry.net);
  std::vector<CellPlace> place;
  resize_untouched(place, nodes);
  parallel_each(nodes, [&](int64_t i) {
    const int32_t g = part_of_net[geometry.net[i] + 1];
    const GridTables& grid = grids[g];
    place[i] = place_in(grid, g, grid.table_of(geometry.layer[i]), geometry.x_um[i], geometry.y_um[i]);
  });
  return place;
}

/// Fills the tables from the values of the network.
void stamp(const MergedNetwork& network, const std::vector<CellPlace>& place, Regularization& result) {
  const bool is_loaded = !network.injection.empty();
  allocate(result.grids, is_loaded);
  const std::vector<CrossEdge> between = stamp_edges(network, place, result.grids);
  const auto add_to = [&](std::vector<double> GridTables::*table, int32_t node, double value) {
    GridTables& grid = result.grids[place[node].grid];
    (grid.*table)[entry_of(place[node], grid)] += value;
  };
  parallel_tasks(is_loaded ? 2 : 1, [&](int64_t injections) {
    if (injections) {
      for (const int32_t i : nonzeros(network.injection)) add_to(&GridTables::iz, i, network.injection[i]);
      return;
    }
    for (const int32_t i : nonzeros(network.pad)) add_to(&GridTables::gz, i, network.pad[i]);
    for (const CrossEdge& edge : between) {
      add_to(&GridTables::gz, edge.a, edge.conductance);
      add_to(&GridTables::gz, edge.b, edge.conductance);
    }
  });
}

}  // namespace

void RegularizeOptions::check() const {
  if (!(grid_scale > 0) || grid_scale > kMostGridScale)
    throw input_error("grid_scale={} is out of range; choose a number above 0 and up to {}, such as 1", grid_scale,
                      kMostGridScale);
  if (tile < 1 || tile > kLargestTile) throw input_error("tile={} is out of range; choose 1 to {}", tile, kLargestTile);
}

int32_t GridTables::table_of(int32_t layer) const {
  const auto found = std::ranges::find(metal, layer);
  return found == metal.end() ? 0 : static_cast<int32_t>(found - metal.begin());
}

std::optional<std::string> regularize_declines(const MergedNetwork& network, const Geometry& geometry) {
  const int64_t nodes = network.nodes;
  int64_t unplaced = nodes;
  if (geometry.x_um.size() == static_cast<size_t>(nodes)) {
    unplaced = parallel_sum<int64_t>(
        nodes, [&](int64_t i) { return !is_place(geometry.x_um[i]) || !is_place(geometry.y_um[i]) ? 1 : 0; });
  }
  if (unplaced > 0)
    return fmt::format("needs node coordinates: {} of {} nodes have none", grouped(unplaced), grouped(nodes));
  const double highest = parallel_max(std::ssize(geometry.layer), [&](int64_t i) { return geometry.layer[i]; });
  if (highest >= kMostLayers)
    return fmt::format("has tables for at most {} metal layers; this grid has {:.0f}", kMostLayers, highest + 1);
  return std::nullopt;
}

Regularization regularize(const MergedNetwork& network, const Geometry& geometry, const RegularizeOptions& options) {
  options.check();
  if (const auto reason = regularize_declines(network, geometry)) throw InputError("regularization " + *reason);

  const Surveys surveys = survey_parts(geometry, options.single_plane);
  Regularization result;
  result.first_cell = {0};
  result.part_of_net = surveys.part_of_net;
  double cells = 0;
  for (const PartSurvey& part : surveys.parts) {
    const GridTables& grid = result.grids.emplace_back(empty_grid(part, options));
    cells += grid.cells();
    result.first_cell.push_back(result.first_cell.back() + grid.cells());
  }
  check_memory(cells, network.nodes);

  const std::vector<CellPlace> place = place_nodes_on(result.grids, result.part_of_net, geometry);
  stamp(network, place, result);
  resize_untouched(result.cell_of_node, network.nodes);
  parallel_each(network.nodes, [&](int64_t i) {
    result.cell_of_node[i] = result.first_cell[place[i].grid] + entry_of(place[i], result.grids[place[i].grid]);
  });
  return result;
}

void regularize_again(const MergedNetwork& network, const Geometry& geometry, Regularization& result) {
  stamp(network, place_nodes_on(result.grids, result.part_of_net, geometry), result);
}

}  // namespace gridiron
