// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gridiron {

using Place = std::array<double, 2>;  ///< x, y

/// Triangles, or parallelograms, that fill a polygon and meet in whole edges. Corners run counterclockwise.
struct CoarseMesh {
  int corners = 4;  ///< per cell: 3 or 4
  std::vector<Place> vertex;
  std::vector<std::array<int32_t, 4>> cell;  ///< vertices; of triangles, the first three
};

/// A coarse mesh after `levels` steps of uniform refinement, each of which divides every cell into four that are
/// similar to it. Its nodes lie on a lattice of each cell of the coarse mesh: node (i, j) is at v₀ + i/m (v₁ − v₀) +
/// j/m (w − v₀) with m = 2^levels and w the last corner; 0 ≤ i, j ≤ m, and i + j ≤ m in a triangle. Finite elements are
/// linear on triangles (P1) and bilinear on parallelograms (Q1). Nodes on the boundary of the domain are known
/// (Dirichlet); all others are unknowns, numbered vertices first, then along edges, then in cells, where i runs
/// fastest.
///
/// Nothing is stored per node, so a mesh of any refinement takes the memory of its coarse mesh.
class RefinedMesh {
 public:
  /// Errors: InputError for a mesh that is none (corners out of range, vertices that no cell has, cells that are
  /// degenerate or clockwise or no parallelograms, edges of more than two cells, hanging nodes) and for more nodes than
  /// a matrix can index.
  RefinedMesh(CoarseMesh coarse, int levels);

  const CoarseMesh& coarse() const { return coarse_; }
  int corners() const { return coarse_.corners; }
  int levels() const { return levels_; }
  int64_t cells() const { return std::ssize(coarse_.cell); }  ///< of the coarse mesh
  int64_t steps() const { return int64_t{1} << levels_; }     ///< m
  int64_t elements() const { return cells() * steps() * steps(); }
  int64_t unknowns() const { return unknowns_; }

  /// Whether (i, j) is a lattice point of a cell.
  bool has(int64_t i, int64_t j) const {
    return i >= 0 && j >= 0 && i <= steps() && j <= steps() && (corners() == 4 || i + j <= steps());
  }
  /// The number of the unknown at a lattice point of a cell; −1 on the boundary of the domain.
  int64_t unknown(int64_t cell, int64_t i, int64_t j) const;
  Place place(int64_t cell, int64_t i, int64_t j) const;

  /// The edges of a coarse cell as vectors: from its first corner to its second, and to its last.
  std::array<Place, 2> sides(int64_t cell) const;

 private:
  /// Two vertices, the lower number first, and what lies along them.
  struct Edge {
    int32_t first, second;
    int64_t first_unknown = -1;  ///< −1 on the boundary
  };

  int64_t on_edge(int32_t from, int32_t to, int64_t step, int64_t edge) const;
  void check_cells() const;
  void find_edges();
  void refuse_hanging_nodes() const;
  void number();

  CoarseMesh coarse_;
  int levels_;
  std::vector<Edge> edges_;
  std::vector<std::array<int32_t, 4>> edge_of_cell_;  ///< from corner k to corner k + 1
  std::vector<int64_t> unknown_of_vertex_;            ///< −1 on the boundary
  int64_t first_inside_ = 0, inside_ = 0;  ///< the unknowns within cells: the first, and their number per cell
  int64_t unknowns_ = 0;
};

/// n × n squares or, with three corners, 2 n × n right triangles that fill the unit square.
CoarseMesh unit_square_mesh(int corners, int64_t n);

/// The domain (0, 4) × (0, 1) without the square [5/4, 7/4] × [1/4, 3/4] as 28 triangles: Fig. 15 of the PSC paper.
CoarseMesh flow_around_square_mesh();

}  // namespace gridiron
