// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/hot_spots.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <numeric>

#include "analysis/model/statistics.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

bool has_drop(const NodeTable& nodes, NodeId n) { return nodes.state[n] == NodeState::solved && nodes.net[n] >= 0; }

bool is_worse(const NodeTable& nodes, NodeId a, NodeId b) {
  return nodes.drop_v[a] != nodes.drop_v[b] ? nodes.drop_v[a] > nodes.drop_v[b] : a < b;
}

/// The worst of some nodes, of which there is at least one.
NodeId worst_of(const NodeTable& nodes, std::span<const NodeId> some) {
  const Largest worst = joined_ranges<Largest>(
      std::ssize(some),
      [&](int64_t begin, int64_t end) {
        Largest of_range;
        for (int64_t k = begin; k < end; ++k) of_range.take({nodes.drop_v[some[k]], some[k]});
        return of_range;
      },
      [](Largest& all, const Largest& of_range) { all.take(of_range); });
  return static_cast<NodeId>(worst.at);
}

double squared_distance(const NodeTable& nodes, NodeId a, NodeId b) {
  const double x = nodes.x_um[a] - nodes.x_um[b], y = nodes.y_um[a] - nodes.y_um[b];
  return x * x + y * y;
}

struct Box {
  double left = INFINITY, bottom = INFINITY, right = -INFINITY, top = -INFINITY;
};

Box box_of(const NodeTable& nodes) {
  return joined_ranges<Box>(
      std::ssize(nodes.state),
      [&](int64_t begin, int64_t end) {
        Box box;
        for (NodeId n = begin; n < end; ++n) {
          if (!has_drop(nodes, n) || !nodes.has_place(n)) continue;
          box.left = std::min(box.left, nodes.x_um[n]);
          box.right = std::max(box.right, nodes.x_um[n]);
          box.bottom = std::min(box.bottom, nodes.y_um[n]);
          box.top = std::max(box.top, nodes.y_um[n]);
        }
        return box;
      },
      [](Box& all, const Box& some) {
        all = {std::min(all.left, some.left), std::min(all.bottom, some.bottom), std::max(all.right, some.right),
               std::max(all.top, some.top)};
      });
}

/// The placed nodes of a net by square cells. Two nodes of a cell are nearer than the distance, so that only the worst
/// of a cell can be a local maximum; what is nearer to it lies at most two cells away.
class Cells {
 public:
  Cells(const NodeTable& nodes, std::span<const NodeId> of_net, double distance, const Box& box)
      : nodes_(nodes), distance_(distance), side_(0.7 * distance), box_(box) {
    columns_ = 1 + static_cast<int64_t>((box.right - box.left) / side_);
    rows_ = 1 + static_cast<int64_t>((box.top - box.bottom) / side_);
    const auto count = std::ssize(of_net);
    const auto cell = untouched<int64_t>(count);
    parallel_each(count, [&](int64_t k) { cell[k] = nodes.has_place(of_net[k]) ? cell_of(of_net[k]) : -1; });
    const auto cell_at = [&](int64_t k) { return cell[k]; };
    const GroupedByKey groups(count, columns_ * rows_, cell_at);
    for (int64_t c = 0; c <= columns_ * rows_; ++c) start_.push_back(groups.start(c));
    make_room_in_parallel(node_, start_.back());
    groups.for_each_place(cell_at, [&](int64_t k, int64_t place) { node_[place] = of_net[k]; });
  }

  /// The worst node of every cell, worst first.
  std::vector<NodeId> worst_of_cells() const {
    const auto worse = [this](NodeId a, NodeId b) { return is_worse(nodes_, a, b); };
    auto worst = joined_ranges<std::vector<NodeId>>(
        columns_ * rows_,
        [&](int64_t first, int64_t last) {
          std::vector<NodeId> some;
          for (int64_t cell = first; cell < last; ++cell) {
            const auto begin = node_.begin() + start_[cell], end = node_.begin() + start_[cell + 1];
            if (begin != end) some.push_back(*std::min_element(begin, end, worse));
          }
          return some;
        },
        [](auto& all, const auto& some) { append(all, some); }, 16);
    std::ranges::sort(worst, worse);
    return worst;
  }

