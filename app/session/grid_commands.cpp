// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "analysis/model/findings.hpp"
#include "analysis/results/input_counts.hpp"
#include "analysis/results/markers.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/read_input.hpp"
#include "app/session/session_commands.hpp"
#include "netlist/reader.hpp"
#include "netlist/values/quantity.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/tables/markers.hpp"
#include "reports/text/escape.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

// ---- read_spice, check_power_grid

Value check_value(const Console& console, CheckResult result) {
  spell_fields(result.findings, console.spell);
  return json_of(result);
}

Value read_spice(Console& console, const NetlistArguments& arguments) {
  IrOptions options;
  arguments.apply(options);
  const ReadOptions read = arguments.read_options();
  console.session.read(
      arguments.netlist,
      std::make_shared<const Circuit>(with_pads(read_netlist(arguments.netlist, read), arguments.pads, read, options)),
      options);
  console.layout.leave();
  console.simulated.reset();
  return with_fields({{"path", arguments.netlist}}, counts_of(*console.session.design().circuit));
}

struct CheckGridArguments {
  std::string net, error_file;
  bool dont_require_terminals = false, ignore_opens = false, ignore_shorts = false, strict = false;
};

Value check_power_grid(Console& console, const CheckGridArguments& arguments) {
  if (console.layout.is_input()) {
    if (arguments.ignore_opens)
      throw field_error("ignore_opens", "is of a SPICE deck here: this command looks for what a layout has open");
    require_outputs(console, {arguments.error_file});
    return check_layout(
        console, {arguments.net, arguments.error_file, !arguments.dont_require_terminals, arguments.ignore_shorts});
  }
  console.session.set_islands({arguments.ignore_opens});
  const CheckResult result = console.session.check();
  if (!arguments.net.empty())
    throw field_error("net", "{}: nets of a layout are checked one by one, a SPICE deck as a whole", arguments.net);
  for (const Finding& f : result.findings)
    console.print(fmt::format("{}{}{} [{}]\n", printable(f.place), f.place.empty() ? "" : ": ",
                              printable(spelled(f.message, console.spell)), f.code));
  require_outputs(console, {arguments.error_file});
  if (!arguments.error_file.empty()) write_drc(markers_of(console.session.design()), arguments.error_file);
  throw_first_error(result.findings);
  if (arguments.strict) require_no_warnings(result.findings);
  return check_value(console, result);
}

// ---- Changes

struct NominalArguments {
  std::string net;
  double volts = 0;
};

Value set_nominal(Console& console, const NominalArguments& arguments) {
  console.session.set_nominal(arguments.net, arguments.volts);
  return "";
}

struct LoadArguments {
  std::string source;
  std::optional<double> amperes;
};

Value set_load(Console& console, const LoadArguments& arguments) {
  const double before = console.session.load(arguments.source);
  if (arguments.amperes) console.session.set_load(arguments.source, *arguments.amperes);
  return before;
}

struct ResistorArguments {
  std::string resistor;
  std::optional<double> ohm;
};

Value set_resistor(Console& console, const ResistorArguments& arguments) {
  const double before = console.session.resistance(arguments.resistor);
  if (arguments.ohm) console.session.apply(SetResistor{arguments.resistor, *arguments.ohm});
  return before;
}

Value add_source(Console& console, const AddPad& pad) {
  console.session.apply(pad);
  return "";
}

Value drop_source(Console& console, const DropPad& pad) {
  console.session.apply(pad);
  return "";
}

Argument word(std::string field, std::string value, std::string help, bool is_required = true) {
  return {.field = std::move(field),
          .value = std::move(value),
          .help = std::move(help),
          .is_positional = true,
          .is_required = is_required};
}

Argument quantity(std::string field, std::string value, std::string unit, std::string help, bool is_required = true) {
  Argument argument = word(std::move(field), std::move(value), std::move(help), is_required);
  argument.unit = std::move(unit);
  return argument;
}

}  // namespace

