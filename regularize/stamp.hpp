// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regularize/merge.hpp"
#include "regularize/tables.hpp"

namespace gridiron {

/// An edge whose ends lie in different grids.
struct CrossEdge {
  int32_t a, b;
  double conductance;
};

/// Adds the edges of the network to gh, gv and via as described at regularize(), and returns those between grids, in a
/// fixed order.
std::vector<CrossEdge> stamp_edges(const MergedNetwork& network, std::span<const CellPlace> place,
                                   std::vector<GridTables>& grids);

}  // namespace gridiron
