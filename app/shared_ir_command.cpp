// SPDX-License-Identifier: Apache-2.0
// `mpirun -n P gridiron ir NETLIST --engine hypre`.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "analysis/distributed/shared_ir.hpp"
#include "analysis/run/run_facts.hpp"
#include "analysis/run/verdict.hpp"
#include "app/ir_arguments.hpp"
#include "app/progress.hpp"
#include "app/session/option_name.hpp"
#include "netlist/reader.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/report.hpp"
#include "reports/tables/csv.hpp"
#include "reports/tables/shared_nodes_csv.hpp"
#include "reports/tables/shared_solution.hpp"
#include "reports/text/brief.hpp"
#include "reports/text/escape.hpp"
#include "support/error_text.hpp"
#include "support/output_file.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

using distributed::together;

constexpr std::string_view kSharedFormats[] = {"text", "solution", "json", "csv"};
constexpr size_t kUsualSharedFormats = 3;

/// Errors: InputError for what a run of one process only can do.
void require_shareable(const IrArguments& arguments, const IrOptions& options) {
  if (arguments.is_layout() || is_called_def(arguments.netlist))
    throw input_error(
        "{}: several processes read decks, not layouts; write one with 'gridiron extract', or start one "
        "process without mpirun",
        arguments.netlist);
  const EngineInfo& able = *std::ranges::find_if(engines(), [](const EngineInfo& e) { return e.make_shared; });
  if (arguments.engine != able.name)
    throw field_error("engine",
                      "{}: mpirun started several processes, which only engine {} can use; write {} {}, or start one",
                      arguments.engine, able.name, field("engine"), able.name);
  const auto refuse = [](bool is_given, const char* name) {
    if (is_given) throw input_error("{}: not available to several processes; start one without mpirun", field(name));
  };
  refuse(arguments.device == "cuda", "device");
  refuse(!arguments.why.empty(), "why");
  refuse(arguments.pad_gains > 0, "pad_gains");
  refuse(!arguments.budget.empty(), "budget");
  refuse(!arguments.em_stress.empty(), "em_stress");
  refuse(!arguments.em_rules.empty(), "em_rules");
  refuse(!arguments.dump_system.empty(), "dump_system");
  refuse(!arguments.golden.empty(), "golden");
  refuse(!arguments.node_pattern.empty(), "node_pattern");
  refuse(!arguments.pads.empty(), "pads");
  refuse(arguments.ignore_opens, "ignore_opens");
  for (const LimitRequest& limit : options.limits)
    if (!limit.layer.empty())
      throw field_error("limit",
                        "{}:{}: limits on a layer are not available to several processes; start one "
                        "without mpirun",
                        limit.net, limit.layer);
}

Formats shared_formats(const IrArguments& arguments) {
  if (!arguments.out.empty() && arguments.formats.empty())
    return {std::begin(kSharedFormats), std::begin(kSharedFormats) + kUsualSharedFormats};
  Formats formats = parse_formats(arguments.formats, kReportFormats, arguments.out);
  if (arguments.out.empty()) return {};
  for (const std::string& format : formats)
    if (std::ranges::find(kSharedFormats, format) == std::end(kSharedFormats))
      throw field_error(
          "formats", "{}: several processes write text, solution, json and csv only; start one without mpirun", format);
  return formats;
}

/// What the first process writes and prints.
void report_all(const IrArguments& arguments, const Communicator& all, const Formats& formats,
                distributed::SharedIr& result, RunFolder& folder, ProgressLine& progress) {
  IrReport& report = result.report;
  const OutputPath place = folder.path();
  report.run = run_facts(arguments);
  report.run.options.emplace_back("processes", std::to_string(all.count()));
  for (const auto& file : result.grid.local->circuit.files)
    report.run.files.push_back({file->path(), file->bytes_on_disk(), ""});
  for (const std::string& table : arguments.tables()) report.run.files.push_back(table_file(table));
  if (formats.contains("csv")) {
    write_layers_csv(report, place / table_name("layers.csv", arguments.compress));
    write_sources_csv(report, place / table_name("sources.csv", arguments.compress));
  }
  if (formats.contains("text")) write_file(place / "summary.txt", text_summary(report));
  if (formats.contains("json")) write_file(place / "report.json", json_report(report));
  folder.finish();
  progress.finish();
  if (!arguments.quiet)
    fmt::print("{}Processes    {}, the largest owns {} nodes and takes {:.1f} MB\n",
               arguments.full ? text_summary(report) : brief_summary(report, {arguments.out, formats}), all.count(),
               result.most_nodes, 1e-6 * static_cast<double>(result.largest_memory_bytes));
}

