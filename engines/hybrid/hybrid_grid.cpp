// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/hybrid_grid.hpp"

#include <limits>

#include "support/parallel.hpp"

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

CsrMatrix permuted(const CsrMatrix& a, const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> place(order.size());
  CsrMatrix out;
  out.rows = a.rows;
  out.row_ptr.assign(a.rows + 1, 0);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    place[order[i]] = static_cast<std::int32_t>(i);
    out.row_ptr[i + 1] = out.row_ptr[i] + a.row_ptr[order[i] + 1] - a.row_ptr[order[i]];
  }
  out.col.resize(a.nonzeros());
  out.value.resize(a.nonzeros());
  parallel_ranges(a.rows, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t to = out.row_ptr[i];
      for (std::int64_t k = a.row_ptr[order[i]]; k < a.row_ptr[order[i] + 1]; ++k, ++to) {
        out.col[to] = place[a.col[k]];
        out.value[to] = a.value[k];
      }
    }
  });
  return out;
}

}  // namespace gridiron
