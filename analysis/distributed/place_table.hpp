// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/owners.hpp"
#include "netlist/circuit.hpp"

namespace gridiron::distributed {

/// Net, layer and location of nodes, as place_nodes() finds them, from keys: names of one stem share net and layer.
class PlaceTable {
 public:
  /// `cards` has the layer cards. The table begins with node 0, ground.
  PlaceTable(const Circuit& cards, const NameStems& stems);
  /// Makes room for so many nodes beside ground.
  void reserve(size_t nodes);
  void add(NameKey key, std::string_view name);
  /// Returns all places. Locations are in database units, and layers in the order in which they came.
  NodePlaces take();

  /// How many nodes have a location, and how many have names of some styles.
  int64_t placed() const { return places_.placed; }
  const NameStyles& styles() const { return styles_; }

 private:
  struct Label {
    int32_t net, layer;
    NodeName::Style style;
    bool is_metal;
  };
  Label label_of(const NodeName& name);

  NodeLabels labels_;
  NameTable nets_, layers_;
  std::vector<std::optional<Label>> of_stem_;
  NodePlaces places_;
  NameStyles styles_;
};

}  // namespace gridiron::distributed
