// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ir_result.hpp"
#include "netlist/circuit.hpp"
#include "netlist/node_place.hpp"
#include "regularize/network.hpp"

namespace gridiron {

/// The DC view of a circuit: node n of the network is node n of the circuit, ground is fixed at 0 V, resistors are
/// edges, sources and 0 Ω resistors and inductors are ties, current sources are injections, capacitors are open.
struct Grid {
  Network network;
  struct TieElement {
    Kind kind;
    std::int64_t index;
  };
  std::vector<TieElement> tie_elements;  ///< per tie: the element it stands for
};

/// Values must have passed check_values() (analysis/findings.hpp).
Grid make_grid(const Circuit& circuit);

/// Electrically connected parts of the grid, ground left out: what resistors and 0 V ties hold together.
struct Parts {
  std::vector<std::int32_t> part;      ///< per node; −1 for ground
  std::vector<std::uint8_t> anchored;  ///< per part: some path leads to ground, be it through sources
  std::vector<std::int32_t> system;    ///< per part: parts joined by sources are one linear system; numbered 0 …
  std::int32_t systems = 0;
  std::vector<NodeId> first_node;   ///< per part: its lowest node
  std::vector<std::int64_t> nodes;  ///< per part
  std::int32_t count() const { return static_cast<std::int32_t>(anchored.size()); }
};
Parts find_parts(const Network& network);

/// One supply net: the parts of equal name and nominal voltage.
struct Net {
  std::string name;
  double nominal_v = 0;
  bool is_ground() const { return nominal_v == 0; }
};

struct Nets {
  std::vector<Net> nets;
  std::vector<std::int32_t> net_of_part;  ///< −1 for floating parts
  std::vector<Finding> findings;          ///< nets that are joined, nominal voltages that differ within a part
};

/// Names and nominal voltages of the nets. Names come from node names and comment cards (IBM, ICCAD, OpenROAD), else
/// from the node that a source feeds. Nominal: `overrides`, else the most frequent source voltage, else the comment
/// card. `known_volts[n]`: potential of node n where a source fixes it, NaN elsewhere.
Nets name_nets(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
               const std::vector<double>& known_volts, const std::map<std::string, double>& overrides);

}  // namespace gridiron
