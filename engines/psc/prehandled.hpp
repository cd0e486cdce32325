// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/psc/cell_matrices.hpp"
#include "engines/psc/macro_cells.hpp"

namespace gridiron::psc {

/// The stiffness matrix in the hierarchical basis with the Cholesky factor of C and unit diagonals elsewhere (eq. 5),
/// by cells: all that (M1) to (M3) are formed from, in fp64.
struct Prehandled {
  MacroCells cells;
  std::vector<CondensedCell> groups;

  /// 1 / √diagonal of E, which sums both cells of an edge.
  std::vector<double> edge_scale;
  /// Per cell and edge node: what leads from the edge's own scale to that of the group's matrices; 0 on the boundary.
  std::vector<double> edge_ratio;

  std::vector<double> coarse_inverse;  ///< L_c⁻¹, coarse × coarse, lower triangle, column after column

  /// A_CE, scaled on the side of E, by rows of C and by those of E.
  struct Sparse {
    std::vector<int32_t> begin{0}, column;
    std::vector<double> value;

    void add(int32_t column_of_entry, double entry) {
      column.push_back(column_of_entry);
      value.push_back(entry);
    }
    void end_row() { begin.push_back(static_cast<int32_t>(column.size())); }
  };
  Sparse coarse_edge, edge_coarse;

  /// Where nodes of E and C lie: per E, at most two entries cell · edge nodes + node, −1 for none; per C, entries
  /// cell · corners + corner.
  std::vector<int32_t> cells_of_edge;
  Sparse cells_of_corner;  ///< without values

  double largest_condition() const;  ///< max κ(C_i)

  /// y = Π x = (Λ − Bᵀ B) x.
  void multiply_schur(const double* x, double* y) const;

 private:
  void multiply_lambda(const double* x, double* y) const;
};

Prehandled prehandle(const RefinedMesh& mesh, int level, bool wants_condition,
                     const Eliminate& eliminate = eliminate_on_host);

}  // namespace gridiron::psc
