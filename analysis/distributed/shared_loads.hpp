// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/distributed/local_circuit.hpp"
#include "netlist/tables/load_table.hpp"

namespace gridiron::distributed {

/// Sets the current sources that a table of one load vector names, on whichever processes they are. Errors, on all of
/// them: InputError that begins with the place in the table.
void set_loads(const Communicator& all, const LoadTable& table, LocalCircuit& local);

}  // namespace gridiron::distributed
