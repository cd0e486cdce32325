// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/dissection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "engines/direct/cuts.hpp"
#include "engines/direct/leaf_ordering.hpp"
#include "support/lists.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

using namespace dissection;

/// Parts up to this size are leaves: 100, 200 and 400 take the same time and give the same factors within 2 %.
constexpr int64_t kLeaf = 200;

/// Positions of cuts that are compared, per direction.
constexpr int64_t kMostBins = 512;

/// Diagonal cuts are tried in parts of a part where the best one cost at most this many times the best straight one.
/// They are as short on a plain mesh (0.9), and more than 1.5 times as long across layers of parallel wires.
constexpr double kDiagonalsPay = 1.25;

/// A part is left to minimum degree if most of its cuts are cheap, as in narrow strips, or if the best one is and there
/// are fewer nodes than these. Elsewhere a cheap one is a gap, say between two nets.
constexpr int64_t kFewNodes = 5000;

/// Rows with more entries than kManyEntries and this times √n are hubs, but at most kMostHubs · √n of them: a cut
/// beside one would have all its neighbours on the other side as separator, so they are taken out first and ordered
/// last.
constexpr int64_t kManyEntries = 64;
constexpr double kEntriesOfHub = 0.25;
constexpr double kMostHubs = 0.125;

/// Where one of the bins has this share of the nodes, a few may be far off. Of kSample nodes, kFarOfSample on either
/// side are then left out if the others' extent is kFar times shorter than the whole.
constexpr double kLump = 0.4;
constexpr int64_t kSample = 101;
constexpr int64_t kFarOfSample = 5;
constexpr float kFar = 8;

/// Nodes that one thread takes at once.
constexpr int64_t kRange = 1 << 13;

/// Some of the unknowns, which are next to each other in the order.
struct Part {
  int64_t first = 0, last = 0;
  bool tries_diagonals = true;
  /// Of the binary tree of cuts, whose root is 1: halves are 2 · vertex and one more; 0: none.
  uint32_t vertex = 0;
  int64_t size() const { return last - first; }
  int64_t ranges() const { return (size() + kRange - 1) / kRange; }
  int64_t range_of(int64_t position) const { return (position - first) / kRange; }
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
  /// A tree of no levels is none.
  Dissection(const CsrMatrix& a, const Coordinates& places, int levels)
      : a_(a),
        places_(places),
        order_(size()),
        scratch_(size()),
        local_(size(), -1),
        bins_(size()),
        reach_(size()),
        of_vertex_(levels > 0 ? size_t{1} << levels : 0) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  /// Large parts are divided one after the other, each by all threads, and small ones all at once, each by one. False
  /// if a part with more than the given share of the unknowns cannot be divided well.
  bool run(double largest_undivided) {
    const int64_t small = std::max(a_.rows / 64, kRange);
    Part all{.last = put_hubs_last()};
    if (!of_vertex_.empty()) {
      all.vertex = 1;
      of_vertex_[1] = {.first = all.last, .last = a_.rows};
    }
    std::vector<Part> large{all}, rest;
    while (!large.empty()) {
      const Part part = large.back();
      large.pop_back();
      const auto halves = part.size() > small ? divide(part) : std::nullopt;
      if (halves)
        append(large, *halves);
      else if (part.size() > small && part.size() > largest_undivided * a_.rows)
        return false;
      else
        rest.push_back(part);
    }
    std::ranges::stable_sort(rest, std::ranges::greater{}, &Part::size);
    parallel_tasks(std::ssize(rest), [&](int64_t k) { order(rest[k]); });
    for (const Part& part : rest)
      if (part.size() > 0) parts_.push_back({part.first, part.last});
    std::ranges::sort(parts_, {}, &Dissected::Part::first);
    return true;
  }

  Dissected take() { return {std::move(order_), std::move(parts_)}; }

