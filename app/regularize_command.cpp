// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "analysis/model/findings.hpp"
#include "analysis/run/regular_tables.hpp"
#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/read_input.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/regularize_report.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/output_file.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

struct RegularizeArguments : NetlistArguments {
  std::string out, formats, net;
  std::vector<std::string> settings;
  bool no_reduce = false, quiet = false, no_progress = false;
};

IrOptions options_of(const RegularizeArguments& arguments) {
  IrOptions options;
  arguments.apply(options);
  options.reduce = !arguments.no_reduce;
  options.net = arguments.net;
  options.settings = parse_settings(arguments.settings);
  return options;
}

int run_regularize(const RegularizeArguments& arguments) {
  const Stopwatch total;
  IrOptions options = options_of(arguments);
  const Formats formats = parse_formats(arguments.formats, kRegularizeFormats, arguments.out);
  RunFolder folder(arguments.out, {"regularize", formats}, arguments.files());
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  progress.follow(options.context);

  progress.stage("read");
  RegularizeRun run;
  ReadOptions read_options = arguments.read_options();
  read_options.opens = [&](const std::string& file) { folder.protect(file); };
  const Circuit circuit = read_input(arguments, arguments.net, read_options, options);
  folder.clear();
  std::vector<Finding> findings = read_findings(circuit);
  spell_fields(findings);
  arguments.require_sound(findings);
  run.read_s = total.seconds();
  run.input_path = arguments.netlist;
  for (const auto& file : circuit.files) run.input_bytes += file->bytes_on_disk();
  run.tables = regularize_netlist(circuit, options);

  if (!arguments.out.empty()) {
    progress.stage("report");
    const Stopwatch report;
    run.files = write_tables(run.tables, folder.path(), formats);
    run.report_s = report.seconds();
  }
  run.total_s = total.seconds();
  run.peak_memory_bytes = peak_memory_bytes();
  if (!arguments.out.empty() && formats.contains("json"))
    write_file(folder.path() / "regularize.json", regularize_json(run));
  folder.finish();
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", regularize_text(run));
  return static_cast<int>(ExitCode::done);
}

std::string parameter_table() {
  std::string table = "Parameters for --set:\n";
  for (const Param& p : list_params(RegularizeParams{}))
    table += fmt::format("  {:<20} {}\n", fmt::format("{}={}", p.name, p.value), p.meaning);
  return table;
}

}  // namespace

ToolCommand regularize_command() {
  using Args = RegularizeArguments;
  Declaration<Args> regularize({.name = "regularize",
                                .help = "conductance tables of a netlist on regular grids, as files",
                                .example = "gridiron regularize chip.sp --out tables",
                                .notes = parameter_table()});
  add_netlist(regularize);
  add_further_files(regularize);
  add_layout(regularize);
  add_out(regularize, "write tables (.npy), pictures and regularize.json into this folder");
  add_formats(regularize, "which of npy,png,json (default: all)",
              {std::begin(kRegularizeFormats), std::end(kRegularizeFormats)});
  std::vector<std::string> keys;
  for (const Param& p : list_params(RegularizeParams{})) keys.push_back(p.name + "=");
  add_settings(regularize, &Args::settings, "parameter, listed below", std::move(keys), "KEY=VALUE");
  regularize.add(&Args::net, {.field = "net", .value = "NAME", .help = "this net only"});
  regularize.add(&Args::no_reduce, {.field = "no_reduce", .help = "keep dangling and series nodes"});
  add_quiet(regularize);
  return std::move(regularize).run_by(run_regularize);
}

}  // namespace gridiron