  /// Whether no node within the distance is worse.
  bool is_local_maximum(NodeId node) const {
    const int64_t cell = cell_of(node), column = cell % columns_, row = cell / columns_;
    for (int64_t r = std::max<int64_t>(0, row - 2); r <= std::min(rows_ - 1, row + 2); ++r)
      for (int64_t c = std::max<int64_t>(0, column - 2); c <= std::min(columns_ - 1, column + 2); ++c)
        for (int64_t k = start_[r * columns_ + c]; k < start_[r * columns_ + c + 1]; ++k)
          if (is_worse(nodes_, node_[k], node) && squared_distance(nodes_, node_[k], node) < distance_ * distance_)
            return false;
    return true;
  }

 private:
  int64_t cell_of(NodeId n) const {
    const int64_t column = (nodes_.x_um[n] - box_.left) / side_;
    const int64_t row = (nodes_.y_um[n] - box_.bottom) / side_;
    return std::min(row, rows_ - 1) * columns_ + std::min(column, columns_ - 1);
  }

  const NodeTable& nodes_;
  double distance_, side_;  ///< side of a cell
  Box box_;
  int64_t columns_ = 1, rows_ = 1;
  std::vector<int64_t> start_;
  std::vector<NodeId> node_;
};

std::vector<NodeId> placed_spots(const NodeTable& nodes, std::span<const NodeId> of_net, double distance,
                                 const Box& box, std::span<const uint8_t> is_slope) {
  const Cells cells(nodes, of_net, distance, box);
  const std::vector<NodeId> worst = cells.worst_of_cells();
  return parallel_list<NodeId>(
      std::ssize(worst),
      [&](int64_t k, std::vector<NodeId>& spots) {
        if (!is_slope[worst[k]] && cells.is_local_maximum(worst[k])) spots.push_back(worst[k]);
      },
      8);
}

bool is_within_a_net(const NodeTable& nodes, NodeId a, NodeId b) {
  return has_drop(nodes, a) && has_drop(nodes, b) && nodes.net[a] == nodes.net[b];
}

/// Calls f(a, b) for every resistor and tie within a net.
void for_each_conductor(const NodeTable& nodes, const Network& network, auto f) {
  const auto pass = [&](const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
    for (size_t e = 0; e < a.size(); ++e)
      if (is_within_a_net(nodes, a[e], b[e])) f(a[e], b[e]);
  };
  pass(network.a, network.b);
  pass(network.tie_a, network.tie_b);
}

/// Per node whether a conductor leads to a worse one: no hot spot, however far apart nodes are.
std::vector<uint8_t> slopes(const NodeTable& nodes, const Network& network) {
  std::vector<uint8_t> is_slope;
  assign_in_parallel(is_slope, std::ssize(nodes.state));
  const auto mark = [&](int32_t a, int32_t b) {
    if (is_within_a_net(nodes, a, b))
      std::atomic_ref(is_slope[is_worse(nodes, a, b) ? b : a]).store(1, std::memory_order_relaxed);
  };
  parallel_each(network.edges(), [&](int64_t e) { mark(network.a[e], network.b[e]); });
  parallel_each(network.ties(), [&](int64_t t) { mark(network.tie_a[t], network.tie_b[t]); });
  return is_slope;
}

/// Per node the worst one that is at most so many conductors away, within its net.
std::vector<NodeId> worst_around(const NodeTable& nodes, const Network& network, int conductors) {
  std::vector<NodeId> worst(nodes.state.size());
  std::iota(worst.begin(), worst.end(), NodeId{0});
  const auto raise = [&](std::vector<NodeId>& to, NodeId at, NodeId candidate) {
    if (is_worse(nodes, candidate, to[at])) to[at] = candidate;
  };
  for (int step = 0; step < conductors; ++step) {
    std::vector<NodeId> next = worst;
    for_each_conductor(nodes, network, [&](NodeId a, NodeId b) {
      raise(next, a, worst[b]);
      raise(next, b, worst[a]);
    });
    worst = std::move(next);
  }
  return worst;
}

