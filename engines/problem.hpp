// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <variant>

#include "grid/refined_mesh.hpp"
#include "grid/regular_grid.hpp"
#include "grid/stokes_grid.hpp"
#include "linalg/csr_matrix.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// The problem is a power grid: unknown i is node i of `network`, and its location is entry i of `geometry`. Fixed
/// potentials and loads are already folded into pads, injections, matrix and right-hand side.
struct PowerGrid {
  std::shared_ptr<const MergedNetwork> network;
  Geometry geometry;
};

/// What some engines exploit besides the matrix. For a regular grid that is the matrix of −∇·(σ∇u) − a u, integrated
/// over the volume that belongs to each unknown; the grid is shared with the creator of the problem, as σ may be large.
/// For a refined mesh it is the stiffness matrix of −∆u with linear or bilinear finite elements; a StokesGrid is a
/// saddle-point problem: the matrix of stokes_matrix().
using Structure = std::variant<std::monostate, PowerGrid, std::shared_ptr<const RegularGrid>,
                               std::shared_ptr<const RefinedMesh>, std::shared_ptr<const StokesGrid>>;

/// What an engine is given: always the matrix, plus its origin where an engine can exploit it.
struct Problem {
  CsrMatrix matrix;
  bool symmetric_positive_definite = true;
  Structure structure;

  /// Null if the problem does not come from a regular grid.
  const RegularGrid* regular_grid() const {
    const auto* grid = std::get_if<std::shared_ptr<const RegularGrid>>(&structure);
    return grid ? grid->get() : nullptr;
  }
  /// Null if the problem does not come from finite elements on a refined mesh.
  const RefinedMesh* refined_mesh() const {
    const auto* mesh = std::get_if<std::shared_ptr<const RefinedMesh>>(&structure);
    return mesh ? mesh->get() : nullptr;
  }
  /// Null if the problem is not a saddle-point problem on structured elements.
  const StokesGrid* stokes_grid() const {
    const auto* grid = std::get_if<std::shared_ptr<const StokesGrid>>(&structure);
    return grid ? grid->get() : nullptr;
  }
};

}  // namespace gridiron
