// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/extract_deck.hpp"
#include "layout/pg_deck.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

struct ExtractArguments : LayoutArguments {
  std::string def, out, net;
  std::vector<std::string> nominal;
  int digits = layout::kOpenRoadDigits, threads = 0;
  bool strict = false, quiet = false, no_progress = false;
};

int run_extract(const ExtractArguments& arguments) {
  arguments.require_lef(arguments.def);
  NetlistArguments netlist;
  netlist.nominal = arguments.nominal;
  netlist.threads = arguments.threads;
  DesignOptions options;
  netlist.apply(options);
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  progress.stage("extract");
  std::vector<Finding> findings;
  const layout::Layout layout = extract_deck(arguments.layout_files(arguments.def, arguments.net, options),
                                             arguments.digits, arguments.out, [&](std::vector<Finding> found) {
                                               findings = std::move(found);
                                               spell_fields(findings);
                                               arguments.require_sound(findings);
                                               if (arguments.strict) require_no_warnings(findings);
                                               progress.stage("write");
                                             });
  progress.finish();
  if (arguments.quiet) return static_cast<int>(ExitCode::done);
  for (const Finding& f : findings)
    fmt::print("{}: {}: {} [{}]\n", printable(f.place), Finding::name_of(f.severity), printable(f.message), f.code);
  for (size_t i = 0; i < layout.grids.size(); ++i) {
    const layout::NetElements& net = layout.elements[i];
    fmt::print("{}: {}, {}, {}, {}\n", printable(layout.chip->nets[net.net].name),
               count_of(layout.grids[i].network.nodes(), "node"),
               count_of(net.last_resistor - net.first_resistor, "resistor"),
               count_of(net.last_sink - net.first_sink, "current source"),
               count_of(net.last_source - net.first_source, "voltage source"));
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace

ToolCommand extract_command() {
  using Args = ExtractArguments;
  Declaration<Args> extract(
      {.name = "extract",
       .help = "the SPICE deck of a layout's power nets",
       .description =
           "Reads LEF and DEF, extracts the resistors of power and ground nets as OpenROAD's PDNSim does, and "
           "writes them in the form of its write_pg_spice. ir, check, tran and regularize take the same "
           "options and need no deck.",
       .example = "gridiron extract chip.def --lef tech.lef --lef cells.lef --net VDD --nominal VDD=1.1 vdd.sp"});
  extract.add(&Args::def,
              positional(file("def", "placed design with special wires: plain, .gz, .bz2, .xz or .zst", "DEF")));
  extract.add(&Args::out, positional(file("deck", "deck to write, compressed as its name says", "OUT")));
  add_layout(extract);
  extract.add(&Args::net, {.field = "net",
                           .value = "NAME",
                           .help = "this net only (default: all of USE POWER and GROUND that have special wires)"});
  extract.add(&Args::nominal,
              {.field = "nominal", .value = "NET=VOLTS", .unit = "V", .help = "nominal voltage of a net"});
  extract.add(&Args::digits, whole_number("digits", "digits of resistances; 17 keep every bit", 1, layout::kAllDigits));
  add_threads(extract);
  add_strict(extract);
  add_quiet(extract);
  return std::move(extract).run_by(run_extract);
}

}  // namespace gridiron
