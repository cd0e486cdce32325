// SPDX-License-Identifier: Apache-2.0
#include "regularize/eliminate.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "support/error.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// One direction of an edge, in the list of the node it leaves.
struct HalfEdge {
  int32_t to;     ///< kGone once the edge has been merged into a parallel one or its node eliminated
  uint32_t twin;  ///< the other direction
  double conductance;
};
constexpr int32_t kGone = -1;
constexpr HalfEdge kNoEdge{kGone, 0, 0.0};

/// Lists of half-edges that only ever shrink: eliminating a series node joins the twins of its two half-edges in place.
///
/// Counting the neighbours of a node means tidying its list, at a cost proportional to its length. To keep the total
/// linear even with hubs, each node has a lower bound of that count, decremented whenever it loses a neighbour or one
/// of its edges may have become parallel to another. A node is tidied only once its bound is at most two: by then
/// nearly as many events as its list is long have amortised the cost.
///
/// What a block works on belongs to its own nodes. A round works on nodes of which no two are neighbours, so that each
/// half-edge belongs to at most one of them. Of neighbours that wait, the one whose number mixes to more goes first: a
/// third of a chain goes in a round.
class Eliminator {
 public:
  Eliminator(const MergedNetwork& network, std::span<const uint8_t> is_held)
      : network_(network), is_held_(is_held), pad_(parallel_copy<double>(network.pad)) {
    assign_in_parallel(is_waiting_, network.nodes);
    assign_in_parallel(result_.unknown, network.nodes);
    list_half_edges();
  }

  Elimination run() && {
    run_blocks();
    // The other nodes are considered once they lose neighbours.
    waiting_ = parallel_list<int32_t>(network_.nodes, [&](int64_t node, auto& list) {
      if (at_least_[node] <= 2 && !is_held(node) && result_.unknown[node] != kEliminated) is_waiting_[node] = 1;
      if (is_waiting_[node]) list.push_back(static_cast<int32_t>(node));
    });
    while (!waiting_.empty()) run_round();
    number_unknowns();
    list_remaining_edges();
    return std::move(result_);
  }

 private:
  static constexpr int32_t kEliminated = -1;

  bool is_held(int64_t node) const { return !is_held_.empty() && is_held_[node]; }

  void run_blocks() {
    constexpr int64_t kNodes = 1 << 14;
    std::vector<std::vector<Elimination::Step>> steps((static_cast<size_t>(network_.nodes) + kNodes - 1) / kNodes);
    parallel_ranges(
        network_.nodes, [&](int64_t begin, int64_t end) { run_block(begin, end, steps[begin / kNodes]); }, kNodes);
    for (const auto& of_block : steps)
      result_.first_of_block.push_back(result_.first_of_block.back() + std::ssize(of_block));
    make_room_in_parallel(result_.steps, result_.first_of_block.back());
    parallel_tasks(std::ssize(steps), [&](int64_t b) {
      std::ranges::copy(std::exchange(steps[b], {}), result_.steps.begin() + result_.first_of_block[b]);
    });
    result_.first_of_round = {std::ssize(result_.steps)};
  }

  void run_block(int64_t begin, int64_t end, std::vector<Elimination::Step>& steps) {
    const auto is_inside = [&](int64_t node) {
      for (uint32_t h = start_[node]; h < start_[node] + length_[node]; ++h)
        if (const int32_t to = half_edges_[h].to; to != kGone && (to < begin || to >= end)) return false;
      return true;
    };
    std::vector<int32_t> next;
    size_t few = 0;                                   // neighbours
    for (int64_t node = begin; node < end; ++node) {  // both ends of parallel edges, before either is tidied
      if (has_parallel_edges(node)) next.push_back(static_cast<int32_t>(node));
      few += at_least_[node] <= 2 ? 1 : 0;
    }
    steps.reserve(few);
    for (const int32_t node : next) {
      if (is_inside(node))
        tidy(node);
      else
        is_waiting_[node] = 1;
    }
    next.clear();
    for (int64_t first = begin; first < end; ++first) {
      if (at_least_[first] > 2 || result_.unknown[first] == kEliminated) continue;
      for (next.push_back(static_cast<int32_t>(first)); !next.empty();) {
        const int32_t node = next.back();
        next.pop_back();
        if (result_.unknown[node] == kEliminated || is_held(node) || !is_inside(node)) continue;
        const size_t before = steps.size();
        consider(node, steps);
        if (steps.size() == before) continue;
        for (const int64_t side : {0, 1}) {
          const Elimination::Step& step = steps.back();
          const int32_t neighbour = step.neighbour(side);
          if (neighbour >= 0 && pass_on(step, side, neighbour)) next.push_back(neighbour);
        }
      }
    }
  }

