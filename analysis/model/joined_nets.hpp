// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/model/grid.hpp"
#include "analysis/model/part_facts.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"

namespace gridiron {

/// A part with nodes that are named after several nets: which, and where they meet.
struct JoinedNets {
  std::string message, place;
};

/// The net name that most nodes of a part have, an index into NodePlaces::nets; the part must have one.
int32_t main_label(const PartFacts& facts);

/// Per part of `joined`.
std::vector<JoinedNets> find_joined_nets(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
                                         const std::vector<PartFacts>& facts, std::span<const int32_t> joined);

}  // namespace gridiron
