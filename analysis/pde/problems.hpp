// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// What a user may choose about a model problem; what is left open takes the problem's default.
struct PdeChoices {
  std::optional<std::int64_t> size{};         ///< points, boundary included, or cells, along the longest side
  std::optional<RegularGrid::Index> cells{};  ///< --cells: per axis instead of size
  std::optional<double> epsilon{};            ///< --epsilon: factor of ∂²/∂y²
  std::optional<std::uint64_t> seed{};        ///< --seed of random coefficients
};

/// One row of the table of model problems: all that help, errors and reports need.
struct PdeProblem {
  std::string_view name;     ///< what the user types
  std::string_view about;    ///< one line of help
  std::string_view options;  ///< the options that only some problems have
  int dimensions;
  std::int64_t default_size;
  bool has_solution;  ///< else it is checked by its flow balance
  RegularGrid::Index (*shape)(std::int64_t size);
  PdeModel (*make)(const RegularGrid::Index& shape, const PdeChoices& choices);
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

/// "60 x 220 x 85".
std::string shape_text(const RegularGrid::Index& shape, int dimensions);

}  // namespace gridiron
