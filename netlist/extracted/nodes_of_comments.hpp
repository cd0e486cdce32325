// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// The nodes of a flattened deck that the comments of its chunks are about, per chunk in the order of files; −1 where
/// there is none. Internal to netlist/.
std::vector<std::vector<NodeId>> nodes_of_comments(const Deck& deck, const Circuit& circuit);

}  // namespace gridiron
