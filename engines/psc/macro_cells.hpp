// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/psc/cell_lattice.hpp"
#include "grid/element.hpp"
#include "grid/refined_mesh.hpp"

namespace gridiron::psc {

/// The coarse mesh of width h₀: the given one after some of its refinements. Its cells in groups of similar ones, and
/// the unknowns of the fine mesh as C (at corners), E (on edges) and I (inside), section 4.1 of the paper. Numbers of C
/// and E are indices into `coarse_unknown` and `edge_unknown`; −1 stands for the boundary.
struct MacroCells {
  CellLattice lattice;
  struct Group {
    CellShape shape;
    int64_t first = 0, cells = 0;
  };
  std::vector<Group> groups;

  int64_t cells = 0, edges = 0;           ///< edges inside the domain; each has m − 1 unknowns in a row
  std::vector<int32_t> interior_unknown;  ///< per cell and interior node
  std::vector<int32_t> edge_of_cell;      ///< per cell and edge node: index into E
  std::vector<int32_t> corner_of_cell;    ///< per cell and corner: index into C
  std::vector<int32_t> edge_unknown, coarse_unknown;

  int64_t coarse() const { return std::ssize(coarse_unknown); }
  int64_t edge() const { return std::ssize(edge_unknown); }
  int64_t interior() const { return cells * lattice.interior(); }
};

/// The macro cells after `level` < mesh.levels() refinements. Corners are listed so that similar cells, mirror images
/// included, have the same matrices.
MacroCells macro_cells(const RefinedMesh& mesh, int level);

/// The numbers of unknowns of C, E and I without building anything.
struct Counts {
  int64_t coarse, edge, interior, groups, cells;
};
Counts count_macro_cells(const RefinedMesh& mesh, int level);

}  // namespace gridiron::psc