  PartitionTree tree() const {
    PartitionTree tree;
    tree.order.reserve(order_.size());
    tree.sizes.reserve(of_vertex_.size() - 1);
    for (size_t first = of_vertex_.size() / 2; first > 0; first /= 2, ++tree.levels)
      for (size_t vertex = first; vertex < 2 * first; ++vertex) {
        const Part& part = of_vertex_[vertex];
        tree.order.insert(tree.order.end(), order_.begin() + part.first, order_.begin() + part.last);
        tree.sizes.push_back(static_cast<int32_t>(part.size()));
      }
    return tree;
  }

 private:
  static constexpr int kAll = static_cast<int>(kDirections<kAxes>.size());
  static constexpr uint16_t kInSeparator = UINT16_MAX;
  using Bins = std::array<uint16_t, kAll>;

  /// The lowest and highest bins among a node and those that it is coupled to in its part.
  struct Reach {
    Bins least, most;
  };

  size_t size() const { return a_.rows; }

  /// How many unknowns are none.
  int64_t put_hubs_last() {
    const double root = std::sqrt(a_.rows);
    const auto entries = [&](int32_t node) { return a_.row_ptr[node + 1] - a_.row_ptr[node]; };
    const int64_t many = std::max(kManyEntries, static_cast<int64_t>(kEntriesOfHub * root));
    std::vector<int32_t> hubs;
    std::ranges::copy_if(order_, std::back_inserter(hubs), [&](int32_t node) { return entries(node) > many; });
    std::ranges::stable_sort(hubs, std::ranges::greater{}, entries);
    hubs.resize(std::min(hubs.size(), static_cast<size_t>(std::max(1.0, kMostHubs * root))));
    for (const int32_t hub : hubs) {
      bins_[hub][0] = kInSeparator;
      local_[hub] = kLeftOut;
    }
    std::stable_partition(order_.begin(), order_.end(), [&](int32_t node) { return bins_[node][0] != kInSeparator; });
    return a_.rows - std::ssize(hubs);
  }

  void order(const Part& part) {
    if (const auto halves = part.size() > kLeaf ? divide(part) : std::nullopt)
      for (const Part& half : *halves) order(half);
    else
      order_undivided(part);
  }

  void order_undivided(const Part& part) {
    if (part.vertex > 0) {
      uint32_t leaf = part.vertex;
      while (!is_leaf(leaf)) leaf *= 2;
      of_vertex_[leaf] = part;
    }
    order_by_minimum_degree(a_, std::span(order_).subspan(part.first, part.size()), local_);
  }

  bool is_leaf(uint32_t vertex) const { return 2 * size_t{vertex} >= of_vertex_.size(); }

  /// The parts on either side of the best cut; none if there is no good one.
  std::optional<std::array<Part, 2>> divide(Part part) {
    if (part.vertex > 0 && is_leaf(part.vertex)) of_vertex_[std::exchange(part.vertex, 0)] = part;
    return part.tries_diagonals ? divide<kAll>(part) : divide<kAxes>(part);
  }

  template <int N>
  std::optional<std::array<Part, 2>> divide(const Part& part) {
    const auto bins = std::min<int64_t>(kMostBins, std::bit_ceil(static_cast<uint64_t>(part.size()) / 4));
    if (!assign_bins<N>(part, bins, kWhole)) return std::nullopt;
    std::vector<Histogram> histograms = count<N>(part, bins);
    const auto has_lump = [&](const Histogram& histogram) {
      return std::ranges::max(histogram.nodes) > kLump * part.size();
    };
    if (std::ranges::any_of(histograms, has_lump) && assign_bins<N>(part, bins, kWithoutFarOnes))
      histograms = count<N>(part, bins);
    const auto best = [&](int from, int to, double least_share) {
      Cut best;
      for (int direction = from; direction < to; ++direction)
        consider(direction, histograms[direction], part.size(), kAxes, least_share, best);
      return best;
    };
    for (const double least_share : {kLeastShare, 0.0}) {
      const Cut straight = best(0, kAxes, least_share), diagonal = best(kAxes, N, least_share);
      const Cut& cut = diagonal.is_better(straight) ? diagonal : straight;
      if (cut.direction < 0) continue;
      const bool is_gap = is_cheap(cut.cost, part.size());
      if (is_gap && (least_share == 0 || part.size() < kFewNodes || is_strip(histograms[cut.direction], part.size())))
        break;
      return split(part, cut, is_gap ? part.tries_diagonals : diagonal.cost <= kDiagonalsPay * straight.cost);
    }
    return std::nullopt;
  }

