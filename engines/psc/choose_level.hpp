// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engines/psc/macro_cells.hpp"
#include "engines/psc/params.hpp"

namespace gridiron::psc {

/// What a choice of h₀ costs: section 4.3 of the paper, with exact numbers of unknowns instead of its estimates.
struct LevelCost {
  int level = 0;  ///< refinements of the mesh after which cells are taken as they are
  Counts counts{};
  double flops = 0;         ///< of the dense products, per right-hand side
  double setup_flops = 0;   ///< of the inverses, in fp64
  double stored_bytes = 0;  ///< matrices of the solution
  double setup_bytes = 0;   ///< at the peak of the setup, in fp64
};

/// All levels that leave cells with something inside, from the coarsest.
std::vector<LevelCost> level_costs(const RefinedMesh& mesh, const PscParams& params);

/// The level of `h0`, or for "auto" that of the fewest operations for 4,096 right-hand sides, setup included, among
/// those whose setup fits into `memory` bytes. `widest`: the most elements along a cell's side that the device's
/// kernels take. Errors: InputError for an h0 that is none or leaves wider cells, ResourceError if the matrices do not
/// fit.
LevelCost choose_level(const RefinedMesh& mesh, const PscParams& params, double memory,
                       int64_t widest = int64_t{1} << 40);

/// Why PSC cannot solve on this mesh, or does not pay; in the user's words.
std::optional<std::string> mesh_declined(const RefinedMesh& mesh, double memory);

}  // namespace gridiron::psc
