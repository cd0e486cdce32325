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

/// The same by finite volumes: metal is divided into cells of at most `mesh_um` µm, which conduct through the faces
/// that they have in common; metal narrower than that becomes chains of cells, one at each place where something
/// attaches. Every cut of a via stands for itself. Terminals and pins of the block hang on the cells at the centres of
/// their shapes. Edges of 45 degrees become stairs. Errors: InputError, also for a mesh of too many cells.
Network extract_mesh(const Library& library, const Chip& chip, int32_t net, const LayerResistances& resistances,
                     double mesh_um);

/// The metal of a net only: the pieces of its network, without nodes on them. Errors: InputError.
Network extract_metal(const Library& library, const Chip& chip, int32_t net);

}  // namespace gridiron::layout
