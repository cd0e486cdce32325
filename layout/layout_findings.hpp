// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/powers.hpp"
#include "layout/read_layout.hpp"
#include "netlist/circuit.hpp"

namespace gridiron::layout {

/// Components with a terminal on one of the nets of which no power is known; 0 if none is of any.
int64_t count_unpowered(const std::vector<NetGrid>& grids, const Powers& powers, int64_t components);

/// Opens of a net: what is not connected to its highest layer.
std::vector<ReadFinding> open_findings(const Library& library, const Chip& chip, int32_t net, const Network& network,
                                       const Opens& opens);

/// What is worth telling about a layout: shorts, opens, sources away from metal, powers that are missing or of no
/// component.
std::vector<ReadFinding> layout_findings(const Layout& layout, const Powers& powers);

}  // namespace gridiron::layout
