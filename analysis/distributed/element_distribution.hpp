// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/local_circuit.hpp"
#include "netlist/deck/part_reader.hpp"

namespace gridiron::distributed {

/// Distributes the elements that processes have read: each one goes to the owners of its ends, with the names of these,
/// and an owner numbers its nodes in the order of the text. Nodes and elements are added to `local`, which has cards
/// and findings already.
void distribute_elements(const Communicator& all, NetlistPart::Cards part, LocalCircuit& local);

}  // namespace gridiron::distributed
