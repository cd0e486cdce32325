// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/common_arguments.hpp"
#include "app/session/layout_arguments.hpp"
#include "app/session/number_checks.hpp"

namespace gridiron {

inline Argument ignore_opens_argument() {
  return {.field = "ignore_opens",
          .help =
              "leave out islands that no path connects to a voltage source, with their loads; of a layout, shapes "
              "and terminals that are not connected are no errors, either"};
}

/// `of`: "of a layout: ", or nothing where the options are of layouts only.
template <class Args>
void add_extraction(Declaration<Args>& to, const std::string& of) {
  to.add(&Args::extraction,
         {.field = "extract",
          .value = "RULES",
          .help = of + "how metal becomes resistors: by the rules of OpenROAD's PDNSim, or fine, as a mesh of cells "
                       "(default: pdnsim)",
          .choices = {"pdnsim", "fine"}});
  to.add(&Args::mesh_um, {.field = "mesh",
                          .value = "UM",
                          .unit = "um",
                          .help = of + "length of the largest cells of a fine extraction",
                          .initial = "none",
                          .check = check_positive});
}

/// The options of a DEF file in the place of a netlist.
template <class Args>
void add_layout(Declaration<Args>& to) {
  using L = LayoutArguments;
  to.add(&L::lef, file("lef", "LEF file, with which the input is a DEF file; the technology's comes first"));
  to.add(&L::layer_rc, file("layer_rc",
                            "resistances of layers instead of LEF's: lines of OpenROAD's set_layer_rc, or "
                            "CSV layer,ohm_per_square and via,ohm_per_cut"));
  to.add(&L::power, file("power",
                         "powers of instances: OpenSTA's report_power -instances as text or JSON, or CSV "
                         "instance,power_w or instance,current_a; each file replaces what the ones before say"));
  to.add(&L::power_by_cell, file("power_by_cell", "powers by cell: CSV cell,power_w"));
  to.add(&L::sources, file("sources",
                           "sources of a net, as OpenROAD's -vsrc: lines x,y,size,volts in um; NET=FILE where "
                           "several nets are read"));
  to.add(&L::source_type,
         {.field = "source_type",
          .value = "TYPE",
          .help = "sources that no file gives: bumps, straps or full (default: the pins of the block, or "
                  "bumps where the net has none)",
          .suggestions = {"bumps", "straps", "full"},
          .check = check_source_type});
  to.add(&L::source_settings,
         {.field = "source_set",
          .value = "KEY=VALUE",
          .help = "OpenROAD's set_pdnsim_source_settings: bump_dx, bump_dy, bump_size in um, bump_interval, "
                  "strap_track_pitch",
          .suggestions = {"bump_dx=", "bump_dy=", "bump_size=", "bump_interval=", "strap_track_pitch="}});
  to.add(&L::source_resistance, {.field = "source_resistance",
                                 .value = "OHM",
                                 .unit = "ohm",
                                 .help = "resistance in series with every source",
                                 .initial = "0",
                                 .check = check_positive});
  to.add(&L::ignore_opens, ignore_opens_argument());
  to.add(&L::ignore_shorts, {.field = "ignore_shorts", .help = "metal of two nets that touches is no error"});
  add_extraction(to, "");
}

/// How a session that has a layout extracts a net.
template <class Args>
void add_layout_request(Declaration<Args>& to) {
  to.add(&Args::vsrc, file("vsrc", "of a layout: sources of the net, lines x,y,size,volts in um"));
  to.add(&Args::source_type,
         {.field = "source_type",
          .value = "TYPE",
          .help = "of a layout: sources where neither a file nor pins of the block give any, BUMPS, STRAPS or FULL "
                  "(default: BUMPS)",
          .suggestions = {"BUMPS", "STRAPS", "FULL"},
          .check = check_source_type});
  to.add(&Args::corner,
         {.field = "corner", .value = "CORNER", .help = "of a layout: what was set for this corner, too"});
  add_extraction(to, "of a layout: ");
  to.add(&Args::ignore_opens, ignore_opens_argument());
  to.add(&Args::ignore_shorts,
         {.field = "ignore_shorts", .help = "of a layout: metal of two nets that touches is no error"});
}

}  // namespace gridiron
