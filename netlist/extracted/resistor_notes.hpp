// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/extracted/joined_layers.hpp"
#include "netlist/extracted/places_by_node.hpp"
#include "netlist/extracted/top_level_text.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// What annotations tell of all resistors.
struct ResistorNotes {
  std::vector<int32_t> width;    ///< in units of kWidthsPerUm
  std::vector<ToldLayer> layer;  ///< of both nodes
  struct Place {
    NodeId node;
    WrittenPlace place;
  };
  std::vector<std::vector<Place>> places;      ///< of nodes, range by range of the resistors
  std::vector<Origin> odd_widths, odd_places;  ///< cards with what is none, as they follow one another in the circuit
};

/// Those of a flattened deck. Places are read on cards of the top level where `nodes` lack one. Internal to netlist/.
ResistorNotes read_resistors(const Deck& deck, const Circuit& circuit, const TopLevelText& text,
                             const PlacesByNode& nodes, JoinedLayers& layers);

}  // namespace gridiron
