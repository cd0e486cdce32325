// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "layout/library.hpp"
#include "layout/network.hpp"
#include "netlist/circuit.hpp"

namespace gridiron::layout {

/// What the name of a node tells, in the order of nodes.
struct Spot {
  int32_t layer;
  Point place;
  NodeKind kind;

  friend bool operator==(const Spot&, const Spot&) = default;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

/// Gives the nodes of one net after the other their ids in a circuit, and OpenROAD's names: in the order in which a
/// deck of the net mentions them. Nodes of one net that have the same name are one.
class NodeIds {
 public:
  NodeIds(const Library& library, Circuit& circuit);

  /// Adds the nodes that have resistors. Nodes of earlier nets keep their names: one of this net that would have the
  /// same is called by a place beside its own, or a resistor would lead from one net to the other. The network is kept.
  void begin(const Network& network);

  /// Of a node of this net, added if it has no resistor.
  NodeId of(int32_t node);
  /// −1 of one that has not been added.
  NodeId of_added(int32_t node) const { return id_[node]; }
  /// Adds a node for the far end of a resistor in series with a source at this node.
  NodeId add_source(int32_t node);

 private:
  static constexpr size_t kKinds = 4;

  const Network& network() const { return *networks_.back(); }
  void find_repeated_names();
  /// Of the nodes that have the name of this one.
  int32_t first_of_name(int32_t node) const;
  std::vector<int64_t> first_ends() const;
  std::vector<int32_t> number_nodes();
  void add_names(const std::vector<int32_t>& nodes);
  NodeId add(const Spot& of);
  Spot named(const Spot& spot) const;
  void move_away(const Network& network, const Network& earlier);
  Spot free_spot(Spot spot, const Network& network);

  Circuit& circuit_;
  std::vector<const Network*> networks_;  ///< up to this one
  std::vector<NodeId> id_;
  std::vector<uint8_t> repeats_name_;                   ///< whether a node has the name of the one before it
  std::map<Spot, Spot> moved_;                          ///< of this net
  std::set<Spot> taken_;                                ///< by nodes that were moved
  std::array<std::vector<std::string>, kKinds> stems_;  ///< by kind and layer
};

}  // namespace gridiron::layout
