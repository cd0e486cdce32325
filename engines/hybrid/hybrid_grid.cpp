// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/hybrid_grid.hpp"

#include <atomic>
#include <limits>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// Whether most nodes that have vias and wires hang on the vias more than on the wires: then the layers at a place have
/// nearly one voltage, and a single plane describes the grid. Else a rail and the strap above it need tables of their
/// own.
bool vias_dominate(const CsrMatrix& matrix, const std::vector<std::int32_t>& layer) {
  std::atomic<std::int64_t> majority = 0;
  parallel_ranges(matrix.rows, [&](std::int64_t first, std::int64_t last) {
    std::int64_t ahead = 0;
    for (std::int64_t i = first; i < last; ++i) {
      double wires = 0, vias = 0;
      for (std::int64_t k = matrix.row_ptr[i]; k < matrix.row_ptr[i + 1]; ++k)
        if (matrix.col[k] != i) (layer[matrix.col[k]] == layer[i] ? wires : vias) -= matrix.value[k];
      if (wires > 0 && vias > 0) ahead += vias > wires ? 1 : -1;
    }
    majority += ahead;
  });
  return majority >= 0;
}

}  // namespace

std::optional<std::string> hybrid_declines(const Problem& problem) {
  const auto* grid = std::get_if<PowerGrid>(&problem.structure);
  if (!grid) return "solves power grids only, this is another problem";
  if (problem.matrix.nonzeros() > std::numeric_limits<std::int32_t>::max()) return "takes at most 2^31 nonzeros";
  return regularize_declines(*grid->network, grid->geometry);
}

Regularization regular_grids(const Problem& problem, const HybridParams& params) {
  const auto& grid = std::get<PowerGrid>(problem.structure);
  RegularizeOptions options;
  options.grid_scale = params.grid_scale;
  options.single_plane =
      params.plane == "single" || (params.plane == "auto" && vias_dominate(problem.matrix, grid.geometry.layer));
  options.tile = 1;
  return regularize(*grid.network, grid.geometry, options);
}

}  // namespace gridiron
