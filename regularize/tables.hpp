// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regularize/cell_grid.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// One connected part of a power grid (a net) on a regular grid of cells, after Feng and Li, "Multigrid on GPU:
/// tackling power grid analysis on parallel SIMT platforms", ICCAD 2008, Algorithm 1 and eq. (2): conductance tables
/// per metal layer with via tables between. One layer is the paper's single plane.
///
/// Cells without node and wire have no conductance at all, neither have those of the padding: their equation is 0 = 0,
/// and a solver leaves them at 0 V. (The paper ties the former to their neighbours by Gmin = 1e-6, which keeps the
/// matrix regular; a two-level method takes the same number of iterations either way.) All other cells are connected to
/// one with gz > 0 when the network is regular.
struct GridTables : CellGrid {
  std::vector<std::int32_t> metal;  ///< per table: the number of its metal layer, lowest first; −1 unknown or collapsed
  std::vector<double> gh;           ///< to the cell at x + 1, S; 0 in the last column
  std::vector<double> gv;           ///< to the cell at y + 1, S; 0 in the last row
  std::vector<double> via;          ///< to the same cell of the next layer, S; 0 on the last layer
  std::vector<double> gz;           ///< to known potentials, S
  std::vector<double> iz;           ///< injected current, A

  /// The table of a metal layer; 0 on a single plane.
  std::int32_t table_of(std::int32_t layer) const;
};

/// All parts of a grid and the way between their cells and the nodes of the network.
struct Regularization {
  std::vector<GridTables> grids;           ///< one per part, by ascending Geometry::net
  std::vector<std::int64_t> first_cell;    ///< grids + 1: where the cells of a grid begin when all are numbered through
  std::vector<std::int64_t> cell_of_node;  ///< per node of the network, numbered through
  std::vector<std::int32_t> part_of_net;   ///< index into grids, by net + 1; −1 for nets without a node
};

struct RegularizeOptions {
  double grid_scale = 1;      ///< cells of a plane / nodes of the part on it
  bool single_plane = false;  ///< collapse all layers onto one plane and ignore vias, as the paper does
  int tile = 8;               ///< nx and ny are padded to multiples of this with dummy cells, unless they are 1

  /// Throws InputError for values out of range.
  void check() const;
};

/// Why the network has no regular form, in the user's words ("needs node coordinates: 312 of 10 000 nodes have none").
std::optional<std::string> regularize_declines(const MergedNetwork& network, const Geometry& geometry);

/// Cells are square as nearly as whole numbers of them allow, and as many as asked for: grid_scale · (nodes of the part
/// / its layers) per layer, or grid_scale · (distinct places) on a single plane. The outermost nodes lie in the middle
/// of the outermost cells. (Pitches in the proportion of the average wires along x and y, nearer to the paper's words,
/// cost a two-level method with these cells 1.3 to 2.5 times the iterations on the IBM and ICCAD grids: strong
/// couplings are short ones, whatever their direction.)
///
/// A wire of conductance g between cells that are s steps apart becomes a chain of s entries s·g (eq. 2), first along x
/// and then along y on the lower of its layers, then up the vias; a wire within one cell vanishes. Pads and injections
/// are added up per cell. An edge between two parts counts as a pad at both its ends, as in a diagonal block of the
/// matrix.
///
/// Linear time up to the logarithm of the length of wires; bitwise the same on any number of threads.
/// Errors: InputError for a grid_scale or tile out of range or when regularize_declines(); ResourceError when the
/// tables do not fit in memory.
Regularization regularize(const MergedNetwork& network, const Geometry& geometry, const RegularizeOptions& options);

/// Forms the tables of a network with other numbers, whose nodes are where they were: the cells are those of `result`,
/// whose tables may hold anything or be empty. The same bits as regularize() gives.
void regularize_again(const MergedNetwork& network, const Geometry& geometry, Regularization& result);

}  // namespace gridiron
