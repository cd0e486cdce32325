// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/chip.hpp"
#include "layout/library.hpp"

namespace gridiron::layout {

/// A size of cuts on a layer.
struct CutSize {
  int32_t layer = 0;       ///< index into Library::layers
  int32_t cut_class = -1;  ///< index into Layer::cut_classes, −1: none
  double um2 = 0;          ///< area; 0: of several sizes
  double counts_for = 1;   ///< so many ordinary cuts
};

/// The sizes of the cuts of vias. Those of several on layer k come first, as number k, then those that occur.
struct CutSizes {
  std::vector<CutSize> sizes;
  std::vector<int32_t> of_via;  ///< by Chip::vias; −1: has no cuts, or is on no layer
};
CutSizes cut_sizes(const Library& library, const Chip& chip);

/// The class of a cut, −1: none.
int32_t cut_class_of(const Layer& layer, const Box& cut, double dbu_per_um);

}  // namespace gridiron::layout
