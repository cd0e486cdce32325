// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analysis/pde/choices.hpp"
#include "analysis/pde/model.hpp"
#include "analysis/pde/stokes_model.hpp"

namespace gridiron {

struct PdeResult;

/// One row of the table of model problems: everything that help, errors and reports need.
struct PdeProblem {
  std::string_view name;      ///< what the user types
  std::string_view about;     ///< one line of help, true with any options
  std::string_view solution;  ///< "u = ..." where known; options may invalidate it: PdeResult::why_unknown
  std::string_view options;   ///< names of its options besides size, separated by spaces
  int dimensions;
  std::int64_t default_size;
  double default_shift;
  RegularGrid::Index (*shape)(std::int64_t size);
  PdeModel (*make)(const RegularGrid::Index& size, const PdeChoices& in_force);  ///< see make_model()
  /// Post-processing of the solution besides error and balance: fields, lines, meshes.
  void (*finish)(const PdeModel& model, const PdeChoices& choices, PdeResult& result) = nullptr;
  int components = 1;        ///< solutions of the same operator
  int values_per_point = 0;  ///< stored by the model: σ along each axis, sources that are not functions
  /// Instead of `make` for a Stokes problem, whose size counts elements.
  StokesModel (*make_stokes)(const StokesGrid& grid, const PdeChoices& in_force) = nullptr;

  bool has(std::string_view option) const;
};

inline constexpr std::int64_t kLeastPdeSize = 3;

std::span<const PdeProblem> pde_problems();

/// Throws InputError listing the problems if none is called `name`.
const PdeProblem& find_pde_problem(std::string_view name);

/// Points or cells per axis. Errors: InputError for an option that the problem does not have, for a value out of range
/// and for more unknowns than a matrix can index; ResourceError if the system would not fit in this machine's memory.
RegularGrid::Index pde_shape(const PdeProblem& problem, const PdeChoices& choices);

/// The model, after the checks of pde_shape().
PdeModel make_model(const PdeProblem& problem, const PdeChoices& choices);

/// The model of a problem with make_stokes, after the same checks.
StokesModel make_stokes_model(const PdeProblem& problem, const PdeChoices& choices);

/// "60 x 220 x 85".
std::string shape_text(const RegularGrid::Index& shape, int dimensions);

}  // namespace gridiron
