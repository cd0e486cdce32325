// SPDX-License-Identifier: Apache-2.0
#include "engines/hybrid/hybrid_grid.hpp"

#include <cstdint>

#include "regularize/tables.hpp"

namespace gridiron {
std::optional<std::string> hybrid_declines(const Problem& problem) {
  const auto* grid = std::get_if<PowerGrid>(&problem.structure);
  if (!grid) return "solves power grids only; this is a different problem";
  if (problem.matrix.nonzeros() > INT32_MAX) return "supports at most 2^31 nonzeros";
  return regularize_declines(*grid->network, grid->geometry);
}

}  // namespace gridiron
