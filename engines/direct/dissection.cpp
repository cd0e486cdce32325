// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/dissection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "engines/direct/leaf_ordering.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

/// Parts up to this size are leaves: 100, 200 and 400 take the same time and give the same factors within 2 %.
constexpr std::int64_t kLeaf = 200;

/// Positions of cuts that are compared, per direction.
constexpr std::int64_t kMostBins = 512;

/// Cuts leave this share of the nodes on either side at least, where there are such cuts.
constexpr double kLeastShare = 0.3;

/// A cut costs the size of its separator times 1 + this times (larger rest − smaller rest) / both. 0.5 instead of 2
/// lets short cuts across corners win, which halves the work on a square of 1001 × 1001 points.
constexpr double kImbalancePenalty = 0.5;

/// A part that no separator below this share divides is left to minimum degree.
constexpr double kLargestSeparator = 0.25;

/// Diagonal cuts are tried in parts of a part where the best one cost at most this many times the best straight one.
/// They are as short on a plain mesh (0.9), and more than 1.5 times as long across layers of parallel wires.
constexpr double kDiagonalsPay = 1.25;

/// A part is left to minimum degree, which needs no more arithmetic and less time there, if the cube of what its best
/// cut costs is below this many times its nodes: in narrow strips, and in meshes of a few hundred nodes.
constexpr double kLeastWorkPerNode = 4;

/// Nodes that one thread takes at once.
constexpr std::int64_t kRange = 1 << 13;

/// Some of the unknowns, which are next to each other in the order.
struct Part {
  std::int64_t first, last;
  bool tries_diagonals = true;
  std::int64_t size() const { return last - first; }
  std::int64_t ranges() const { return (size() + kRange - 1) / kRange; }
  std::int64_t range_of(std::int64_t position) const { return (position - first) / kRange; }
};

/// What cuts go across: first the axes, then the diagonals.
template <int kAxes>
constexpr auto kDirections = [] {
  if constexpr (kAxes == 2)
    return std::array<std::array<float, 2>, 4>{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
  else
    return std::array<std::array<float, 3>, 7>{
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}}};
}();

