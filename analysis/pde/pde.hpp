// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pde/accuracy.hpp"
#include "analysis/pde/problems.hpp"
#include "analysis/pde/slice.hpp"
#include "analysis/progress.hpp"
#include "engines/engine.hpp"

namespace gridiron {

struct PdeOptions {
  std::string problem;
  PdeChoices choices;
  std::string engine = "auto", device = "auto";
  Settings settings;   ///< --set
  double rtol = 1e-8;  ///< relative residual to reach
  int max_iterations = 500;
  Progress progress = [](std::string_view) {};
};

/// Everything a run found out; every report is written from this.
struct PdeResult {
  const PdeProblem* problem = nullptr;
  RegularGrid::Index shape{};  ///< points, boundary included, or cells, per axis
  std::int64_t size = 0;       ///< the largest of them
  ParamList parameters;        ///< of the problem
  std::int64_t unknowns = 0, nonzeros = 0;

  EngineRun engine;
  SolveStats solve;
  std::optional<PdeError> error;       ///< of a problem with a known solution,
  std::optional<FlowBalance> balance;  ///< and the check of one without

  std::vector<double> solution;  ///< per unknown
  Slice slice;                   ///< what a picture shows

  struct {
    double assemble = 0, setup = 0, solve = 0, check = 0, report = 0, total = 0;
  } timings_s;
  double dof_per_s = 0;  ///< unknowns per second of setup and solve
  std::int64_t peak_memory_bytes = 0;
};

/// Makes the problem, sets the engine up, solves, and compares with the exact solution or draws up the balance. Errors:
/// InputError, ResourceError, SolverError when the engine breaks down. Missing the residual is no exception: see
/// residual_miss().
PdeResult solve_pde(const PdeOptions& options);

/// Empty when the engine has reached the residual asked for, else one line that says what is missing.
std::string residual_miss(const PdeResult& result, const PdeOptions& options);

}  // namespace gridiron
