// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engines/problem.hpp"
#include "engines/sgml/stencil.hpp"

namespace gridiron::sgml {

/// The points of a grid.
Lattice lattice_of(const RegularGrid& grid);

/// Number of entries of a matrix that couples every unknown to all its neighbours.
int64_t entries_of(const Lattice& lattice, bool all_around);

/// The pad that holds RegularGrid::grounded_unknown() at zero.
struct Ground {
  int64_t unknown = -1;  ///< −1: there is none
  double conductance = 0;
};
Ground ground_of(const Problem& problem);

/// What a diagonal has beyond the conductances around a point.
struct Reaction {
  double density = 0;                ///< per volume, where
  std::vector<double> integrated{};  ///< over each unknown's volume, is empty
};

/// The stencil of a grid with these weights.
StencilData stencil_of(const RegularGrid& grid, const StencilWeights& weights, const Reaction& reaction);

/// The problem's own matrix without its ground, as a stencil: uniform if it is that of its grid up to rounding and a
/// uniform reaction, with constant σ. Sets `reaction`: that of the grid if equal up to rounding, otherwise that of the
/// matrix. Errors: SolverError when the matrix couples other points than the grid, or has a diagonal entry that is not
/// positive.
StencilData stencil_of(const Problem& problem, Reaction& reaction);

}  // namespace gridiron::sgml
