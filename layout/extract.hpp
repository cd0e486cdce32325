// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "layout/chip.hpp"
#include "layout/library.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// The resistors of a net of Chip::nets by the rules of OpenROAD's PDNSim: metal is cut into rectangles, which get
/// nodes at their centres, where they meet, and at vias and pins; nodes that are close together are merged; the nodes
/// of a rectangle are joined in turn. Edges of 45 degrees make trapezoids, whose wires are as wide as they are on
/// average. A net without shapes gives an empty network. Results are the same on any number of threads. Errors:
/// InputError (a layer that is needed has no resistance, a connection that does not exist).
Network extract(const Library& library, const Chip& chip, int32_t net, const LayerResistances& resistances);

/// The metal of a net only: the pieces of its network, without nodes on them. Errors: InputError.
Network extract_metal(const Library& library, const Chip& chip, int32_t net);

}  // namespace gridiron::layout
