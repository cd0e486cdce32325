// SPDX-License-Identifier: Apache-2.0
#include "regularize/merge.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "device/disjoint_sets.hpp"
#include "regularize/careful_sums.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr size_t kMostConflicts = 100;

/// An end of a tie: the tie twice, plus one for the second.
int32_t end_of(const Network& network, int64_t end) {
  return end % 2 == 0 ? network.tie_a[end / 2] : network.tie_b[end / 2];
}

/// Trees of ties are grown one by one, each by one thread; those of single nodes need no growing.
class Merger {
 public:
  Merger(const Network& network, double tolerance)
      : network_(network),
        tolerance_(tolerance),
        ends_at_(2 * network.ties(), network.nodes, [&](int64_t end) { return end_of(network, end); }),
        lowest_(network.nodes) {
    parallel_each(network.ties(), [&](int64_t k) { lowest_.unite(network.tie_a[k], network.tie_b[k]); });
    assign_in_parallel(merge_.offset, network.nodes);
    assign_in_parallel(merge_.parent, network.nodes, int32_t{-1});
    assign_in_parallel(parent_tie_, network.nodes, int64_t{-1});
    assign_in_parallel(order_, network.nodes);
  }

  Merge run() && {
    place_trees();
    for (const int32_t root : known_roots_) merge_.rounding_volts += grow_tree(root);
    merge_.rounding_volts += parallel_sum<double>(network_.nodes, [&](int64_t node) {
      return is_unknown_root(node) ? grow_tree(static_cast<int32_t>(node)) : 0.0;
    });
    number_groups();
    check_fixed();
    check_ties();
    list_children();
    return std::move(merge_);
  }

 private:
  bool is_lowest(int64_t node) { return lowest_.is_root(static_cast<int32_t>(node)); }
  bool is_unknown_root(int64_t node) { return is_lowest(node) && place_[node] >= known_nodes_; }

  /// Where the tree of each set begins in the order: those with a fixed node first, which is their root.
  void place_trees() {
    assign_in_parallel(place_, network_.nodes, int32_t{1});
    parallel_each(network_.nodes, [&](int64_t node) {
      const int32_t lowest = lowest_.find(static_cast<int32_t>(node));
      if (lowest == node) return;
      place_[node] = 0;
      std::atomic_ref(place_[lowest]).fetch_add(1, std::memory_order_relaxed);
    });
    std::vector<std::pair<int32_t, int32_t>> known;  // lowest node, place
    for (const int32_t node : network_.fixed) {
      const int32_t lowest = lowest_.find(node), size = std::exchange(place_[lowest], 0);
      if (size == 0) continue;
      known_roots_.push_back(node);
      known.emplace_back(lowest, known_nodes_);
      known_nodes_ += size;
    }
    parallel_scan(place_.data(), network_.nodes);
    parallel_each(network_.nodes, [&](int64_t node) { place_[node] += known_nodes_; });
    for (const auto& [lowest, place] : known) place_[lowest] = place;
  }

  /// Breadth first, to keep paths to the root short, and with them the rounding of offsets and the loops of conflicts.
  /// Returns what rounding may have moved offsets by, level by level.
  double grow_tree(int32_t root) {
    int32_t* const order = order_.data() + place_[lowest_.find(root)];
    order[0] = root;
    int32_t size = 1, level_end = 1;
    double volts_rounded = 0, rounded = 0;  // the largest sum of the level
    for (int32_t next = 0; next < size; ++next) {
      if (next == level_end) {
        level_end = size;
        volts_rounded += std::exchange(rounded, 0.0) * std::numeric_limits<double>::epsilon();
      }
      const int32_t node = order[next];
      for (int64_t s = ends_at_.start[node]; s < ends_at_.start[node + 1]; ++s) {
        const int64_t tie = ends_at_.item[s] / 2;
        const bool upwards = network_.tie_b[tie] == node;
        const int32_t child = upwards ? network_.tie_a[tie] : network_.tie_b[tie];
        if (child == root || merge_.parent[child] >= 0) continue;
        merge_.parent[child] = node;
        parent_tie_[child] = tie;
        const double volts = upwards ? network_.tie_volts[tie] : -network_.tie_volts[tie];
        merge_.offset[child] = merge_.offset[node] + volts;
        rounded = std::max(rounded, std::abs(volts) + std::abs(merge_.offset[child]));
        order[size++] = child;
      }
    }
    return volts_rounded + rounded * std::numeric_limits<double>::epsilon();
  }

