// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "netlist/circuit.hpp"
#include "netlist/tables/pad_table.hpp"

namespace gridiron {

/// Adds the pads of a table to a deck: a voltage source `pad.NODE` to node 0 each, and where it has a resistance, a
/// resistor `rpad.NODE` from the node to a new one, `NODE.pad`. Their places are the rows of the table, which becomes a
/// file of the circuit; a finding tells how far the nearest nodes are from where pads were asked for. `dbu_per_um`
/// and `pattern`: as in place_nodes(). Errors: InputError for nodes, layers and nets that the deck does not have, for
/// two pads at one node, and for pads of different volts on nodes of one net that resistors connect.
void apply_pads(Circuit& circuit, const PadTable& table, std::optional<double> dbu_per_um,
                const std::string& pattern = "");

}  // namespace gridiron