int analyse_together(const Communicator& all, const IrArguments& arguments) {
  const Stopwatch total;
  const bool speaks = all.rank() == 0;
  IrOptions options;
  Formats formats;
  std::optional<RunFolder> folder;  // of the first process
  const std::filesystem::path out = arguments.out;
  const std::string name = netlist_name(arguments.netlist);
  together(all, [&] {
    options = options_of(arguments);
    require_shareable(arguments, options);
    formats = shared_formats(arguments);
    if (!speaks) return;
    folder.emplace(out, RunReports{"ir", formats, name}, arguments.inputs());
  });
  together(all, [&] { read_tables(arguments, options); });
  together(all, [&] {
    if (folder) folder->clear();
  });
  const OutputPath place = folder ? folder->path() : OutputPath(out);
  ProgressLine progress(speaks && !arguments.quiet && !arguments.no_progress);
  progress.follow(options.context);

  distributed::SharedIr result =
      distributed::analyse_shared_ir_drop(all, arguments.files(), arguments.read_options(), options);
  IrReport& report = result.report;
  spell_fields(report.findings);
  together(all, [&] {
    if (speaks && arguments.strict) require_no_warnings(report.findings);
  });
  progress.stage("report");
  Stopwatch watch;
  const auto table = [&](const std::string& file) { return place / table_name(file, arguments.compress); };
  if (formats.contains("solution")) write_shared_solution(all, result, table(file_name_part(name) + ".solution"));
  if (formats.contains("csv")) write_shared_nodes_csv(all, result, table("nodes.csv"));
  report.timings_s.report = watch.seconds();
  report.timings_s.total = total.seconds();
  together(all, [&] {
    if (speaks) report_all(arguments, all, formats, result, *folder, progress);
  });
  together(all, [&] {
    if (const std::string miss = tolerance_miss(report, options); !miss.empty()) throw SolverError(miss);
  });
  int code = 0;
  together(all, [&] {
    if (speaks) code = exit_code(verdict_of(report));
  });
  return static_cast<int>(distributed::largest(all, code));
}

/// What a process says that fails while others do not.
std::pair<std::string, ExitCode> own_failure() {
  try {
    throw;
  } catch (const Error& e) {
    return {spelled(e.message(), option_name), e.code()};
  } catch (const std::bad_alloc&) {
    return {"out of memory; use more machines, or more memory for each process", ExitCode::out_of_resources};
  } catch (const std::exception& e) {
    return {fmt::format("internal error: {}; please report it with the netlist", e.what()), ExitCode::out_of_resources};
  }
}

}  // namespace

int run_shared_ir(const IrArguments& arguments) {
  const std::unique_ptr<Communicator> all = join_mpirun();
  if (!all)
    throw ResourceError("mpirun started several processes that do not find each other; is its MPI that of hypre?");
  try {
    return analyse_together(*all, arguments);
  } catch (...) {
    const auto [message, code] = own_failure();
    // Where not all fail, the others wait for this one in vain; of several the first one is heard.
    constexpr double kPatience = 1, kHeadStart = 0.05;
    if (distributed::failed_together() || all->all_arrive(kPatience + kHeadStart * all->rank())) {
      if (all->rank() == 0) throw;
      return static_cast<int>(code);
    }
    complain(message);
    all->abort(static_cast<int>(code));
    return static_cast<int>(code);
  }
}

}  // namespace gridiron
