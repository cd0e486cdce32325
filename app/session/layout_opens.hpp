// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/results/markers.hpp"
#include "layout/read_layout.hpp"

namespace gridiron {

/// What OpenROAD's check_power_grid prints of a net: a line for each shape and terminal that is not connected, of very
/// many the first, or one that all are.
std::string open_lines(const layout::Library& library, const layout::Chip& chip, int32_t net,
                       const layout::Network& network, const layout::Opens& opens);

/// The same as markers, added to others.
void add_markers(const layout::Library& library, const layout::Chip& chip, int32_t net, const layout::Network& network,
                 const layout::Opens& opens, Markers& markers);

/// A marker of a short, likewise.
void add_marker(const layout::Library& library, const layout::Chip& chip, const layout::Short& where, Markers& markers);

}  // namespace gridiron
