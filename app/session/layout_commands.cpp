// SPDX-License-Identifier: Apache-2.0
// The commands that read a layout and set it up, with the names of OpenROAD's, and what they share with those that
// analyse it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "app/session/common_arguments.hpp"
#include "app/session/grid_change.hpp"
#include "app/session/layout_opens.hpp"
#include "app/session/session_commands.hpp"
#include "layout/layout_findings.hpp"
#include "layout/shorts.hpp"
#include "netlist/values/quantity.hpp"
#include "reports/tables/markers.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

/// The grid of the session is not what is set now.
void forget_grid(Console& console) {
  if (!console.layout.is_input()) return;
  console.simulated.reset();
  console.session.forget("the layout is not extracted as it is set up now; analyze_power_grid does so");
}

/// Errors: InputError where a setting would change nothing.
void require_layout_session(const Console& console) {
  if (console.session.has_design() && !console.layout.is_input())
    throw InputError(
        "this sets up a layout, but the session has a SPICE deck; read_lef and read_def put a layout in its place");
}

// ---- What is read

struct LefArguments {
  std::string file;
  bool tech = false, library = false;
};

Value read_lef(Console& console, const LefArguments& arguments) {
  console.layout.read_lef(arguments.file);
  forget_grid(console);
  const layout::Library& library = console.layout.library();
  return {{"path", arguments.file}, {"layers", library.layers.size()}, {"macros", library.macros.size()}};
}

struct FileArguments {
  std::string file;
};

Value read_def(Console& console, const FileArguments& arguments) {
  console.layout.read_def(arguments.file);
  forget_grid(console);
  return arguments.file;
}

struct PowerArguments {
  std::string file;
  bool by_cell = false;
};

Value read_power(Console& console, const PowerArguments& arguments) {
  require_layout_session(console);
  console.layout.read_power(arguments.file, arguments.by_cell);
  forget_grid(console);
  return arguments.file;
}

// ---- Settings

/// `is_new`: it has another value than before.
Value done(Console& console, bool is_new) {
  if (is_new) forget_grid(console);
  return "";
}

struct LayerRcArguments {
  std::string layer, via, corner;
  std::optional<double> resistance, capacitance;
};

Value set_layer_rc(Console& console, const LayerRcArguments& arguments) {
  require_layout_session(console);
  if (arguments.layer.empty() == arguments.via.empty())
    throw input_error("set_layer_rc: give {} or {}, and not both", field("layer"), field("via"));
  if (!arguments.resistance) return "";  // a capacitance alone says nothing about IR drop
  const bool is_via = arguments.layer.empty();
  const layout::LayerRc rc{is_via ? arguments.via : arguments.layer, is_via, *arguments.resistance};
  return done(console, console.layout.set_layer_rc(rc, arguments.corner));
}

struct NetVoltageArguments {
  std::string net, corner;
  double voltage = 0;
};

Value set_net_voltage(Console& console, const NetVoltageArguments& arguments) {
  require_layout_session(console);
  return done(console, console.layout.set_net_voltage(arguments.net, arguments.voltage, arguments.corner));
}

struct InstPowerArguments {
  std::string inst, corner;
  double power = 0;
};

Value set_inst_power(Console& console, const InstPowerArguments& arguments) {
  require_layout_session(console);
  return done(console, console.layout.set_inst_power(arguments.inst, arguments.power, arguments.corner));
}

struct SourceSettingArguments {
  std::optional<double> bump_dx, bump_dy, bump_size, external_resistance;
  std::optional<int32_t> bump_interval, strap_track_pitch;
};

Value set_source_settings(Console& console, const SourceSettingArguments& arguments) {
  require_layout_session(console);
  layout::SourceSettings settings = console.layout.source_settings();
  settings.bump_dx_um = arguments.bump_dx.value_or(settings.bump_dx_um);
  settings.bump_dy_um = arguments.bump_dy.value_or(settings.bump_dy_um);
  settings.bump_size_um = arguments.bump_size.value_or(settings.bump_size_um);
  settings.bump_interval = arguments.bump_interval.value_or(settings.bump_interval);
  settings.strap_track_pitch = arguments.strap_track_pitch.value_or(settings.strap_track_pitch);
  settings.ohm = arguments.external_resistance.value_or(settings.ohm);
  return done(console, console.layout.set_source_settings(settings));
}

Value clear_settings(Console& console, const NoArguments&) {
  console.layout.clear_settings();
  return done(console, true);
}

// ---- Opens and shorts

/// Of these nets with each other and with all other power and ground nets.
std::vector<layout::Short> shorts_of(LayoutSetup& layout, const std::vector<int32_t>& nets) {
  std::vector<int32_t> all = layout.nets("");
  append(all, nets);
  sort_unique(all);
  std::vector<layout::NetMetal> metal;
  for (const int32_t net : all) metal.push_back({net, &layout.network_to_check(net)});
  std::vector<layout::Short> shorts = layout::find_shorts(layout.library(), metal);
  const auto is_checked = [&](int32_t net) { return std::ranges::find(nets, net) != nets.end(); };
  std::erase_if(shorts, [&](const layout::Short& s) { return !is_checked(s.a) && !is_checked(s.b); });
  return shorts;
}

