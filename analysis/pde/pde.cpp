// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/pde.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>

#include "analysis/pde/discretise.hpp"
#include "support/memory.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

ParamList parameters_of(const PdeProblem& problem, const PdeChoices& choices) {
  ParamLister lister;
  const auto has = [&](std::string_view option) { return problem.options.find(option) != std::string_view::npos; };
  if (has("--epsilon")) lister("epsilon", choices.epsilon.value_or(kDefaultEpsilon), "", "factor of d2/dy2");
  if (has("--seed"))
    lister("seed", std::to_string(choices.seed.value_or(kDefaultSeed)), "", "of the random coefficients");
  return std::move(lister.list);
}

}  // namespace

PdeResult solve_pde(const PdeOptions& options) {
  Stopwatch watch;
  PdeResult result;
  const PdeProblem& info = find_pde_problem(options.problem);
  result.problem = &info;
  result.shape = pde_shape(info, options.choices);
  result.size = *std::max_element(result.shape.begin(), result.shape.end());
  result.parameters = parameters_of(info, options.choices);

  options.progress("assemble");
  PdeModel model = info.make(result.shape, options.choices);
  Problem problem;
  problem.matrix = assemble(model.grid);
  const std::vector<double> b = right_hand_side(model);
  problem.structure = std::move(model.grid);  // lent until the check: its coefficients may be large
  const std::int64_t n = result.unknowns = problem.matrix.rows;
  result.nonzeros = problem.matrix.nonzeros();
  result.timings_s.assemble = watch.lap();

  options.progress("set up");
  const EngineInfo& engine_info = choose_engine(options.engine, problem);
  const std::string_view device = choose_device(engine_info, options.device);
  const std::unique_ptr<Engine> engine = make_engine(engine_info, device, options.settings);
  engine->setup(problem);
  result.timings_s.setup = watch.lap();

  options.progress("solve");
  result.solution.assign(n, 0.0);
  result.solve = engine->solve({b.data(), n}, {result.solution.data(), n}, {options.rtol, 0, options.max_iterations});
  result.timings_s.solve = watch.lap();
  result.engine = describe(engine_info, *engine, device, options.device);
  result.dof_per_s = static_cast<double>(n) / (result.timings_s.setup + result.timings_s.solve);

  options.progress("check");
  model.grid = std::get<RegularGrid>(std::move(problem.structure));
  if (info.has_solution)
    result.error = error_against_exact(model, result.solution);
  else
    result.balance = flow_balance(model, result.solution);
  result.slice = middle_slice(model, result.solution);
  result.timings_s.check = watch.lap();
  result.peak_memory_bytes = peak_memory_bytes();
  return result;
}

std::string residual_miss(const PdeResult& result, const PdeOptions& options) {
  if (result.solve.converged) return "";
  return fmt::format(
      "engine {} stopped after {} iterations at a relative residual of {:.2e}, asked for {:.2e}; raise "
      "--max-iterations or try another --engine",
      result.engine.name, result.solve.iterations, result.solve.relative_residual, options.rtol);
}

}  // namespace gridiron
