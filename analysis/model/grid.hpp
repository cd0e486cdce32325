// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "netlist/circuit.hpp"
#include "regularize/network.hpp"

namespace gridiron {

/// The DC view of a circuit: node n of the network is node n of the circuit, ground is fixed at 0 V, resistors are
/// edges, sources and 0 Ω resistors and inductors are ties, capacitors are open; the injections are left out, see
/// node_injection().
struct Grid {
  Network network;
  struct TieElement {
    Kind kind;
    int64_t index;
  };
  std::vector<TieElement> tie_elements;  ///< per tie: the element it represents
};

/// Values must have passed check_values() (analysis/model/findings.hpp).
Grid make_grid(const Circuit& circuit);

/// Nodes between which a source holds a voltage that is not known yet.
using ControlledTies = std::vector<std::pair<NodeId, NodeId>>;
ControlledTies controlled_ties(const Circuit& circuit);

/// Connected components of the grid without ground, connected by resistors and 0 V ties.
struct Parts {
  std::vector<int32_t> part;      ///< per node; −1 for ground
  std::vector<uint8_t> anchored;  ///< per part: some path leads to ground, possibly through sources
  std::vector<int32_t> system;    ///< per part: parts joined by sources are one linear system; numbered 0 …
  int32_t systems = 0;
  std::vector<NodeId> first_node;  ///< per part: its lowest node
  std::vector<int64_t> nodes;      ///< per part
  int32_t count() const { return static_cast<int32_t>(anchored.size()); }
};
Parts find_parts(const Network& network, const ControlledTies& controlled = {});

/// A pad that the netlist does not have: a conductance, S, from a node to a fixed potential, V.
struct AddedPad {
  std::string name;
  NodeId node;
  double volts, conductance;
};

/// The current injected into each node, A, when source i draws amperes[i].
std::vector<double> node_injection(const Circuit& circuit, std::span<const double> amperes);

}  // namespace gridiron
