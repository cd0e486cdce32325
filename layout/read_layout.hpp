// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "layout/chip.hpp"
#include "layout/crossings.hpp"
#include "layout/layer_resistances.hpp"
#include "layout/layout_circuit.hpp"
#include "layout/library.hpp"
#include "layout/opens.hpp"
#include "layout/powers.hpp"
#include "layout/shorts.hpp"
#include "layout/sources.hpp"
#include "netlist/circuit.hpp"

namespace gridiron::layout {

/// The files of a placed design, and what is asked of them.
struct LayoutFiles {
  std::string def;
  std::vector<std::string> lefs;  ///< technology first
  std::string layer_rc;           ///< resistances of layers instead of LEF's; may be empty
  LayerRcOptions layer_rc_options;
  std::string power_by_cell;                     ///< may be empty; what follows replaces what is said before:
  std::map<std::string, double> cell_watts;      ///< by cell,
  std::vector<std::string> powers;               ///< files, in this order,
  std::map<std::string, double> instance_watts;  ///< by instance
  std::vector<std::string> nets;                 ///< empty: all of USE POWER and GROUND that have special wires
  std::map<std::string, std::string> sources;    ///< a file by net; by "": for the only net that is asked for
  SourceSettings source_settings;
  std::map<std::string, double> nominal;  ///< V, by net
  bool looks_at_all_nets = false;         ///< for shorts, also those that are not asked for
  double mesh_um = 0;                     ///< above 0: cells of extract_mesh(); 0: as extract() does

  /// What is read besides DEF and LEF.
  std::vector<std::string> tables() const;
};

/// A layout as a power grid.
struct Layout {
  std::shared_ptr<const Library> library;
  std::shared_ptr<const Chip> chip;
  LayerResistances resistances;
  std::vector<NetGrid> grids;                     ///< one per net
  std::vector<NetElements> elements;              ///< of the circuit, likewise
  std::vector<Opens> opens;                       ///< likewise
  std::vector<std::vector<Crossings>> crossings;  ///< likewise
  std::vector<Short> shorts;                      ///< between these nets, and others if these are looked at
  std::shared_ptr<Circuit> circuit;
  bool has_powers = false;
  int64_t unknown_instances = 0;     ///< that files of powers name
  int64_t unpowered_components = 0;  ///< with a terminal on one of the nets, but no power; 0 without powers
};

/// A library and a chip of its cells that have been read, of which nets are extracted again and again.
struct PlacedDesign {
  std::shared_ptr<const Library> library;
  std::shared_ptr<const Chip> chip;
  LayerResistances resistances;
  std::map<int32_t, Network> networks = {};  ///< by net: those that were extracted with these resistances,
  double mesh_um = 0;                        ///< and with LayoutFiles::mesh_um

  /// Of a net, extracted anew. Errors: those of extract().
  Network extracted(int32_t net) const;
  /// The same unless it is there.
  Network& network(int32_t net);
};

/// Those that are asked for by name, of all if there are no names. Errors: InputError (no such net, one without special
/// wires).
std::vector<int32_t> chosen_nets(const Chip& chip, const std::vector<std::string>& names);

/// What LayoutFiles says of powers. Errors: InputError. `chip` must stay alive.
Powers read_powers(const LayoutFiles& files, const Library& library, const Chip& chip);

/// As read_layout(), of a design and powers instead of the files of DEF, LEF, resistances and powers. Its networks move
/// to the grids of the layout, from where the caller may move them back. Errors: InputError.
Layout make_layout(PlacedDesign& design, const LayoutFiles& files, const Powers& powers);

/// Reads a layout, and extracts its nets. Voltages of sources are those of their file, else the nominal one of the net,
/// else DEF's + VOLTAGE, 0 of a ground net. Watts become amperes by the nominal voltage of the power net, also on a
/// ground net, or else by that of its sources. Findings are in Circuit::findings. Errors: InputError.
Layout read_layout(const LayoutFiles& files);

}  // namespace gridiron::layout