template <int kAxes>
class Dissection {
 public:
  Dissection(const CsrMatrix& a, const Coordinates& places)
      : a_(a), places_(places), order_(size()), scratch_(size()), local_(size(), -1), bins_(size()), reach_(size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  /// Large parts are divided one after the other, each by all threads, and small ones all at once, each by one.
  std::vector<std::int32_t> run() {
    const std::int64_t small = std::max(a_.rows / 64, kRange);
    std::vector<Part> large{{0, a_.rows}}, rest;
    while (!large.empty()) {
      const Part part = large.back();
      large.pop_back();
      const auto halves = part.size() > small ? divide(part) : std::nullopt;
      if (halves)
        large.insert(large.end(), halves->begin(), halves->end());
      else
        rest.push_back(part);
    }
    std::ranges::stable_sort(rest, std::ranges::greater{}, &Part::size);
    parallel_tasks(static_cast<std::int64_t>(rest.size()), [&](std::int64_t k) { order(rest[k]); });
    return std::move(order_);
  }

 private:
  static constexpr int kAll = static_cast<int>(kDirections<kAxes>.size());
  static constexpr std::uint16_t kInSeparator = std::numeric_limits<std::uint16_t>::max();
  using Bins = std::array<std::uint16_t, kAll>;

  /// The lowest and highest bins among a node and those that it is coupled to in its part.
  struct Reach {
    Bins least, most;
  };

  /// Nodes in bins up to `bin` are left of the cut. Those on the left that are coupled to the right are the separator,
  /// or the other way round.
  struct Cut {
    int direction = -1, bin = 0;
    bool takes_left = true;
    double cost = std::numeric_limits<double>::max(), imbalance = 1;

    bool is_better(const Cut& other) const { return std::tie(cost, imbalance) < std::tie(other.cost, other.imbalance); }
  };

  /// Per bin its nodes, and how many nodes more are left, or right, of a cut after it and coupled across than of one
  /// before it.
  struct Histogram {
    std::vector<std::int32_t> nodes, left, right;

    explicit Histogram(std::int64_t bins) : nodes(bins), left(bins), right(bins) {}
    void add(const Histogram& other) {
      for (std::size_t bin = 0; bin < nodes.size(); ++bin) {
        nodes[bin] += other.nodes[bin];
        left[bin] += other.left[bin];
        right[bin] += other.right[bin];
      }
    }
  };

  std::size_t size() const { return static_cast<std::size_t>(a_.rows); }

  void order(const Part& part) {
    if (const auto halves = part.size() > kLeaf ? divide(part) : std::nullopt)
      for (const Part& half : *halves) order(half);
    else
      order_by_minimum_degree(a_, std::span(order_).subspan(part.first, part.size()), local_);
  }

  /// The parts on either side of the best cut; none if there is no good one.
  std::optional<std::array<Part, 2>> divide(const Part& part) {
    return part.tries_diagonals ? divide<kAll>(part) : divide<kAxes>(part);
  }

  template <int N>
  std::optional<std::array<Part, 2>> divide(const Part& part) {
    const auto bins = std::min<std::int64_t>(kMostBins, std::bit_ceil(static_cast<std::uint64_t>(part.size()) / 4));
    if (!assign_bins<N>(part, bins)) return std::nullopt;
    const std::vector<Histogram> histograms = count<N>(part, bins);
    for (const double least_share : {kLeastShare, 0.0}) {
      const auto best = [&](int from, int to) {
        Cut best;
        for (int direction = from; direction < to; ++direction)
          consider(direction, histograms[direction], part.size(), least_share, best);
        return best;
      };
      const Cut straight = best(0, kAxes), diagonal = best(kAxes, N);
      const Cut& cut = diagonal.is_better(straight) ? diagonal : straight;
      if (cut.direction < 0) continue;
      if (std::pow(cut.cost, 3) < kLeastWorkPerNode * static_cast<double>(part.size())) break;
      return split(part, cut, diagonal.cost <= kDiagonalsPay * straight.cost);
    }
    return std::nullopt;
  }

  /// f(first, last) for ranges of positions, in parallel where a part is large.
  template <class F>
  static void for_ranges(const Part& part, F f) {
    if (part.size() <= kRange) return f(part.first, part.last);
    parallel_ranges(
        part.size(), [&](std::int64_t begin, std::int64_t end) { f(part.first + begin, part.first + end); }, kRange);
  }

  float along(int direction, std::int32_t node) const {
    float sum = 0;
    for (int axis = 0; axis < kAxes; ++axis) sum += kDirections<kAxes>[direction][axis] * places_.at[axis][node];
    return sum;
  }

  /// Divides the extent of a part along each direction into bins of equal length; false if it is one place.
  template <int N>
  bool assign_bins(const Part& part, std::int64_t bins) {
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
    std::vector<Box> boxes(part.ranges());
    for_ranges(part, [&](std::int64_t first, std::int64_t last) {
      Box box;
      for (std::int64_t k = first; k < last; ++k)
        for (int direction = 0; direction < N; ++direction) {
          const float at = along(direction, order_[k]);
          box.add(direction, at, at);
        }
      boxes[part.range_of(first)] = box;
    });
    Box all;
    for (const Box& box : boxes)
      for (int direction = 0; direction < N; ++direction) all.add(direction, box.low[direction], box.high[direction]);
    if (all.low == all.high) return false;

    std::array<float, N> scale;
    for (int direction = 0; direction < N; ++direction) {
      const float length = all.high[direction] - all.low[direction];
      scale[direction] = length > 0 ? static_cast<float>(bins) / length : 0;
    }
    const auto highest = static_cast<float>(bins - 1);
    for_ranges(part, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k)
        for (int direction = 0; direction < N; ++direction) {
          const float bin = (along(direction, order_[k]) - all.low[direction]) * scale[direction];
          bins_[order_[k]][direction] = static_cast<std::uint16_t>(std::min(highest, bin));
        }
    });
    return true;
  }

  /// A histogram per direction.
  template <int N>
  std::vector<Histogram> count(const Part& part, std::int64_t bins) {
    std::vector<std::vector<Histogram>> of_ranges(part.ranges());
    for_ranges(part, [&](std::int64_t first, std::int64_t last) {
      std::vector<Histogram> histograms(N, Histogram(bins));
      for (std::int64_t k = first; k < last; ++k) {
        const Bins own = bins_[order_[k]];
        const Reach reach = reach_[k] = reach_of<N>(order_[k]);
        for (int direction = 0; direction < N; ++direction) {
          Histogram& histogram = histograms[direction];
          ++histogram.nodes[own[direction]];
          ++histogram.left[own[direction]];
          --histogram.left[reach.most[direction]];
          ++histogram.right[reach.least[direction]];
          --histogram.right[own[direction]];
        }
      }
      of_ranges[part.range_of(first)] = std::move(histograms);
    });
    for (std::size_t range = 1; range < of_ranges.size(); ++range)
      for (int direction = 0; direction < N; ++direction) of_ranges[0][direction].add(of_ranges[range][direction]);
    return std::move(of_ranges[0]);
  }

  template <int N>
  Reach reach_of(std::int32_t node) const {
    Reach reach{bins_[node], bins_[node]};
    for (std::int64_t e = a_.row_ptr[node]; e < a_.row_ptr[node + 1]; ++e) {
      const Bins& bins = bins_[a_.col[e]];
      if (bins[0] == kInSeparator) continue;  // all others are in the same part
      for (int direction = 0; direction < N; ++direction) {
        reach.least[direction] = std::min(reach.least[direction], bins[direction]);
        reach.most[direction] = std::max(reach.most[direction], bins[direction]);
      }
    }
    return reach;
  }

  /// Replaces `best` by a better cut across a direction, if there is one that leaves enough nodes on either side.
  static void consider(int direction, const Histogram& histogram, std::int64_t size, double least_share, Cut& best) {
    std::int64_t left = 0, left_rim = 0, right_rim = 0;
    for (int bin = 0; bin + 1 < static_cast<int>(histogram.nodes.size()); ++bin) {
      left += histogram.nodes[bin];
      left_rim += histogram.left[bin];
      right_rim += histogram.right[bin];
      const std::int64_t right = size - left;
      if (static_cast<double>(std::min(left, right)) <= least_share * static_cast<double>(size)) continue;
      for (const bool takes_left : {true, false}) {
        const auto separator = static_cast<double>(takes_left ? left_rim : right_rim);
        if (separator > kLargestSeparator * static_cast<double>(size)) continue;
        const auto difference = static_cast<double>(takes_left ? left - left_rim - right : left - right + right_rim);
        const double imbalance = std::abs(difference) / (static_cast<double>(size) - separator);
        const Cut cut{direction, bin, takes_left, separator * (1 + kImbalancePenalty * imbalance), imbalance};
        if (cut.is_better(best)) best = cut;
      }
    }
  }

  /// Puts the nodes left of a cut first, then those right of it, then the separator.
  std::array<Part, 2> split(const Part& part, const Cut& cut, bool tries_diagonals) {
    enum Side { left, right, separator };
    const auto side_of = [&](std::int64_t position) {
      const bool is_left = bins_[order_[position]][cut.direction] <= cut.bin;
      const Reach& reach = reach_[position];
      const bool is_coupled = is_left ? reach.most[cut.direction] > cut.bin : reach.least[cut.direction] <= cut.bin;
      return is_coupled && is_left == cut.takes_left ? separator : is_left ? left : right;
    };
    std::vector<std::array<std::int64_t, 3>> next(part.ranges());  // first how many, then where to put the next one
    for_ranges(part, [&](std::int64_t first, std::int64_t last) {
      std::array<std::int64_t, 3> counts{};
      for (std::int64_t k = first; k < last; ++k) ++counts[side_of(k)];
      next[part.range_of(first)] = counts;
    });
    std::array<std::int64_t, 3> end;
    std::int64_t position = part.first;
    for (const Side side : {left, right, separator}) {
      for (auto& of_range : next) position += std::exchange(of_range[side], position);
      end[side] = position;
    }
    for_ranges(part, [&](std::int64_t first, std::int64_t last) {
      auto to = next[part.range_of(first)];
      for (std::int64_t k = first; k < last; ++k) scratch_[to[side_of(k)]++] = order_[k];
    });
    for_ranges(part, [&](std::int64_t first, std::int64_t last) {
      std::copy(scratch_.begin() + first, scratch_.begin() + last, order_.begin() + first);
    });
    for (std::int64_t k = end[right]; k < end[separator]; ++k) bins_[order_[k]][0] = kInSeparator;
    return {Part{part.first, end[left], tries_diagonals}, Part{end[left], end[right], tries_diagonals}};
  }

  const CsrMatrix& a_;
  const Coordinates& places_;
  std::vector<std::int32_t> order_, scratch_, local_;  ///< per position, per position, per node
  std::vector<Bins> bins_;                             ///< per node
  std::vector<Reach> reach_;                           ///< per position
};

}  // namespace

std::vector<std::int32_t> dissect(const CsrMatrix& a, const Coordinates& places) {
  return places.axes == 3 ? Dissection<3>(a, places).run() : Dissection<2>(a, places).run();
}

}  // namespace gridiron
