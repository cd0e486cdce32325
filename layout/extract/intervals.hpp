// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "layout/extract/sort_places.hpp"
#include "layout/geometry.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {

/// What some extents cover along one axis: closed intervals that do not touch each other, ascending.
class Intervals {
 public:
  Intervals() = default;
  /// extent(i) is a low and a high end, for i in [0, n). Many may be the same: those of the rails of a layer are.
  template <class Extent>
  Intervals(int64_t n, Extent&& extent) {
    using Keys = std::vector<PlaceKey>;
    join(joined_ranges<Keys>(
        n,
        [&](int64_t begin, int64_t end) {
          std::unordered_set<PlaceKey> seen;
          PlaceKey last = 0;
          Keys some;
          for (int64_t i = begin; i < end; ++i) {
            const PlaceKey key = key_of(extent(i));
            if (key != last && seen.insert(key).second) some.push_back(key);
            last = key;
          }
          return some;
        },
        [](Keys& all, const Keys& some) { all.insert(all.end(), some.begin(), some.end()); }));
  }

  int64_t size() const { return static_cast<int64_t>(low_.size()); }
  /// The interval at a place, −1: between intervals.
  int64_t at(Dbu place) const {
    if (low_.empty() || place < low_.front() || place > high_.back()) return -1;
    const size_t cell = cell_of(place);
    const auto after = std::upper_bound(low_.begin() + first_[cell], low_.begin() + first_[cell + 1], place);
    const int64_t interval = after - low_.begin() - 1;
    return place <= high_[interval] ? interval : -1;
  }
  /// Ends included.
  bool meets(Point extent) const {
    const auto first = std::lower_bound(high_.begin(), high_.end(), extent.x);
    return first != high_.end() && low_[first - high_.begin()] <= extent.y;
  }
  bool meets(const Intervals& other) const {
    for (size_t i = 0, j = 0; i < low_.size() && j < other.low_.size();) {
      if (low_[i] <= other.high_[j] && other.low_[j] <= high_[i]) return true;
      high_[i] < other.high_[j] ? ++i : ++j;
    }
    return false;
  }

 private:
  /// Of extents as places, low and then high.
  void join(std::vector<PlaceKey> extents);
  void make_table();
  size_t cell_of(Dbu place) const {
    return static_cast<size_t>((static_cast<uint32_t>(place) - static_cast<uint32_t>(low_.front())) >> shift_);
  }

  std::vector<Dbu> low_, high_;
  int shift_ = 0;
  std::vector<int32_t> first_;  ///< the first interval that begins in each cell of 2^shift_, or in later ones
};

}  // namespace gridiron::layout
