// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pde/accuracy.hpp"
#include "analysis/pde/field_lines.hpp"
#include "analysis/pde/grid_deformation.hpp"
#include "analysis/pde/problems.hpp"
#include "analysis/pde/slice.hpp"
#include "engines/engine.hpp"
#include "support/context.hpp"

namespace gridiron {

struct PdeOptions {
  std::string problem;
  PdeChoices choices;
  std::string engine = "auto", device = "auto";
  Settings settings;   ///< --set
  double rtol = 1e-8;  ///< relative residual to reach
  int max_iterations = 500;
  bool wants_fields = false;  ///< fill PdeResult::fields for every problem
  Progress progress = [](std::string_view) {};
};

/// What is checked of a vortex; see Vortex.
struct VortexCheck {
  double largest_speed = 0, stray_rotation = 0, circulation = 0;
};

/// Everything a run found out; every report is written from this.
struct PdeResult {
  const PdeProblem* problem = nullptr;
  RegularGrid::Index shape{};  ///< points, boundary included, or cells, per axis
  std::int64_t size = 0;       ///< the largest of them
  Point spacing{};
  RegularGrid::Places places{};
  ParamList parameters;  ///< of the problem
  std::int64_t unknowns = 0, nonzeros = 0;
  int components = 1;  ///< solutions of the same operator
  /// Share of all that flows by which Neumann data missed to cancel, spread evenly; see right_hand_side().
  double unbalanced = 0;
  std::string why_unknown;  ///< empty, or why the problem's known solution does not hold

  EngineRun engine;
  SolveStats solve;
  // One of these says how good the solution is:
  std::optional<PdeError> error;  ///< where the solution is known
  std::optional<FlowBalance> balance;
  std::optional<VortexCheck> vortex;
  std::optional<Mesh> mesh;

  std::vector<double> solution;      ///< per unknown, one component after the other
  Slice slice;                       ///< what a picture shows,
  std::string shown = "u";           ///< and what that is
  std::string along_lines = "";      ///< what the values on the lines are
  std::optional<Slice> error_slice;  ///< |u − exact|
  std::vector<Line> lines;           ///< field lines, streamlines
  std::vector<Line> sources;         ///< what they wind around
  std::vector<Line> lines_in_slice;  ///< those within the plane of the slice
  std::vector<GridField> fields;     ///< on all points, boundary included

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
