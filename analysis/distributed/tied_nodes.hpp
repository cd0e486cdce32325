// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/owners.hpp"
#include "netlist/circuit.hpp"

namespace gridiron::distributed {

/// Gives what ideal sources, inductors and resistors of 0 Ω tie together to one owner, that of the first of these
/// nodes, so that each tie concerns one process only. `part`: what this process read; its nodes are `mentions`.
void move_tied_nodes(const Communicator& all, const Circuit& part, const NodeMentions& mentions, const NameStems& stems,
                     Owners& owners);

}  // namespace gridiron::distributed
