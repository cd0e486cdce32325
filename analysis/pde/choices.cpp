// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/choices.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include "analysis/pde/face_conditions.hpp"
#include "analysis/pde/problems.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr double kLargestReaction = 1e9;
constexpr double kLeastTimeStep = 1e-9, kLargestTimeStep = 1e9;
constexpr int kMostWaves = 1'000'000, kMostSteps = 1'000'000;

void refuse_foreign_options(const PdeProblem& problem, const PdeChoices& choices) {
  choices.visit([&](std::string_view name, const auto& value, const auto&, std::string_view, std::string_view) {
    if (value && !problem.has(name))
      throw InputError(fmt::format("{} has no option {}; leave it out", problem.name, field(name)));
  });
}

const std::string& shown(const std::string& value) { return value; }
std::string shown(uint64_t value) { return std::to_string(value); }
template <class T>
T shown(T value) {
  return value;
}

}  // namespace

void check_choices(const PdeProblem& problem, const PdeChoices& choices) {
  refuse_foreign_options(problem, choices);
  if (choices.cells && choices.size)
    throw InputError(fmt::format("{} and {} contradict each other; give one of them", field("cells"), field("size")));
  if (choices.epsilon && !(*choices.epsilon >= kLeastMagnitude && *choices.epsilon <= kLargestMagnitude))
    throw InputError(fmt::format("{} {}: expected a positive number from {:g} to {:g}", field("epsilon"),
                                 *choices.epsilon, kLeastMagnitude, kLargestMagnitude));
  if (choices.shift && !std::isfinite(*choices.shift))
    throw InputError(fmt::format("{} {}: expected a number", field("shift"), *choices.shift));
  if (choices.wavenumber && !(*choices.wavenumber >= 1 && *choices.wavenumber <= kMostWaves))
    throw InputError(fmt::format("{} {}: expected a whole number from 1 to {}", field("wavenumber"),
                                 *choices.wavenumber, kMostWaves));
  if (choices.stencil)
    if (const int s = *choices.stencil; s != 5 && s != 9 && (problem.dimensions == 2 || (s != 7 && s != 27)))
      throw InputError(fmt::format("{} {}: {} has 5 (along the axes) and 9 (all around){}", field("stencil"), s,
                                   problem.name, problem.dimensions == 3 ? ", also called 7 and 27" : ""));
  if (choices.sign && *choices.sign != "+" && *choices.sign != "-")
    throw InputError(fmt::format("{} {:?}: expected + or -", field("sign"), *choices.sign));
  if (choices.reaction && !(*choices.reaction >= 0 && *choices.reaction <= kLargestReaction))
    throw InputError(
        fmt::format("{} {}: expected a number from 0 to {:g}", field("reaction"), *choices.reaction, kLargestReaction));
  if (choices.lid && *choices.lid != "flat" && *choices.lid != "smooth")
    throw InputError(fmt::format("{} {:?}: expected flat or smooth", field("lid"), *choices.lid));
  if (choices.steps && !(*choices.steps >= 1 && *choices.steps <= kMostSteps))
    throw InputError(
        fmt::format("{} {}: expected a whole number from 1 to {}", field("steps"), *choices.steps, kMostSteps));
  if (choices.time_step && !(*choices.time_step >= kLeastTimeStep && *choices.time_step <= kLargestTimeStep))
    throw InputError(fmt::format("{} {}: expected a positive number from {:g} to {:g}", field("time_step"),
                                 *choices.time_step, kLeastTimeStep, kLargestTimeStep));
  if (choices.steps.has_value() != choices.time_step.has_value())
    throw InputError(fmt::format("{} and {} belong together; give both", field("steps"), field("time_step")));
  if (choices.conditions) parse_face_conditions(*choices.conditions, problem.dimensions);
}

PdeChoices in_force(const PdeProblem& problem, PdeChoices choices) {
  choices.visit([&](std::string_view name, auto& value, const std::remove_cvref_t<decltype(value)>& usual,
                    std::string_view, std::string_view) {
    if (!value && problem.has(name)) value = usual;
  });
  if (!choices.shift && problem.default_shift != 0) choices.shift = problem.default_shift;
  if (choices.sigma) choices.sign.reset();  // σ replaces the ball
  if (choices.stencil)
    choices.stencil = problem.dimensions == 2      ? (choices.takes_all_around() ? 9 : 5)
                      : choices.takes_all_around() ? 27
                                                   : 7;
  return choices;
}

ParamList pde_parameters(const PdeProblem& problem, const PdeChoices& choices) {
  ParamLister lister;
  in_force(problem, choices)
      .visit([&]<class T>(std::string_view name, const std::optional<T>& value, const std::optional<T>&,
                          std::string_view unit, std::string_view meaning) {
        if constexpr (!std::is_same_v<T, RegularGrid::Index> && !std::is_same_v<T, int64_t>)
          if (value) lister(name, shown(*value), unit, meaning);
      });
  return std::move(lister.list);
}

}  // namespace gridiron