  /// True when the neighbour may have two neighbours left from now on.
  bool pass_on(const Elimination::Step& step, int64_t end, int32_t neighbour) {
    pad_[neighbour] += step.weight(end) * pad_[step.node];
    return --at_least_[neighbour] == 2;
  }

  void run_round() {
    constexpr size_t kFew = 1 << 10;
    if (waiting_.size() <= kFew) return run_short_round();
    const auto waiting = std::ssize(waiting_);
    is_chosen_.resize(waiting_.size());
    parallel_each(waiting, [&](int64_t i) { is_chosen_[i] = goes_first(waiting_[i]) ? 1 : 0; });
    const auto steps = parallel_list<Elimination::Step>(waiting, [&](int64_t i, auto& list) {
      if (is_chosen_[i]) consider(waiting_[i], list);
    });
    append(result_.steps, steps);
    if (!steps.empty()) result_.first_of_round.push_back(std::ssize(result_.steps));

    assign_in_parallel(falls_to_two_, 2 * std::ssize(steps));
    for_each_neighbour(steps, network_.nodes, [&](const Elimination::Step& step, int64_t end, int32_t node) {
      if (pass_on(step, end, node) && !is_held(node) && !is_waiting_[node]) falls_to_two_[end] = is_waiting_[node] = 1;
    });
    auto still = parallel_list<int32_t>(waiting, [&](int64_t i, auto& list) {
      if (!is_chosen_[i]) list.push_back(waiting_[i]);
    });
    const auto fallen = parallel_list<int32_t>(std::ssize(falls_to_two_), [&](int64_t end, auto& list) {
      if (falls_to_two_[end]) list.push_back(steps[end / 2].neighbour(end));
    });
    append(still, fallen);
    waiting_ = std::move(still);
  }

  /// A round of few nodes, on one thread and without the lists that several need: a ladder loses one node per round.
  void run_short_round() {
    is_chosen_.resize(waiting_.size());
    for (size_t i = 0; i < waiting_.size(); ++i) is_chosen_[i] = goes_first(waiting_[i]) ? 1 : 0;
    const size_t first = result_.steps.size();
    size_t still = 0;
    for (size_t i = 0; i < waiting_.size(); ++i)
      if (is_chosen_[i])
        consider(waiting_[i], result_.steps);
      else
        waiting_[still++] = waiting_[i];
    waiting_.resize(still);
    const size_t end = result_.steps.size();
    if (end > first) result_.first_of_round.push_back(static_cast<int64_t>(end));
    for (size_t s = first; s < end; ++s)
      for (const int64_t side : {0, 1}) {
        const Elimination::Step& step = result_.steps[s];
        const int32_t neighbour = step.neighbour(side);
        if (neighbour < 0 || !pass_on(step, side, neighbour) || is_held(neighbour) || is_waiting_[neighbour]) continue;
        is_waiting_[neighbour] = 1;
        waiting_.push_back(neighbour);
      }
  }

  /// Before all of its neighbours that wait, too.
  bool goes_first(int32_t node) const {
    for (uint32_t h = start_[node]; h < start_[node] + length_[node]; ++h) {
      const int32_t other = half_edges_[h].to;
      if (other != kGone && is_waiting_[other] && mixed(other) > mixed(node)) return false;
    }
    return true;
  }

  /// A different number for every node, far from those of nodes with close numbers (the finalizer of MurmurHash3).
  static uint32_t mixed(int32_t node) {
    uint32_t h = node;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
  }

