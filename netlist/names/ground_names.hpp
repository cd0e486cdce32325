// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "netlist/values/scope.hpp"

namespace gridiron {

/// In a deck that is HSPICE's, elements at "gnd!" and "ground" are at node 0: where a card told the dialect, chunks
/// have these as names of nodes. Returns the chunks whose tables have names now that no element has. Internal to
/// netlist/.
std::set<const ParsedChunk*> merge_ground_names(Deck& deck);

}  // namespace gridiron
