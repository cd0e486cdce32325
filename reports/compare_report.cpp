// SPDX-License-Identifier: Apache-2.0
#include "reports/compare_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/pictures/compare_picture.hpp"
#include "reports/tables/csv_line.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"
#include "support/output_file.hpp"
#include "support/shown_number.hpp"

namespace gridiron {
namespace {

std::string error_size(double value, std::string_view unit) {
  return unit.empty() ? fmt::format("{:.2e}", Shown{value}) : with_unit(value, unit);
}

std::string time_text(double value, std::string_view) { return seconds(value); }

/// A column of numbers: the value for a run (NaN: none) and its text.
struct Column {
  double (*value)(const CompareRun&);
  std::string (*text)(double value, std::string_view unit);
};

double solved_only(const CompareRun& run, double value) { return run.solved ? value : kUnknown; }
double others_only(const CompareRun& run, double value) { return run.is_reference ? kUnknown : value; }

constexpr Column kSetup = {[](const CompareRun& r) { return r.setup_s; }, time_text};
constexpr Column kSolve = {[](const CompareRun& r) { return r.solve_s; }, time_text};
constexpr Column kTotal = {[](const CompareRun& r) { return r.total_s; }, time_text};
constexpr Column kMemory = {[](const CompareRun& r) { return solved_only(r, static_cast<double>(r.bytes)); },
                            [](double v, std::string_view) { return byte_count(static_cast<int64_t>(v)); }};
constexpr Column kMaxError = {[](const CompareRun& r) { return others_only(r, r.max_error); }, error_size};
constexpr Column kMeanError = {[](const CompareRun& r) { return others_only(r, r.mean_error); }, error_size};
constexpr Column kBound = {[](const CompareRun& r) { return r.certified_bound_v; }, error_size};

/// The cells of a column; the smallest value among runs that solved the case is marked if there are several.
std::vector<std::string> cells(const Column& column, const CaseRuns& runs) {
  double best = kUnknown;
  int candidates = 0;
  for (const CompareRun& run : runs.runs) {
    const double value = column.value(run);
    if (run.status != RunStatus::ok || std::isnan(value)) continue;
    ++candidates;
    if (!(best <= value)) best = value;
  }
  std::vector<std::string> texts;
  for (const CompareRun& run : runs.runs) {
    const double value = column.value(run);
    const bool is_best = candidates > 1 && run.status == RunStatus::ok && value == best;
    texts.push_back((std::isnan(value) ? "-" : column.text(value, runs.what.error_unit())) + (is_best ? "*" : " "));
  }
  return texts;
}

std::string status_text(const CompareRun& run) {
  std::string text(name_of(run.status));
  if (run.is_reference) text += run.requested ? ", the reference" : ", the reference (always run)";
  if (!run.detail.empty()) text += ": " + printable(run.detail);
  return text;
}

/// Size of the linear system, from any run that got that far.
const CompareRun& sized_run(const CaseRuns& runs) {
  for (const CompareRun& run : runs.runs)
    if (run.unknowns >= 0) return run;
  return runs.runs.front();
}

/// −1 means unknown.
Json count_or_null(int64_t count) { return count < 0 ? Json(nullptr) : Json(count); }

/// A run with what its case and the comparison tell of it.
struct JudgedRun {
  const CompareRun& run;
  bool missed;
  double total_ratio;

