// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/hybrid_grid.hpp"

#include <limits>

namespace gridiron {
namespace {

/// Whether most nodes that have vias and wires hang on the vias more than on the wires: then the layers at a place have
/// nearly one voltage, and a single plane describes the grid. Else a rail and the strap above it need tables of their
/// own.
bool vias_dominate(const MergedNetwork& network, const Geometry& geometry) {
  std::vector<double> wires(network.nodes, 0.0), vias(network.nodes, 0.0);
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    const std::int32_t a = network.a[e], b = network.b[e];
    std::vector<double>& kind = geometry.layer[a] == geometry.layer[b] ? wires : vias;
    kind[a] += network.conductance[e];
    kind[b] += network.conductance[e];
  }
  std::int64_t by_vias = 0, by_wires = 0;
  for (std::int32_t i = 0; i < network.nodes; ++i) {
    if (vias[i] == 0 || wires[i] == 0) continue;
    ++(vias[i] > wires[i] ? by_vias : by_wires);
  }
  return by_vias >= by_wires;
}

}  // namespace

std::optional<std::string> hybrid_declines(const Problem& problem) {
  const auto* grid = std::get_if<PowerGrid>(&problem.structure);
  if (!grid) return "solves power grids only, this is another problem";
  if (problem.matrix.nonzeros() > std::numeric_limits<std::int32_t>::max()) return "takes at most 2^31 nonzeros";
  return regularize_declines(*grid->network, grid->geometry);
}

Regularization regular_grids(const PowerGrid& grid, const HybridParams& params) {
  RegularizeOptions options;
  options.grid_scale = params.grid_scale;
  options.single_plane =
      params.plane == "single" || (params.plane == "auto" && vias_dominate(*grid.network, grid.geometry));
  options.tile = 1;
  return regularize(*grid.network, grid.geometry, options);
}

}  // namespace gridiron
