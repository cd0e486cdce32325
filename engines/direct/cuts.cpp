// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/cuts.hpp"

#include <algorithm>
#include <cmath>

namespace gridiron::dissection {
namespace {

/// A cut costs the size of its separator times 1 + this times (larger rest − smaller rest) / both. 0.5 instead of 2
/// lets short cuts across corners win, which halves the work on a square of 1001 × 1001 points.
constexpr double kImbalancePenalty = 0.5;

/// A part that no separator below this share, and below kWidestSeparator times the root of twice the nodes on its
/// smaller side in the plane or the square of their cubic root in space, divides is left to minimum degree. Those of
/// power grids are up to 1.3 times the root wide; of k grids at the same places √k times as wide as of one.
constexpr double kLargestSeparator = 0.25;
constexpr double kWidestSeparator = 4;

/// A cut is cheap if the cube of what it costs is below this many times the nodes.
constexpr double kLeastWorkPerNode = 4;

double largest_separator(int64_t size, int64_t smaller_side, int axes) {
  const double nodes = size, cut_off = 2 * smaller_side;
  return std::min(kLargestSeparator * nodes, kWidestSeparator * std::pow(cut_off, (axes - 1.0) / axes));
}

/// f(bin, nodes left of a cut after the bin, those of them that are coupled across, the same on the right).
void for_each_cut(const Histogram& histogram, auto f) {
  int64_t left = 0, left_rim = 0, right_rim = 0;
  for (size_t bin = 0; bin < histogram.nodes.size(); ++bin) {
    left += histogram.nodes[bin];
    left_rim += histogram.left[bin];
    right_rim += histogram.right[bin];
    f(static_cast<int>(bin), left, left_rim, right_rim);
  }
}

}  // namespace

void Histogram::add(const Histogram& other) {
  for (size_t bin = 0; bin < nodes.size(); ++bin) {
    nodes[bin] += other.nodes[bin];
    left[bin] += other.left[bin];
    right[bin] += other.right[bin];
  }
}

bool is_cheap(double cost, int64_t size) { return std::pow(cost, 3) < kLeastWorkPerNode * size; }

bool is_strip(const Histogram& histogram, int64_t size) {
  int64_t middle = 0, cheap = 0;
  for_each_cut(histogram, [&](int bin, int64_t left, int64_t left_rim, int64_t right_rim) {
    if (std::min(left, size - left) <= kLeastShare * size) return;
    middle += histogram.nodes[bin];
    if (is_cheap(std::min(left_rim, right_rim), size)) cheap += histogram.nodes[bin];
  });
  return 2 * cheap > middle;
}

void consider(int direction, const Histogram& histogram, int64_t size, int axes, double least_share, Cut& best) {
  for_each_cut(histogram, [&](int bin, int64_t left, int64_t left_rim, int64_t right_rim) {
    const int64_t right = size - left;
    if (std::min(left, right) <= least_share * size) return;
    const double largest = largest_separator(size, std::min(left, right), axes);
    for (const bool takes_left : {true, false}) {
      const double separator = takes_left ? left_rim : right_rim;
      if (separator > largest) continue;
      const double difference = takes_left ? left - left_rim - right : left - right + right_rim;
      const double imbalance = std::abs(difference) / (size - separator);
      const Cut cut{direction, bin, takes_left, separator * (1 + kImbalancePenalty * imbalance), imbalance};
      if (cut.is_better(best)) best = cut;
    }
  });
}

}  // namespace gridiron::dissection
