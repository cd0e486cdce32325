// SPDX-License-Identifier: Apache-2.0
#include "regularize/eliminate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "support/error.hpp"

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
  explicit Eliminator(const MergedNetwork& network)
      : network_(network),
        start_(network.nodes + 1, 0),
        length_(network.nodes),
        at_least_(network.nodes),
        seen_(network.nodes, kNowhere),
        pad_(network.pad) {
    result_.unknown.assign(network.nodes, 0);
    result_.steps.reserve(network.nodes);
    list_half_edges();
  }

  Elimination run() && {
    for (std::int32_t node = 0; node < network_.nodes; ++node) tidy(node);
    for (std::int32_t node = 0; node < network_.nodes; ++node) {
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
    for (std::int64_t k = 0; k < edges; ++k) {
      ++start_[network_.a[k]];
      ++start_[network_.b[k]];
    }
    std::exclusive_scan(start_.begin(), start_.end(), start_.begin(), std::uint32_t{0});
    half_edges_.resize(2 * edges);
    std::fill(length_.begin(), length_.end(), 0);
    for (std::int64_t k = 0; k < edges; ++k) {
      const std::int32_t a = network_.a[k], b = network_.b[k];
      const std::uint32_t at_a = start_[a] + length_[a]++, at_b = start_[b] + length_[b]++;
      half_edges_[at_a] = {b, at_b, network_.conductance[k]};
      half_edges_[at_b] = {a, at_a, network_.conductance[k]};
    }
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
    tidy(node);
    const bool is_last_of_floating_part = length_[node] == 0 && pad_[node] == 0;
    if (length_[node] <= 2 && !is_last_of_floating_part) eliminate(node);
  }

  /// Star-mesh transformation of a node with at most two neighbours and possibly a pad.
  void eliminate(std::int32_t node) {
    const HalfEdge* const edges = half_edges_.data() + start_[node];
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
    result_.kept.reserve(network_.nodes - result_.steps.size());
    for (std::int32_t node = 0; node < network_.nodes; ++node) {
      auto& unknown = result_.unknown[node];
      if (unknown == kEliminated) continue;
      unknown = static_cast<std::int32_t>(result_.kept.size());
      result_.kept.push_back(node);
    }
  }

  template <class F>
  void for_each_remaining_edge(F f) const {
    for (const std::int32_t node : result_.kept) {
      for (std::uint32_t h = start_[node]; h < start_[node] + length_[node]; ++h) {
        if (half_edges_[h].to > node) f(node, half_edges_[h]);
      }
    }
  }

  void list_remaining_edges() {
    MergedNetwork& kept = result_.network;
    kept.nodes = static_cast<std::int32_t>(result_.kept.size());
    kept.pad.reserve(kept.nodes);
    for (const std::int32_t node : result_.kept) kept.pad.push_back(pad_[node]);

    std::int64_t edges = 0;
    for_each_remaining_edge([&](std::int32_t, const HalfEdge&) { ++edges; });
    kept.a.reserve(edges);
    kept.b.reserve(edges);
    kept.conductance.reserve(edges);
    for_each_remaining_edge([&](std::int32_t node, const HalfEdge& edge) {
      kept.a.push_back(result_.unknown[node]);
      kept.b.push_back(result_.unknown[edge.to]);
      kept.conductance.push_back(edge.conductance);
    });
  }

  const MergedNetwork& network_;
  std::vector<std::uint32_t> start_;    ///< per node: its list in half_edges_
  std::vector<std::uint32_t> length_;   ///< per node: entries of its list, including deleted ones
  std::vector<std::int32_t> at_least_;  ///< per node: lower bound on its number of neighbours
  std::vector<std::uint32_t> seen_;     ///< scratch of tidy(): per neighbour, its first half-edge
  std::vector<double> pad_;
  std::vector<HalfEdge> half_edges_;
  std::vector<std::int32_t> waiting_;
  Elimination result_;
};

Elimination identity(const MergedNetwork& network) {
  Elimination result;
  result.network = network;
  result.kept.resize(network.nodes);
  std::iota(result.kept.begin(), result.kept.end(), 0);
  result.unknown = result.kept;
  return result;
}

}  // namespace

Elimination eliminate(const MergedNetwork& network, bool enabled) {
  Elimination result = enabled ? Eliminator(network).run() : identity(network);
  result.arrived.resize(network.nodes);
  result.network.injection.resize(result.network.nodes);
  result.reduce(network.injection, result.arrived, result.network.injection);
  return result;
}

void Elimination::reduce(std::span<const double> injection, std::span<double> arrived,
                         std::span<double> reduced) const {
  std::copy(injection.begin(), injection.end(), arrived.begin());
  for (const Step& step : steps) {
    if (step.j >= 0) arrived[step.j] += step.weight_j * arrived[step.node];
    if (step.k >= 0) arrived[step.k] += step.weight_k * arrived[step.node];
  }
  for (std::size_t i = 0; i < kept.size(); ++i) reduced[i] = arrived[kept[i]];
}

void Elimination::recover(std::span<const double> arrived, std::span<const double> reduced,
                          std::span<double> voltage) const {
  for (std::size_t i = 0; i < kept.size(); ++i) voltage[kept[i]] = reduced[i];
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    double volts = step->resistance * arrived[step->node];
    if (step->j >= 0) volts += step->weight_j * voltage[step->j];
    if (step->k >= 0) volts += step->weight_k * voltage[step->k];
    voltage[step->node] = volts;
  }
}

}  // namespace gridiron
