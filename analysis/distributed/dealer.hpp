// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/local_circuit.hpp"
#include "netlist/deck/part_reader.hpp"

namespace gridiron::distributed {

/// Deals out what the processes read: each element goes to the owners of its ends, with the names of these, and an
/// owner numbers its nodes in the order of the text. Adds to `local`, whose cards and findings are there already, nodes
/// and elements.
void deal(const Communicator& all, NetlistPart::Cards part, LocalCircuit& local);

}  // namespace gridiron::distributed
