// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/pde/model.hpp"
#include "engines/params.hpp"

namespace gridiron {

struct PdeResult;

/// What a user may choose about a model problem; what is left open takes the problem's default.
struct PdeChoices {
  std::optional<std::int64_t> size{};         ///< points, boundary included, or cells, along the longest side
  std::optional<RegularGrid::Index> cells{};  ///< --cells: per axis instead of size
  std::optional<double> epsilon{};            ///< --epsilon: factor of ∂²/∂y²
  std::optional<std::uint64_t> seed{};        ///< --seed of random coefficients
  std::optional<std::string> sigma{};         ///< --sigma: number, formula or .npy file
  std::optional<std::string> conditions{};    ///< --bc
  std::optional<int> stencil{};               ///< --stencil: 5 or 7 along the axes, 9 or 27 all around
  std::optional<double> shift{};              ///< --shift: a
  std::optional<std::string> sign{};          ///< --sign of eq. (16): + or -
  std::optional<std::string> curve{};         ///< --curve: file with points
};

/// One row of the table of model problems: all that help, errors and reports need.
struct PdeProblem {
  std::string_view name;      ///< what the user types
  std::string_view about;     ///< one line of help, true with any options
  std::string_view solution;  ///< "u = ..." where it is known; options may make it another: PdeResult::why_unknown
  std::string_view options;   ///< those that only some problems have
  int dimensions;
  std::int64_t default_size;
  double default_shift;
  RegularGrid::Index (*shape)(std::int64_t size);
  PdeModel (*make)(const RegularGrid::Index& shape, const PdeChoices& choices);
  /// What is made of the solution beside error and balance: fields, lines, meshes.
  void (*finish)(const PdeModel& model, const PdeChoices& choices, PdeResult& result) = nullptr;
  int components = 1;        ///< solutions of the same operator
  int values_per_point = 0;  ///< that the model stores: σ along each axis, sources that are no functions

  bool has(std::string_view option) const;
};

inline constexpr double kDefaultEpsilon = 0.01;
inline constexpr std::uint64_t kDefaultSeed = 1;
inline constexpr std::int64_t kLeastPdeSize = 3;

std::span<const PdeProblem> pde_problems();

/// Throws InputError that lists the problems when none is called `name`.
const PdeProblem& find_pde_problem(std::string_view name);

/// Points or cells per axis. Errors: InputError for an option that the problem does not have, for a value out of range
/// and for more unknowns than a matrix can number; ResourceError when the system would not fit into this machine.
RegularGrid::Index pde_shape(const PdeProblem& problem, const PdeChoices& choices);

/// The problem's options as they are in force, for the report.
ParamList pde_parameters(const PdeProblem& problem, const PdeChoices& choices);

/// "60 x 220 x 85".
std::string shape_text(const RegularGrid::Index& shape, int dimensions);

}  // namespace gridiron
