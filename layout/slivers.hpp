// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/library.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// A wire that was cut narrower than its layer's WIDTH, as between two edges of shapes that are near each other.
struct Sliver {
  int64_t resistor = 0;
  /// Across its current, what it has of the metal beside it, which all wires there share; its own width at least, and
  /// no more than WIDTH because of others. 0: not known.
  Dbu width = 0;
};

/// Those of a network by the rules of PDNSim, by resistor. In a mesh each cell has its share of the current, and so its
/// own width counts.
std::vector<Sliver> find_slivers(const Library& library, double dbu_per_um, const Network& network);

}  // namespace gridiron::layout
