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
/// Cells without a node or wire have no conductance at all, and neither has the padding: their equation is 0 = 0, and a
/// solver leaves them at 0 V. (The paper connects the former to their neighbours by Gmin = 1e-6, which keeps the matrix
/// nonsingular; a two-level method takes the same number of iterations either way.) All other cells are connected to
/// one with gz > 0 if the matrix of the network is nonsingular.
struct GridTables : CellGrid {
  std::vector<int32_t> metal;  ///< per table: the number of its metal layer, lowest first; −1 unknown or collapsed
  std::vector<double> gh;      ///< to the cell at x + 1, S; 0 in the last column
  std::vector<double> gv;      ///< to the cell at y + 1, S; 0 in the last row
  std::vector<double> via;     ///< to the same cell of the next layer, S; 0 on the last layer
  std::vector<double> gz;      ///< to known potentials, S
  std::vector<double> iz;      ///< injected current, A; empty if the network has no injections

  /// The table of a metal layer; 0 on a single plane.
  int32_t table_of(int32_t layer) const;
};

/// All parts of a grid and the mapping between their cells and the nodes of the network.
struct Regularization {
  std::vector<GridTables> grids;      ///< one per part, by ascending Geometry::net
  std::vector<int64_t> first_cell;    ///< grids + 1: first cell of each grid in a consecutive numbering of all cells
  std::vector<int64_t> cell_of_node;  ///< per node of the network, in that numbering
  std::vector<int32_t> part_of_net;   ///< index into grids, by net + 1; −1 for nets without a node
};

struct RegularizeOptions {
  double grid_scale = 1;      ///< cells per plane / nodes of the part on it
  bool single_plane = false;  ///< collapse all layers onto one plane and ignore vias, as the paper does
  int tile = 8;               ///< nx and ny are padded to multiples of this with dummy cells, unless they are 1

  /// Throws InputError for values out of range.
  void check() const;
};

/// Why the network has no regular form, in the user's terms ("needs node coordinates: 312 of 10 000 nodes have none").
std::optional<std::string> regularize_declines(const MergedNetwork& network, const Geometry& geometry);

/// Maps a network to regular grids. Cells are as nearly square as integer counts allow, and as many as requested:
/// grid_scale · (nodes of the part / its layers) per layer, or grid_scale · (distinct locations) on a single plane. The
/// outermost nodes are at the centres of the outermost cells. (Pitches in proportion to the average wire lengths along
/// x and y, closer to the paper's wording, cost a two-level method with these cells 1.3 to 2.5 times the iterations on
/// the IBM and ICCAD grids: strong couplings are short ones, whatever their direction.)
///
/// A wire of conductance g between cells that are s steps apart becomes a chain of s entries s·g (eq. 2), first along x
/// and then along y on the lower of its layers, then up the vias; a wire within one cell vanishes. Pads and injections
/// are added up per cell. An edge between two parts counts as a pad at both its ends, as in a diagonal block of the
/// matrix.
///
/// Linear time up to the logarithm of wire lengths; bitwise identical on any number of threads. Errors: InputError for
/// a grid_scale or tile out of range or if regularize_declines(); ResourceError if the tables do not fit in memory.
Regularization regularize(const MergedNetwork& network, const Geometry& geometry, const RegularizeOptions& options);

/// Forms the tables of a network with different values but unchanged node locations: the cells are those of `result`,
/// whose tables may hold anything or be empty. Bitwise identical to the result of regularize().
void regularize_again(const MergedNetwork& network, const Geometry& geometry, Regularization& result);

}  // namespace gridiron