  void list_half_edges() {
    const int64_t edges = network_.edges();
    if (edges > UINT32_MAX / 2) {
      throw ResourceError("network reduction handles at most 2147483647 resistors; switch it off with " +
                          field("no_reduce"));
    }
    const auto node_at = [&](int64_t end) { return (end % 2 == 0 ? network_.a : network_.b)[end / 2]; };
    ItemsByNode<uint32_t> ends_at(2 * edges, network_.nodes, node_at);
    const auto place_of = untouched<uint32_t>(2 * edges);
    parallel_each(2 * edges, [&](int64_t h) { place_of[ends_at.item[h]] = static_cast<uint32_t>(h); });
    half_edges_ = untouched<HalfEdge>(2 * edges);
    parallel_each(2 * edges, [&](int64_t h) {
      const uint32_t end = ends_at.item[h];
      half_edges_[h] = {node_at(end ^ 1), place_of[end ^ 1], network_.conductance[end / 2]};
    });
    start_ = std::move(ends_at.start);
    make_room_in_parallel(length_, network_.nodes);
    make_room_in_parallel(at_least_, network_.nodes);
    parallel_each(network_.nodes, [&](int64_t node) {
      length_[node] = start_[node + 1] - start_[node];
      at_least_[node] = static_cast<int32_t>(length_[node]);
    });
  }

