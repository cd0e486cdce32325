// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/compare.hpp"
#include "analysis/results/markers.hpp"
#include "analysis/run/run_facts.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/em_arguments.hpp"
#include "app/session/grid_change.hpp"
#include "app/session/session_commands.hpp"
#include "netlist/tables/load_table.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/report.hpp"
#include "reports/tables/csv.hpp"
#include "reports/tables/insight_csv.hpp"
#include "reports/tables/markers.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/insight_text.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

/// How to solve.
struct SolveArguments {
  std::string device = "auto", tolerance = "10uV";
  double rtol = 0;
  int max_iterations = 500, threads = 0;
};

struct AnalyseArguments : SolveArguments, EmArguments {
  std::string engine = "auto", net, vsrc, source_type, corner, extraction, voltage_file, error_file, em_outfile, loads;
  double mesh_um = 0;
  std::vector<std::string> limits, em_limits, settings;
  bool ignore_opens = false, ignore_shorts = false, enable_em = false, allow_reuse = false, quiet = false;
  bool accept_estimate = false;

  LayoutRequest of_layout() const {
    return {net, vsrc, source_type, corner, extraction, mesh_um, ignore_opens, ignore_shorts};
  }
};

struct CompareEnginesArguments : SolveArguments {
  std::vector<std::string> engines;
};

template <class Args>
void add_solve_arguments(Declaration<Args>& to) {
  add_device(to, &SolveArguments::device);
  add_tolerance(to, &SolveArguments::tolerance);
  add_rtol(to, &SolveArguments::rtol, "stop at this relative residual instead", "tolerance");
  add_max_iterations(to, &SolveArguments::max_iterations);
  add_threads(to);
}

Session::Request request_of(Console& console, const SolveArguments& arguments) {
  Session::Request request;
  request.context.device = arguments.device;
  request.context.threads = arguments.threads;
  request.context.stop = console.stop();
  request.tolerance_v = parse_tolerance(arguments.tolerance);
  if (arguments.rtol > 0) request.rtol = arguments.rtol;
  request.max_iterations = arguments.max_iterations;
  return request;
}

/// So that no file of an earlier analysis is left if this one fails; devices and pipes stay.
void remove_old(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error)) std::filesystem::remove(std::filesystem::canonical(file), error);
}

/// `error_file` receives what has a place, of a grid that cannot be analysed what floats; empty: none.
const IrReport& analysed(Console& console, const Session::Request& request, const std::string& error_file) try {
  console.simulated.reset();
  const IrReport& report = console.session.analyse(request);
  if (!error_file.empty()) write_drc(markers_of(report), error_file);
  return report;
} catch (const GridError&) {
  if (!error_file.empty()) write_drc(markers_of(console.session.design()), error_file);
  throw;
}

Value analyze_power_grid(Console& console, const AnalyseArguments& arguments) {
  Session::Request request = request_of(console, arguments);
  request.engine = arguments.engine;
  request.settings = parse_settings(arguments.settings, arguments.engine);
  request.net = arguments.net;
  request.allow_reuse = arguments.allow_reuse;
  request.accept_estimate = arguments.accept_estimate;
  if (!arguments.em_outfile.empty() && !arguments.enable_em)
    throw field_error("em_outfile", "needs {}", field("enable_em"));
  request.em_limits = parse_em_limits(arguments.em_limits);
  constexpr std::string_view kMoreLimits[] = {kEmQuantity};
  request.limits =
      parse_limits(arguments.limits, [&](const std::string& text) { return parse_limit(text, kMoreLimits); });
  request.em = em_settings(arguments, request.limits);
  read_em_tables(arguments, request.em);
  append(console.tables, arguments.em_tables());
  append(console.tables, table_files(arguments.em_limits));
  if (!console.layout.is_input()) {
    require_no_layout_request(arguments.of_layout());
    console.session.set_islands({arguments.ignore_opens, arguments.net});
  }
  for (const std::string& table : {arguments.loads, arguments.vsrc})
    if (!table.empty()) console.tables.push_back(table);
  const std::vector<std::string> outputs = {arguments.voltage_file, arguments.em_outfile, arguments.error_file};
  require_outputs(console, outputs);
  for (const std::string& file : outputs) remove_old(file);
  GridChange grid(console, arguments.of_layout());
  if (console.layout.is_input()) {
    const ThreadCount threads(arguments.threads);
    grid.make(arguments.error_file);
  }
  if (!arguments.loads.empty()) request.loads = read_loads(arguments.loads);
  request.run = facts_of_this_run();
  add_option(request.run, "engine", arguments.engine);
  add_option(request.run, "device", arguments.device);
  add_accuracy(request.run, arguments.rtol, arguments.tolerance);
  add_option(request.run, "limit", arguments.limits);
  add_option(request.run, "em-limit", arguments.em_limits);
  add_em_options(request.run, arguments);
  add_option(request.run, "em-layers", arguments.em_widths);
  add_option(request.run, "loads", arguments.loads);
  if (arguments.accept_estimate) add_option(request.run, "accept-estimate", "yes");
  if (console.layout.is_input()) console.layout.list(arguments.of_layout(), request.run);
  const IrReport& report = analysed(console, request, arguments.error_file);
  grid.keep();
  if (!arguments.quiet) console.print(text_summary(report));
  if (!arguments.quiet && arguments.enable_em) console.print(openroad_em_block(report));
  if (!arguments.em_outfile.empty()) write_openroad_segments_csv(report, arguments.em_outfile);
  if (!arguments.voltage_file.empty()) write_openroad_instances_csv(report, arguments.voltage_file);
  if (const std::string miss = tolerance_miss(report, request); !miss.empty()) throw SolverError(miss);
  return json_document(report);
}

