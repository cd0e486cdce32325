// SPDX-License-Identifier: Apache-2.0
#include "regularize/merge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "regularize/careful_sums.hpp"

namespace gridiron {
namespace {

constexpr std::size_t kMostConflicts = 100;

/// The ties at each node: those of node i are tie[start[i]] … tie[start[i + 1] − 1].
struct TiesAtNode {
  std::vector<std::int64_t> start, tie;

  explicit TiesAtNode(const Network& network) : start(network.nodes + 1, 0), tie(2 * network.ties()) {
    for (std::int64_t k = 0; k < network.ties(); ++k) {
      ++start[network.tie_a[k]];
      ++start[network.tie_b[k]];
    }
    std::int64_t end = 0;
    for (auto& s : start) s = end += s;
    for (std::int64_t k = network.ties() - 1; k >= 0; --k) {
      tie[--start[network.tie_a[k]]] = k;
      tie[--start[network.tie_b[k]]] = k;
    }
  }
};

class Merger {
 public:
  Merger(const Network& network, double tolerance)
      : network_(network), tolerance_(tolerance), ties_at_(network), root_(network.nodes, -1) {
    merge_.offset.assign(network.nodes, 0.0);
    merge_.parent.assign(network.nodes, -1);
    merge_.parent_tie.assign(network.nodes, -1);
    merge_.order.reserve(network.nodes);
  }

  Merge run() && {
    for (std::size_t k = 0; k < network_.fixed.size(); ++k) {
      if (root_[network_.fixed[k]] < 0) grow_tree(network_.fixed[k]);
    }
    const std::size_t known_nodes = merge_.order.size();
    for (std::int32_t node = 0; node < network_.nodes; ++node) {
      if (root_[node] < 0) grow_tree(node);
    }
    number_groups(known_nodes);
    check_fixed();
    check_ties();
    return std::move(merge_);
  }

 private:
  /// Breadth first, to keep paths to the root short, and with them the rounding of offsets and the loops of conflicts.
  void grow_tree(std::int32_t root) {
    auto& order = merge_.order;
    root_[root] = root;
    order.push_back(root);
    std::size_t level_end = order.size();
    double rounded = 0;  // the largest sum of the level
    for (std::size_t next = order.size() - 1; next < order.size(); ++next) {
      if (next == level_end) {
        level_end = order.size();
        merge_.rounding_volts += std::exchange(rounded, 0.0) * std::numeric_limits<double>::epsilon();
      }
      const std::int32_t node = order[next];
      for (std::int64_t s = ties_at_.start[node]; s < ties_at_.start[node + 1]; ++s) {
        const std::int64_t tie = ties_at_.tie[s];
        const bool upwards = network_.tie_b[tie] == node;
        const std::int32_t child = upwards ? network_.tie_a[tie] : network_.tie_b[tie];
        if (root_[child] >= 0) continue;
        root_[child] = root;
        merge_.parent[child] = node;
        merge_.parent_tie[child] = tie;
        const double volts = upwards ? network_.tie_volts[tie] : -network_.tie_volts[tie];
        merge_.offset[child] = merge_.offset[node] + volts;
        rounded = std::max(rounded, std::abs(volts) + std::abs(merge_.offset[child]));
        order.push_back(child);
      }
    }
    merge_.rounding_volts += rounded * std::numeric_limits<double>::epsilon();
  }

  void number_groups(std::size_t known_nodes) {
    std::vector<bool> known(network_.nodes, false);
    for (std::size_t i = 0; i < known_nodes; ++i) known[merge_.order[i]] = true;
    for (std::int32_t node = 0; node < network_.nodes; ++node) {
      if (root_[node] != node) continue;
      ++merge_.groups;
      if (!known[node]) ++merge_.unknowns;
    }
    merge_.known_volts.resize(merge_.groups - merge_.unknowns);

    std::vector<std::int32_t> group_of_root(network_.nodes, -1);
    std::int32_t next_unknown = 0, next_known = merge_.unknowns;
    merge_.group.resize(network_.nodes);
    for (std::int32_t node = 0; node < network_.nodes; ++node) {
      auto& group = group_of_root[root_[node]];
      if (group < 0) group = known[node] ? next_known++ : next_unknown++;
      merge_.group[node] = group;
    }
  }