void add_shorts(LayoutSetup& layout, const std::vector<layout::Short>& shorts, std::vector<std::string>& faults) {
  if (shorts.empty()) return;
  const layout::Short& first = shorts.front();
  const double dbu = layout.chip().dbu_per_um;
  faults.push_back(fmt::format("{}, the first between nets {} and {} on {} at ({:.3f}, {:.3f}) to ({:.3f}, {:.3f}) um",
                               counted(std::ssize(shorts), "short"), layout.chip().nets[first.a].name,
                               layout.chip().nets[first.b].name, layout.library().layers[first.layer].name,
                               first.box.x0 / dbu, first.box.y0 / dbu, first.box.x1 / dbu, first.box.y1 / dbu));
}

// ---- Declarations

Argument required(Argument argument) {
  argument.is_required = true;
  return argument;
}

Argument corner() {
  return {.field = "corner", .value = "CORNER", .help = "for analyses of this corner only (default: of all)"};
}

Argument um(std::string field, std::string help) {
  return {.field = std::move(field), .value = "UM", .unit = "um", .help = std::move(help), .check = check_positive};
}

std::string check_not_negative(const std::string& text) {
  const auto value = number_in<double>(text);
  if (value && std::isfinite(*value) && *value >= 0) return "";
  return fmt::format("'{}': expected a number, 0 or more", text);
}

SessionCommand lef_command() {
  Declaration<LefArguments> lef(
      {.name = "read_lef",
       .help = "reads a LEF file, the technology's first; returns how many layers and macros there are so far",
       .description = "A layout takes the place of a deck. read_lef, read_def and the settings may come in any order "
                      "before analyze_power_grid or check_power_grid.",
       .example = "read_lef Nangate45_tech.lef"});
  lef.add(&LefArguments::file, positional(file("file", "technology or cells: plain, .gz, .bz2, .xz or .zst")));
  lef.add(&LefArguments::tech, {.field = "tech", .help = "as in OpenROAD; the file itself tells what it has"});
  lef.add(&LefArguments::library, {.field = "library", .help = "as -tech"});
  return in_session(lef, read_lef);
}

SessionCommand def_command() {
  Declaration<FileArguments> def(
      {.name = "read_def",
       .help = "reads a placed design with power grid in place of the one before; settings stay",
       .description = "Nothing is extracted yet: analyze_power_grid, check_power_grid and write_pg_spice do so.",
       .example = "read_def chip.def.gz"});
  def.add(&FileArguments::file, positional(file("file", "DEF file: plain, .gz, .bz2, .xz or .zst")));
  return in_session(def, read_def);
}

SessionCommand power_command() {
  Declaration<PowerArguments> power(
      {.name = "read_power",
       .help = "reads what the instances of a layout draw",
       .description = "OpenROAD's PDNSim asks OpenSTA in the same process; here its report is a file: report_power "
                      "-instances [get_cells *] as text or with -format json, or CSV instance,power_w or "
                      "instance,current_a. A later file replaces what earlier ones say of an instance, "
                      "set_pdnsim_inst_power what files say.",
       .example = "read_power power.json"});
  power.add(&PowerArguments::file, positional(file("file", "powers, plain or compressed")));
  power.add(&PowerArguments::by_cell, {.field = "by_cell",
                                       .help = "CSV cell,power_w, of every instance of a cell of which no other file "
                                               "says more; in place of the one before"});
  return in_session(power, read_power);
}

SessionCommand layer_rc_command() {
  using Rc = LayerRcArguments;
  Declaration<Rc> rc(
      {.name = "set_layer_rc",
       .help = "resistance of a layer instead of LEF's, as platforms of OpenROAD set it",
       .description = "The unit is that of such files, kohm: per um of a wire of the layer's default width, or per cut "
                      "of a via. A resistance of 0 leaves that of LEF.",
       .example = "set_layer_rc -layer metal1 -resistance 5.432e-03"});
  rc.add(&Rc::layer, {.field = "layer", .value = "LAYER", .help = "a routing layer"});
  rc.add(&Rc::via, {.field = "via", .value = "LAYER", .help = "a cut layer", .excludes = "layer"});
  rc.add(&Rc::resistance, {.field = "resistance",
                           .value = "KOHM",
                           .unit = "kohm/um or kohm",
                           .help = "per um of a wire in kohm/um, per cut in kohm",
                           .check = check_not_negative});
  rc.add(&Rc::capacitance, {.field = "capacitance",
                            .value = "C",
                            .unit = "pF/um",
                            .help = "without effect on IR drop",
                            .check = check_not_negative});
  rc.add(&Rc::corner, corner());
  return in_session(rc, set_layer_rc);
}

