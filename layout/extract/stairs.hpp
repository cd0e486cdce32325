// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layout/extract/layer_shapes.hpp"

namespace gridiron::layout {

/// Puts boxes in the place of polygons: edges of 45 degrees become stairs, whose steps are at most `step`, and a
/// quarter of what the metal measures across u, long. The area stays the same.
void make_stairs(LayerShapes& layer, Dbu step);

}  // namespace gridiron::layout
