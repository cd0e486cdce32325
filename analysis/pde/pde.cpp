// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/pde.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/pde/discretise.hpp"
#include "analysis/pde/fields/grid_field.hpp"
#include "analysis/pde/pde_system.hpp"
#include "analysis/pde/stokes/stokes.hpp"
#include "grid/finite_volumes.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"
#include "support/parallel.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

void fill_fields(const PdeModel& model, PdeResult& result) {
  const size_t n = result.unknowns;
  for (int c = 0; c < result.components; ++c) {
    const std::string name = result.components == 1 ? "u" : std::string("potential_") + "xyz"[c];
    result.fields.push_back({name, 1, with_boundary(model, std::span(result.solution).subspan(c * n, n))});
  }
  const RegularGrid& grid = model.grid;
  const auto is_field = [](const std::vector<double>& sigma) { return sigma.size() > 1; };
  if (std::ranges::any_of(grid.sigma, is_field)) {
    const bool is_scalar = grid.sigma[0] == grid.sigma[grid.dimensions - 1];
    for (int axis = 0; axis < (is_scalar ? 1 : grid.dimensions); ++axis)
      if (is_field(grid.sigma[axis]))
        result.fields.push_back({is_scalar ? "sigma" : std::string("sigma_") + "xyz"[axis], 1, grid.sigma[axis]});
  }
  if (!model.exact) return;
  const FiniteVolumes volumes(grid);
  GridField error{"error", 1, result.fields.front().values};
  parallel_each(grid.points(), [&](int64_t i) { error.values[i] -= model.exact(volumes.place_of(grid.point(i))); });
  result.fields.push_back(std::move(error));
}

/// Checks the largest entry of each row, and of the right-hand sides unless they are 0.
void require_computable(const CsrMatrix& matrix, const std::vector<double>& b) {
  const auto require = [](const char* what, double largest) {
    if (!(largest >= kLeastMagnitude && largest <= kLargestMagnitude))
      throw input_error(
          "{} reaches {:g}, which is out of range for double precision; bring conductivity, shift "
          "and conditions closer to 1",
          what, largest);
  };
  const auto larger = [](double a, double b) { return std::isnan(b) || std::abs(b) > a ? std::abs(b) : a; };
  for (int64_t row = 0; row < matrix.rows; ++row)
    require("a row of the matrix", std::accumulate(matrix.value.begin() + matrix.row_ptr[row],
                                                   matrix.value.begin() + matrix.row_ptr[row + 1], 0.0, larger));
  if (const double most = std::accumulate(b.begin(), b.end(), 0.0, larger); most != 0)
    require("the right-hand side", most);
}

void check(const PdeOptions& options, PdeModel& model, PdeResult& result) {
  result.why_unknown = model.why_unknown;
  if (model.grid.grounded_unknown() >= 0) {
    for (int c = 0; c < result.components; ++c)
      remove_mean(model.grid, std::span(result.solution).subspan(c * result.unknowns, result.unknowns));
    if (model.exact) model.exact = without_mean(model.grid, model.exact);
  }
  result.slice = middle_slice(model, std::span(result.solution).first(result.unknowns));
  if (model.exact) {
    result.error = error_against_exact(model, result.solution);
    result.error_slice = result.slice;
    const Slice exact =
        middle_slice(model.grid, 2, [&, volumes = FiniteVolumes(model.grid)](const RegularGrid::Index& at) {
          return model.exact(volumes.place_of(at));
        });
    for (size_t i = 0; i < exact.value.size(); ++i)
      result.error_slice->value[i] = std::abs(result.slice.value[i] - exact.value[i]);
  }
  if (options.wants_fields) fill_fields(model, result);
  if (result.problem->finish) result.problem->finish(model, options.choices, result);
  if (!options.wants_fields) result.fields.clear();
  if (!result.error && !result.vortex && !result.mesh) result.balance = flow_balance(model, result.solution);
}

/// Ends the assembly, sets the engine up, solves for all columns of `b`, and begins the check.
void run_engine(const PdeOptions& options, std::shared_ptr<const Problem> problem, const std::vector<double>& b,
                Stopwatch& watch, PdeResult& result) {
  const int64_t n = result.unknowns = problem->matrix.rows;
  result.nonzeros = problem->matrix.nonzeros();
  result.timings_s.assemble = watch.lap();
  options.progress("set up");
  const EngineInfo& engine_info = choose_engine(options.engine, *problem, {options.device});
  const std::string_view device = choose_device(engine_info, options.device, n);
  std::unique_ptr<Engine> engine = make_engine(engine_info, device, options.settings);
  engine->set_context({.share_done = options.share_done});
  engine->setup(std::move(problem));
  result.timings_s.setup = watch.lap();

  options.progress("solve");
  result.solution.assign(b.size(), 0.0);
  result.solve = engine->solve({b.data(), n, result.components}, {result.solution.data(), n, result.components},
                               {options.rtol, 0, options.max_iterations, true});
  result.timings_s.solve = watch.lap();
  result.engine = describe(engine_info, *engine, device, options.device);
  result.dof_per_s = b.size() / (result.timings_s.setup + result.timings_s.solve);
  options.progress("check");
}

void solve_on_grid(const PdeOptions& options, PdeResult& result) {
  Stopwatch watch;
  options.progress("assemble");
  const auto model = std::make_shared<PdeModel>(make_model(*result.problem, options.choices));
  result.size = *std::ranges::max_element(result.shape);
  result.spacing = model->grid.spacing;
  result.places = model->grid.places;
  result.components = model->components();
  const auto [problem, b, unbalanced] = system_of(model);
  result.unbalanced = unbalanced;
  require_computable(problem->matrix, b);
  run_engine(options, problem, b, watch, result);
  check(options, *model, result);
  result.timings_s.check = watch.lap();
}

void solve_with_elements(const PdeOptions& options, PdeResult& result) {
  Stopwatch watch;
  options.progress("assemble");
  const FemModel model = make_fem_model(*result.problem, options.choices);
  result.size = options.choices.size.value_or(result.problem->default_size);
  result.spacing = {model.spacing, model.spacing, 1};
  result.elements = model.mesh->elements();
  const auto [problem, b, unbalanced] = system_of(model);
  run_engine(options, problem, b, watch, result);
  result.error = error_against_exact(model, result.solution);
  Raster raster = rasterise(model, result.solution);
  result.slice = std::move(raster.solution);
  result.error_slice = std::move(raster.error);
  result.timings_s.check = watch.lap();
}

}  // namespace

PdeResult solve_pde(const PdeOptions& options) {
  PdeResult result;
  const PdeProblem& info = find_pde_problem(options.problem);
  if (info.make_stokes) return solve_stokes(info, options);
  result.problem = &info;
  result.shape = pde_shape(info, options.choices);
  result.parameters = pde_parameters(info, options.choices);
  if (info.make_fem)
    solve_with_elements(options, result);
  else
    solve_on_grid(options, result);
  result.peak_memory_bytes = peak_memory_bytes();
  return result;
}

std::string residual_miss(const PdeResult& result, const PdeOptions& options) {
  if (result.solve.converged) return "";
  const bool ran_out = result.solve.iterations >= options.max_iterations;
  return fmt::format(
      "engine {} stopped after {} iterations at a relative residual of {:.2e}, asked for {:.2e}; {}",
      result.engine.name, result.solve.iterations, result.solve.relative_residual, options.rtol,
      (ran_out ? "raise " + field("max_iterations") : "the residual no longer decreases: raise " + field("rtol")) +
          " or try another " + field("engine"));
}

}  // namespace gridiron
