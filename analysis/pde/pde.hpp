// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pde/accuracy.hpp"
#include "analysis/pde/applications/grid_deformation.hpp"
#include "analysis/pde/fields/field_lines.hpp"
#include "analysis/pde/fields/slice.hpp"
#include "analysis/pde/problems.hpp"
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
  bool wants_fields = false;       ///< fill PdeResult::fields for every problem
  bool wants_streamlines = false;  ///< of a Stokes flow that has converged, in PdeResult::lines_in_slice
  Progress progress = [](std::string_view) {};
  ShareDone share_done = [](double) {};
};

/// Checks of a vortex; see Vortex.
struct VortexCheck {
  double largest_speed = 0, stray_rotation = 0, circulation = 0;
  void visit(auto& v) const {
    v("largest_speed", largest_speed)("stray_rotation", stray_rotation)("circulation", circulation);
  }
};

/// Of a Stokes flow.
struct StokesCheck {
  std::optional<StokesError> error;  ///< if the solution is known
  double divergence_max = 0;         ///< max |B u|
  std::optional<CavityExtrema> cavity;
};

/// Of a problem that was solved step by step in time. The result is that of the last step.
struct TimeSteps {
  double end_s = 0;             ///< time after the last one
  std::vector<int> iterations;  ///< of each
  void visit(auto& v) const { v("end_s", end_s)("iterations", iterations); }
};

/// A further picture of the result.
struct ShownSlice {
  std::string name, unit;
  Slice slice;
};

/// The points of fields that are not those of the problem.
struct FieldGrid {
  RegularGrid::Index size{};
  Point spacing{};
};

/// All results of a run; every report is written from this.
struct PdeResult {
  const PdeProblem* problem = nullptr;
  RegularGrid::Index shape{};  ///< points, boundary included, or cells, per axis
  int64_t size = 0;            ///< the largest of them
  Point spacing{};
  RegularGrid::Places places{};
  ParamList parameters;  ///< of the problem
  int64_t elements = 0;  ///< of a problem with finite elements
  int64_t unknowns = 0, nonzeros = 0;
  int components = 1;  ///< solutions of the same operator
  /// Imbalance of the Neumann data as a fraction of the total flow, distributed evenly; see right_hand_side().
  double unbalanced = 0;
  std::string why_unknown;  ///< empty, or why the problem's known solution does not apply

  EngineRun engine;
  SolveStats solve;
  // One of these measures the quality of the solution:
  std::optional<PdeError> error;  ///< if the solution is known
  std::optional<FlowBalance> balance;
  std::optional<VortexCheck> vortex;
  std::optional<Mesh> mesh;
  std::optional<StokesCheck> flow;
  std::optional<TimeSteps> steps;

  std::vector<double> solution;      ///< per unknown, one component after the other
  Slice slice;                       ///< what the plot shows,
  std::string shown = "u";           ///< and what that is
  std::string along_lines = "";      ///< the meaning of the values on the lines
  std::optional<Slice> error_slice;  ///< |u − exact|
  std::vector<Line> lines;           ///< field lines, streamlines
  std::vector<Line> sources;         ///< the lines they wind around
  std::vector<Line> lines_in_slice;  ///< those within the plane of the slice
  std::vector<GridField> fields;     ///< on all points, boundary included
  std::optional<FieldGrid> field_grid;
  std::vector<ShownSlice> further_slices;

  struct {
    double assemble = 0, setup = 0, solve = 0, check = 0, report = 0, total = 0;
    void visit(auto& v) const {
      v("assemble", assemble)("setup", setup)("solve", solve)("check", check)("report", report)("total", total);
    }
  } timings_s;
  double dof_per_s = 0;  ///< unknowns per second of setup and solve
  int64_t peak_memory_bytes = 0;
};

/// Makes the problem, sets the engine up, solves, and compares with the exact solution or computes the flow balance.
/// Errors: InputError, ResourceError, SolverError when the engine breaks down. Missing the residual does not throw: see
/// residual_miss().
PdeResult solve_pde(const PdeOptions& options);

/// Empty if the engine reached the requested residual, otherwise one line that describes the shortfall.
std::string residual_miss(const PdeResult& result, const PdeOptions& options);

}  // namespace gridiron
