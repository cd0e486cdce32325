// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "netlist/circuit.hpp"

namespace gridiron {

/// The nodes of a deck that stand for those which nobody wrote: NAME.rser behind the series resistance of a card, and
/// NODE.pad behind that of a pad table. A supply there is called after the node before its resistance.
class WrittenNodes {
 public:
  explicit WrittenNodes(const Circuit& circuit);

  /// The node before the resistance; any other node is itself.
  NodeId of(NodeId node) const {
    const auto found = before_.find(node);
    return found == before_.end() ? node : found->second;
  }

 private:
  std::unordered_map<NodeId, NodeId> before_;
};

}  // namespace gridiron
