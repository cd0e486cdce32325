// SPDX-License-Identifier: Apache-2.0
#include "regularize/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "regularize/grid_shape.hpp"
#include "regularize/stamp.hpp"
#include "regularize/survey.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kMostGridScale = 64;
constexpr int kLargestTile = 1024;

/// "10 000".
std::string grouped(std::int64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

void check(const RegularizeOptions& options) {
  if (!(options.grid_scale > 0) || options.grid_scale > kMostGridScale)
    throw InputError(fmt::format("grid_scale={} is out of range; choose a number above 0 and up to {}, such as 1",
                                 options.grid_scale, kMostGridScale));
  if (options.tile < 1 || options.tile > kLargestTile)
    throw InputError(fmt::format("tile={} is out of range; choose 1 to {}", options.tile, kLargestTile));
}

void check_memory(double cells, double nodes) {
  constexpr double kBytesPerCell = 8 * 8, kBytesPerNode = 24;  // tables and trees; places and cells
  const double needed = kBytesPerCell * cells + kBytesPerNode * nodes;
  if (needed > static_cast<double>(physical_memory_bytes()))
    throw ResourceError(fmt::format(
        "the regular tables of {:.3g} cells need {:.1f} GB, more than this machine has; choose a smaller grid_scale",
        cells, needed / 1e9));
}

void allocate(std::vector<GridTables>& grids) {
  for (GridTables& grid : grids) {
    std::vector<double>* const tables[] = {&grid.gh, &grid.gv, &grid.via, &grid.gz, &grid.iz};
    if (grid.cells() > 1 << 16)
      parallel_tasks(std::size(tables), [&](std::int64_t t) { tables[t]->assign(grid.cells(), 0.0); });
    else
      for (std::vector<double>* table : tables) table->assign(grid.cells(), 0.0);
  }
}

std::vector<CellPlace> place_nodes_on(const std::vector<GridTables>& grids, const Surveys& surveys,
                                      const Geometry& geometry) {
  const auto index = [](double um, double start, double pitch, std::int32_t count) {
    return static_cast<std::int32_t>(std::clamp(std::floor((um - start) / pitch), 0.0, count - 1.0));
  };
  const auto nodes = static_cast<std::int64_t>(geometry.net.size());
  std::vector<CellPlace> place(nodes);
  parallel_ranges(nodes, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int32_t g = surveys.part_of_net[geometry.net[i] + 1];
      const GridTables& grid = grids[g];
      const auto metal = std::find(grid.metal.begin(), grid.metal.end(), geometry.layer[i]);
      const bool is_collapsed = metal == grid.metal.end();
      place[i] = {.grid = g,
                  .layer = is_collapsed ? 0 : static_cast<std::int32_t>(metal - grid.metal.begin()),
                  .y = index(geometry.y_um[i], grid.y0_um, grid.pitch_y_um, grid.used_ny),
                  .x = index(geometry.x_um[i], grid.x0_um, grid.pitch_x_um, grid.used_nx)};
    }
  });
  return place;
}

std::int64_t cell_in(const GridTables& grid, const CellPlace& p) {
  return (std::int64_t{p.layer} * grid.ny + p.y) * grid.nx + p.x;
}

}  // namespace

std::optional<std::string> regularize_declines(const MergedNetwork& network, const Geometry& geometry) {
  const std::int64_t nodes = network.nodes;
  std::int64_t unplaced = nodes;
  if (geometry.x_um.size() == static_cast<std::size_t>(nodes)) {
    unplaced = 0;
    for (std::int64_t i = 0; i < nodes; ++i) unplaced += !is_place(geometry.x_um[i]) || !is_place(geometry.y_um[i]);
  }
  if (unplaced > 0)
    return fmt::format("needs node coordinates: {} of {} nodes have none", grouped(unplaced), grouped(nodes));
  const auto highest = std::max_element(geometry.layer.begin(), geometry.layer.end());
  if (highest != geometry.layer.end() && *highest >= kMostLayers)
    return fmt::format("has tables for at most {} metal layers; this grid has {}", kMostLayers, *highest + 1);
  return std::nullopt;
}

Regularization regularize(const MergedNetwork& network, const Geometry& geometry, const RegularizeOptions& options) {
  check(options);
  if (const auto reason = regularize_declines(network, geometry)) throw InputError("regularization " + *reason);

  const Surveys surveys = survey_parts(geometry, options.single_plane);
  Regularization result;
  result.first_cell = {0};
  double cells = 0;
  for (const PartSurvey& part : surveys.parts) {
    const GridTables& grid = result.grids.emplace_back(empty_grid(part, options));
    cells += static_cast<double>(grid.cells());
    result.first_cell.push_back(result.first_cell.back() + grid.cells());
  }
  check_memory(cells, network.nodes);
  allocate(result.grids);

  const std::vector<CellPlace> place = place_nodes_on(result.grids, surveys, geometry);
  result.cell_of_node.resize(network.nodes);
  parallel_ranges(network.nodes, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      result.cell_of_node[i] = result.first_cell[place[i].grid] + cell_in(result.grids[place[i].grid], place[i]);
  });

  const std::vector<CrossEdge> between = stamp_edges(network, place, result.grids);
  const auto add_to = [&](std::vector<double> GridTables::*table, std::int32_t node, double value) {
    GridTables& grid = result.grids[place[node].grid];
    (grid.*table)[cell_in(grid, place[node])] += value;
  };
  parallel_tasks(2, [&](std::int64_t injections) {
    if (injections) {
      for (std::int32_t i = 0; i < network.nodes; ++i) add_to(&GridTables::iz, i, network.injection[i]);
      return;
    }
    for (std::int32_t i = 0; i < network.nodes; ++i) add_to(&GridTables::gz, i, network.pad[i]);
    for (const CrossEdge& edge : between) {
      add_to(&GridTables::gz, edge.a, edge.conductance);
      add_to(&GridTables::gz, edge.b, edge.conductance);
    }
  });
  return result;
}

}  // namespace gridiron
