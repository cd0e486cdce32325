// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analysis/pde/choices.hpp"
#include "analysis/pde/model.hpp"

namespace gridiron {

struct PdeResult;

/// One row of the table of model problems: all that help, errors and reports need.
struct PdeProblem {
  std::string_view name;      ///< what the user types
  std::string_view about;     ///< one line of help, true with any options
  std::string_view solution;  ///< "u = ..." where it is known; options may make it another: PdeResult::why_unknown
  std::string_view options;   ///< names of the choices that it has beside size, with spaces between
  int dimensions;
  std::int64_t default_size;
  double default_shift;
  RegularGrid::Index (*shape)(std::int64_t size);
  PdeModel (*make)(const RegularGrid::Index& size, const PdeChoices& in_force);  ///< see make_model()
  /// What is made of the solution beside error and balance: fields, lines, meshes.
  void (*finish)(const PdeModel& model, const PdeChoices& choices, PdeResult& result) = nullptr;
  int components = 1;        ///< solutions of the same operator
  int values_per_point = 0;  ///< that the model stores: σ along each axis, sources that are no functions

  bool has(std::string_view option) const;
};

inline constexpr std::int64_t kLeastPdeSize = 3;

std::span<const PdeProblem> pde_problems();

/// Throws InputError that lists the problems when none is called `name`.
const PdeProblem& find_pde_problem(std::string_view name);

/// Points or cells per axis. Errors: InputError for an option that the problem does not have, for a value out of range
/// and for more unknowns than a matrix can number; ResourceError when the system would not fit into this machine.
RegularGrid::Index pde_shape(const PdeProblem& problem, const PdeChoices& choices);

/// The model, after the checks of pde_shape().
PdeModel make_model(const PdeProblem& problem, const PdeChoices& choices);

/// "60 x 220 x 85".
std::string shape_text(const RegularGrid::Index& shape, int dimensions);

}  // namespace gridiron
