// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/stokes/stokes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/pde/fields/streamlines.hpp"
#include "analysis/pde/pde_system.hpp"
#include "analysis/pde/stokes/stokes_steps.hpp"
#include "engines/stokes_matrix.hpp"
#include "support/memory.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// The lattice of velocity nodes, for fields, slices and streamlines.
RegularGrid velocity_lattice(const StokesGrid& grid) {
  RegularGrid lattice;
  lattice.dimensions = 2;
  for (int axis = 0; axis < 2; ++axis) {
    lattice.size[axis] = 2 * grid.elements[axis] + 1;
    lattice.spacing[axis] = grid.spacing[axis] / 2;
  }
  lattice.size[2] = 1;
  return lattice;
}

Slice slice_of(const RegularGrid& lattice, std::vector<double> values) {
  Slice slice;
  slice.columns = lattice.size[0];
  slice.rows = lattice.size[1];
  slice.spacing = {lattice.spacing[0], lattice.spacing[1]};
  slice.value = std::move(values);
  return slice;
}

/// The bilinear pressure at the velocity nodes.
std::vector<double> on_lattice(const StokesGrid& grid, const std::vector<double>& pressure) {
  const int64_t nx = grid.elements[0], ny = grid.elements[1];
  std::vector<double> values;
  values.reserve((2 * nx + 1) * (2 * ny + 1));
  for (int64_t y = 0; y <= 2 * ny; ++y)
    for (int64_t x = 0; x <= 2 * nx; ++x) {
      const auto at = [&](int64_t i, int64_t j) { return pressure[j * (nx + 1) + i]; };
      values.push_back(
          (at(x / 2, y / 2) + at((x + 1) / 2, y / 2) + at(x / 2, (y + 1) / 2) + at((x + 1) / 2, (y + 1) / 2)) / 4);
    }
  return values;
}

void fill_pictures(const StokesModel& model, const StokesFields& fields, const PdeOptions& options, PdeResult& result) {
  const RegularGrid lattice = velocity_lattice(model.grid);
  const size_t points = fields.velocity[0].size();
  std::vector<Point> velocity(points);
  std::vector<double> speed(points);
  for (size_t i = 0; i < points; ++i) {
    velocity[i] = {fields.velocity[0][i], fields.velocity[1][i], 0};
    speed[i] = std::hypot(velocity[i][0], velocity[i][1]);
  }
  if (model.is_known) {
    std::vector<double> error(points);
    for (size_t i = 0; i < points; ++i) {
      const double x = (static_cast<int64_t>(i) % lattice.size[0]) * lattice.spacing[0];
      const double y = (static_cast<int64_t>(i) / lattice.size[0]) * lattice.spacing[1];
      const auto exact = model.velocity(x, y);
      error[i] = std::hypot(velocity[i][0] - exact[0], velocity[i][1] - exact[1]);
    }
    result.error_slice = slice_of(lattice, std::move(error));
  }
  result.slice = slice_of(lattice, std::move(speed));
  result.shown = "|u|";
  std::vector<double> pressure = on_lattice(model.grid, fields.pressure);
  const VectorGrid field(lattice, std::move(velocity));
  constexpr double kSeparation = 1. / 18;
  // Lines of what is not a solution may be long and many.
  if (options.wants_streamlines && result.solve.converged)
    result.lines_in_slice = spaced_streamlines(field, kSeparation);
  if (options.wants_fields) {
    result.field_grid = {{lattice.size, lattice.spacing}};
    result.fields.push_back(field.named("velocity"));
    result.fields.push_back({"pressure", 1, pressure});
  }
  result.further_slices.push_back({"pressure", "p", slice_of(lattice, std::move(pressure))});
}

/// Solves for every step, until one does not converge, from what the last two steps lead to expect: the same change
/// once more. The levels of the engine serve all of them.
void take_steps(Engine& engine, const StokesSteps& steps, const PdeOptions& options, PdeResult& result) {
  const int count = *options.choices.steps;
  const int64_t n = result.unknowns;
  std::vector<double> earlier, before = steps.start();
  result.steps.emplace();
  for (int step = 1; step <= count; ++step) {
    const std::vector<double> b = steps.right_hand_side(step, before);
    std::vector<double> x = before;
    constexpr int kFirstExtrapolated = 3;  // the start has no pressure
    if (step >= kFirstExtrapolated)
      for (size_t i = 0; i < x.size(); ++i) x[i] = 2 * before[i] - earlier[i];
    result.solve = engine.solve({b.data(), n, 1}, {x.data(), n, 1}, {options.rtol, 0, options.max_iterations});
    result.steps->iterations.push_back(result.solve.iterations);
    result.steps->end_s = step * *options.choices.time_step;
    options.share_done(static_cast<double>(step) / count);
    earlier = std::exchange(before, std::move(x));
    if (!result.solve.converged) break;
  }
  result.solution = std::move(before);
}

}  // namespace

PdeResult solve_stokes(const PdeProblem& info, const PdeOptions& options) {
  Stopwatch watch;
  PdeResult result;
  result.problem = &info;
  result.shape = pde_shape(info, options.choices);
  result.size = std::max(result.shape[0], result.shape[1]);
  result.parameters = pde_parameters(info, options.choices);

  options.progress("assemble");
  StokesModel model = make_stokes_model(info, options.choices);
  std::optional<StokesSteps> steps;
  if (options.choices.steps) {
    steps.emplace(model, *options.choices.time_step);
    model = steps->after(*options.choices.steps);
  }
  const auto grid = std::make_shared<const StokesGrid>(model.grid);
  result.why_unknown = model.why_unknown;
  result.spacing = {grid->spacing[0], grid->spacing[1], 0};
  auto [problem, b, unbalanced] = system_of(model);
  const EngineInfo& engine_info = choose_engine(options.engine, *problem);
  if (engine_info.needs_matrix) *problem = stokes_problem(grid);
  const int64_t n = result.unknowns = grid->unknowns();
  result.nonzeros = stokes_nonzeros(*grid);
  result.timings_s.assemble = watch.lap();

  options.progress("set up");
  const std::string_view device = choose_device(engine_info, options.device, n);
  std::unique_ptr<Engine> engine = make_engine(engine_info, device, options.settings);
  if (!steps) engine->set_context({.share_done = options.share_done});
  engine->setup(std::shared_ptr<const Problem>(problem));
  result.timings_s.setup = watch.lap();

  options.progress("solve");
  if (steps) {
    take_steps(*engine, *steps, options, result);
    model = steps->after(static_cast<int>(result.steps->iterations.size()));
  } else {
    result.solution.assign(n, 0.0);
    result.solve = engine->solve({b.data(), n, 1}, {result.solution.data(), n, 1},
                                 {options.rtol, 0, options.max_iterations, true});
  }
  result.timings_s.solve = watch.lap();
  result.engine = describe(engine_info, *engine, device, options.device);
  result.dof_per_s = n / (result.timings_s.setup + result.timings_s.solve);

  options.progress("check");
  engine.reset();  // frees its memory for the check
  const StokesFields fields = stokes_fields(model, result.solution);
  result.flow = StokesCheck{{}, largest_divergence(model, fields), {}};
  if (model.is_known)
    result.flow->error = stokes_error(model, fields);
  else if (info.has("lid"))
    result.flow->cavity = cavity_extrema(model, fields);
  fill_pictures(model, fields, options, result);
  result.timings_s.check = watch.lap();
  result.peak_memory_bytes = peak_memory_bytes();
  return result;
}

}  // namespace gridiron
