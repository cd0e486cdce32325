// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/choices.hpp"

#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include "analysis/pde/face_conditions.hpp"
#include "analysis/pde/problems.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr double kLargestReaction = 1e9;
constexpr double kLeastTimeStep = 1e-9, kLargestTimeStep = 1e9;
constexpr int kMostWaves = 1'000'000, kMostSteps = 1'000'000;

void refuse_foreign_options(const PdeProblem& problem, const PdeChoices& choices) {
  choices.visit([&](std::string_view name, const auto& value, const auto&, std::string_view, std::string_view) {
    if (value && !problem.has(name)) throw input_error("{} has no option {}; leave it out", problem.name, field(name));
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
    throw field_error("cells", "and {} contradict each other; give one of them", field("size"));
  if (choices.epsilon && !(*choices.epsilon >= kLeastMagnitude && *choices.epsilon <= kLargestMagnitude))
    throw field_error("epsilon", "{}: expected a positive number from {:g} to {:g}", *choices.epsilon, kLeastMagnitude,
                      kLargestMagnitude);
  if (choices.shift && !std::isfinite(*choices.shift))
    throw field_error("shift", "{}: expected a number", *choices.shift);
  if (choices.wavenumber && !(*choices.wavenumber >= 1 && *choices.wavenumber <= kMostWaves))
    throw field_error("wavenumber", "{}: expected a whole number from 1 to {}", *choices.wavenumber, kMostWaves);
  if (choices.stencil)
    if (const int s = *choices.stencil; s != 5 && s != 9 && (problem.dimensions == 2 || (s != 7 && s != 27)))
      throw field_error("stencil", "{}: {} has 5 (along the axes) and 9 (all around){}", s, problem.name,
                        problem.dimensions == 3 ? ", also called 7 and 27" : "");
  if (choices.sign && *choices.sign != "+" && *choices.sign != "-")
    throw field_error("sign", "{:?}: expected + or -", *choices.sign);
  if (choices.reaction && !(*choices.reaction >= 0 && *choices.reaction <= kLargestReaction))
    throw field_error("reaction", "{}: expected a number from 0 to {:g}", *choices.reaction, kLargestReaction);
  if (choices.lid && *choices.lid != "flat" && *choices.lid != "smooth")
    throw field_error("lid", "{:?}: expected flat or smooth", *choices.lid);
  if (choices.steps && !(*choices.steps >= 1 && *choices.steps <= kMostSteps))
    throw field_error("steps", "{}: expected a whole number from 1 to {}", *choices.steps, kMostSteps);
  if (choices.time_step && !(*choices.time_step >= kLeastTimeStep && *choices.time_step <= kLargestTimeStep))
    throw field_error("time_step", "{}: expected a positive number from {:g} to {:g}", *choices.time_step,
                      kLeastTimeStep, kLargestTimeStep);
  if (choices.steps.has_value() != choices.time_step.has_value())
    throw field_error("steps", "and {} belong together; give both", field("time_step"));
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
