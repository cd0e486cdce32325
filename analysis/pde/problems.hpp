// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analysis/pde/choices.hpp"
#include "analysis/pde/finite_elements.hpp"
#include "analysis/pde/model.hpp"
#include "analysis/pde/stokes/stokes_model.hpp"

namespace gridiron {

struct PdeResult;

/// One row of the table of model problems: everything that help, errors and reports need.
struct PdeProblem {
  std::string_view name;      ///< what the user types
  std::string_view about;     ///< one line of help, true with any options
  std::string_view solution;  ///< "u = ..." where known; options may invalidate it: PdeResult::why_unknown
  std::string_view options;   ///< names of its options besides size, separated by spaces
  int dimensions;
  int64_t default_size;
  double default_shift;
  RegularGrid::Index (*shape)(int64_t size);
  PdeModel (*make)(const RegularGrid::Index& size, const PdeChoices& in_force);  ///< see make_model()
  /// Post-processing of the solution besides error and balance: fields, lines, meshes.
  void (*finish)(const PdeModel& model, const PdeChoices& choices, PdeResult& result) = nullptr;
  int components = 1;        ///< solutions of the same operator
  int values_per_point = 0;  ///< stored by the model: σ along each axis, sources that are not functions
  /// Instead of `make` for a Stokes problem, whose size counts elements.
  StokesModel (*make_stokes)(const StokesGrid& grid, const PdeChoices& in_force) = nullptr;

  /// Of a problem with finite elements on a refined mesh, which has no make(): its size is the number of elements per
  /// side, or what `about` says, and its shape that number along each axis of the outer boundary.
  FemModel (*make_fem)(int64_t size, const PdeChoices& in_force) = nullptr;
  int64_t least_size = 3;

  bool has(std::string_view option) const;
};

std::span<const PdeProblem> pde_problems();

/// Throws InputError listing the problems if none is called `name`.
const PdeProblem& find_pde_problem(std::string_view name);

/// Points or cells per axis. Errors: InputError for an option that the problem does not have, for a value out of range
/// and for more unknowns than a matrix can index; ResourceError if the system would not fit in this machine's memory.
RegularGrid::Index pde_shape(const PdeProblem& problem, const PdeChoices& choices);

/// The model, after the checks of pde_shape(), of a problem on a regular grid and of one with finite elements.
PdeModel make_model(const PdeProblem& problem, const PdeChoices& choices);
FemModel make_fem_model(const PdeProblem& problem, const PdeChoices& choices);

/// The model of a problem with make_stokes, after the same checks.
StokesModel make_stokes_model(const PdeProblem& problem, const PdeChoices& choices);

/// "60 x 220 x 85".
std::string shape_text(const RegularGrid::Index& shape, int dimensions);

}  // namespace gridiron
