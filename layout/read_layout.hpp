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

/// Reads a layout, and extracts its nets. Voltages of sources are those of their file, else the nominal one of the net,
/// else DEF's + VOLTAGE, 0 of a ground net. Watts become amperes by the nominal voltage of the power net, also on a
/// ground net, or else by that of its sources. Findings are in Circuit::findings. Errors: InputError.
Layout read_layout(const LayoutFiles& files);

}  // namespace gridiron::layout
