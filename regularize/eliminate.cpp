// SPDX-License-Identifier: Apache-2.0
#include "regularize/eliminate.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "support/error.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// One direction of an edge, in the list of the node it leaves.
struct HalfEdge {
  std::int32_t to;     ///< kGone once the edge has been merged into a parallel one or its node eliminated
  std::uint32_t twin;  ///< the other direction
  double conductance;
};
constexpr std::int32_t kGone = -1;
constexpr HalfEdge kNoEdge{kGone, 0, 0.0};

/// Lists of half-edges that only ever shrink: eliminating a series node joins the twins of its two half-edges in place.
///
/// Counting the neighbours of a node means tidying its list, at a cost proportional to its length. To keep the total
/// linear even with hubs, each node has a lower bound of that count, decremented whenever it loses a neighbour or one
/// of its edges may have become parallel to another. A node is tidied only once its bound is at most two: by then
/// nearly as many events as its list is long have amortised the cost.
class Eliminator {
 public:
  Eliminator(const MergedNetwork& network, std::span<const std::uint8_t> is_held)
      : network_(network), is_held_(is_held), pad_(parallel_copy<double>(network.pad)) {
    assign_in_parallel(seen_, network.nodes, kNowhere);
    assign_in_parallel(result_.unknown, network.nodes);
    result_.steps.reserve(network.nodes);
    list_half_edges();
  }

  Elimination run() && {
    for (const std::int32_t node : nodes_with_parallel_edges()) tidy(node);
    // The other nodes are considered once they lose neighbours.
    const auto candidates = parallel_list<std::int32_t>(network_.nodes, [&](std::int64_t node, auto& list) {
      if (at_least_[node] <= 2) list.push_back(static_cast<std::int32_t>(node));
    });
    for (const std::int32_t node : candidates) {
      consider(node);
      while (!waiting_.empty()) {
        const std::int32_t next = waiting_.back();
        waiting_.pop_back();
        consider(next);
      }
    }
    number_unknowns();
    list_remaining_edges();
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::int32_t kEliminated = -1;

  void list_half_edges() {
    const std::int64_t edges = network_.edges();
    if (edges > std::numeric_limits<std::uint32_t>::max() / 2) {
      throw ResourceError("network reduction handles at most 2147483647 resistors; switch it off with " +
                          field("no_reduce"));
    }
    const auto node_at = [&](std::int64_t end) { return (end % 2 == 0 ? network_.a : network_.b)[end / 2]; };
    ItemsByNode<std::uint32_t> ends_at(2 * edges, network_.nodes, node_at);
    const auto place_of = untouched<std::uint32_t>(2 * edges);
    parallel_each(2 * edges, [&](std::int64_t h) { place_of[ends_at.item[h]] = static_cast<std::uint32_t>(h); });
    half_edges_ = untouched<HalfEdge>(2 * edges);
    parallel_each(2 * edges, [&](std::int64_t h) {
      const std::uint32_t end = ends_at.item[h];
      half_edges_[h] = {node_at(end ^ 1), place_of[end ^ 1], network_.conductance[end / 2]};
    });
    start_ = std::move(ends_at.start);
    assign_in_parallel(length_, network_.nodes);
    assign_in_parallel(at_least_, network_.nodes);
    parallel_each(network_.nodes, [&](std::int64_t node) {
      length_[node] = start_[node + 1] - start_[node];
      at_least_[node] = static_cast<std::int32_t>(length_[node]);
    });
  }

  /// Those that tidy() would change, ascending.
  std::vector<std::int32_t> nodes_with_parallel_edges() const {
    return joined_ranges<std::vector<std::int32_t>>(
        network_.nodes,
        [&](std::int64_t begin, std::int64_t end) {
          std::vector<std::int32_t> found, neighbours;
          for (std::int64_t node = begin; node < end; ++node) {
            neighbours.clear();
            for (std::uint32_t h = start_[node]; h < start_[node + 1]; ++h) neighbours.push_back(half_edges_[h].to);
            std::sort(neighbours.begin(), neighbours.end());
            if (std::adjacent_find(neighbours.begin(), neighbours.end()) != neighbours.end())
              found.push_back(static_cast<std::int32_t>(node));
          }
          return found;
        },
        [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); });
  }

  /// Removes deleted entries from the node's list and sums parallel edges, so that its length is the number of
  /// neighbours.
  void tidy(std::int32_t node) {
    const std::uint32_t begin = start_[node], end = begin + length_[node];
    std::uint32_t out = begin;
    for (std::uint32_t in = begin; in < end; ++in) {
      const HalfEdge edge = half_edges_[in];
      if (edge.to == kGone) continue;
      std::uint32_t& first = seen_[edge.to];
      if (first == kNowhere) {
        first = out;
        half_edges_[out] = edge;
        half_edges_[edge.twin].twin = out;
        ++out;
      } else {
        HalfEdge& sum = half_edges_[first];
        sum.conductance += edge.conductance;
        half_edges_[sum.twin].conductance = sum.conductance;
        half_edges_[edge.twin].to = kGone;
      }
    }
    for (std::uint32_t h = begin; h < out; ++h) seen_[half_edges_[h].to] = kNowhere;
    length_[node] = at_least_[node] = out - begin;
  }

  void consider(std::int32_t node) {
    if (result_.unknown[node] == kEliminated || at_least_[node] > 2) return;
    if (!is_held_.empty() && is_held_[node]) return;
    tidy(node);
    const bool is_last_of_floating_part = length_[node] == 0 && pad_[node] == 0;
    if (length_[node] <= 2 && !is_last_of_floating_part) eliminate(node);
  }

