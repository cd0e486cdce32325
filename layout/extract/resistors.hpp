// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layout/extract/metal_grid.hpp"
#include "layout/extract/net_parts.hpp"
#include "layout/library.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// Adds the resistors of wires, vias and terminals to a network that has its nodes; those between the same two nodes
/// become one. Errors: InputError (a layer that is needed has no resistance).
void add_resistors(const Library& library, const LayerResistances& resistances, const NetParts& parts,
                   const MetalGrid& grid, Network& network);

}  // namespace gridiron::layout
