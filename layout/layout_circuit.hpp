// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "layout/chip.hpp"
#include "layout/library.hpp"
#include "layout/network.hpp"
#include "layout/powers.hpp"
#include "layout/sources.hpp"
#include "netlist/circuit.hpp"

namespace gridiron::layout {

/// A net with what is attached to it.
struct NetGrid {
  int32_t net = -1;  ///< index into Chip::nets
  Network network;
  SourceSites sources;
  double volts = 0;  ///< of its sources
  bool is_ground = false;
  double power_volts = 0;  ///< of the power net, by which watts become amperes; 0: not known, and there are no watts
  std::vector<double> component_volts = {};  ///< the same by component of the chip, of a ground net of several supplies
  double source_ohm = 0;                     ///< in series with every source
};

/// Sinks that draw less have no card in a deck, as in OpenROAD's, A.
inline constexpr double kLeastCurrent = 1e-18;

/// The elements of a net in a circuit, [first, last) of each kind.
struct NetElements {
  int32_t net = -1;
  int64_t first_resistor = 0, last_resistor = 0;
  int64_t first_sink = 0, last_sink = 0;
  int64_t first_source = 0, last_source = 0;
};

/// The circuit of one or more nets, with names of nodes as OpenROAD writes them, in the order of its decks. Terminals
/// of a net that have the same name there are one node. Every terminal has a current source, which draws nothing where
/// no power is known; those of ground nets have OpenROAD's sign, as in its decks. Those that
/// draw are called I0, I1, … as in these decks, the others go on from there. A sink's origin is its component in DEF,
/// that of anything else its net. `elements`, if not null, tells what is whose. `chip` is kept.
Circuit make_circuit(const Library& library, std::shared_ptr<const Chip> chip, const std::vector<NetGrid>& grids,
                     const Powers& powers, std::vector<NetElements>* elements = nullptr);

}  // namespace gridiron::layout
