// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/extract/intervals.hpp"
#include "layout/geometry.hpp"

namespace gridiron::layout {

/// The boxes of a layer in groups that do not touch across v: the rails of a layer, or its straps, which are then
/// worked out each for itself. A layer whose boxes hang together has one band.
class Bands {
 public:
  explicit Bands(const std::vector<Box>& boxes);

  int64_t size() const { return bands_.size(); }
  std::span<const Box> boxes(int64_t band) const {
    return {boxes_.data() + first_[band], static_cast<size_t>(first_[band + 1] - first_[band])};
  }
  /// The band at this v, −1: between bands.
  int64_t at(Dbu v) const { return bands_.at(v); }

 private:
  Intervals bands_;
  std::vector<Box> boxes_;
  std::vector<int64_t> first_;
};

}  // namespace gridiron::layout