  /// Gives every known group the potential of its root; other fixed nodes in the group must agree with it.
  void check_fixed() {
    std::vector<std::int64_t> giver(merge_.known_volts.size(), -1);
    for (std::size_t k = 0; k < network_.fixed.size(); ++k) {
      const std::int32_t node = network_.fixed[k];
      const std::int32_t known = merge_.group[node] - merge_.unknowns;
      if (giver[known] < 0) {
        giver[known] = static_cast<std::int64_t>(k);
        merge_.known_volts[known] = network_.fixed_volts[k];
        continue;
      }
      const double excess = network_.fixed_volts[k] - (merge_.known_volts[known] + merge_.offset[node]);
      if (agrees(excess)) continue;
      TieConflict conflict{{-1 - static_cast<std::int64_t>(k)}, excess};
      for (std::int32_t n = node; merge_.parent[n] >= 0; n = merge_.parent[n]) {
        conflict.loop.push_back(merge_.parent_tie[n]);
      }
      conflict.loop.push_back(-1 - giver[known]);
      merge_.conflicts.push_back(std::move(conflict));
    }
  }

  void check_ties() {
    for (std::int64_t k = 0; k < network_.ties(); ++k) {
      const std::int32_t a = network_.tie_a[k], b = network_.tie_b[k];
      if (merge_.parent_tie[a] == k || merge_.parent_tie[b] == k) continue;
      const double excess = network_.tie_volts[k] - (merge_.offset[a] - merge_.offset[b]);
      if (!agrees(excess)) merge_.conflicts.push_back({loop_through(k), excess});
    }
  }

  /// False for a contradiction that is to be told; NaN is one.
  bool agrees(double excess) {
    if (std::abs(excess) <= tolerance_) merge_.accepted_volts += std::abs(excess);
    return std::abs(excess) <= tolerance_ || merge_.conflicts.size() >= kMostConflicts;
  }

  /// Tie k, then from its node a up the tree and down to its node b.
  std::vector<std::int64_t> loop_through(std::int64_t k) const {
    const auto path_to_root = [&](std::int32_t node) {
      std::vector<std::int64_t> ties;
      for (; merge_.parent[node] >= 0; node = merge_.parent[node]) ties.push_back(merge_.parent_tie[node]);
      return ties;
    };
    auto up = path_to_root(network_.tie_a[k]), down = path_to_root(network_.tie_b[k]);
    while (!up.empty() && !down.empty() && up.back() == down.back()) {
      up.pop_back();
      down.pop_back();
    }
    std::vector<std::int64_t> loop{k};
    loop.insert(loop.end(), up.begin(), up.end());
    loop.insert(loop.end(), down.rbegin(), down.rend());
    return loop;
  }

  const Network& network_;
  const double tolerance_;
  const TiesAtNode ties_at_;
  std::vector<std::int32_t> root_;
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
  CarefulSums pad(merge.unknowns), injection(merge.unknowns);
  const auto is_unknown = [&](std::int32_t group) { return group < merge.unknowns; };

  for (std::size_t node = 0; node < node_injection.size(); ++node) {
    if (is_unknown(merge.group[node])) injection.add(merge.group[node], node_injection[node]);
  }

  std::int64_t edges = 0;
  for (std::int64_t k = 0; k < network.edges(); ++k) {
    const std::int32_t a = merge.group[network.a[k]], b = merge.group[network.b[k]];
    edges += a != b && is_unknown(a) && is_unknown(b);
  }
  merged.a.reserve(edges);
  merged.b.reserve(edges);
  merged.conductance.reserve(edges);

  const auto fold_known = [&](std::int32_t group, std::int32_t known, double g, double volts_ahead) {
    pad.add(group, g);
    const double volts = merge.known_volts[known - merge.unknowns] + volts_ahead;
    injection.add(group, g * (reference.empty() ? volts : volts - reference[group]));
  };
  for (std::int64_t k = 0; k < network.edges(); ++k) {
    const std::int32_t a = merge.group[network.a[k]], b = merge.group[network.b[k]];
    if (a == b) continue;
    const double g = network.conductance[k];
    const double volts = merge.offset[network.a[k]] - merge.offset[network.b[k]];
    if (is_unknown(a) && is_unknown(b)) {
      merged.a.push_back(a);
      merged.b.push_back(b);
      merged.conductance.push_back(g);
      if (volts != 0) {
        injection.add(a, -g * volts);
        injection.add(b, g * volts);
      }
    } else if (is_unknown(a)) {
      fold_known(a, b, g, -volts);
    } else if (is_unknown(b)) {
      fold_known(b, a, g, volts);
    }
  }
  merged.pad = pad.take();
  merged.injection = injection.take();
  return merged;
}

}  // namespace gridiron