  void visit(auto& v) const {
    v("engine", run.engine)("variant", run.name())("device", run.device)("reference", run.is_reference);
    v("requested", run.requested)("status", name_of(run.status))("detail", run.detail)("missed", missed);
    v("parameters", run.parameters)("setup_s", run.setup_s)("solve_s", run.solve_s)("total_s", run.total_s);
    v("total_ratio", total_ratio)("iterations", Known{run.iterations, run.solved});
    v("relative_residual", run.relative_residual)("max_error", run.max_error)("mean_error", run.mean_error);
    v("bound_v", run.certified_bound_v)("certified_bound_v", run.certified_bound_v)("bytes",
                                                                                    Known{run.bytes, run.solved});
  }
};

Json json_case(const Comparison& comparison, const CaseRuns& runs) {
  const CompareCase& what = runs.what;
  const CompareRun& sized = sized_run(runs);
  Json rows = Json::array();
  for (const CompareRun& run : runs.runs)
    rows.push_back(json_of(JudgedRun{run, comparison.missed(run), runs.ratio_to_reference(run)}));
  return {{"name", what.name()},
          {"netlist", name_or_null(what.netlist)},
          {"pde", name_or_null(what.pde)},
          {"size", what.pde.empty() ? Json(nullptr) : Json(what.size)},
          {"unknowns", count_or_null(sized.unknowns)},
          {"nonzeros", count_or_null(sized.nonzeros)},
          {"error_unit", what.error_unit()},
          {"runs", std::move(rows)}};
}

void append_csv_run(std::string& out, const CaseRuns& runs, const CompareRun& run) {
  CsvLine line(out);
  const auto count = [&](bool is_known, int64_t value) { is_known ? line.count(value) : line.text(""); };
  line.text(runs.what.name()).text(run.engine).text(run.device).text(run.is_reference ? "yes" : "no");
  line.text(name_of(run.status)).text(run.detail);
  count(run.unknowns >= 0, run.unknowns);
  count(run.unknowns >= 0, run.nonzeros);
  line.number(run.setup_s).number(run.solve_s).number(run.total_s).number(runs.ratio_to_reference(run));
  count(run.solved, run.iterations);
  line.number(run.relative_residual).number(run.max_error).number(run.mean_error).text(runs.what.error_unit());
  line.number(run.certified_bound_v);
  count(run.solved, run.bytes);
  line.text(run.name()).number(run.certified_bound_v);
}

}  // namespace

std::string compare_heading(const Comparison& comparison) {
  const std::string residual = fmt::format("relative residual {:g}", comparison.rtol);
  const std::string asked = comparison.tolerance_v > 0 ? fmt::format("voltages certified to {} (model problems: {})",
                                                                     with_unit(comparison.tolerance_v, "V"), residual)
                                                       : residual;
  return fmt::format(
      "Gridiron {}: {}, median of {}, {}\n"
      "total = setup + solve; x {} = total relative to its total; errors = differences from its solution;\n"
      "bound = certified error of every voltage; * = best of the column\n",
      GRIDIRON_VERSION, asked, count_of(comparison.repeat, "run"), count_of(comparison.threads, "thread"),
      kReferenceEngine);
}

std::string compare_table(const CaseRuns& runs) {
  TextTable table({"engine", "device", "setup >", "solve >", "total >", "x cholmod>", "iterations>", "residual>",
                   "max error >", "mean error >", "bound >", "memory >", "status"});
  std::vector<std::vector<std::string>> columns;
  for (const Column& column : {kSetup, kSolve, kTotal, kMaxError, kMeanError, kBound, kMemory})
    columns.push_back(cells(column, runs));
  for (size_t r = 0; r < runs.runs.size(); ++r) {
    const CompareRun& run = runs.runs[r];
    const double ratio = runs.ratio_to_reference(run);
    table.add({printable(run.name()), printable(run.device), columns[0][r], columns[1][r], columns[2][r],
               std::isnan(ratio) ? "-" : fmt::format("{:#.3g}", ratio), run.solved ? grouped(run.iterations) : "-",
               std::isnan(run.relative_residual) ? "-" : fmt::format("{:.1e}", Shown{run.relative_residual}),
               columns[3][r], columns[4][r], columns[5][r], columns[6][r], status_text(run)});
  }
  const CompareRun& sized = sized_run(runs);
  const std::string size = sized.unknowns < 0 ? ""
                                              : fmt::format(": {}, {}", count_of(sized.unknowns, "unknown"),
                                                            count_of(sized.nonzeros, "nonzero"));
  return fmt::format("\n{}{}\n{}", printable(runs.what.name()), size, table.str());
}

std::string compare_misses(const Comparison& comparison) {
  std::vector<std::string> misses;
  size_t rows = 0;
  for (const CaseRuns& runs : comparison.cases)
    for (const CompareRun& run : runs.runs) {
      rows += run.requested ? 1 : 0;
      if (comparison.missed(run))
        misses.push_back(fmt::format("{}: {} on {} {}", printable(runs.what.name()), printable(run.name()), run.device,
                                     name_of(run.status)));
    }
  if (misses.empty()) return "";
  return fmt::format("{} of {} missed what was asked for: {}", misses.size(),
                     count_of(static_cast<int64_t>(rows), "row"), fmt::join(misses, "; "));
}

std::string compare_text(const Comparison& comparison) {
  std::string text = compare_heading(comparison);
  for (const CaseRuns& runs : comparison.cases) text += compare_table(runs);
  const std::string misses = compare_misses(comparison);
  return misses.empty() ? text : text + fmt::format("\n{}\n", misses);
}

std::string compare_csv(const Comparison& comparison) {
  std::string text =
      "case,engine,device,reference,status,detail,unknowns,nonzeros,setup_s,solve_s,total_s,total_ratio,iterations,"
      "relative_residual,max_error,mean_error,error_unit,certified_bound_v,bytes,variant,bound_v\n";
  for (const CaseRuns& runs : comparison.cases)
    for (const CompareRun& run : runs.runs) append_csv_run(text, runs, run);
  return text;
}

std::string compare_json(const Comparison& comparison) {
  Json cases = Json::array();
  for (const CaseRuns& runs : comparison.cases) cases.push_back(json_case(comparison, runs));
  const Json document = {{"schema", "gridiron.compare/2"},
                         {"tool_version", GRIDIRON_VERSION},
                         {"reference_engine", kReferenceEngine},
                         {"rtol", comparison.rtol},
                         {"tolerance_v", comparison.tolerance_v > 0 ? Json(comparison.tolerance_v) : Json(nullptr)},
                         {"max_iterations", comparison.max_iterations},
                         {"repeat", comparison.repeat},
                         {"threads", comparison.threads},
                         {"cases", std::move(cases)}};
  return json_text(document);
}

void write_compare_reports(const Comparison& comparison, const OutputPath& directory, const Formats& formats) {
  make_directory(directory);
  if (formats.contains("text")) write_file(directory / "compare.txt", compare_text(comparison));
  if (formats.contains("csv")) write_file(directory / "compare.csv", compare_csv(comparison));
  if (formats.contains("json")) write_file(directory / "compare.json", compare_json(comparison));
  if (formats.contains("png")) write_file(directory / "compare.png", compare_picture(comparison));
}

}  // namespace gridiron