  bool has_parallel_edges(int64_t node) const {
    constexpr uint32_t kFew = 8;
    const std::span all(half_edges_.get() + start_[node], length_[node]);
    if (all.size() <= kFew) {
      for (size_t i = 1; i < all.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (all[i].to == all[j].to) return true;
      return false;
    }
    std::vector<int32_t> neighbours;
    for (const HalfEdge& edge : all) neighbours.push_back(edge.to);
    std::ranges::sort(neighbours);
    return std::ranges::adjacent_find(neighbours) != neighbours.end();
  }

  /// Of a list of up to two entries.
  bool is_tidy(uint32_t begin, uint32_t end) const {
    for (uint32_t h = begin; h < end; ++h)
      if (half_edges_[h].to == kGone) return false;
    return end - begin < 2 || half_edges_[begin].to != half_edges_[begin + 1].to;
  }

  /// Removes deleted entries from the node's list and sums parallel edges, so that its length is the number of
  /// neighbours.
  void tidy(int32_t node) {
    constexpr uint32_t kFew = 16;
    const uint32_t begin = start_[node], end = begin + length_[node];
    if (end - begin <= 2 && is_tidy(begin, end)) {
      at_least_[node] = static_cast<int32_t>(end - begin);
      return;
    }
    uint32_t out = begin;
    std::unique_ptr<std::unordered_map<int32_t, uint32_t>> entry_of;  // of more than a few neighbours
    const auto first_entry = [&](int32_t to) {
      if (out - begin <= kFew) {
        uint32_t h = begin;
        while (h < out && half_edges_[h].to != to) ++h;
        return h;
      }
      if (!entry_of) {
        entry_of = std::make_unique<std::unordered_map<int32_t, uint32_t>>();
        for (uint32_t h = begin; h < out; ++h) entry_of->emplace(half_edges_[h].to, h);
      }
      return entry_of->emplace(to, out).first->second;
    };
    for (uint32_t in = begin; in < end; ++in) {
      const HalfEdge edge = half_edges_[in];
      if (edge.to == kGone) continue;
      const uint32_t first = first_entry(edge.to);
      if (first == out) {
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
    length_[node] = out - begin;
    at_least_[node] = static_cast<int32_t>(out - begin);
  }

  void consider(int32_t node, std::vector<Elimination::Step>& steps) {
    is_waiting_[node] = 0;
    tidy(node);
    const bool is_last_of_floating_part = length_[node] == 0 && pad_[node] == 0;
    if (length_[node] <= 2 && !is_held(node) && !is_last_of_floating_part) steps.push_back(eliminate(node));
  }

  /// Star-mesh transformation of a node with at most two neighbours and possibly a pad, but for what it passes on.
  Elimination::Step eliminate(int32_t node) {
    const HalfEdge* const edges = half_edges_.get() + start_[node];
    const HalfEdge j = length_[node] > 0 ? edges[0] : kNoEdge;
    const HalfEdge k = length_[node] > 1 ? edges[1] : kNoEdge;
    const double sum = j.conductance + k.conductance + pad_[node];
    const double weight_j = j.conductance / sum, weight_k = k.conductance / sum;
    const double series = weight_j * k.conductance;
    if (length_[node] > 0) half_edges_[j.twin] = {k.to, k.twin, series};
    if (length_[node] > 1) half_edges_[k.twin] = {j.to, j.twin, series};
    result_.unknown[node] = kEliminated;
    return {node, j.to, k.to, weight_j, weight_k, 1 / sum};
  }

  void number_unknowns() {
    parallel_choose(
        network_.nodes, [&](int64_t node) { return result_.unknown[node] != kEliminated; },
        [&](int64_t count) { make_room_in_parallel(result_.kept, count); },
        [&](int64_t node, int64_t unknown) { result_.kept[unknown] = static_cast<int32_t>(node); });
    parallel_each(std::ssize(result_.kept),
                  [&](int64_t unknown) { result_.unknown[result_.kept[unknown]] = static_cast<int32_t>(unknown); });
    parallel_each(std::ssize(result_.steps),
                  [&](int64_t s) { result_.unknown[result_.steps[s].node] = static_cast<int32_t>(-1 - s); });
  }

  void for_each_remaining_edge(int32_t node, auto f) const {
    for (uint32_t h = start_[node]; h < start_[node] + length_[node]; ++h)
      if (half_edges_[h].to > node) f(half_edges_[h]);
  }

  void list_remaining_edges() {
    MergedNetwork& kept = result_.network;
    kept.nodes = static_cast<int32_t>(result_.kept.size());
    make_room_in_parallel(kept.pad, kept.nodes);
    const auto first = untouched<int64_t>(kept.nodes);
    parallel_each(kept.nodes, [&](int64_t i) {
      const int32_t node = result_.kept[i];
      kept.pad[i] = pad_[node];
      int64_t edges = 0;
      for_each_remaining_edge(node, [&](const HalfEdge&) { ++edges; });
      first[i] = edges;
    });
    const int64_t edges = parallel_scan(first.get(), kept.nodes);
    make_room_in_parallel(kept.a, edges);
    make_room_in_parallel(kept.b, edges);
    make_room_in_parallel(kept.conductance, edges);
    parallel_each(kept.nodes, [&](int64_t i) {
      int64_t next = first[i];
      for_each_remaining_edge(result_.kept[i], [&](const HalfEdge& edge) {
        kept.a[next] = static_cast<int32_t>(i);
        kept.b[next] = result_.unknown[edge.to];
        kept.conductance[next++] = edge.conductance;
      });
    });
  }

  const MergedNetwork& network_;
  std::span<const uint8_t> is_held_;
  std::vector<uint32_t> start_;    ///< per node: its list in half_edges_
  std::vector<uint32_t> length_;   ///< per node: entries of its list, including deleted ones
  std::vector<int32_t> at_least_;  ///< per node: lower bound on its number of neighbours
  std::vector<double> pad_;
  std::unique_ptr<HalfEdge[]> half_edges_;
  std::vector<int32_t> waiting_;       ///< to be considered
  std::vector<uint8_t> is_waiting_;    ///< per node
  std::vector<uint8_t> is_chosen_;     ///< of waiting_, in this round
  std::vector<uint8_t> falls_to_two_;  ///< per neighbour of the round's steps: that is when it begins to wait
  Elimination result_;
};

Elimination identity(const MergedNetwork& network) {
  Elimination result;
  result.network = network;
  make_room_in_parallel(result.kept, network.nodes);
  parallel_each(network.nodes, [&](int64_t i) { result.kept[i] = static_cast<int32_t>(i); });
  result.unknown = result.kept;
  return result;
}

}  // namespace

Elimination eliminate(const MergedNetwork& network, bool enabled, std::span<const uint8_t> is_held) {
  Elimination result = enabled ? Eliminator(network, is_held).run() : identity(network);
  if (network.injection.empty()) return result;
  std::vector<double> arrived;
  resize_untouched(arrived, result.steps.size());
  resize_untouched(result.network.injection, result.kept.size());
  result.reduce(network.injection, arrived, result.network.injection);
  return result;
}

}  // namespace gridiron
