// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "analysis/pde/pde.hpp"
#include "app/analysis_options.hpp"
#include "app/commands.hpp"
#include "app/progress.hpp"
#include "netlist/expression.hpp"
#include "reports/pde_report.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/output_file.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

struct PdeArguments {
  PdeOptions options;
  std::string device = "auto", out, formats;
  int threads = 0;
  std::vector<std::int64_t> cells, study;
  std::vector<std::string> settings;
  bool quiet = false, no_progress = false;
};

PdeOptions options_of(const PdeArguments& arguments) {
  use_threads(arguments.threads);
  PdeOptions options = arguments.options;
  options.device = arguments.device;
  if (!arguments.cells.empty()) options.choices.cells = {arguments.cells[0], arguments.cells[1], arguments.cells[2]};
  options.settings = parse_settings(arguments.settings);
  return options;
}

/// Text and JSON tell how long the other files took, so they come last.
void write_all(PdeResult& result, const std::string& out, Formats formats, const Stopwatch& total) {
  Stopwatch watch;
  for (const char* slow : {"png", "vtk"})
    if (formats.erase(slow) > 0) write_pde_reports(result, out, {slow});
  result.timings_s.report = watch.seconds();
  result.timings_s.total = total.seconds();
  result.peak_memory_bytes = peak_memory_bytes();
  write_pde_reports(result, out, formats);
}

int run_study(const PdeArguments& arguments, const PdeOptions& options, const Formats& formats,
              ProgressLine& progress) {
  if (options.choices.size || options.choices.cells) throw InputError("--study has its own sizes; leave --size out");
  const PdeStudy study = study_pde(options, arguments.study);
  if (!arguments.out.empty()) write_pde_study(study, arguments.out, formats);
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", pde_study_text(study));
  for (const PdeResult& run : study.runs)
    if (const std::string miss = residual_miss(run, options); !miss.empty())
      throw SolverError(fmt::format("size {}: {}", run.size, miss));
  return static_cast<int>(ExitCode::done);
}

int run_pde(const PdeArguments& arguments) {
  const Stopwatch total;
  PdeOptions options = options_of(arguments);
  const bool is_study = !arguments.study.empty();
  const std::span<const std::string_view> known =
      is_study ? std::span<const std::string_view>(kPdeStudyFormats) : kPdeReportFormats;
  const Formats formats = parse_formats(arguments.formats, known, arguments.out);
  if (options.engine != "auto") find_engine(options.engine);
  const OutputFolder folder(arguments.out);
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  options.progress = [&](std::string_view stage) { progress.stage(stage); };

  if (is_study) return run_study(arguments, options, formats, progress);
  options.wants_fields = !arguments.out.empty() && formats.contains("vtk");
  PdeResult result = solve_pde(options);
  result.timings_s.total = total.seconds();
  if (!arguments.out.empty()) {
    progress.stage("report");
    write_all(result, arguments.out, formats, total);
  }
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", pde_text(result));
  if (const std::string miss = residual_miss(result, options); !miss.empty()) throw SolverError(miss);
  return static_cast<int>(ExitCode::done);
}

/// "0, helmholtz2d -1".
std::string default_shifts() {
  std::string text = "0";
  for (const PdeProblem& problem : pde_problems())
    if (problem.default_shift != 0) text += fmt::format(", {} {}", problem.name, problem.default_shift);
  return text;
}

std::string problem_table() {
  std::string table = "Problems:\n";
  for (const PdeProblem& problem : pde_problems()) {
    table += fmt::format("  {:<14} {}", problem.name, problem.about);
    if (!problem.solution.empty()) table += fmt::format("; {}", problem.solution);
    table += fmt::format(" (default size {})", problem.default_size);
    table += problem.options.empty() ? "\n" : fmt::format(" [{}]\n", problem.options);
  }
  return table;
}

}  // namespace

void add_pde_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "pde", "model PDE problems in the unit square and cube, with the error where the solution is known");
  auto arguments = std::make_shared<PdeArguments>();
  PdeOptions& options = arguments->options;
  command->add_option("PROBLEM", options.problem, "one of those listed below")->required();
  command->add_option("--size", options.choices.size,
                      "grid points per dimension, boundary included; of porous3d: cells along the longest side");
  command->add_option("--cells", arguments->cells, "NX,NY,NZ instead of --size")->delimiter(',')->expected(3);
  command->add_option("--epsilon", options.choices.epsilon,
                      fmt::format("factor of d2/dy2 (default: {})", kDefaultEpsilon));
  command
      ->add_option("--seed", options.choices.seed,
                   fmt::format("of the random permeability (default: {})", kDefaultSeed))
      ->check(CLI::NonNegativeNumber);
  command->add_option(
      "--sigma", options.choices.sigma,
      fmt::format("conductivity: a number, a .npy file with the shape ([nz,]ny,nx), or a formula in x, y, z "
                  "such as 1+x*y with + - * / % ** ^ and {}",
                  expression_functions()));
  command->add_option(
      "--bc", options.choices.conditions,
      "conditions on faces, FACE=dirichlet[:VALUE] or FACE=neumann[:FLUX|:exact], with commas between; "
      "faces are x0, x1, y0, y1, z0, z1, all. Without a value, dirichlet takes that of the problem and "
      "neumann lets nothing through; FLUX is sigma du/dn, positive into the box, 'exact' that of the known solution");
  command->add_option("--stencil", options.choices.stencil,
                      "5 (7 in 3-D): along the axes; 9 (27 in 3-D): all around, weighted by distance (default: 5)");
  command->add_option("--shift", options.choices.shift,
                      fmt::format("the a of div(sigma grad u) + a u = f (default: {})", default_shifts()));
  command->add_option("--sign", options.choices.sign,
                      "+ or -: the ball of capacitor3d conducts less or more (default: +)");
  command->add_option("--curve", options.choices.curve,
                      "file of points x,y, one per line, of a closed curve in the unit "
                      "square");
  command->add_option("--study", arguments->study, "sizes, with commas between: a table and a plot of error and time")
      ->delimiter(',');
  command->add_option("--engine", options.engine, "solver engine, see 'gridiron engines'")->capture_default_str();
  add_device_option(*command, arguments->device);
  add_rtol_option(*command, options.rtol, "relative residual to reach")->capture_default_str();
  command->add_option("--max-iterations", options.max_iterations, "iterations before giving up")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--set", arguments->settings, "engine parameter, KEY=VALUE; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--threads", arguments->threads, "threads (default: all cores)")->check(CLI::Range(1, 4096));
  command->add_option("--out", arguments->out, "write the reports into this folder");
  command->add_option("--formats", arguments->formats, "which of text,json,png,vtk (default: all; --study has no vtk)");
  command->add_flag("--quiet", arguments->quiet, "nothing on standard output");
  command->add_flag("--no-progress", arguments->no_progress, "no progress line");
  command->footer(problem_table());
  command->callback([arguments, &exit_code] { exit_code = run_pde(*arguments); });
}

}  // namespace gridiron
