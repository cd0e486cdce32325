// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "netlist/circuit.hpp"
#include "netlist/edit/deck_edits.hpp"

namespace gridiron {

/// The cards of new pads: of each a voltage source V<name> and, where it has a resistance, R<name> from the source's
/// node <name>_supply. Where the circuit has one of these names, a number follows that of the pad. Internal to
/// netlist/.
std::string pad_cards(const Circuit& circuit, std::span<const NewPad> pads);

}  // namespace gridiron
