// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "analysis/ir/regular_tables.hpp"
#include "app/analysis_options.hpp"
#include "app/commands.hpp"
#include "app/progress.hpp"
#include "netlist/reader.hpp"
#include "reports/regularize_report.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/output_file.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

struct RegularizeArguments {
  NetlistArguments netlist;
  std::string out, net;
  std::vector<std::string> settings;
  bool no_reduce = false, quiet = false, no_progress = false;
};

IrOptions options_of(const RegularizeArguments& arguments) {
  IrOptions options;
  arguments.netlist.apply(options);
  options.reduce = !arguments.no_reduce;
  options.net = arguments.net;
  options.settings = parse_settings(arguments.settings);
  return options;
}

int run_regularize(const RegularizeArguments& arguments) {
  const Stopwatch total;
  IrOptions options = options_of(arguments);
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  options.context.progress = [&](std::string_view stage) { progress.stage(stage); };

  progress.stage("read");
  RegularizeRun run;
  const Circuit circuit = read_netlist(arguments.netlist.netlist, arguments.netlist.read_options());
  run.read_s = total.seconds();
  run.input_path = arguments.netlist.netlist;
  for (const auto& file : circuit.files) run.input_bytes += file->bytes_on_disk();
  run.tables = regularize_netlist(circuit, options);

  if (!arguments.out.empty()) {
    progress.stage("report");
    const Stopwatch report;
    run.files = write_tables(run.tables, arguments.out);
    run.report_s = report.seconds();
  }
  run.total_s = total.seconds();
  run.peak_memory_bytes = peak_memory_bytes();
  if (!arguments.out.empty())
    write_file(std::filesystem::path(arguments.out) / "regularize.json", regularize_json(run));
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

void add_regularize_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("regularize", "conductance tables of a netlist on regular grids, as files");
  auto arguments = std::make_shared<RegularizeArguments>();
  arguments->netlist.add_to(*command);
  add_out_option(*command, arguments->out, "write tables (.npy), pictures and regularize.json into this folder");
  command->add_option("--set", arguments->settings, "parameter, KEY=VALUE; may be repeated")->allow_extra_args(false);
  command->add_option("--net", arguments->net, "this net only");
  command->add_flag("--no-reduce", arguments->no_reduce, "keep dangling and series nodes");
  command->add_flag("--quiet", arguments->quiet, "nothing on standard output");
  command->add_flag("--no-progress", arguments->no_progress, "no progress line");
  command->footer(parameter_table());
  command->callback([arguments, &exit_code] { exit_code = run_regularize(*arguments); });
}

}  // namespace gridiron
