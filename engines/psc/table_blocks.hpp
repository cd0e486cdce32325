// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/psc/prehandled.hpp"
#include "regularize/tables.hpp"

namespace gridiron::psc {

/// Regular conductance tables cut into blocks of m × m cells: lines of cells between blocks (x or y = m − 1 modulo m,
/// all layers) are the skeleton, C where two of them cross and E elsewhere; what they enclose is the inside of a block.
/// Only neighbours are coupled, so insides see E of their own four sides and nothing else. Numbers only, without
/// values; entries count the cells of all grids, one grid after the other, x fastest.
struct TableBlocks {
  int64_t m = 0, layers = 0;                  ///< layers: of the grid with most
  int64_t interior = 0, edge = 0;             ///< places per block, some of which may be without a cell
  int64_t blocks = 0, nodes = 0, coarse = 0;  ///< nodes of the skeleton, of which the first `coarse` are C
  int64_t entries = 0;
  std::vector<int32_t> interior_entry;  ///< per block and place: entry, −1 for none
  std::vector<int32_t> edge_node;       ///< per block and place: node of the skeleton, −1 for none
  std::vector<int32_t> blocks_of_node;  ///< per node two: block · edge + place, −1 for none
  std::vector<int32_t> entry_of_node;

  /// The hierarchical basis on the lines, from the coarsest spacing to 1: the nodes that are new there, and the older
  /// ones they interpolate. One that has only one parent, before the end of a line, takes its value.
  struct Level {
    std::vector<int32_t> node;             ///< new nodes
    Prehandled::Sparse parents, children;  ///< by new node; by all nodes, as numbers in `node`

    /// f(new node, parent, weight).
    void for_each_parent(auto f) const {
      for (size_t i = 0; i < node.size(); ++i)
        for (int32_t k = parents.begin[i]; k < parents.begin[i + 1]; ++k)
          f(node[i], parents.column[k], parents.value[k]);
    }
  };
  std::vector<Level> levels;

  /// Sets of nodes of which no two are close enough for their basis functions to share a block: for reading entries of
  /// the transformed matrix from products. For C any entry, for E the diagonal.
  std::vector<std::vector<int32_t>> coarse_colours, edge_colours;
};

/// `m` is a power of two. Cells without any conductance belong to nothing.
TableBlocks cut_tables(const std::vector<GridTables>& grids, int64_t m);

/// The matrix of one block and its elimination, fp64: unknowns divided by the roots of their diagonals, those of edges
/// too.
struct CondensedBlock {
  std::vector<double> interior_scale;  ///< 1 / √diagonal; 1 where there is no cell
  std::vector<double> inverse;         ///< C⁻¹, interior × interior
  std::vector<double> transfer;        ///< C⁻¹ Dᵀ, interior × edge
  std::vector<double> schur;           ///< D C⁻¹ Dᵀ, edge × edge
};

/// Values of the tables for the blocks.
class TableValues {
 public:
  /// Both must outlive this.
  TableValues(const TableBlocks& blocks, const std::vector<GridTables>& grids);
  TableValues(const TableBlocks& blocks, std::vector<GridTables>&& grids) = delete;

  const std::vector<double>& edge_scale() const { return edge_scale_; }  ///< per node: 1 / √diagonal of the tables
  const Prehandled::Sparse& couplings() const { return couplings_; }     ///< between nodes, scaled, with the diagonal

  CondensedBlock condense(int64_t block) const;

  /// Whether two blocks have the same conductances up to a relative difference.
  bool are_alike(int64_t block, int64_t other, double tolerance) const;

 private:
  struct Neighbour {
    int64_t entry;
    double conductance;
  };
  /// The diagonal of an entry, after its neighbours.
  double row_of(int64_t entry, std::vector<Neighbour>& neighbours) const;

  const TableBlocks& blocks_;
  const std::vector<GridTables>& grids_;
  std::vector<int64_t> first_;           ///< per grid: its first entry
  std::vector<int32_t> place_of_entry_;  ///< inside a block: the place; −1 − node on the skeleton
  std::vector<double> edge_scale_;
  Prehandled::Sparse couplings_;
};

/// The skeleton after the insides have been eliminated, Σ, in the hierarchical basis with a factored coarse grid.
struct Skeleton {
  std::vector<double> coarse_inverse;  ///< L_c⁻¹, column after column
  std::vector<double> node_scale;      ///< per node: 1 / √diagonal in that basis; 1 for C
  double least = 0, largest = 0;       ///< eigenvalues after scaling, estimated
};

/// `schur`: per block, a pointer to its edge × edge matrix.
class SkeletonOperator {
 public:
  SkeletonOperator(const TableBlocks& blocks, const TableValues& values, const std::vector<const double*>& schur)
      : blocks_(blocks), values_(values), schur_(schur) {}

  /// y = Σ x, nodes scaled by the roots of the tables' diagonals.
  void multiply(const double* x, double* y) const;
  void to_nodal(double* x) const;         ///< x ← S x
  void to_hierarchical(double* x) const;  ///< x ← Sᵀ x
  std::vector<double> dense() const;      ///< Sᵀ Σ S
  /// Errors: SolverError if the coarse grid is singular.
  Skeleton prepare(bool wants_eigenvalues) const;

 private:
  /// Per node of C, those whose entries in the matrix may not be zero: which node of a colour an entry comes from.
  std::vector<std::vector<int32_t>> coarse_neighbours() const;
  void estimate_eigenvalues(Skeleton& skeleton) const;

  const TableBlocks& blocks_;
  const TableValues& values_;
  const std::vector<const double*>& schur_;
};

}  // namespace gridiron::psc