  /// By the lowest node; the place in the order makes room for the number.
  void number_groups() {
    const std::vector<int32_t> known = parallel_list<int32_t>(network_.nodes, [&](int64_t node, auto& list) {
      if (is_lowest(node) && place_[node] < known_nodes_) list.push_back(static_cast<int32_t>(node));
    });
    parallel_choose(
        network_.nodes, [&](int64_t node) { return is_unknown_root(node); },
        [&](int64_t count) { merge_.unknowns = static_cast<int32_t>(count); },
        [&](int64_t node, int64_t group) { place_[node] = static_cast<int32_t>(group); });
    merge_.groups = merge_.unknowns + static_cast<int32_t>(known.size());
    merge_.known_volts.resize(known.size());
    for (size_t k = 0; k < known.size(); ++k) place_[known[k]] = merge_.unknowns + static_cast<int32_t>(k);
    make_room_in_parallel(merge_.group, network_.nodes);
    parallel_each(network_.nodes,
                  [&](int64_t node) { merge_.group[node] = place_[lowest_.find(static_cast<int32_t>(node))]; });
  }

  /// Gives every known group the potential of its root; other fixed nodes in the group must agree with it.
  void check_fixed() {
    std::vector<int64_t> giver(merge_.known_volts.size(), -1);
    for (size_t k = 0; k < network_.fixed.size(); ++k) {
      const int32_t node = network_.fixed[k];
      const int32_t known = merge_.group[node] - merge_.unknowns;
      if (giver[known] < 0) {
        giver[known] = static_cast<int64_t>(k);
        merge_.known_volts[known] = network_.fixed_volts[k];
        continue;
      }
      const double excess = network_.fixed_volts[k] - (merge_.known_volts[known] + merge_.offset[node]);
      if (agrees(excess)) continue;
      TieConflict conflict{{-1 - static_cast<int64_t>(k)}, excess};
      for (int32_t n = node; merge_.parent[n] >= 0; n = merge_.parent[n]) {
        conflict.loop.push_back(parent_tie_[n]);
      }
      conflict.loop.push_back(-1 - giver[known]);
      merge_.conflicts.push_back(std::move(conflict));
    }
  }

  void check_ties() {
    const auto redundant = parallel_list<int64_t>(network_.ties(), [&](int64_t k, auto& list) {
      if (parent_tie_[network_.tie_a[k]] != k && parent_tie_[network_.tie_b[k]] != k) list.push_back(k);
    });
    for (const int64_t k : redundant) {
      const int32_t a = network_.tie_a[k], b = network_.tie_b[k];
      const double excess = network_.tie_volts[k] - (merge_.offset[a] - merge_.offset[b]);
      if (!agrees(excess)) merge_.conflicts.push_back({loop_through(k), excess});
    }
  }

  void list_children() {
    merge_.order = parallel_list<int32_t>(network_.nodes, [&](int64_t k, auto& list) {
      if (merge_.parent[order_[k]] >= 0) list.push_back(order_[k]);
    });
    const auto children = std::ssize(merge_.order);
    make_room_in_parallel(merge_.order_tie, children);
    parallel_each(children, [&](int64_t k) { merge_.order_tie[k] = parent_tie_[merge_.order[k]]; });
  }

  /// False for a contradiction that is to be told; NaN is one.
  bool agrees(double excess) {
    if (std::abs(excess) <= tolerance_) merge_.accepted_volts += std::abs(excess);
    return std::abs(excess) <= tolerance_ || merge_.conflicts.size() >= kMostConflicts;
  }

  /// Tie k, then from its node a up the tree and down to its node b.
  std::vector<int64_t> loop_through(int64_t k) const {
    const auto path_to_root = [&](int32_t node) {
      std::vector<int64_t> ties;
      for (; merge_.parent[node] >= 0; node = merge_.parent[node]) ties.push_back(parent_tie_[node]);
      return ties;
    };
    auto up = path_to_root(network_.tie_a[k]), down = path_to_root(network_.tie_b[k]);
    while (!up.empty() && !down.empty() && up.back() == down.back()) {
      up.pop_back();
      down.pop_back();
    }
    std::vector<int64_t> loop{k};
    append(loop, up);
    loop.insert(loop.end(), down.rbegin(), down.rend());
    return loop;
  }

