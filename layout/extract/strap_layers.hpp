// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "layout/chip.hpp"
#include "layout/extract/box_tree.hpp"
#include "layout/library.hpp"

namespace gridiron::layout {

/// The straps of a net on one layer, united, for look-ups by place.
struct StrapLayer {
  int32_t layer;
  std::vector<Box> horizontal, vertical;
  BoxTree tree_of_vertical, tree_of_all;
};

/// From the lowest layer.
std::vector<StrapLayer> strap_layers(const Library& library, const SpecialNet& net);

/// The vias of a net, kind by kind.
class ViaStacks {
 public:
  ViaStacks(const Library& library, const Chip& chip, const SpecialNet& net);

  /// The steps from a routing layer to the next one between two layers, one bit each.
  uint64_t steps(int32_t bottom, int32_t top) const;
  /// The steps that a via of the net makes; what it covers.
  uint64_t steps(const PlacedVia& via) const { return kind(via) ? kind(via)->steps : 0; }
  Box box(const PlacedVia& via) const;
  /// Those of all vias.
  uint64_t used() const { return used_; }
  /// Whether for each of some steps there is a via whose cuts fit into a box.
  bool fit(uint64_t steps, const Box& box) const;

 private:
  struct Kind {
    uint64_t steps = 0;
    Box all, cuts;  ///< about its centre
  };
  const std::optional<Kind>& kind(const PlacedVia& via) const {
    return kinds_[static_cast<size_t>(via.via) * 8 + static_cast<size_t>(via.orientation)];
  }

  std::vector<int32_t> step_of_layer_;      ///< number of routing layers below
  std::vector<std::optional<Kind>> kinds_;  ///< those that are used, by via and orientation
  uint64_t used_ = 0;
};

}  // namespace gridiron::layout
