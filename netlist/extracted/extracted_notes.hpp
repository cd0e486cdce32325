// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/values/scope.hpp"

namespace gridiron {

/// Adds to the circuit of a deck what extraction wrote into its comments, for nodes and resistors of the top level:
/// places and layers of nodes, pins of instances, widths of wires (Circuit::placement). Comments of the kind that
/// cannot be read are the finding `comment-not-understood`. Costs nothing where a deck has none. Internal to netlist/.
void add_extracted_notes(Deck& deck, Circuit& circuit);

}  // namespace gridiron