void find_nearest_pad(const NodeTable& nodes, std::span<const PadResult> pads, HotSpot& spot) {
  double nearest = INFINITY;
  for (const PadResult& pad : pads) {
    if (pad.net != spot.net || !nodes.has_place(pad.node) || !nodes.has_place(spot.node)) continue;
    const double distance = squared_distance(nodes, pad.node, spot.node);
    if (distance >= nearest) continue;
    nearest = distance;
    spot.pad = pad.node;
    spot.pad_distance_um = std::sqrt(distance);
  }
}

double longer_side(const Box& box) { return std::max({0.0, box.right - box.left, box.top - box.bottom}); }

}  // namespace

void add_hot_spots(const Network& network, IrReport& report) {
  HotSpots spots = find_hot_spots(report.nodes, network, report.pads, report.nets.size());
  report.hot_spots = std::move(spots.worst);
  report.hot_spots_in_all = spots.in_all;
  report.hot_spot_distance_um = hot_spot_distance(report.nodes);
}

double hot_spot_distance(const NodeTable& nodes) { return longer_side(box_of(nodes)) / 20; }

HotSpots find_hot_spots(const NodeTable& nodes, const Network& network, std::span<const PadResult> pads, size_t nets,
                        const HotSpotOptions& options) {
  const Box box = box_of(nodes);
  const double side = longer_side(box),
               distance = options.distance_um > 0 ? std::max(options.distance_um, side / 1000) : side / 20;
  const auto worse = [&](NodeId a, NodeId b) { return is_worse(nodes, a, b); };
  const std::vector<uint8_t> is_slope = slopes(nodes, network);
  std::vector<NodeId> around;  // for nets without places
  HotSpots all;
  std::vector<HotSpot> first, others;  // of their nets
  const auto net_of = [&](int64_t n) { return has_drop(nodes, static_cast<NodeId>(n)) ? nodes.net[n] : -1; };
  const GroupedByKey groups(std::ssize(nodes.state), static_cast<int64_t>(nets), net_of);
  std::vector<NodeId> listed;
  make_room_in_parallel(listed, groups.start(static_cast<int64_t>(nets)));
  groups.for_each_place(net_of, [&](int64_t n, int64_t place) { listed[place] = static_cast<NodeId>(n); });
  for (int64_t net = 0; net < static_cast<int64_t>(nets); ++net) {
    const std::span<const NodeId> of_net(listed.data() + groups.start(net), listed.data() + groups.start(net + 1));
    if (of_net.empty()) continue;
    std::vector<NodeId> found;
    if (distance > 0 && nodes.has_place(worst_of(nodes, of_net))) {
      found = placed_spots(nodes, of_net, distance, box, is_slope);
    } else {
      if (around.empty()) around = worst_around(nodes, network, options.conductors_away);
      std::ranges::copy_if(of_net, std::back_inserter(found), [&](NodeId n) { return around[n] == n; });
      std::ranges::sort(found, worse);
    }
    std::erase_if(found, [&](NodeId node) { return !(nodes.drop_v[node] > 0); });
    all.in_all += std::ssize(found);
    found.resize(std::min(options.most_of_net, found.size()));
    for (const NodeId node : found)
      (node == found.front() ? first : others).push_back({node, nodes.net[node], nodes.drop_v[node]});
  }
  const auto by_drop = [](const HotSpot& a, const HotSpot& b) { return a.drop_v > b.drop_v; };
  std::ranges::stable_sort(first, by_drop);
  std::ranges::stable_sort(others, by_drop);
  std::vector<HotSpot>& spots = all.worst;
  spots = std::move(first);
  append(spots, others);
  spots.resize(std::min(options.most, spots.size()));
  std::ranges::stable_sort(spots, [](const HotSpot& a, const HotSpot& b) {
    return a.drop_v != b.drop_v ? a.drop_v > b.drop_v : a.net < b.net;
  });
  for (HotSpot& spot : spots) find_nearest_pad(nodes, pads, spot);
  return all;
}

}  // namespace gridiron
