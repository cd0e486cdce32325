// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/problems.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "analysis/pde/applications/applications.hpp"
#include "analysis/pde/applications/capacitor.hpp"
#include "analysis/pde/applications/porous.hpp"
#include "analysis/pde/applications/vortex.hpp"
#include "analysis/pde/discretise.hpp"
#include "analysis/pde/face_conditions.hpp"
#include "analysis/pde/fem_problems.hpp"
#include "analysis/pde/known_solution.hpp"
#include "analysis/pde/sigma_option.hpp"
#include "grid/finite_volumes.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"
#include "support/nearest_names.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Index = RegularGrid::Index;
using Boundary = RegularGrid::Boundary;

constexpr double kHelmholtzShift = -1;
/// The paper has a = +0.1, which makes the operator indefinite: the constant mode, which the data do not excite, would
/// grow. With the opposite sign every engine can solve it, and the mesh is visually the same.
constexpr double kDeformationShift = -0.1;

constexpr int64_t kLeastElements = 2;
constexpr int64_t kMostUnknowns = INT32_MAX;

Index square(int64_t size) { return {size, size, 1}; }
Index cube(int64_t size) { return {size, size, size}; }

RegularGrid box(int dimensions, const Index& size, const PdeChoices& choices, double side = 1) {
  RegularGrid grid;
  grid.dimensions = dimensions;
  grid.size = size;
  for (int axis = 0; axis < dimensions; ++axis) grid.spacing[axis] = side / (size[axis] - 1);
  for (auto& sigma : grid.sigma) sigma = {1.0};
  grid.shift = choices.shift.value_or(0);
  if (choices.takes_all_around()) grid.stencil = RegularGrid::Stencil::radial;
  return grid;
}

std::vector<FaceCondition> conditions_of(const PdeChoices& choices, int dimensions) {
  if (!choices.conditions) return {};
  return parse_face_conditions(*choices.conditions, dimensions);
}

/// σ at the points, times the factor of each axis.
void set_sigma(RegularGrid& grid, const std::vector<double>& sigma, const Point& factors) {
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    grid.sigma[axis] = sigma;
    if (factors[axis] != 1)
      for (double& value : grid.sigma[axis]) value *= factors[axis];
  }
}

std::vector<double> at_points(const RegularGrid& grid, const Conductivity& sigma) {
  const FiniteVolumes volumes(grid);
  std::vector<double> values(grid.points());
  parallel_each(grid.points(), [&](int64_t i) { values[i] = sigma.value(volumes.place_of(grid.point(i))); });
  return values;
}

/// The problem whose solution is `u`. If σ is not differentiable (from a file, or with a jump), the source is not a
/// function; then u is dropped, and the source stays that of σ = 1.
PdeModel known_problem(RegularGrid grid, const KnownSolution& u, const PdeChoices& choices,
                       const Point& factors = {1, 1, 1}, const Conductivity* usual = nullptr) {
  Conductivity sigma = usual ? *usual : constant_conductivity(1);
  std::vector<double> values = usual ? at_points(grid, *usual) : std::vector<double>{1.0};
  std::string why_unknown;
  if (choices.sigma) {
    const SigmaOption option(*choices.sigma, grid.dimensions);
    values = option.at_points(grid);
    if (option.is_file())
      why_unknown = "sigma comes from a file, so f is that of sigma = 1";
    else if (const auto jump = option.find_jump(grid, values))
      why_unknown = fmt::format("sigma jumps near ({}), so f is that of sigma = 1",
                                fmt::join(jump->begin(), jump->begin() + grid.dimensions, ", "));
    sigma = why_unknown.empty() ? option.function() : constant_conductivity(1);
  }
  const bool is_known = why_unknown.empty();
  set_sigma(grid, values, factors);
  PdeModel model;
  model.grid = std::move(grid);
  model.source = source_of(u, sigma, factors, model.grid.shift);
  model.boundary = u.value;
  if (is_known) model.exact = u.value;
  model.why_unknown = std::move(why_unknown);
  apply(conditions_of(choices, model.grid.dimensions), is_known ? &u : nullptr, sigma, factors, model);
  return model;
}