  /// f(first, last) for ranges of positions, in parallel where a part is large.
  static void for_ranges(const Part& part, auto f) {
    if (part.size() <= kRange) return f(part.first, part.last);
    parallel_ranges(
        part.size(), [&](int64_t begin, int64_t end) { f(part.first + begin, part.first + end); }, kRange);
  }

  float along(int direction, int32_t node) const {
    float sum = 0;
    for (int axis = 0; axis < kAxes; ++axis) sum += kDirections<kAxes>[direction][axis] * places_.at[axis][node];
    return sum;
  }

  enum Extent { kWhole, kWithoutFarOnes };

  /// Divides the extent of a part along each direction into bins of equal length; false if it is one place, or if none
  /// is far off.
  template <int N>
  bool assign_bins(const Part& part, int64_t bins, Extent extent) {
    std::vector<Box<N>> boxes(part.ranges());
    for_ranges(part, [&](int64_t first, int64_t last) {
      Box<N> box;
      for (int64_t k = first; k < last; ++k)
        for (int direction = 0; direction < N; ++direction) {
          const float at = along(direction, order_[k]);
          box.add(direction, at, at);
        }
      boxes[part.range_of(first)] = box;
    });
    Box<N> all;
    for (const Box<N>& box : boxes)
      for (int direction = 0; direction < N; ++direction) all.add(direction, box.low[direction], box.high[direction]);
    if (all.low == all.high) return false;
    bool is_shorter = false;
    for (int direction = 0; extent == kWithoutFarOnes && direction < N; ++direction)
      is_shorter |= leave_out_far_ones(part, direction, all.low[direction], all.high[direction]);
    if (extent == kWithoutFarOnes && !is_shorter) return false;

    std::array<float, N> scale;
    for (int direction = 0; direction < N; ++direction) {
      const float length = all.high[direction] - all.low[direction];
      scale[direction] = length > 0 ? static_cast<float>(bins) / length : 0;
    }
    const float highest = bins - 1;
    for_ranges(part, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k)
        for (int direction = 0; direction < N; ++direction) {
          const float bin = (along(direction, order_[k]) - all.low[direction]) * scale[direction];
          bins_[order_[k]][direction] = static_cast<uint16_t>(std::max(0.0F, std::min(highest, bin)));
        }
    });
    return true;
  }

  /// Those that are left out fall into the first and the last bin; false if there are none.
  bool leave_out_far_ones(const Part& part, int direction, float& low, float& high) const {
    std::array<float, kSample> sample;
    for (int64_t k = 0; k < kSample; ++k) {
      const double share = std::fmod(k * std::numbers::phi, 1.0);  // no period of meshes
      sample[k] = along(direction, order_[part.first + static_cast<int64_t>(share * part.size())]);
    }
    std::ranges::sort(sample);
    const float first = sample[kFarOfSample], last = sample[kSample - 1 - kFarOfSample], length = last - first;
    if (!(length > 0) || high - low <= kFar * length) return false;
    low = std::max(low, first - length / 2);
    high = std::min(high, last + length / 2);
    return true;
  }

  /// A histogram per direction.
  template <int N>
  std::vector<Histogram> count(const Part& part, int64_t bins) {
    std::vector<std::vector<Histogram>> of_ranges(part.ranges());
    for_ranges(part, [&](int64_t first, int64_t last) {
      std::vector<Histogram> histograms(N, Histogram(bins));
      for (int64_t k = first; k < last; ++k) {
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
    for (size_t range = 1; range < of_ranges.size(); ++range)
      for (int direction = 0; direction < N; ++direction) of_ranges[0][direction].add(of_ranges[range][direction]);
    return std::move(of_ranges[0]);
  }

  template <int N>
  Reach reach_of(int32_t node) const {
    Reach reach{bins_[node], bins_[node]};
    for (int64_t e = a_.row_ptr[node]; e < a_.row_ptr[node + 1]; ++e) {
      const Bins& bins = bins_[a_.col[e]];
      if (bins[0] == kInSeparator) continue;  // all others are in the same part
      for (int direction = 0; direction < N; ++direction) {
        reach.least[direction] = std::min(reach.least[direction], bins[direction]);
        reach.most[direction] = std::max(reach.most[direction], bins[direction]);
      }
    }
    return reach;
  }

  /// Puts the nodes left of a cut first, then those right of it, then the separator.
  std::array<Part, 2> split(const Part& part, const Cut& cut, bool tries_diagonals) {
    enum Side { left, right, separator };
    const auto side_of = [&](int64_t position) {
      const bool is_left = bins_[order_[position]][cut.direction] <= cut.bin;
      const Reach& reach = reach_[position];
      const bool is_coupled = is_left ? reach.most[cut.direction] > cut.bin : reach.least[cut.direction] <= cut.bin;
      return is_coupled && is_left == cut.takes_left ? separator : is_left ? left : right;
    };
    std::vector<std::array<int64_t, 3>> next(part.ranges());  // first how many, then where to put the next one
    for_ranges(part, [&](int64_t first, int64_t last) {
      std::array<int64_t, 3> counts{};
      for (int64_t k = first; k < last; ++k) ++counts[side_of(k)];
      next[part.range_of(first)] = counts;
    });
    std::array<int64_t, 3> end;
    int64_t position = part.first;
    for (const Side side : {left, right, separator}) {
      for (auto& of_range : next) position += std::exchange(of_range[side], position);
      end[side] = position;
    }
    for_ranges(part, [&](int64_t first, int64_t last) {
      auto to = next[part.range_of(first)];
      for (int64_t k = first; k < last; ++k) scratch_[to[side_of(k)]++] = order_[k];
    });
    for_ranges(part, [&](int64_t first, int64_t last) {
      std::copy(scratch_.begin() + first, scratch_.begin() + last, order_.begin() + first);
    });
    for (int64_t k = end[right]; k < end[separator]; ++k) bins_[order_[k]][0] = kInSeparator;
    std::array halves{Part{part.first, end[left], tries_diagonals}, Part{end[left], end[right], tries_diagonals}};
    if (part.vertex > 0) {
      of_vertex_[part.vertex].first = end[right];
      of_vertex_[part.vertex].last = part.vertex == 1 ? a_.rows : end[separator];  // hubs are of the root
      for (uint32_t side : {0, 1}) halves[side].vertex = 2 * part.vertex + side;
    }
    return halves;
  }

  const CsrMatrix& a_;
  const Coordinates& places_;
  std::vector<int32_t> order_, scratch_, local_;  ///< per position, per position, per node
  std::vector<Bins> bins_;                        ///< per node
  std::vector<Reach> reach_;                      ///< per position
  std::vector<Dissected::Part> parts_;            ///< the largest that one thread orders
  std::vector<Part> of_vertex_;                   ///< the positions that a vertex of the tree has to itself
};

/// f(dissection) after a run that divides well, or nothing.
auto after_dissection(const CsrMatrix& a, const Coordinates& places, int levels, double largest_undivided, auto f) {
  const auto run = [&](auto&& dissection) {
    return dissection.run(largest_undivided) ? std::optional(f(dissection)) : std::nullopt;
  };
  return places.axes == 3 ? run(Dissection<3>(a, places, levels)) : run(Dissection<2>(a, places, levels));
}

}  // namespace

std::optional<Dissected> dissect_well(const CsrMatrix& a, const Coordinates& places, double largest_undivided) {
  return after_dissection(a, places, 0, largest_undivided, [](auto& dissection) { return dissection.take(); });
}

std::optional<PartitionTree> dissect_into_tree(const CsrMatrix& a, const Coordinates& places, int levels,
                                               double largest_undivided) {
  return after_dissection(a, places, levels, largest_undivided, [](auto& dissection) { return dissection.tree(); });
}

}  // namespace gridiron