  /// Star-mesh transformation of a node with at most two neighbours and possibly a pad.
  void eliminate(std::int32_t node) {
    const HalfEdge* const edges = half_edges_.get() + start_[node];
    const HalfEdge j = length_[node] > 0 ? edges[0] : kNoEdge;
    const HalfEdge k = length_[node] > 1 ? edges[1] : kNoEdge;
    const double sum = j.conductance + k.conductance + pad_[node];
    const double weight_j = j.conductance / sum, weight_k = k.conductance / sum;
    result_.unknown[node] = kEliminated;
    result_.steps.push_back({node, j.to, k.to, weight_j, weight_k, 1 / sum});

    const double series = weight_j * k.conductance;
    if (length_[node] > 0) half_edges_[j.twin] = {k.to, k.twin, series};
    if (length_[node] > 1) half_edges_[k.twin] = {j.to, j.twin, series};
    if (length_[node] > 0) neighbour_lost(j.to, weight_j * pad_[node]);
    if (length_[node] > 1) neighbour_lost(k.to, weight_k * pad_[node]);
  }

  void neighbour_lost(std::int32_t node, double its_pad) {
    pad_[node] += its_pad;
    if (--at_least_[node] <= 2) waiting_.push_back(node);
  }

  void number_unknowns() {
    parallel_choose(
        network_.nodes, [&](std::int64_t node) { return result_.unknown[node] != kEliminated; },
        [&](std::int64_t count) { assign_in_parallel(result_.kept, count); },
        [&](std::int64_t node, std::int64_t unknown) { result_.kept[unknown] = static_cast<std::int32_t>(node); });
    parallel_each(static_cast<std::int64_t>(result_.kept.size()), [&](std::int64_t unknown) {
      result_.unknown[result_.kept[unknown]] = static_cast<std::int32_t>(unknown);
    });
  }

  template <class F>
  void for_each_remaining_edge(std::int32_t node, F f) const {
    for (std::uint32_t h = start_[node]; h < start_[node] + length_[node]; ++h)
      if (half_edges_[h].to > node) f(half_edges_[h]);
  }

  void list_remaining_edges() {
    MergedNetwork& kept = result_.network;
    kept.nodes = static_cast<std::int32_t>(result_.kept.size());
    assign_in_parallel(kept.pad, kept.nodes);
    const auto first = untouched<std::int64_t>(kept.nodes);
    parallel_each(kept.nodes, [&](std::int64_t i) {
      const std::int32_t node = result_.kept[i];
      kept.pad[i] = pad_[node];
      std::int64_t edges = 0;
      for_each_remaining_edge(node, [&](const HalfEdge&) { ++edges; });
      first[i] = edges;
    });
    const std::int64_t edges = parallel_scan(first.get(), kept.nodes);
    assign_in_parallel(kept.a, edges);
    assign_in_parallel(kept.b, edges);
    assign_in_parallel(kept.conductance, edges);
    parallel_each(kept.nodes, [&](std::int64_t i) {
      std::int64_t next = first[i];
      for_each_remaining_edge(result_.kept[i], [&](const HalfEdge& edge) {
        kept.a[next] = static_cast<std::int32_t>(i);
        kept.b[next] = result_.unknown[edge.to];
        kept.conductance[next++] = edge.conductance;
      });
    });
  }

  const MergedNetwork& network_;
  std::span<const std::uint8_t> is_held_;
  std::vector<std::uint32_t> start_;    ///< per node: its list in half_edges_
  std::vector<std::uint32_t> length_;   ///< per node: entries of its list, including deleted ones
  std::vector<std::int32_t> at_least_;  ///< per node: lower bound on its number of neighbours
  std::vector<std::uint32_t> seen_;     ///< scratch of tidy(): per neighbour, its first half-edge
  std::vector<double> pad_;
  std::unique_ptr<HalfEdge[]> half_edges_;
  std::vector<std::int32_t> waiting_;
  Elimination result_;
};

Elimination identity(const MergedNetwork& network) {
  Elimination result;
  result.network = network;
  assign_in_parallel(result.kept, network.nodes);
  parallel_each(network.nodes, [&](std::int64_t i) { result.kept[i] = static_cast<std::int32_t>(i); });
  result.unknown = result.kept;
  return result;
}

}  // namespace

Elimination eliminate(const MergedNetwork& network, bool enabled, std::span<const std::uint8_t> is_held) {
  Elimination result = enabled ? Eliminator(network, is_held).run() : identity(network);
  assign_in_parallel(result.arrived, network.nodes);
  assign_in_parallel(result.network.injection, result.network.nodes);
  result.reduce(network.injection, result.arrived, result.network.injection);
  return result;
}

void Elimination::reduce(std::span<const double> injection, std::span<double> arrived,
                         std::span<double> reduced) const {
  parallel_each(static_cast<std::int64_t>(injection.size()),
                [&](std::int64_t node) { arrived[node] = injection[node]; });
  for (const Step& step : steps) {
    if (step.j >= 0) arrived[step.j] += step.weight_j * arrived[step.node];
    if (step.k >= 0) arrived[step.k] += step.weight_k * arrived[step.node];
  }
  parallel_each(static_cast<std::int64_t>(kept.size()), [&](std::int64_t i) { reduced[i] = arrived[kept[i]]; });
}

void Elimination::recover(std::span<const double> arrived, std::span<const double> reduced,
                          std::span<double> voltage) const {
  parallel_each(static_cast<std::int64_t>(kept.size()), [&](std::int64_t i) { voltage[kept[i]] = reduced[i]; });
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    double volts = step->resistance * arrived[step->node];
    if (step->j >= 0) volts += step->weight_j * voltage[step->j];
    if (step->k >= 0) volts += step->weight_k * voltage[step->k];
    voltage[step->node] = volts;
  }
}

}  // namespace gridiron