PdeModel make_poisson2d(const Index& size, const PdeChoices& choices) {
  return known_problem(box(2, size, choices), polynomial_bump(2), choices);
}

PdeModel make_poisson3d(const Index& size, const PdeChoices& choices) {
  return known_problem(box(3, size, choices), polynomial_bump(3), choices);
}

PdeModel make_anisotropic2d(const Index& size, const PdeChoices& choices) {
  return known_problem(box(2, size, choices), polynomial_bump(2), choices, {1, *choices.epsilon, 1});
}

/// σ = 1 + u/2 with u the product of cosines, a < 0, no flow through any face.
PdeModel helmholtz(int dimensions, const Index& size, const PdeChoices& choices) {
  const KnownSolution u = cosine_waves(dimensions);
  const Conductivity sigma{[u](const Point& p) { return 1 + u.value(p) / 2; },
                           [u](const Point& p) {
                             Point slope = u.gradient(p);
                             for (double& s : slope) s /= 2;
                             return slope;
                           }};
  RegularGrid grid = box(dimensions, size, choices);
  for (int axis = 0; axis < dimensions; ++axis) grid.boundary[axis] = {Boundary::neumann, Boundary::neumann};
  return known_problem(std::move(grid), u, choices, {1, 1, 1}, &sigma);
}

PdeModel make_helmholtz2d(const Index& size, const PdeChoices& choices) { return helmholtz(2, size, choices); }
PdeModel make_helmholtz3d(const Index& size, const PdeChoices& choices) { return helmholtz(3, size, choices); }

PdeModel make_porous3d(const Index& size, const PdeChoices& choices) {
  PdeModel model = porous_model(size, *choices.seed);
  apply(conditions_of(choices, 3), nullptr, constant_conductivity(1), {1, 1, 1}, model);
  return model;
}

PdeModel make_capacitor3d(const Index& size, const PdeChoices& choices) {
  PdeModel model = capacitor_model(box(3, size, choices));
  const Conductivity sigma = capacitor_conductivity(choices.sign.value_or("+") == "+");
  set_sigma(model.grid,
            choices.sigma ? SigmaOption(*choices.sigma, 3).at_points(model.grid) : at_points(model.grid, sigma),
            {1, 1, 1});
  apply(conditions_of(choices, 3), nullptr, sigma, {1, 1, 1}, model);
  return model;
}

PdeModel make_griddeform2d(const Index& size, const PdeChoices& choices) {
  const RegularGrid grid = box(2, size, choices);
  return deformation_model(grid, deformation_curve(choices.curve.value_or("")));
}

PdeModel make_trefoil3d(const Index& size, const PdeChoices& choices) {
  return vortex_model(box(3, size, choices, kVortexSide));
}

StokesModel make_polynomial_stokes(const StokesGrid& grid, const PdeChoices&) { return polynomial_stokes(grid); }
StokesModel make_sine_stokes(const StokesGrid& grid, const PdeChoices&) { return sine_stokes(grid); }
StokesModel make_cavity(const StokesGrid& grid, const PdeChoices& choices) {
  return cavity_stokes(grid, choices.lid.value_or("flat") == "smooth");
}

constexpr std::string_view kAllOptions = "sigma bc stencil shift";

