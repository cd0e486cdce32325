// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "analysis/pde/pde.hpp"
#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/number_checks.hpp"
#include "app/session/option_name.hpp"
#include "netlist/values/expression.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/pde_report.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"
#include "support/number_in.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

struct PdeArguments : PdeOptions {
  std::string out, formats;
  int threads = 0;
  std::vector<int64_t> study;
  std::vector<std::string> set;
  bool quiet = false, no_progress = false;
};

PdeOptions options_of(const PdeArguments& arguments) {
  use_threads(arguments.threads);
  PdeOptions options = arguments;
  options.settings = parse_settings(arguments.set, arguments.engine);
  return options;
}

/// Text and JSON report the time taken by the other files, so they are written last.
void write_all(PdeResult& result, RunFolder& folder, Formats formats, const Stopwatch& total) {
  Stopwatch watch;
  for (const char* slow : {"png", "vtk"})
    if (formats.erase(slow) > 0) write_pde_reports(result, folder.path(), {slow});
  result.timings_s.report = watch.seconds();
  result.timings_s.total = total.seconds();
  result.peak_memory_bytes = peak_memory_bytes();
  write_pde_reports(result, folder.path(), formats);
  folder.finish();
}

int run_study(const PdeArguments& arguments, const PdeOptions& options, const Formats& formats, RunFolder& folder,
              ProgressLine& progress) {
  if (options.choices.size || options.choices.cells) throw InputError("--study has its own sizes; leave --size out");
  const PdeStudy study = study_pde(options, arguments.study);
  if (!arguments.out.empty()) write_pde_study(study, folder.path(), formats);
  folder.finish();
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", pde_study_text(study));
  for (const PdeResult& run : study.runs)
    if (const std::string miss = residual_miss(run, options); !miss.empty())
      throw solver_error("size {}: {}", run.size, miss);
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
  std::vector<std::string> inputs;
  if (options.choices.curve) inputs.push_back(*options.choices.curve);
  RunFolder folder(arguments.out, {is_study ? "study" : "pde", formats}, inputs);
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  options.progress = [&](std::string_view stage) { progress.stage(stage); };
  options.share_done = [&](double done) { progress.share(done); };

  if (is_study) return run_study(arguments, options, formats, folder, progress);
  options.wants_fields = !arguments.out.empty() && formats.contains("vtk");
  options.wants_streamlines = !arguments.out.empty() && formats.contains("png");
  PdeResult result = solve_pde(options);
  result.timings_s.total = total.seconds();
  if (!arguments.out.empty()) {
    progress.stage("report");
    write_all(result, folder, formats, total);
  }
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", pde_text(result));
  if (const std::string miss = residual_miss(result, options); !miss.empty()) throw SolverError(miss);
  return static_cast<int>(ExitCode::done);
}

template <class T>
void read(std::optional<T>& value, const std::string& text) {
  value = declaring::parsed<T>(text);
}

/// NX,NY,NZ.
void read(std::optional<RegularGrid::Index>& value, const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() != 3 ||
      !std::ranges::all_of(parts, [](const std::string& part) { return number_in<int64_t>(part).has_value(); }))
    throw field_error("cells", "{}: expected three whole numbers, as in 60,220,85", text);
  const auto n = [&](size_t k) { return declaring::parsed<int64_t>(parts[k]); };
  value = {n(0), n(1), n(2)};
}

/// A number, or NXxNY for the number of cells.
void read_size(PdeChoices& choices, const std::string& text) {
  const char *at = text.data(), *const end = at + text.size();
  const auto whole_number = [&]() -> int64_t {
    int64_t value = INT64_MAX;  // what is out of range is too large for any problem
    const auto [after, error] = std::from_chars(at, end, value);
    if (error == std::errc::invalid_argument)
      throw field_error("size", "{}: expected a whole number, or two as in 64x32", text);
    at = after;
    return value;
  };
  const int64_t nx = whole_number();
  if (at == end) return static_cast<void>(choices.size = nx);
  const bool has_two = *at == 'x';
  at = has_two ? at + 1 : end;
  choices.cells = {nx, whole_number(), 1};
  if (at != end) at = end, whole_number();
}

/// The options of model problems, as PdeChoices declares them.
void add_choices(Declaration<PdeArguments>& pde) {
  PdeChoices().visit([&]<class T>(std::string_view name, std::optional<T>&, const std::optional<T>& usual,
                                  std::string_view unit, std::string_view meaning) {
    Argument argument{.field = std::string(name), .help = std::string(meaning)};
    const auto take = [name](PdeArguments& arguments, const std::string& text) {
      if (name == "size") return read_size(arguments.choices, text);
      arguments.choices.visit([&](std::string_view other, auto& value, const auto&...) {
        if (other == name) read(value, text);
      });
    };
    if constexpr (std::is_arithmetic_v<T>) {
      argument.kind = declaring::kind_of<T>();
      argument.value = "N";
      argument.unit = unit.empty() ? "1" : unit;
      if (name != "size")
        argument.check = [of = argument.unit](const std::string& text) { return declaring::type_fault<T>(text, of); };
    } else {
      argument.value = std::is_same_v<T, std::string> ? "TEXT" : "NX,NY,NZ";
    }
    if constexpr (requires { declaring::shown(*usual); })
      if (usual) argument.initial = declaring::shown(*usual);
    if (name == "size") argument.value = "N|NXxNY";
    if (name == "curve") argument.path = Argument::Path::file;
    pde.add_read_by(take, std::move(argument));
  });
}

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

ToolCommand pde_command() {
  using Args = PdeArguments;
  Declaration<Args> pde(
      {.name = "pde",
       .help = "model PDE problems in the unit square and cube, with the error where the solution is known",
       .example = "gridiron pde poisson2d --size 1025 --engine sgml",
       .notes = problem_table()});
  std::vector<std::string> problems;
  for (const PdeProblem& problem : pde_problems()) problems.emplace_back(problem.name);
  pde.add(&PdeOptions::problem, {.field = "problem",
                                 .value = "PROBLEM",
                                 .help = "one of those listed below",
                                 .suggestions = std::move(problems),
                                 .is_positional = true,
                                 .is_required = true});
  add_choices(pde);
  pde.add(&Args::study, {.field = "study",
                         .value = "N",
                         .unit = "1",
                         .help = "several sizes: a table and a plot of error and time",
                         .separator = ','});
  add_engine(pde, &PdeOptions::engine);
  add_device(pde, &PdeOptions::device);
  add_rtol(pde, &PdeOptions::rtol, "relative residual to reach");
  add_max_iterations(pde, &PdeOptions::max_iterations);
  add_settings(pde, &Args::set);
  add_threads(pde);
  add_out(pde, "write the reports into this folder");
  add_formats(pde, "which of text,json,png,vtk (default: all; --study has no vtk)",
              {std::begin(kPdeReportFormats), std::end(kPdeReportFormats)});
  add_quiet(pde);
  return std::move(pde).run_by(run_pde);
}

}  // namespace gridiron