  const Network& network_;
  const double tolerance_;
  const ItemsByNode<int64_t> ends_at_;
  DisjointSets lowest_;
  std::vector<int32_t> order_;        ///< nodes, tree after tree, parents before children
  std::vector<int64_t> parent_tie_;   ///< per node: the tie to its parent, −1 at roots
  std::vector<int32_t> place_;        ///< per lowest node of a set, see place_trees() and number_groups()
  std::vector<int32_t> known_roots_;  ///< the fixed nodes that are roots
  int32_t known_nodes_ = 0;           ///< in trees with a fixed node
  Merge merge_;
};

}  // namespace

Merge merge_ties(const Network& network, double tolerance) { return Merger(network, tolerance).run(); }

MergedNetwork merged_network(const Network& network, const Merge& merge) {
  return merged_network(network, merge, network.injection, {});
}

MergedNetwork merged_network(const Network& network, const Merge& merge, std::span<const double> node_injection,
                             std::span<const double> reference) {
  MergedNetwork merged;
  merged.nodes = merge.unknowns;
  const auto is_unknown = [&](int32_t group) { return group < merge.unknowns; };
  const auto unknown_at = [&](int32_t node) { return is_unknown(merge.group[node]) ? merge.group[node] : -1; };

  const auto is_kept = [&](int64_t k) {
    const int32_t a = merge.group[network.a[k]], b = merge.group[network.b[k]];
    return a != b && is_unknown(a) && is_unknown(b);
  };
  parallel_choose(
      network.edges(), is_kept,
      [&](int64_t edges) {
        make_room_in_parallel(merged.a, edges);
        make_room_in_parallel(merged.b, edges);
        make_room_in_parallel(merged.conductance, edges);
      },
      [&](int64_t k, int64_t edge) {
        merged.a[edge] = merge.group[network.a[k]];
        merged.b[edge] = merge.group[network.b[k]];
        merged.conductance[edge] = network.conductance[k];
      });

  // Edges that drive a current by themselves: to known potentials, and between offsets.
  const auto driving = parallel_list<int64_t>(network.edges(), [&](int64_t k, auto& list) {
    const int32_t i = network.a[k], j = network.b[k], a = merge.group[i], b = merge.group[j];
    if (a != b && (is_unknown(a) != is_unknown(b) || (is_unknown(a) && merge.offset[i] != merge.offset[j])))
      list.push_back(k);
  });
  const auto node_at = [&](int64_t end) { return (end % 2 == 0 ? network.a : network.b)[driving[end / 2]]; };
  const auto known_beyond = [&](int64_t end) { return merge.group[node_at(end ^ 1)] - merge.unknowns; };
  const auto conductance_at = [&](int64_t end) { return network.conductance[driving[end / 2]]; };
  const auto from_zero = [](int64_t) { return 0.0; };
  const int64_t ends = 2 * std::ssize(driving), given = std::ssize(node_injection);
  make_room_in_parallel(merged.pad, merged.nodes);
  sum_carefully(
      merged.pad, from_zero, ends, [&](int64_t end) { return known_beyond(end) < 0 ? -1 : unknown_at(node_at(end)); },
      conductance_at);
  make_room_in_parallel(merged.injection, merged.nodes);
  sum_carefully(
      merged.injection, from_zero, given + ends,
      [&](int64_t k) { return unknown_at(k < given ? static_cast<int32_t>(k) : node_at(k - given)); },
      [&](int64_t k) {
        if (k < given) return node_injection[k];
        const int64_t end = k - given;
        const int32_t node = node_at(end), group = merge.group[node], known = known_beyond(end);
        const double volts_ahead = merge.offset[node_at(end ^ 1)] - merge.offset[node];
        if (known < 0) return conductance_at(end) * volts_ahead;
        const double volts = merge.known_volts[known] + volts_ahead;
        return conductance_at(end) * (reference.empty() ? volts : volts - reference[group]);
      });
  return merged;
}

}  // namespace gridiron
