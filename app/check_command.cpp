// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "analysis/model/findings.hpp"
#include "analysis/run/run_facts.hpp"
#include "app/commands.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/read_input.hpp"
#include "reports/check_report.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/tables/markers.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/ledger_lines.hpp"
#include "reports/text/numbers.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kFormats[] = {"json", "lyrdb", "drc"};

struct CheckArguments : NetlistArguments {
  CheckArguments() { looks_at_all_nets = true; }

  std::string net, out, formats;
  bool strict = false, quiet = false;
};

void print(const Circuit& circuit, const CheckResult& result) {
  for (const Finding& f : result.findings)
    fmt::print("{}{}{}: {} [{}]\n", printable(f.place), f.place.empty() ? "" : ": ", Finding::name_of(f.severity),
               printable(f.message), f.code);
  fmt::print("{}", ledger_by_file(circuit.ledger));
  fmt::print("{}, {}, {}, {}, {}, {}\n", count_of(result.nodes, "node"), count_of(circuit.resistors.size(), "resistor"),
             count_of(circuit.current_sources.size(), "current source"),
             count_of(circuit.voltage_sources.size(), "voltage source"),
             count_of(circuit.capacitors.size(), "capacitor"), count_of(circuit.inductors.size(), "inductor"));
  if (result.parts > 0)
    fmt::print("{}, {} of them floating; nets: {}\n", count_of(result.parts, "connected part"),
               grouped(result.floating_parts), printable(fmt::format("{}", fmt::join(result.nets, ", "))));
  const auto findings = std::ssize(result.findings);
  fmt::print("{}\n", findings == 0 ? "no findings" : count_of(findings, "finding"));
}

/// What it found, and where the netlist has loads and wires that float, or a layout opens and shorts.
void write_reports(const CheckArguments& arguments, const OutputPath& folder, const Formats& formats,
                   const Circuit& circuit, const IrOptions& options, const CheckResult& result) {
  if (formats.contains("json")) {
    CheckRun run{arguments.netlist, facts_of_this_run(), result};
    arguments.list(run.run);
    run.run.files = input_files(circuit, arguments.layout_tables());
    write_file(folder / "check.json", check_json(circuit, run));
  }
  if (!formats.contains("lyrdb") && !formats.contains("drc")) return;
  const Markers markers = markers_of(*make_design(circuit, options));
  if (formats.contains("lyrdb")) write_lyrdb(markers, netlist_name(arguments.netlist), folder / "markers.lyrdb");
  if (formats.contains("drc")) write_drc(markers, folder / "markers.drc");
}

int run_check(const CheckArguments& arguments) {
  IrOptions options;
  arguments.apply(options);
  require_net_of_layout(arguments, arguments.net);
  const Formats formats = parse_formats(arguments.formats, kFormats, arguments.out);
  RunFolder folder(arguments.out, {"check", formats}, arguments.files());
  ReadOptions read_options = arguments.read_options();
  read_options.opens = [&](const std::string& file) { folder.protect(file); };
  const Circuit circuit = read_input(arguments, arguments.net, read_options, options);
  folder.clear();
  CheckResult result = check_netlist(circuit, options);
  spell_fields(result.findings);
  if (!arguments.quiet) print(circuit, result);
  if (!arguments.out.empty()) write_reports(arguments, folder.path(), formats, circuit, options, result);
  folder.finish();
  throw_first_error(result.findings);
  arguments.require_sound(result.findings);
  if (arguments.strict) require_no_warnings(result.findings);
  return 0;
}

}  // namespace

ToolCommand check_command() {
  Declaration<CheckArguments> check({.name = "check",
                                     .help = "findings only: islands, missing sources, source loops, odd cards",
                                     .example = "gridiron check chip.sp.gz --strict"});
  add_netlist(check);
  add_further_files(check);
  add_layout(check);
  check.add(&CheckArguments::net, {.field = "net", .value = "NAME", .help = "of a layout: this net only"});
  add_strict(check);
  add_out(check, "write findings, and markers of what floats, or is open or shorted in a layout, into this folder");
  add_formats(check, "which of json,lyrdb,drc (default: all): check.json, markers for KLayout and for OpenROAD",
              {std::begin(kFormats), std::end(kFormats)});
  check.add(&CheckArguments::quiet, {.field = "quiet", .help = "nothing on standard output"});
  return std::move(check).run_by(run_check);
}

}  // namespace gridiron
