// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engines/psc/cell_lattice.hpp"
#include "grid/element.hpp"

namespace gridiron::psc {

/// The blocks of Ã = Sᵀ K S of one macro cell, fp64, column after column: I are its interior nodes, E those on its
/// edges, C its corners, in the order of CellLattice.
struct CellMatrices {
  std::vector<double> ii;  ///< interior × interior
  std::vector<double> ie;  ///< interior × edge
  std::vector<double> ee;  ///< edge × edge
  std::vector<double> ce;  ///< corners × edge
  std::vector<double> cc;  ///< corners × corners
  double largest_ci = 0;   ///< max |A_CI|: 0 up to rounding for triangles and rectangles, and only for these
};
CellMatrices cell_matrices(const CellLattice& lattice, const CellShape& shape);

/// In place: C⁻¹ of a group of cells, G and the cell's Schur complement, all with unit diagonals: interior unknowns are
/// divided by the root of their own diagonal, edge unknowns by that of twice theirs, which is the diagonal of a whole
/// edge between two such cells.
struct CondensedCell {
  std::vector<double> interior_scale, edge_scale;  ///< 1 / √diagonal
  std::vector<double> inverse;                     ///< C⁻¹, interior × interior
  std::vector<double> transfer;                    ///< G = C⁻¹ Dᵀ, interior × edge
  std::vector<double> coupling;                    ///< Dᵀ, interior × edge: sparse
  std::vector<double> schur;                       ///< E_loc − D C⁻¹ Dᵀ, edge × edge
  std::vector<double> corner_edge;                 ///< A_CE, corners × edge; scaled on the edge side only
  std::vector<double> corner;                      ///< A_CC, corners × corners; unscaled
  double condition = 0;                            ///< κ(C)
};
/// Forms C⁻¹, G and the Schur complement from C in `inverse`, Dᵀ in `coupling` and E_loc in `schur`, all in place.
using Eliminate = std::function<void(int64_t interior, int64_t edge, CondensedCell& cell)>;
void eliminate_on_host(int64_t interior, int64_t edge, CondensedCell& cell);

/// Errors: SolverError if A_CI does not vanish.
CondensedCell condense(const CellLattice& lattice, CellMatrices&& matrices, bool wants_condition,
                       const Eliminate& eliminate);

}  // namespace gridiron::psc
