// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/results/markers.hpp"
#include "netlist/placement.hpp"

namespace gridiron {

/// "u1/VDD" of a terminal, the name of a pin of the block, "" of a shape.
std::string name_of(const Placement::Open& open);

/// Adds the shorts of a layout, which may be null, and tells its top cell.
void mark_shorts(const Placement* placement, Markers& out);

/// Adds what is open in a layout, which may be null; terminals get squares of twice `half_um`. Whether there is any.
bool mark_opens(const Placement* placement, double half_um, Markers& out);

}  // namespace gridiron