// ---- compare_engines

/// Differences from the voltages of the first engine.
struct Difference {
  double largest = 0, mean = 0;
};
Difference difference(const std::vector<double>& a, const std::vector<double>& b) {
  Difference result;
  for (size_t n = 0; n < a.size(); ++n) {
    const double volts = std::abs(a[n] - b[n]);
    result.largest = std::max(result.largest, volts);
    result.mean += volts / static_cast<double>(a.size());
  }
  return result;
}

/// A row of the comparison, with the words that `gridiron compare` has for its status; an engine that fails is a row,
/// not an error.
Value compared(Console& console, Session::Request request, std::vector<double>& reference) {
  Value row = {{"engine", request.engine}};
  const auto ended = [&](RunStatus status, const std::string& detail = "") {
    row.update({{"status", name_of(status)},
                {"missed", status != RunStatus::ok && status != RunStatus::declined},
                {"detail", spelled(detail, console.spell)}});
  };
  ended(RunStatus::ok);
  if (const auto reason = find_engine(request.engine).declines(*console.session.system().problem())) {
    ended(RunStatus::declined, *reason);
    return row;
  }
  try {
    console.simulated.reset();
    const IrReport& report = console.session.analyse(request);
    if (const std::string miss = tolerance_miss(report, request); !miss.empty())
      ended(report.solve.converged ? RunStatus::not_certified : RunStatus::not_converged, miss);
    if (reference.empty()) reference = report.nodes.voltage_v;
    const Difference from_first = difference(report.nodes.voltage_v, reference);
    row.update({{"device", report.engine.device},
                {"iterations", report.solve.iterations},
                {"relative_residual", number_or_null(report.solve.relative_residual)},
                {"bound_v", number_or_null(report.certificate.bound_v())},
                {"max_difference_v", from_first.largest},
                {"mean_difference_v", from_first.mean},
                {"setup_s", report.timings_s.setup},
                {"solve_s", report.timings_s.solve},
                {"bytes", report.engine.bytes}});
  } catch (const Stopped&) {
    throw;
  } catch (const Error& e) {
    ended(status_of(e.code()), e.message());
  }
  return row;
}

std::string status_text(const Value& row) {
  const auto status = row["status"].get<std::string>(), detail = row["detail"].get<std::string>();
  return detail.empty() ? status : status + ": " + detail;
}

Value compare_engines(Console& console, const CompareEnginesArguments& arguments) {
  std::vector<std::string> names = arguments.engines.empty() ? engine_names() : arguments.engines;
  for (const std::string& name : names) find_engine(name);
  console.session.design().throw_first_error();
  std::vector<double> reference;
  Value rows = Value::array();
  TextTable table({"engine", "device", "setup>", "solve>", "iterations>", "max difference>", "bound>", "status"});
  for (const std::string& name : names) {
    Session::Request request = request_of(console, arguments);
    request.engine = name;
    rows.push_back(compared(console, request, reference));
    const Value& row = rows.back();
    const auto shown = [&](const char* key, const char* unit) {
      return row.contains(key) && row[key].is_number() ? with_unit(row[key].get<double>(), unit) : "-";
    };
    table.add({name, row.value("device", "-"), shown("setup_s", "s"), shown("solve_s", "s"),
               row.contains("iterations") ? row["iterations"].dump() : "-", shown("max_difference_v", "V"),
               shown("bound_v", "V"), printable(status_text(row))});
  }
  console.print(table.str());
  return rows;
}

