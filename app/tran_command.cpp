// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "analysis/run/ir_drop.hpp"
#include "analysis/run/run_facts.hpp"
#include "analysis/run/verdict.hpp"
#include "analysis/tran/transient.hpp"
#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/read_input.hpp"
#include "app/session/tran_arguments.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/tran_report.hpp"
#include "support/error.hpp"
#include "support/lists.hpp"
#include "support/memory.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

struct RunArguments : NetlistArguments, TranArguments {
  std::string out, formats;
  bool compress = false, strict = false, quiet = false, no_progress = false, full = false;
};

RunFacts run_facts(const RunArguments& arguments) {
  RunFacts run = facts_of_this_run();
  add_tran_options(run, arguments);
  arguments.list(run);
  return run;
}

int run_tran(const RunArguments& arguments) {
  Stopwatch total;
  TranOptions options = tran_options(arguments);
  arguments.apply(options);
  require_out_to_compress(arguments.compress, arguments.out);
  Formats formats = parse_formats(arguments.formats, kTranFormats, arguments.out, kUsualTranFormats);
  const WrittenReports written{arguments.out, formats};
  find_engine(arguments.engine == "auto" ? engines()[0].name : std::string_view(arguments.engine));
  const std::string name = netlist_name(arguments.netlist);
  std::vector<std::string> tables = table_files(arguments);
  append(tables, arguments.layout_tables());
  std::vector<std::string> inputs = tables;
  append(inputs, arguments.files());
  if (!arguments.pads.empty()) inputs.push_back(arguments.pads);
  RunFolder folder(arguments.out, {"tran", formats, name}, inputs);
  read_tables(arguments, options);
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  options.context.progress = [&](std::string_view stage) { progress.stage(stage); };
  options.part = [&](int64_t done, int64_t all) { progress.part(done, all); };

  progress.stage("read");
  Stopwatch watch;
  ReadOptions read_options = arguments.read_options();
  read_options.opens = [&](const std::string& file) { folder.protect(file); };
  Circuit circuit = read_input(arguments, arguments.net, read_options, options);
  folder.clear();
  start_at_time_zero(circuit, options);
  const double read_s = watch.seconds();
  TranReport report = analyse_transient(circuit, options);
  IrReport& worst = report.worst;
  append(worst.findings, left_out_of_tran_reports(report, formats));
  spell_fields(worst.findings);
  arguments.require_sound(worst.findings);
  if (arguments.strict) require_no_warnings(worst.findings);
  worst.input_path = arguments.netlist;
  worst.netlist_name = name;
  for (const auto& file : circuit.files) worst.input_bytes += file->bytes_on_disk();
  worst.run = run_facts(arguments);
  if (!arguments.out.empty() && formats.contains("json")) worst.run.files = input_files(circuit, tables);
  worst.timings_s.read = read_s;
  const auto take_stock = [&] {
    worst.timings_s.total = total.seconds();
    worst.peak_memory_bytes = peak_memory_bytes();
  };
  take_stock();
  if (!arguments.out.empty()) {
    progress.stage("report");
    Formats closing;
    for (const char* last : {"text", "json"})
      if (formats.erase(last) > 0) closing.insert(last);
    const Stopwatch writing;
    write_tran_reports(report, folder.path(), formats, arguments.compress);
    worst.timings_s.report = writing.seconds();
    take_stock();
    write_tran_reports(report, folder.path(), closing);
    folder.finish();
  }
  progress.finish();
  if (!arguments.quiet) fmt::print("{}", arguments.full ? tran_text(report) : brief_tran_text(report, written));
  if (const std::string miss = tolerance_miss(report, options); !miss.empty()) throw SolverError(miss);
  return exit_code(verdict_of(worst));
}

}  // namespace

ToolCommand tran_command() {
  Declaration<RunArguments> tran(
      {.name = "tran",
       .help = "dynamic IR drop of a netlist",
       .description = "Steps the grid through time from its operating point, or with uic on the .tran card from "
                      "initial conditions, with its capacitors and inductors and the "
                      "waveforms of its sources, and reports every node at its worst moment.",
       .example = "gridiron tran chip.sp.gz --step 10ps --stop 10ns --limit worst=8% --out results"});
  add_netlist(tran);
  add_further_files(tran);
  add_layout(tran);
  tran.add(&RunArguments::net,
           {.field = "net", .value = "NAME", .help = "report this net only; of a layout, extract this net only"});
  add_tran_arguments(tran);
  add_strict(tran);
  add_out(tran, "write the reports into this folder");
  add_formats(
      tran,
      "which of text,csv,output,raw,json,png,html (default: all these); output is IBM's form, raw ngspice's; lyrdb, "
      "drc: markers for KLayout and OpenROAD",
      {std::begin(kTranFormats), std::end(kTranFormats)});
  add_compress(tran, "csv");
  add_full(tran);
  add_quiet(tran);
  return std::move(tran).run_by(run_tran);
}

}  // namespace gridiron
