// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analysis/model/grid.hpp"
#include "analysis/model/nets.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"

namespace gridiron {

/// Where a part is held at one voltage.
struct Feed {
  NodeId node = kGround;       ///< the first one at this voltage
  std::optional<Origin> card;  ///< the first voltage source there; none for an added pad
  int32_t label = -1;          ///< net name of the node, as in NodePlaces::net
};

/// What is known about a part before its nets are named.
struct PartFacts {
  std::map<int32_t, int64_t> labels;  ///< net names of its nodes (NodePlaces::nets), with counts
  std::map<double, Feed> feeds;       ///< by voltage, V
  double load_a = 0;                  ///< drawn by its loads
  int64_t inside = 0;                 ///< nodes inside of branches
  std::optional<Origin> source;       ///< the first voltage source that feeds it
  bool is_quiet = true;               ///< no voltage but 0 V in the whole system: its loads alone drive it
};

/// Per part. `merge` tells what potentials the sources of the deck fix; parts of nodes inside of branches only
/// (Branches) are no nets; added pads count as sources for parts without any. `merge` and `inside` may be of more nodes
/// than the parts.
std::vector<PartFacts> collect_part_facts(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
                                          const Merge& merge, const std::vector<uint8_t>& inside,
                                          const std::vector<AddedPad>& added_pads);

/// Sets PartFacts::is_quiet from the voltages of all parts.
void find_quiet_systems(const Parts& parts, std::vector<PartFacts>& facts);

/// Names and nominal voltages of the nets. Names come from node names and comment cards (IBM, ICCAD, OpenROAD), else
/// from the node that a source feeds. Nominal: `overrides`, else the highest source voltage of the supply, else the
/// comment card. Sources of several voltages on one net and nets that are joined are findings. Of the circuit it reads
/// what the facts refer to and the comment cards.
Nets name_nets(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
               const std::vector<PartFacts>& facts, const std::map<std::string, double>& overrides);

}  // namespace gridiron
