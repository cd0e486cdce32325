// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

double drop_of(const NetResult& net, double voltage) {
  if (net.is_ground) return std::abs(voltage);
  return net.nominal_v > 0 ? net.nominal_v - voltage : voltage - net.nominal_v;
}

/// The place of a percentile among so many values in ascending order.
std::int64_t rank_of(double p, std::size_t values) {
  return static_cast<std::int64_t>(std::max(1.0, std::ceil(p * static_cast<double>(values)))) - 1;
}

/// Smallest value such that at least a fraction `p` of the values are at or below it (nearest rank). Reorders `values`.
double percentile(std::vector<double>& values, double p) {
  const std::int64_t rank = rank_of(p, values.size());
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

constexpr std::size_t kFewDrops = 1 << 16;

/// The same for many, on all threads: only those are ordered that share a bin with one of the percentiles.
Percentiles percentiles_by_bins(std::span<const double> drops) {
  constexpr std::int64_t kBins = 1 << 12;
  const auto n = static_cast<std::int64_t>(drops.size());
  struct Range {
    double least = INFINITY, most = -INFINITY;
  };
  const Range all = joined_ranges<Range>(
      n,
      [&](std::int64_t begin, std::int64_t end) {
        const auto [least, most] = std::minmax_element(drops.begin() + begin, drops.begin() + end);
        return Range{*least, *most};
      },
      [](Range& range, const Range& some) {
        range = {std::min(range.least, some.least), std::max(range.most, some.most)};
      });
  const double scale = all.most > all.least ? (kBins - 1) / (all.most - all.least) : 0.0;
  const auto bin_of = [&](double drop) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>((drop - all.least) * scale), 0, kBins - 1);
  };
  const GroupedByKey bins(n, kBins, [&](std::int64_t i) { return bin_of(drops[i]); });
  const auto percentile_at = [&](double p) {
    const std::int64_t rank = rank_of(p, drops.size());
    std::int64_t bin = 0;
    while (bins.start(bin + 1) <= rank) ++bin;
    auto shared = parallel_list<double>(n, [&](std::int64_t i, auto& list) {
      if (bin_of(drops[i]) == bin) list.push_back(drops[i]);
    });
    const auto wanted = shared.begin() + (rank - bins.start(bin));
    std::nth_element(shared.begin(), wanted, shared.end());
    return *wanted;
  };
  return {percentile_at(0.5), percentile_at(0.95), percentile_at(0.99), percentile_at(0.999)};
}

void add_to_layer(LayerResult& layer, NodeId node, double drop) {
  if (layer.nodes == 0 || drop > layer.worst_drop_v) {
    layer.worst_drop_v = drop;
    layer.worst_node = node;
  }
  layer.least_drop_v = layer.nodes == 0 ? drop : std::min(layer.least_drop_v, drop);
  layer.average_drop_v += drop;
  ++layer.nodes;
}

/// What statistics need of some nodes of one net.
struct Share {
  LayerResult all;
  double volts = 0;
  std::map<std::uint32_t, LayerResult> layers;  // unsigned, so that −1 (layer unknown) comes last
};

Share share_of(const NodeTable& nodes, std::span<const NodeId> some) {
  Share share;
  LayerResult* of_layer = nullptr;
  for (const NodeId node : some) {
    const double drop = nodes.drop_v[node];
    share.volts += nodes.voltage_v[node];
    add_to_layer(share.all, node, drop);
    if (!of_layer || of_layer->layer != nodes.layer[node]) {
      of_layer = &share.layers[static_cast<std::uint32_t>(nodes.layer[node])];
      of_layer->layer = nodes.layer[node];
    }
    add_to_layer(*of_layer, node, drop);
  }
  return share;
}

void join(const LayerResult& some, LayerResult& all) {
  if (some.nodes == 0) return;
  if (all.nodes == 0 || some.worst_drop_v > all.worst_drop_v) {
    all.worst_drop_v = some.worst_drop_v;
    all.worst_node = some.worst_node;
  }
  all.least_drop_v = all.nodes == 0 ? some.least_drop_v : std::min(all.least_drop_v, some.least_drop_v);
  all.average_drop_v += some.average_drop_v;
  all.nodes += some.nodes;
  all.layer = some.layer;
}

void join(const Share& some, Share& all) {
  join(some.all, all.all);
  all.volts += some.volts;
  for (const auto& [key, layer] : some.layers) join(layer, all.layers[key]);
}

void add_statistics(const NodeTable& nodes, std::span<const NodeId> of_net, NetResult& net) {
  net.total_power_w = std::abs(net.load_current_a) * net.supply_v;
  if (of_net.empty()) return;
  const auto count = static_cast<std::int64_t>(of_net.size());
  const Share share = joined_ranges<Share>(
      count, [&](std::int64_t begin, std::int64_t end) { return share_of(nodes, of_net.subspan(begin, end - begin)); },
      [](Share& all, const Share& some) { join(some, all); });
  std::vector<double> drops;
  make_room_in_parallel(drops, count);
  parallel_each(count, [&](std::int64_t k) { drops[k] = nodes.drop_v[of_net[k]]; });
  net.nodes = share.all.nodes;
  net.worst_drop_v = share.all.worst_drop_v;
  net.worst_node = share.all.worst_node;
  net.worst_voltage_v = nodes.voltage_v[share.all.worst_node];
  net.average_drop_v = share.all.average_drop_v / static_cast<double>(count);
  net.average_voltage_v = share.volts / static_cast<double>(count);
  net.percentiles_v = percentiles_of(drops);
  for (const auto& [_, layer] : share.layers) {
    net.layers.push_back(layer);
    net.layers.back().average_drop_v /= static_cast<double>(layer.nodes);
  }
}

}  // namespace

Percentiles percentiles_of(std::vector<double>& drops) {
  if (drops.size() > kFewDrops) return percentiles_by_bins(drops);
  return {percentile(drops, 0.5), percentile(drops, 0.95), percentile(drops, 0.99), percentile(drops, 0.999)};
}

std::vector<double> drops_of(std::span<const double> voltage_v, std::span<const std::int32_t> net,
                             std::span<const NetResult> nets) {
  std::vector<double> drops;
  make_room_in_parallel(drops, static_cast<std::int64_t>(voltage_v.size()));
  parallel_ranges(static_cast<std::int64_t>(drops.size()), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) drops[i] = net[i] < 0 ? 0.0 : drop_of(nets[net[i]], voltage_v[i]);
  });
  return drops;
}

void add_statistics(const NodeTable& nodes, std::vector<NetResult>& nets) {
  const auto net_of = [&](std::int64_t node) { return nodes.net[node]; };
  const auto count = static_cast<std::int64_t>(nets.size());
  const GroupedByKey groups(static_cast<std::int64_t>(nodes.net.size()), count, net_of);
  std::vector<NodeId> listed;
  make_room_in_parallel(listed, groups.start(count));
  groups.for_each_place(net_of,
                        [&](std::int64_t node, std::int64_t place) { listed[place] = static_cast<NodeId>(node); });
  for (std::int64_t k = 0; k < count; ++k) {
    const std::span<const NodeId> of_net(listed.data() + groups.start(k), listed.data() + groups.start(k + 1));
    add_statistics(nodes, of_net, nets[k]);
  }
}

}  // namespace gridiron
