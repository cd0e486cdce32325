// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grid/regular_grid.hpp"

namespace gridiron {

/// A set of axes along which two neighbours lie apart: 1 is x, 2 is y, 4 is z; 3 is a diagonal in the xy plane.
inline constexpr int kAxisSets = 8;

/// From a point to one of its neighbours: −1, 0 or 1 along each axis.
struct StencilOffset {
  int x, y, z;
  int operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  int axes() const { return (x != 0) + 2 * (y != 0) + 4 * (z != 0); }
  int steps() const { return (x != 0) + (y != 0) + (z != 0); }
};

/// Neighbours along the axes, or all around, that are numbered higher, in ascending order.
std::vector<StencilOffset> half_neighbours(int dimensions, bool all_around);

constexpr int half_neighbour_count(int dimensions, bool all_around) {
  return !all_around ? dimensions : dimensions == 2 ? 4 : 13;
}

/// All neighbours, in ascending order.
std::vector<StencilOffset> neighbours(int dimensions, bool all_around);

/// How much a point exchanges with its neighbours: per volume, weight · mean σ / h² times the difference of u. Weights
/// are consistent with ∇·(σ∇u) when Σ weight · o_x² over all offsets o is 2.
struct StencilWeights {
  /// Of σ at both points. Harmonic is two half cells in series, right where σ jumps half-way.
  enum class Mean : std::uint8_t { harmonic, arithmetic };

  bool all_around = false;
  Mean mean = Mean::harmonic;
  std::array<double, 4> by_steps{0, 1, 0, 0};  ///< by the number of axes along which a neighbour lies
};

/// The next points along each axis.
StencilWeights weights_along_axes(StencilWeights::Mean mean);

/// All around, weighted by 1 / distance: s / |o| with s = 2 / Σ o_x² / |o|.
StencilWeights radial_weights(int dimensions);

/// All around, for a coarse grid below one that couples along the axes only; radial weights suit a fine grid that has
/// them too. Modes along axes and along diagonals are wrong by the same share after full weighting and linear
/// interpolation when (edges + 2 corners) = 1, in shares of the Laplacian. In 3-D that takes 7-point problems from 20-
/// to 40-fold reduction per cycle of SGML.
StencilWeights balanced_weights(int dimensions);

/// Those of the grid's stencil.
StencilWeights weights_of(const RegularGrid& grid);

/// s of the radial stencil.
double radial_factor(int dimensions);

/// Same to the last bit from either side, and never beyond the range.
double harmonic_mean(double p, double q);

}  // namespace gridiron