SessionCommand voltage_command() {
  using Args = NetVoltageArguments;
  Declaration<Args> voltage({.name = "set_pdnsim_net_voltage",
                             .help = "the nominal voltage of a net of a layout, which its sources hold",
                             .description = "A file of sources (-vsrc) overrides what sources hold. Powers become "
                                            "currents by the voltage of the power net, also on a ground net.",
                             .example = "set_pdnsim_net_voltage -net VDD -voltage 1.1"});
  voltage.add(&Args::net, required({.field = "net", .value = "NET", .help = "name of the net"}));
  add_quantity(voltage, &Args::voltage, volts,
               required({.field = "voltage", .value = "VOLTS", .unit = "V", .help = "its nominal voltage"}));
  voltage.add(&Args::corner, corner());
  return in_session(voltage, set_net_voltage);
}

SessionCommand inst_power_command() {
  using Args = InstPowerArguments;
  Declaration<Args> power(
      {.name = "set_pdnsim_inst_power",
       .help = "the power of an instance of a layout, whatever files say",
       .description = "OpenROAD's command adds to what the instance draws, although it is documented as an override.",
       .example = "set_pdnsim_inst_power -inst u_core/u_mem -power 5mW"});
  power.add(&Args::inst, required({.field = "inst", .value = "INSTANCE", .help = "name of the instance"}));
  add_quantity(power, &Args::power, watts,
               required({.field = "power", .value = "WATTS", .unit = "W", .help = "what it draws"}));
  power.add(&Args::corner, corner());
  return in_session(power, set_inst_power);
}

SessionCommand source_settings_command() {
  using Args = SourceSettingArguments;
  const auto count = [](std::string field, std::string help) {
    return whole_number(std::move(field), std::move(help), 1, 1'000'000);
  };
  Declaration<Args> settings(
      {.name = "set_pdnsim_source_settings",
       .help = "patterns of sources, and their resistance; what is not given stays as it is",
       .example = "set_pdnsim_source_settings -bump_dx 100 -bump_dy 100 -external_resistance 0.05"});
  settings.add(&Args::bump_dx, um("bump_dx", "pitch of bumps along x (default: 140)"));
  settings.add(&Args::bump_dy, um("bump_dy", "pitch of bumps along y (default: 140)"));
  settings.add(&Args::bump_size, um("bump_size", "edge of a bump (default: 70)"));
  settings.add(&Args::bump_interval, count("bump_interval", "every how many bumps are of the net (default: 3)"));
  settings.add(&Args::strap_track_pitch, count("strap_track_pitch", "tracks from strap to strap (default: 10)"));
  settings.add(&Args::external_resistance, {.field = "external_resistance",
                                            .value = "OHM",
                                            .unit = "ohm",
                                            .help = "in series with every source (default: 0)",
                                            .check = check_not_negative});
  return in_session(settings, set_source_settings);
}

}  // namespace

void require_no_layout_request(const LayoutRequest& request) {
  const auto refuse = [](bool is_given, const char* name) {
    if (is_given) throw field_error(name, "is of a layout, but the session has a SPICE deck");
  };
  refuse(!request.vsrc.empty(), "vsrc");
  refuse(!request.source_type.empty(), "source_type");
  refuse(!request.corner.empty(), "corner");
  refuse(!request.extraction.empty(), "extract");
  refuse(request.mesh_um > 0, "mesh");
  refuse(request.ignore_shorts, "ignore_shorts");
}

Value check_layout(Console& console, const LayoutCheck& what) {
  LayoutSetup& layout = console.layout;
  const std::vector<int32_t> nets = layout.nets(what.net);
  std::vector<std::string> faults;
  Value rows = Value::array();
  for (const int32_t net : nets) {
    const layout::Network& network = layout.network_to_check(net);
    const layout::Opens opens = layout::find_opens(network);
    const std::string& name = layout.chip().nets[net].name;
    console.print(open_lines(layout.library(), layout.chip(), net, network, opens));
    for (const ReadFinding& f : layout::open_findings(layout.library(), layout.chip(), net, network, opens))
      faults.push_back(f.message);
    if (what.needs_terminals && network.block_pin.empty())
      faults.push_back(
          fmt::format("net {} has no terminals, that is no placed pins of the block; place some, or give {}", name,
                      field("dont_require_terminals")));
    rows.push_back({{"net", name},
                    {"shapes", network.pieces()},
                    {"terminals", network.terminals()},
                    {"block_pins", network.block_pin.size()}});
  }
  const std::vector<layout::Short> shorts = what.ignore_shorts ? std::vector<layout::Short>() : shorts_of(layout, nets);
  add_shorts(layout, shorts, faults);
  if (!what.error_file.empty()) write_drc(markers_of_faults(layout, nets, shorts), what.error_file);
  if (!faults.empty()) throw grid_error("{}: {}", layout.def(), fmt::join(faults, "; "));
  return rows;
}

std::vector<SessionCommand> layout_commands() {
  Declaration<NoArguments> clear({.name = "clear_pdnsim_settings",
                                  .help = "forgets powers, and what set_layer_rc and set_pdnsim_... have set",
                                  .example = "clear_pdnsim_settings"});
  return {lef_command(),     def_command(),        power_command(),           layer_rc_command(),
          voltage_command(), inst_power_command(), source_settings_command(), in_session(clear, clear_settings)};
}

}  // namespace gridiron
