// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"

namespace gridiron {

/// Of processes that share a netlist.
struct SharedEvidence {
  std::function<void(std::vector<int64_t>& counts)> sum;  ///< over all processes
  std::function<bool(NodeId a, NodeId b)> counts;         ///< whether this process counts a resistor between nodes
};

/// Makes the nodes of layers plain, without net, layer and location, where wires contradict what names seem to tell, as
/// where numbers that look like coordinates count bumps or instances. Wires of a layer run along x, along y or
/// diagonally, and vias stay where they are. The name of a layer in known conventions (m4, metal10, IBM's n1, those of
/// `* layer:` comments) is doubted only if nearly all that is known of it is against it; any other counts only if
/// something is for it and not more against. Layers and nets that have no node left go from the lists.
///
/// Returns how many nodes of this process lose their place. Takes a pass over the resistors, or a sample of them where
/// all names of layers are known ones.
int64_t drop_contradicted_layers(const Circuit& circuit, NodePlaces& places, const SharedEvidence& shared = {});

}  // namespace gridiron
