// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/chip.hpp"
#include "layout/geometry.hpp"
#include "layout/library.hpp"

namespace gridiron::layout {

/// Where straps of a net cross on two layers which vias join elsewhere: SpecialNet::straps at right angles to each
/// other, without a strap on a layer between them.
struct Crossings {
  int32_t bottom, top;  ///< layers
  int64_t all = 0;      ///< crossings
  /// What those have in common that have no via on some layer between the two, although one of the net's would fit; in
  /// order of x and then y.
  std::vector<Box> without_via;

  friend bool operator==(const Crossings&, const Crossings&) = default;
};

/// The pairs of layers of a net that have crossings without a via, from the lowest. A via is where its shapes overlap
/// the crossing. Results are the same on any number of threads.
std::vector<Crossings> find_crossings(const Library& library, const Chip& chip, const SpecialNet& net);

}  // namespace gridiron::layout