std::vector<SessionCommand> grid_commands() {
  Declaration<NetlistArguments> read({.name = "read_spice",
                                      .help = "reads a SPICE deck in place of the one before; returns its size",
                                      .example = "read_spice chip.sp.gz -nominal VDD=1.1"});
  add_netlist(read, "SPICE deck: plain, .gz, .bz2, .xz or .zst; '-' reads standard input");

  Declaration<CheckGridArguments> check(
      {.name = "check_power_grid",
       .help = "findings about the netlist, as a list; an error if it cannot be analysed",
       .description = "Of a layout, as OpenROAD does: whether all shapes, terminals of instances and pins of the block "
                      "on a net are connected. What is not is printed, and an error, and so are shorts with "
                      "other power and ground nets.",
       .example = "check_power_grid -net VDD -error_file opens.drc"});
  check.add(
      &CheckGridArguments::net,
      {.field = "net", .value = "NET", .help = "of a layout: this net only (default: all power and ground nets)"});
  check.add(
      &CheckGridArguments::error_file,
      file("error_file", "write what floats, or is open or shorted in a layout, as markers of OpenROAD's DRC viewer"));
  check.add(&CheckGridArguments::dont_require_terminals,
            {.field = "dont_require_terminals", .help = "of a layout: a net without pins of the block is no error"});
  check.add(&CheckGridArguments::ignore_opens,
            {.field = "ignore_opens", .help = "of a SPICE deck: islands with loads are no errors, but left out"});
  check.add(&CheckGridArguments::ignore_shorts,
            {.field = "ignore_shorts", .help = "of a layout: metal of two nets that touches is no error"});
  check.add(&CheckGridArguments::strict, {.field = "strict", .help = "warnings are errors"});

  Declaration<NominalArguments> nominal({.name = "set_nominal",
                                         .help = "the nominal voltage of a net, from which drops are counted",
                                         .example = "set_nominal VDD 1.1"});
  nominal.add(&NominalArguments::net, word("net", "NET", "name of the net"));
  add_quantity(nominal, &NominalArguments::volts, volts, quantity("volts", "VOLTS", "V", "its nominal voltage"));

  Declaration<LoadArguments> load(
      {.name = "set_load",
       .help = "the current of a source; returns the one before",
       .description = "Another load costs one solve: parse and set-up of the engine are kept.",
       .example = "set_load i42 5mA"});
  load.add(&LoadArguments::source, word("source", "SOURCE", "name of a current source"));
  add_quantity(load, &LoadArguments::amperes, amperes,
               quantity("amperes", "AMPERES", "A", "its current; nothing changes without one", false));

  Declaration<ResistorArguments> resistor(
      {.name = "set_resistor",
       .help = "the resistance of a resistor; returns the one before",
       .description = "The next analysis updates its engine, it is not set up again.",
       .example = "set_resistor r17 [expr {[set_resistor r17] / 1.2}]"});
  resistor.add(&ResistorArguments::resistor, word("resistor", "RESISTOR", "name of a resistor, not of a short"));
  add_quantity(resistor, &ResistorArguments::ohm, ohms,
               quantity("ohm", "OHM", "ohm", "its resistance; nothing changes without one", false));

  Declaration<AddPad> add({.name = "add_source",
                           .help = "a pad: a voltage source behind a resistance",
                           .example = "add_source n1_m9_1000_2000 1.1 10m -name bump17"});
  add.add(&AddPad::node, word("node", "NODE", "name of the node that it feeds"));
  add_quantity(add, &AddPad::volts, volts, quantity("volts", "VOLTS", "V", "its voltage"));
  add_quantity(add, &AddPad::ohm, ohms, quantity("ohm", "OHM", "ohm", "its resistance, above 0"));
  add.add(&AddPad::name, {.field = "name", .value = "NAME", .help = "its name (default: added at NODE)"});

  Declaration<DropPad> drop({.name = "drop_source",
                             .help = "takes away a voltage source, of the netlist or added",
                             .example = "drop_source bump17"});
  drop.add(&DropPad::pad, word("pad", "SOURCE", "its name"));

  return {in_session(read, read_spice), in_session(check, check_power_grid), in_session(nominal, set_nominal),
          in_session(load, set_load),   in_session(resistor, set_resistor),  in_session(add, add_source),
          in_session(drop, drop_source)};
}

}  // namespace gridiron
