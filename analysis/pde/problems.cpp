// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "analysis/pde/discretise.hpp"
#include "analysis/pde/porous.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace gridiron {
namespace {

using Shape = RegularGrid::Index;

constexpr std::int64_t kMostUnknowns = std::numeric_limits<std::int32_t>::max();

/// t² (1 − t²) and its second derivative: zero at 0 and 1.
double bump(double t) { return t * t * (1 - t * t); }
double bump_curvature(double t) { return 2 - 12 * t * t; }

Shape square(std::int64_t size) { return {size, size, 1}; }
Shape cube(std::int64_t size) { return {size, size, size}; }

RegularGrid unit_box(int dimensions, const Shape& shape) {
  RegularGrid grid;
  grid.dimensions = dimensions;
  grid.size = shape;
  for (int axis = 0; axis < dimensions; ++axis) grid.spacing[axis] = 1.0 / static_cast<double>(shape[axis] - 1);
  for (auto& sigma : grid.sigma) sigma = {1.0};
  return grid;
}

/// u = −x²y²(1−x²)(1−y²), with ε in front of ∂²/∂y².
PdeModel bump_in_square(const Shape& shape, double epsilon) {
  PdeModel model;
  model.grid = unit_box(2, shape);
  model.grid.sigma[1] = {epsilon};
  model.source = [epsilon](const Point& p) {
    return -bump_curvature(p[0]) * bump(p[1]) - epsilon * bump(p[0]) * bump_curvature(p[1]);
  };
  model.exact = [](const Point& p) { return -bump(p[0]) * bump(p[1]); };
  return model;
}

PdeModel make_poisson2d(const Shape& shape, const PdeChoices&) { return bump_in_square(shape, 1.0); }

PdeModel make_anisotropic2d(const Shape& shape, const PdeChoices& choices) {
  return bump_in_square(shape, choices.epsilon.value_or(kDefaultEpsilon));
}

PdeModel make_poisson3d(const Shape& shape, const PdeChoices&) {
  PdeModel model;
  model.grid = unit_box(3, shape);
  model.source = [](const Point& p) {
    const double x = bump(p[0]), y = bump(p[1]), z = bump(p[2]);
    return -bump_curvature(p[0]) * y * z - x * bump_curvature(p[1]) * z - x * y * bump_curvature(p[2]);
  };
  model.exact = [](const Point& p) { return -bump(p[0]) * bump(p[1]) * bump(p[2]); };
  return model;
}

PdeModel make_porous3d(const Shape& shape, const PdeChoices& choices) {
  return porous_model(shape, choices.seed.value_or(kDefaultSeed));
}

constexpr PdeProblem kProblems[] = {
    {"poisson2d", "Laplace u = f in the unit square, u = -x^2 y^2 (1-x^2) (1-y^2)", "", 2, 257, true, square,
     make_poisson2d},
    {"poisson3d", "Laplace u = f in the unit cube, u = -x^2 y^2 z^2 (1-x^2) (1-y^2) (1-z^2)", "", 3, 33, true, cube,
     make_poisson3d},
    {"anisotropic2d", "poisson2d with a factor epsilon in front of d2/dy2", "--epsilon", 2, 257, true, square,
     make_anisotropic2d},
    {"porous3d", "pressure-driven flow through layered rock with channels, as in SPE10", "--cells --seed", 3, 220,
     false, porous_shape, make_porous3d},
};

void refuse_foreign_options(const PdeProblem& problem, const PdeChoices& choices) {
  const auto refuse_unless_known = [&](std::string_view option, bool given) {
    if (given && problem.options.find(option) == std::string_view::npos)
      throw InputError(fmt::format("{} has no option {}; leave it out", problem.name, option));
  };
  refuse_unless_known("--cells", choices.cells.has_value());
  refuse_unless_known("--epsilon", choices.epsilon.has_value());
  refuse_unless_known("--seed", choices.seed.has_value());
  if (choices.cells && choices.size) throw InputError("--cells and --size contradict each other; give one of them");
}

Shape chosen_shape(const PdeProblem& problem, const PdeChoices& choices) {
  if (choices.cells) return *choices.cells;
  const std::int64_t size = choices.size.value_or(problem.default_size);
  if (size < kLeastPdeSize)
    throw InputError(
        fmt::format("--size {}: {} needs at least {} grid points per dimension", size, problem.name, kLeastPdeSize));
  return problem.shape(std::min(size, kMostUnknowns + 1));  // beyond that it only matters that it is too large
}

}  // namespace

std::span<const PdeProblem> pde_problems() { return kProblems; }

const PdeProblem& find_pde_problem(std::string_view name) {
  std::string names;
  for (const PdeProblem& problem : kProblems) {
    if (problem.name == name) return problem;
    names += (names.empty() ? "" : ", ") + std::string(problem.name);
  }
  throw InputError(fmt::format("no model problem is called {:?}; there are {}", std::string(name), names));
}

Shape pde_shape(const PdeProblem& problem, const PdeChoices& choices) {
  refuse_foreign_options(problem, choices);
  if (choices.epsilon && !(std::isfinite(*choices.epsilon) && *choices.epsilon > 0))
    throw InputError(fmt::format("--epsilon {}: expected a positive number", *choices.epsilon));
  const Shape shape = chosen_shape(problem, choices);
  if (*std::min_element(shape.begin(), shape.end()) < 1)
    throw InputError(
        fmt::format("--cells {},{},{}: expected at least one cell along each axis", shape[0], shape[1], shape[2]));

  double points = 1;
  for (const std::int64_t n : shape) points *= static_cast<double>(n);
  if (points > kMostUnknowns)
    throw InputError(fmt::format("{} of this size has more points than a matrix can number ({}); choose a smaller size",
                                 problem.name, kMostUnknowns));
  const double needed = system_bytes(shape, problem.dimensions);
  const double there = static_cast<double>(physical_memory_bytes());
  if (needed > there)
    throw ResourceError(
        fmt::format("{} on {} points needs at least {:.3g} GB, this machine has {:.3g} GB; choose a "
                    "smaller size",
                    problem.name, shape_text(shape, problem.dimensions), needed * 1e-9, there * 1e-9));
  return shape;
}

std::string shape_text(const Shape& shape, int dimensions) {
  std::string text = fmt::format("{} x {}", shape[0], shape[1]);
  if (dimensions == 3) text += fmt::format(" x {}", shape[2]);
  return text;
}

}  // namespace gridiron