Value report_work(Console& console, const NoArguments&) { return json_of(console.session.work()); }

Value clear_solvers(Console& console, const NoArguments&) {
  console.session.forget_solvers();
  return "";
}

Declaration<AnalyseArguments> analyse_declaration() {
  using Args = AnalyseArguments;
  Declaration<Args> analyze(
      {.name = "analyze_power_grid",
       .help = "static IR drop of the grid as it is now; returns what report.json holds, as a dict",
       .description =
           "Prints OpenROAD's IR report for each net, then ours. Engines stay set up: another load costs one solve, a "
           "changed grid an update. Limits are judged in the result; a missed tolerance is an error. Of a layout, this "
           "net only, or all power and ground nets, are extracted first unless this was done and no setting has "
           "changed "
           "since; edits of the grid are of one extraction. Sources are those of -vsrc, else the pins of the block on "
           "the net, else a pattern.",
       .example = "analyze_power_grid -net VDD -voltage_file voltages.csv -limit worst=5%"});
  analyze.add(&Args::net, {.field = "net", .value = "NET", .help = "report this net only"});
  add_layout_request(analyze);
  analyze.add(&Args::voltage_file,
              file("voltage_file", "write the voltage of every instance terminal, as OpenROAD does"));
  analyze.add(&Args::error_file,
              file("error_file", "write violations and what floats as markers of OpenROAD's DRC viewer"));
  analyze.add(&Args::enable_em, {.field = "enable_em", .help = "also print OpenROAD's report of segment currents"});
  analyze.add(&Args::em_outfile,
              file("em_outfile", "write the current of every segment, as OpenROAD does; needs -enable_em"));
  analyze.add(&Args::em_limits,
              file("em_limit",
                   "largest allowed current of a segment, LAYER=CURRENT as in M1=5mA, or a table: CSV with the header "
                   "layer,a_per_um,width_um",
                   "LIMIT"));
  add_em_rules(analyze);
  analyze.add(&Args::allow_reuse, {.field = "allow_reuse",
                                   .help = "return the last result if it answers the same and nothing was changed"});
  add_engine(analyze, &Args::engine, "report_engines");
  add_solve_arguments(analyze);
  add_settings(analyze, &Args::settings, "engine parameter, see 'report_engines'");
  add_limits(analyze, &Args::limits,
             "largest allowed drop, 5% or 50mV, or [NET:[LAYER:]]QUANTITY=LIMIT with worst, average, "
             "p50, p95, p99, p99.9, or em=100% of rules");
  analyze.add(
      &Args::accept_estimate,
      {.field = "accept_estimate",
       .help = "keep limits by estimated errors, too, where none can be proved: controlled sources and negative "
               "resistances"});
  analyze.add(
      &Args::loads,
      file("loads", "load vectors instead of the current loads, .npz or CSV; the report is of the worst of all"));
  analyze.add(&Args::quiet, {.field = "quiet", .help = "print nothing"});

  return analyze;
}

}  // namespace

std::vector<SessionCommand> analysis_commands() {
  using Compare = CompareEnginesArguments;
  Declaration<Compare> compare(
      {.name = "compare_engines",
       .help = "solves the grid with several engines; returns a list of dicts, differences counted from the first",
       .description =
           "status is ok, not converged, not certified, declined, invalid input, cannot be analysed or out of "
           "memory, detail says why, missed is 1 if there is no answer as good as asked for.",
       .example = "compare_engines -engine cholmod,aggamg"});
  compare.add(&Compare::engines, {.field = "engine",
                                  .value = "NAME",
                                  .help = "engines to compare",
                                  .initial = "all",
                                  .suggestions = engine_names(),
                                  .former = "engines",
                                  .separator = ','});
  add_solve_arguments(compare);

  Declaration<NoArguments> work({.name = "report_work",
                                 .help = "netlists read, engines set up and updated, vectors solved so far, as a dict",
                                 .example = "dict get [report_work] setups"});
  Declaration<NoArguments> clear(
      {.name = "clear_solvers", .help = "frees the memory of all engines", .example = "clear_solvers"});
  return {in_session(analyse_declaration(), analyze_power_grid), in_session(compare, compare_engines),
          in_session(work, report_work), in_session(clear, clear_solvers)};
}

}  // namespace gridiron
