// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include "analysis/run/run_facts.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/session_commands.hpp"
#include "app/session/tran_arguments.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/tran_parts.hpp"
#include "reports/tran_report.hpp"
#include "support/error_text.hpp"
#include "support/memory.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

struct SimulateArguments : TranArguments {
  std::string out, formats;
  int threads = 0;
  bool ignore_opens = false, compress = false, quiet = false;
};

/// Errors: InputError for a grid whose resistors, pads or loads were changed.
void require_as_read(Session& session) {
  const Design& design = session.design();
  design.throw_first_error();
  const std::vector<double>& of_deck = design.circuit->current_sources.value;
  if (&session.system().topology() != design.topology.get() || session.loads().vectors() != 1 ||
      !std::ranges::equal(session.loads().vector(0), of_deck))
    throw InputError(
        "a simulation takes the netlist as it was read, but the grid or its loads were changed since; read it again, "
        "and write changes into the netlist");
}

Value simulate_power_grid(Console& console, const SimulateArguments& arguments) {
  const Formats formats = parse_formats(arguments.formats, kTranFormats, arguments.out, kUsualTranFormats);
  require_out_to_compress(arguments.compress, arguments.out);
  TranOptions options = tran_options(arguments);
  if (!console.layout.is_input())
    console.session.set_islands({arguments.ignore_opens, arguments.net});
  else if (arguments.ignore_opens)
    throw field_error("ignore_opens", "is of a SPICE deck here; of a layout it is told where the grid is extracted");
  require_as_read(console.session);
  const Design& design = console.session.design();
  static_cast<DesignOptions&>(options) = design.options;
  options.context.threads = arguments.threads;
  options.context.stop = console.stop();
  const Stopwatch watch;
  const std::string name = netlist_name(console.session.path());
  std::ranges::copy(table_files(arguments), std::back_inserter(console.tables));
  RunFolder folder(arguments.out, {"tran", formats, name}, inputs_of(console));
  read_tables(arguments, options);
  auto simulated = std::make_unique<Simulated>(Simulated{*design.as_read, {}});
  const Circuit& circuit = simulated->circuit;
  TranReport& report = simulated->report;
  start_at_time_zero(simulated->circuit, options);
  report = analyse_transient(circuit, options);
  spell_fields(report.worst.findings, console.spell);
  report.worst.input_path = console.session.path();
  report.worst.netlist_name = name;
  report.worst.run = facts_of_this_run();
  add_tran_options(report.worst.run, arguments);
  if (!arguments.out.empty() && formats.contains("json"))
    report.worst.run.files = input_files(circuit, table_files(arguments));
  for (const auto& file : circuit.files) report.worst.input_bytes += file->bytes_on_disk();
  report.worst.timings_s.total = watch.seconds();
  report.worst.peak_memory_bytes = peak_memory_bytes();
  if (!arguments.out.empty()) write_tran_reports(report, folder.path(), formats, arguments.compress);
  folder.finish();
  if (!arguments.quiet) console.print(tran_text(report));
  if (const std::string miss = tolerance_miss(report, options); !miss.empty()) throw SolverError(miss);
  console.simulated = std::move(simulated);
  return tran_document(console.simulated->report);
}

}  // namespace

std::vector<SessionCommand> tran_commands() {
  Declaration<SimulateArguments> simulate(
      {.name = "simulate_power_grid",
       .help = "dynamic IR drop of the netlist as it was read; returns what report.json holds, as a dict",
       .description = "Steps the grid through time from its operating point, or with uic on the .tran card from "
                      "initial conditions, with its capacitors and inductors and the "
                      "waveforms of its sources. Limits are judged in the result; a missed tolerance is an error.",
       .example = "simulate_power_grid -step 10ps -stop 10ns -limit worst=8%"});
  simulate.add(&SimulateArguments::net, {.field = "net", .value = "NET", .help = "report this net only"});
  add_tran_arguments(simulate);
  simulate.add(&SimulateArguments::ignore_opens,
               {.field = "ignore_opens", .help = "of a SPICE deck: leave out islands with their loads"});
  add_threads(simulate);
  add_out(simulate, "write the reports of gridiron tran into this folder");
  add_formats(simulate, "which of text,csv,output,raw,json,png,html (default: all these); lyrdb, drc: markers",
              {std::begin(kTranFormats), std::end(kTranFormats)});
  add_compress(simulate, "csv");
  simulate.add(&SimulateArguments::quiet, {.field = "quiet", .help = "print nothing"});
  return {in_session(simulate, simulate_power_grid)};
}

}  // namespace gridiron
