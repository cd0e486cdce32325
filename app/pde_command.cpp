// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include "analysis/pde/pde.hpp"
#include "app/analysis_options.hpp"
#include "app/commands.hpp"
#include "app/number_checks.hpp"
#include "app/option_name.hpp"
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
  std::vector<std::int64_t> study;
  std::vector<std::string> settings;
  bool quiet = false, no_progress = false;
};

PdeOptions options_of(const PdeArguments& arguments) {
  use_threads(arguments.threads);
  PdeOptions options = arguments.options;
  options.device = arguments.device;
  options.settings = parse_settings(arguments.settings);
  return options;
}

/// Text and JSON report the time taken by the other files, so they are written last.
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

/// Adds the options of model problems to the command, as PdeChoices declares them.
class ChoiceAdder {
 public:
  explicit ChoiceAdder(CLI::App& command) : command_(command) {}

  template <class T>
  void operator()(std::string_view name, std::optional<T>& value, const std::optional<T>& usual, std::string_view,
                  std::string_view meaning) {
    const std::string about = usual ? fmt::format("{} (default: {})", meaning, *usual) : std::string(meaning);
    CLI::Option* option = command_.add_option(option_name(name), value, about);
    if constexpr (std::is_unsigned_v<T>) option->check(whole_number(0, INT64_MAX));
  }

  /// A number, or NXxNY for the number of cells.
  void add_size(PdeChoices& choices, std::string_view meaning) {
    const auto take = [&choices](const std::string& text) {
      const char *at = text.data(), *const end = at + text.size();
      const auto whole_number = [&]() -> std::int64_t {
        std::int64_t value = INT64_MAX;  // what is out of range is too large for any problem
        const auto [after, error] = std::from_chars(at, end, value);
        if (error == std::errc::invalid_argument)
          throw InputError(fmt::format("--size {}: expected a whole number, or two as in 64x32", text));
        at = after;
        return value;
      };
      const std::int64_t nx = whole_number();
      if (at == end) return static_cast<void>(choices.size = nx);
      const bool has_two = *at == 'x';
      at = has_two ? at + 1 : end;
      choices.cells = {nx, whole_number(), 1};
      if (at != end) at = end, whole_number();
    };
    command_.add_option_function<std::string>("--size", take, std::string(meaning))->type_name("N|NXxNY");
  }

  void operator()(std::string_view name, std::optional<RegularGrid::Index>& value,
                  const std::optional<RegularGrid::Index>&, std::string_view, std::string_view meaning) {
    const auto take = [&value](const std::vector<std::int64_t>& n) { value = {n[0], n[1], n[2]}; };
    command_.add_option_function<std::vector<std::int64_t>>(option_name(name), take, std::string(meaning))
        ->delimiter(',')
        ->expected(3);
  }

 private:
  CLI::App& command_;
};

std::vector<std::string> option_names(const PdeProblem& problem) {
  std::vector<std::string> names;
  PdeChoices().visit([&](std::string_view name, const auto&...) {
    if (name != "size" && problem.has(name)) names.push_back(option_name(name));
  });
  return names;
}

std::string problem_table() {
  std::string table = "Problems:\n";
  for (const PdeProblem& problem : pde_problems()) {
    table += fmt::format("  {:<14} {}", problem.name, problem.about);
    if (!problem.solution.empty()) table += fmt::format("; {}", problem.solution);
    table += fmt::format(" (default size {}", problem.default_size);
    table += problem.default_shift == 0 ? ")" : fmt::format(", shift {})", problem.default_shift);
    table += fmt::format(" [{}]\n", fmt::join(option_names(problem), " "));
  }
  return table + fmt::format("Formulas take + - * / % ** ^ and {}.\n", expression_functions());
}

}  // namespace

void add_pde_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "pde", "model PDE problems in the unit square and cube, with the error where the solution is known");
  auto arguments = std::make_shared<PdeArguments>();
  PdeOptions& options = arguments->options;
  command->add_option("PROBLEM", options.problem, "one of those listed below")->required();
  ChoiceAdder adder(*command);
  options.choices.visit(
      [&](std::string_view name, auto& value, const auto& usual, auto unit, std::string_view meaning) {
        if (name == "size")
          adder.add_size(options.choices, meaning);
        else
          adder(name, value, usual, unit, meaning);
      });
  command->add_option("--study", arguments->study, "sizes, separated by commas: a table and a plot of error and time")
      ->delimiter(',');
  command->add_option("--engine", options.engine, "solver engine, see 'gridiron engines'")->capture_default_str();
  add_device_option(*command, arguments->device);
  add_rtol_option(*command, options.rtol, "relative residual to reach")->capture_default_str();
  command->add_option("--max-iterations", options.max_iterations, "iterations before giving up")
      ->check(whole_number(1, INT_MAX))
      ->capture_default_str();
  command->add_option("--set", arguments->settings, "engine parameter, KEY=VALUE; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--threads", arguments->threads, "threads (default: all cores)")
      ->check(whole_number(1, kMostThreads));
  add_out_option(*command, arguments->out, "write the reports into this folder");
  command->add_option("--formats", arguments->formats, "which of text,json,png,vtk (default: all; --study has no vtk)");
  command->add_flag("--quiet", arguments->quiet, "nothing on standard output");
  command->add_flag("--no-progress", arguments->no_progress, "no progress line");
  command->footer(problem_table());
  command->callback([arguments, &exit_code] { exit_code = run_pde(*arguments); });
}

}  // namespace gridiron
