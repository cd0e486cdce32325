// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/extracted/joined_layers.hpp"
#include "netlist/extracted/places_by_node.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// What annotations tell of all resistors.
struct ResistorNotes {
  std::vector<int32_t> width;                             ///< in units of kWidthsPerUm
  std::vector<ToldLayer> layer;                           ///< of both nodes
  std::vector<std::vector<Placement::NodePlace>> places;  ///< of nodes, range by range of the resistors
};

/// Those of a flattened deck. Places are read where `nodes` lack one. Internal to netlist/.
ResistorNotes read_resistors(const Deck& deck, const Circuit& circuit, const PlacesByNode& nodes, JoinedLayers& layers);

}  // namespace gridiron
