// SPDX-License-Identifier: Apache-2.0
#include "reports/pde_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/pictures/convergence_picture.hpp"
#include "reports/pictures/vtk.hpp"
#include "reports/text/engine_lines.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/print.hpp"
#include "support/output_file.hpp"
#include "support/shown_number.hpp"

namespace gridiron {
namespace {

Json json_error(const PdeResult& result) {
  if (result.flow && result.flow->error) {
    Json error = json_of(*result.flow->error);
    error["divergence_max"] = number_or_null(result.flow->divergence_max);
    return error;
  }
  return json_of(result.error);
}

Json json_check(const PdeResult& result) {
  if (result.balance) return with_fields({{"name", "mass_balance"}}, *result.balance);
  if (result.vortex) return with_fields({{"name", "vortex"}}, *result.vortex);
  if (result.mesh) return with_fields({{"name", "mesh"}}, *result.mesh);
  if (!result.flow) return nullptr;
  const Json divergence = number_or_null(result.flow->divergence_max);
  if (result.flow->cavity)
    return with_fields({{"name", "cavity"}, {"divergence_max", divergence}}, *result.flow->cavity);
  if (result.flow->error) return nullptr;
  return {{"name", "divergence"}, {"divergence_max", divergence}};
}

Json json_shape(const PdeResult& result) {
  Json shape = Json::array();
  for (int axis = 0; axis < result.problem->dimensions; ++axis) shape.push_back(result.shape[axis]);
  return shape;
}

void write_pictures(const PdeResult& result, const OutputPath& directory) {
  write_file(directory / "solution.png", pde_picture(result));
  if (result.error_slice) write_file(directory / "error.png", pde_error_picture(result));
  for (const ShownSlice& further : result.further_slices)
    write_file(directory / (further.name + ".png"), pde_further_picture(result, further));
  if (result.solve.history.size() > 1)
    write_file(directory / "convergence.png",
               convergence_picture(result.problem->name, shape_text(result.shape, result.problem->dimensions),
                                   result.engine, result.solve));
  if (result.mesh) write_file(directory / "mesh.png", pde_mesh_picture(result));
  if (!result.lines.empty()) write_file(directory / "lines.png", pde_lines_picture(result));
}

void write_vtk(const PdeResult& result, const OutputPath& directory) {
  if (result.elements > 0) return;  // a finite-element function has no grid of points
  write_vtk_grid(directory / "solution.vtk", result);
  if (result.mesh) write_vtk_mesh(directory / "mesh.vtk", *result.mesh);
  if (!result.lines.empty()) write_vtk_lines(directory / "lines.vtk", result.lines, result.along_lines);
  if (!result.sources.empty()) write_vtk_lines(directory / "sources.vtk", result.sources, result.along_lines);
}

/// Only for problems whose solution is known before options change them.
std::string solution_line(const PdeResult& result) {
  if (result.problem->solution.empty()) return "";
  if (result.why_unknown.empty()) return fmt::format("Solution     {}\n", result.problem->solution);
  return fmt::format("Solution     not known: {}\n", printable(result.why_unknown));
}

/// What is known of the solution: errors, and what its problem has to fulfil.
void print_checks(std::string& out, const PdeResult& result) {
  if (result.steps) {
    const auto [least, most] = std::ranges::minmax(result.steps->iterations);
    print(out, "Steps        {} to t = {:g} s, of {} iterations; what follows is the last one\n",
          result.steps->iterations.size(), result.steps->end_s,
          least == most ? fmt::to_string(most) : fmt::format("{} to {}", least, most));
  }
  if (result.error)
    print(out, "Error        L1 relative {:.4e}, L2 {:.4e}, largest {:.4e}\n", Shown{result.error->l1_relative},
          Shown{result.error->l2}, Shown{result.error->linf});
  if (result.balance)
    print(out, "Balance      inflow {:.9g}, outflow {:.9g}, imbalance {:.2e} of the inflow\n",
          Shown{result.balance->inflow}, Shown{result.balance->outflow}, Shown{result.balance->imbalance});
  if (result.vortex)
    print(out,
          "Vortex       largest speed {:.4g}, circulation {:.4f}, stray rotation {:.2g} % of the velocity gradient "
          "away from the knot\n",
          Shown{result.vortex->largest_speed}, Shown{result.vortex->circulation},
          Shown{100 * result.vortex->stray_rotation});
  if (const auto& mesh = result.mesh)
    print(out, "Mesh         {} of {} folded, areas {:.3g} to {:.3g} of a uniform one, {}, {}\n", grouped(mesh->folded),
          count_of(std::ssize(mesh->area_shares), "cell"), Shown{mesh->least_area}, Shown{mesh->largest_area},
          count_of(mesh->steps, "Euler step"), motion_text(*mesh));
  if (!result.flow) return;
  const Shown divergence{result.flow->divergence_max};
  if (const auto& error = result.flow->error)
    print(out, "Error        velocity L2 {:.5e}, pressure L2 {:.5e}, largest |B u| {:.1e}\n", Shown{error->velocity_l2},
          Shown{error->pressure_l2}, divergence);
  else if (!result.flow->cavity)
    print(out, "Divergence   largest |B u| {:.1e}\n", divergence);
  if (result.flow->cavity) {
    const CavityExtrema& cavity = *result.flow->cavity;
    print(out,
          "Cavity       least u at x = 1/2 {:.6f} (y = {:.4f}), largest v at y = 1/2 {:.6f} (x = {:.4f}), least stream "
          "function {:.6f} ({:.4f}, {:.4f}), largest |B u| {:.1e}\n",
          Shown{cavity.least_u}, Shown{cavity.least_u_y}, Shown{cavity.largest_v}, Shown{cavity.largest_v_x},
          Shown{cavity.least_psi}, Shown{cavity.least_psi_x}, Shown{cavity.least_psi_y}, divergence);
  }
}

}  // namespace

std::string motion_text(const Mesh& mesh) {
  return mesh.time < kDeformationTime
             ? fmt::format("stopped at t = {:.3f} of {}, before a cell would fold", mesh.time, kDeformationTime)
             : fmt::format("moved to t = {}", kDeformationTime);
}

std::string pde_text(const PdeResult& result) {
  const PdeProblem& problem = *result.problem;
  const auto& t = result.timings_s;
  std::string out = fmt::format("Gridiron {}\n", GRIDIRON_VERSION);
  print(out, "Problem      {}: {}{}", problem.name, problem.about, parameters_text(result.parameters));
  out += result.elements > 0 ? fmt::format("\nMesh         {}", count_of(result.elements, "element"))
                             : fmt::format("\nGrid         {}{}", problem.make_stokes ? "elements, " : "",
                                           shape_text(result.shape, problem.dimensions));
  print(out, ": {}, {}", count_of(result.unknowns, "unknown"), count_of(result.nonzeros, "nonzero"));
  out += result.components > 1 ? fmt::format(", {} right-hand sides\n", result.components) : "\n";
  out += solution_line(result);
  if (constexpr double kRounding = 1e-9; result.unbalanced > kRounding)
    print(out, "Data         {:.2g} % of the total flow did not cancel and was distributed evenly\n",
          Shown{100 * result.unbalanced});
  out += engine_lines(result.engine, result.solve);
  print_checks(out, result);
  print(out, "Time         {:.3f} s: assemble {:.3f}, setup {:.3f}, solve {:.3f}, check {:.3f}", t.total, t.assemble,
        t.setup, t.solve, t.check);
  out += t.report > 0 ? fmt::format(", report {:.3f}\n", t.report) : "\n";
  print(out, "Rate         {:.3e} unknowns per second of setup and solve\n", Shown{result.dof_per_s});
  print(out, "Memory       {} at the peak\n", byte_count(result.peak_memory_bytes));
  return out;
}

std::string pde_json(const PdeResult& result) {
  return json_text({{"schema", "gridiron.pde/1"},
                    {"tool_version", GRIDIRON_VERSION},
                    {"problem", result.problem->name},
                    {"size", result.size},
                    {"shape", json_shape(result)},
                    {"parameters", json_parameters(result.parameters)},
                    {"unknowns", result.unknowns},
                    {"nonzeros", result.nonzeros},
                    {"note", result.why_unknown},
                    {"unbalanced", number_or_null(result.unbalanced)},
                    {"engine", json_of(result.engine)},
                    {"solve", with_figures({{"iterations", result.solve.iterations},
                                            {"relative_residual", number_or_null(result.solve.relative_residual)},
                                            {"levels", result.engine.levels.size()},
                                            {"converged", result.solve.converged},
                                            {"history", json_of(result.solve.history)},
                                            {"bytes", result.engine.bytes}},
                                           result.engine)},
                    {"steps", json_of(result.steps)},
                    {"error", json_error(result)},
                    {"check", json_check(result)},
                    {"timings_s", json_of(result.timings_s)},
                    {"dof_per_s", number_or_null(result.dof_per_s)},
                    {"peak_memory_bytes", result.peak_memory_bytes}});
}

void write_pde_reports(const PdeResult& result, const OutputPath& directory, const Formats& formats) {
  make_directory(directory);
  if (formats.contains("text")) write_file(directory / "summary.txt", pde_text(result));
  if (formats.contains("json")) write_file(directory / "report.json", pde_json(result));
  if (formats.contains("png")) write_pictures(result, directory);
  if (formats.contains("vtk")) write_vtk(result, directory);
}

}  // namespace gridiron