constexpr PdeProblem kProblems[] = {
    {"poisson2d", "div(sigma grad u) + a u = f in the unit square; by default sigma = 1, a = 0, Dirichlet faces",
     "u = -x^2 y^2 (1-x^2) (1-y^2)", kAllOptions, 2, 257, 0, square, make_poisson2d},
    {"poisson3d", "div(sigma grad u) + a u = f in the unit cube; by default sigma = 1, a = 0, Dirichlet faces",
     "u = -x^2 y^2 z^2 (1-x^2) (1-y^2) (1-z^2)", kAllOptions, 3, 33, 0, cube, make_poisson3d},
    {"helmholtz2d",
     "div(sigma grad u) + a u = f in the unit square; by default sigma = 1 + cos(pi x) cos(pi y) / 2, a = -1, Neumann "
     "faces",
     "u = cos(pi x) cos(pi y)", kAllOptions, 2, 257, kHelmholtzShift, square, make_helmholtz2d, nullptr, 1, 2},
    {"helmholtz3d",
     "div(sigma grad u) + a u = f in the unit cube; by default sigma = 1 + cos(pi x) cos(pi y) cos(pi z) / 2, a = -1, "
     "Neumann faces",
     "u = cos(pi x) cos(pi y) cos(pi z)", kAllOptions, 3, 33, kHelmholtzShift, cube, make_helmholtz3d, nullptr, 1, 3},
    {"anisotropic2d", "poisson2d with sigma times epsilon along y", "u = -x^2 y^2 (1-x^2) (1-y^2)",
     "epsilon sigma bc shift", 2, 257, 0, square, make_anisotropic2d},
    {"porous3d", "pressure-driven flow through layered rock with channels, as in SPE10", "", "cells seed bc", 3, 220, 0,
     porous_shape, make_porous3d, nullptr, 1, 3},
    {"capacitor3d", "potential in the unit cube between two plates, by default around a ball of other conductivity", "",
     "sign sigma bc stencil", 3, 33, 0, cube, make_capacitor3d, finish_capacitor, 1, 3},
    {"griddeform2d", "mesh of the unit square drawn towards a closed curve, by default a circle", "",
     "curve stencil shift", 2, 65, kDeformationShift, square, make_griddeform2d, finish_deformation, 1, 1},
    {"poisson2d-q1", "-div grad u = f in the unit square with bilinear finite elements; size: elements per side",
     "u = sin(k pi x) sin(k pi y)", "wavenumber", 2, 256, 0, square, nullptr, nullptr, 1, 0, nullptr, make_poisson2d_q1,
     2},
    {"poisson2d-p1", "-div grad u = f in the unit square with linear finite elements; size: elements per side",
     "u = sin(k pi x) sin(k pi y)", "wavenumber", 2, 256, 0, square, nullptr, nullptr, 1, 0, nullptr, make_poisson2d_p1,
     2},
    {"flowsquare-p1",
     "-div grad u = f in (0,4) x (0,1) without a square, with linear finite elements; size: refinements of 28 "
     "triangles",
     "u = sin(k pi x) sin(k pi y)", "wavenumber", 2, 6, 0, flow_square_shape, nullptr, nullptr, 1, 0, nullptr,
     make_flow_square, 0},
    {"trefoil3d", "flow around a vortex along a trefoil knot: three Poisson problems with one setup", "", "stencil", 3,
     49, 0, cube, make_trefoil3d, finish_vortex, 3, 3},
    {"stokes2d", "Stokes flow in the unit square on Q2-Q1 elements, velocity given on the boundary",
     "u = x (1-x) (2x-1) (6y^2-6y+1), v = y (y-1) (2y-1) (6x^2-6x+1), p = x^2 - 3y^2 + 8/3 x y",
     "cells viscosity reaction steps time_step", 2, 64, 0, square, nullptr, nullptr, 1, 0, make_polynomial_stokes,
     nullptr, kLeastElements},
    {"stokes2d-sine", "the same with another solution",
     "u = sin^2(pi x) sin(2 pi y), v = -sin(2 pi x) sin^2(pi y), p = sin(pi x) cos(pi y)",
     "cells viscosity reaction steps time_step", 2, 64, 0, square, nullptr, nullptr, 1, 0, make_sine_stokes, nullptr,
     kLeastElements},
    {"stokes2d-cavity", "Stokes flow in a square cavity, driven by its lid", "",
     "cells viscosity reaction lid steps time_step", 2, 64, 0, square, nullptr, nullptr, 1, 0, make_cavity, nullptr,
     kLeastElements},
};

Index chosen_shape(const PdeProblem& problem, const PdeChoices& choices) {
  if (choices.cells) return *choices.cells;
  const int64_t size = choices.size.value_or(problem.default_size);
  if (size < problem.least_size)
    throw field_error("size", "{}: {} needs at least {}{}", size, problem.name, problem.least_size,
                      problem.make_fem      ? ""
                      : problem.make_stokes ? " elements per side"
                                            : " grid points per dimension");
  return problem.shape(std::min(size, kMostUnknowns + 1));  // beyond that, only the fact that it is too large matters
}

