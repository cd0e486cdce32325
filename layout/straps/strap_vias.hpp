// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "layout/chip.hpp"
#include "layout/library.hpp"

namespace gridiron::layout {

/// Appends the vias of the library that the chip lacks, so that nets may get them.
void add_library_vias(const Library& library, Chip& chip);

/// What vias may join new straps of nets to their wires.
class StrapVias {
 public:
  /// `chip`: after add_library_vias(); it must stay alive.
  StrapVias(const Library& library, const Chip& chip);

  /// A via from each routing layer to the next one, in the middle of a crossing, whose cuts are within it: of those
  /// that the net uses, else of DEF's, else of LEF's, the one with most cuts. Empty if a step has none that fits.
  std::vector<PlacedVia> stack(int32_t net, int32_t bottom, int32_t top, const Box& crossing) const;
  /// Whether there are vias of any size from one layer to the other.
  bool reaches(int32_t bottom, int32_t top) const;

 private:
  struct Kind {
    int32_t via;
    Orientation orientation;
    Box cuts;  ///< about its centre
    int64_t count;
    std::vector<uint8_t> is_used_by;  ///< per net
    bool is_of_chip;
  };
  const std::vector<Kind>& step(int32_t bottom, int32_t top) const;

  const Library& library_;
  std::vector<std::vector<Kind>> by_bottom_;  ///< to the next routing layer
};

/// The next routing layer above, −1 if there is none.
int32_t routing_layer_above(const Library& library, int32_t layer);

}  // namespace gridiron::layout
