// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace gridiron::dissection {

/// What nodes extend over along each of N directions.
template <int N>
struct Box {
  std::array<float, N> low, high;

  Box() {
    low.fill(std::numeric_limits<float>::max());
    high.fill(-std::numeric_limits<float>::max());
  }
  void add(int direction, float from, float to) {
    low[direction] = std::min(low[direction], from);
    high[direction] = std::max(high[direction], to);
  }
};

/// The cuts across one direction, after each of its bins: per bin its nodes, and how many nodes more are left, or
/// right, of a cut after it and coupled across than of one before it.
struct Histogram {
  std::vector<int32_t> nodes, left, right;

  explicit Histogram(int64_t bins) : nodes(bins), left(bins), right(bins) {}
  void add(const Histogram& other);
};

/// Nodes in bins up to `bin` are left of the cut. Those on the left that are coupled to the right are the separator,
/// or the other way round.
struct Cut {
  int direction = -1, bin = 0;
  bool takes_left = true;
  double cost = std::numeric_limits<double>::max(), imbalance = 1;

  bool is_better(const Cut& other) const { return std::tie(cost, imbalance) < std::tie(other.cost, other.imbalance); }
};

/// Cuts leave this share of the nodes on either side at least, where there are such cuts.
inline constexpr double kLeastShare = 0.3;

/// Whether a cut costs so little that minimum degree needs no more arithmetic for a part of `size` nodes, and less
/// time.
bool is_cheap(double cost, int64_t size);

/// Whether most of the `size` nodes in the middle are where a cut would be cheap.
bool is_strip(const Histogram& histogram, int64_t size);

/// Replaces `best` by a better cut across a direction, if there is one that leaves enough of the `size` nodes on either
/// side. `axes`: 2 in the plane, 3 in space.
void consider(int direction, const Histogram& histogram, int64_t size, int axes, double least_share, Cut& best);

}  // namespace gridiron::dissection