void require_memory(const PdeProblem& problem, const std::string& parts, double needed) {
  if (const double usable = usable_memory_bytes(); needed > usable)
    throw resource_error("{} on {} needs at least {:.3g} GB, this machine has {:.3g} GB; choose a smaller size",
                         problem.name, parts, needed * 1e-9, usable * 1e-9);
}

/// Unknowns are counted in 32 bits, and a solve needs at least the vectors of a few iterations.
void require_stokes_fits(const PdeProblem& problem, const Index& shape) {
  if (shape[2] != 1 || std::min(shape[0], shape[1]) < kLeastElements)
    throw field_error("cells", "{},{},{}: {} needs at least {} elements along x and y, and 1 along z", shape[0],
                      shape[1], shape[2], problem.name, kLeastElements);
  const double unknowns = 9.0 * shape[0] * shape[1];
  if (unknowns > kMostUnknowns)
    throw input_error("{} of this size has {:.1e} unknowns, more than can be counted ({}); choose a smaller size",
                      problem.name, unknowns, kMostUnknowns);
  constexpr double kBytesPerUnknown = 160;
  require_memory(problem, shape_text(shape, 2) + " elements", kBytesPerUnknown * unknowns);
}

}  // namespace

bool PdeProblem::has(std::string_view option) const {
  return option == "size" || options.find(option) != std::string_view::npos;  // no name is a substring of another
}

std::span<const PdeProblem> pde_problems() { return kProblems; }

const PdeProblem& find_pde_problem(std::string_view name) {
  std::vector<std::string_view> names;
  for (const PdeProblem& problem : kProblems) {
    if (problem.name == name) return problem;
    names.push_back(problem.name);
  }
  throw input_error("no model problem is called {:?}; there are {}{}", std::string(name), fmt::join(names, ", "),
                    did_you_mean(name, names));
}

Index pde_shape(const PdeProblem& problem, const PdeChoices& choices) {
  check_choices(problem, choices);
  const Index shape = chosen_shape(problem, choices);
  if (*std::ranges::min_element(shape) < 1)
    throw field_error("cells", "{},{},{}: expected at least one cell along each axis", shape[0], shape[1], shape[2]);

  if (problem.make_stokes) {
    require_stokes_fits(problem, shape);
    return shape;
  }
  double points = 1;
  for (const int64_t n : shape) points *= n;
  if (points > kMostUnknowns)
    throw input_error("{} of this size has more points than a matrix can index ({}); choose a smaller size",
                      problem.name, kMostUnknowns);
  const bool has_field = choices.sigma && !SigmaOption(*choices.sigma, problem.dimensions).is_number();
  const double needed = system_bytes(
      shape, problem.dimensions,
      choices.takes_all_around() || problem.make_fem ? RegularGrid::Stencil::radial : RegularGrid::Stencil::axes,
      problem.components, has_field ? problem.dimensions : problem.values_per_point);
  require_memory(problem, shape_text(shape, problem.dimensions) + " points", needed);
  return shape;
}

PdeModel make_model(const PdeProblem& problem, const PdeChoices& choices) {
  return problem.make(pde_shape(problem, choices), in_force(problem, choices));
}

FemModel make_fem_model(const PdeProblem& problem, const PdeChoices& choices) {
  pde_shape(problem, choices);
  return problem.make_fem(choices.size.value_or(problem.default_size), in_force(problem, choices));
}

StokesModel make_stokes_model(const PdeProblem& problem, const PdeChoices& choices) {
  const PdeChoices chosen = in_force(problem, choices);
  return problem.make_stokes(stokes_grid(pde_shape(problem, choices), chosen), chosen);
}

std::string shape_text(const Index& shape, int dimensions) {
  std::string text = fmt::format("{} x {}", shape[0], shape[1]);
  if (dimensions == 3) text += fmt::format(" x {}", shape[2]);
  return text;
}

}  // namespace gridiron
