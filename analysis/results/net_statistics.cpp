// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/net_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "linalg/shares.hpp"
#include "support/ordered_bits.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// As select(), of values that one thread selects from in less time.
void select_from_few(std::span<const double> values, std::span<const int64_t> ranks, double* found) {
  std::vector<uint64_t> bits(values.size());
  std::ranges::transform(values, bits.begin(), [](double value) { return ordered_bits(value); });
  auto first = bits.begin();
  for (const int64_t rank : ranks) {
    const auto wanted = bits.begin() + rank;
    if (wanted >= first) std::nth_element(first, wanted, bits.end());
    *found++ = from_ordered_bits(*wanted);
    first = std::max(first, wanted + 1);
  }
}

/// found[k] becomes the value that comes after ranks[k] others, of those that all processes pass; ranks ascend. Radix
/// selection: values have the bits of `known` above the byte at `shift` in common, and only those go on that share this
/// byte with one of the wanted ones.
void select(std::span<const double> values, uint64_t known, int shift, std::span<int64_t> ranks, double* found,
            const Shares* all) {
  constexpr int64_t kBytes = 256;
  if (shift < 0) {
    std::fill_n(found, ranks.size(), from_ordered_bits(known));
    return;
  }
  constexpr int64_t kFew = 1 << 17;
  if (!all && std::ssize(values) <= kFew) return select_from_few(values, ranks, found);
  const auto byte_of = [&](int64_t i) { return static_cast<int64_t>(ordered_bits(values[i]) >> shift & (kBytes - 1)); };
  const GroupedByKey groups(std::ssize(values), kBytes, byte_of);
  std::vector<double> counts;
  for (int64_t b = 0; b < kBytes; ++b) counts.push_back(static_cast<double>(groups.start(b + 1) - groups.start(b)));
  if (all) all->sum(counts);
  int64_t before = 0;
  for (int64_t b = 0; b < kBytes && !ranks.empty(); ++b) {
    const auto after = before + static_cast<int64_t>(counts[b]);
    size_t here = 0;
    for (; here < ranks.size() && ranks[here] < after; ++here) ranks[here] -= before;
    before = after;
    if (here == 0) continue;
    std::vector<double> some;
    std::span<const double> of_byte = values;
    if (groups.start(b + 1) - groups.start(b) < std::ssize(values))
      of_byte = some = parallel_list<double>(std::ssize(values), [&](int64_t i, auto& list) {
        if (byte_of(i) == b) list.push_back(values[i]);
      });
    select(of_byte, known | static_cast<uint64_t>(b) << shift, shift - 8, ranks.first(here), found, all);
    ranks = ranks.subspan(here);
    found += here;
  }
}

NetStatistics statistics_of(const NodeTable& nodes, std::span<const NodeId> some) {
  NetStatistics of_some;
  Statistics* of_layer = nullptr;
  int32_t layer = 0;
  for (const NodeId node : some) {
    of_some.volts += nodes.voltage_v[node];
    of_some.drops.add(nodes.drop_v[node], node);
    if (!of_layer || layer != nodes.layer[node]) {
      layer = nodes.layer[node];
      of_layer = &of_some.layers[static_cast<uint32_t>(layer)];
    }
    of_layer->add(nodes.drop_v[node], node);
  }
  return of_some;
}

DropSummary summary_of(const Statistics& drops) {
  return {drops.largest.value, drops.average(), static_cast<NodeId>(drops.largest.at)};
}

}  // namespace

void NetStatistics::take(const NetStatistics& other) {
  drops.take(other.drops);
  volts += other.volts;
  loads.take(other.loads);
  reversed.take(other.reversed);
  pads.take(other.pads);
  for (const auto& [layer, of_layer] : other.layers) layers[layer].take(of_layer);
}

Percentiles percentiles_of(std::span<const double> drops, const Shares* all) {
  double count = drops.size();
  if (all) all->sum({&count, 1});
  if (count == 0) return {};
  std::vector<int64_t> ranks;
  for (const double p : {0.5, 0.95, 0.99, 0.999})
    ranks.push_back(static_cast<int64_t>(std::max(1.0, std::ceil(p * count))) - 1);
  double found[4];
  select(drops, 0, 56, ranks, found, all);
  return {found[0], found[1], found[2], found[3]};
}

double drop_of(const NetResult& net, double voltage_v) {
  if (net.is_ground) return std::abs(voltage_v);
  return net.nominal_v > 0 ? net.nominal_v - voltage_v : voltage_v - net.nominal_v;
}

std::vector<double> drops_of(std::span<const double> voltage_v, std::span<const int32_t> net,
                             std::span<const NetResult> nets) {
  std::vector<double> drops;
  make_room_in_parallel(drops, std::ssize(voltage_v));
  parallel_each(std::ssize(drops),
                [&](int64_t i) { drops[i] = net[i] < 0 ? 0.0 : drop_of(nets[net[i]], voltage_v[i]); });
  return drops;
}

std::vector<AddedSupply> added_supplies(std::span<const AddedPad> pads, const NodeTable& nodes,
                                        std::span<const NetResult> nets) {
  std::vector<AddedSupply> supplies;
  for (const AddedPad& pad : pads)
    if (const int32_t net = nodes.net[pad.node]; net >= 0)
      supplies.push_back({pad.node, net, pad.volts, drop_of(nets[net], pad.volts)});
  return supplies;
}

std::vector<NetStatistics> drop_statistics(const NodeTable& nodes, size_t nets, const Shares* all,
                                           std::span<const AddedSupply> supplies) {
  const auto net_of = [&](int64_t node) { return nodes.net[node]; };
  const int64_t count = nets;
  const GroupedByKey groups(std::ssize(nodes.net), count, net_of);
  std::vector<NodeId> listed;
  make_room_in_parallel(listed, groups.start(count));
  groups.for_each_place(net_of, [&](int64_t node, int64_t place) { listed[place] = static_cast<NodeId>(node); });
  std::vector<NetStatistics> statistics;
  for (int64_t k = 0; k < count; ++k) {
    const std::span<const NodeId> of_net(listed.data() + groups.start(k), listed.data() + groups.start(k + 1));
    NetStatistics& net = statistics.emplace_back(joined_ranges<NetStatistics>(
        std::ssize(of_net),
        [&](int64_t begin, int64_t end) { return statistics_of(nodes, of_net.subspan(begin, end - begin)); },
        [](NetStatistics& so_far, const NetStatistics& some) { so_far.take(some); }));
    std::vector<double> drops;
    make_room_in_parallel(drops, std::ssize(of_net));
    parallel_each(std::ssize(of_net), [&](int64_t i) { drops[i] = nodes.drop_v[of_net[i]]; });
    for (const AddedSupply& supply : supplies) {
      if (supply.net != k) continue;
      net.drops.add(supply.drop_v, supply.node);
      net.layers[static_cast<uint32_t>(-1)].add(supply.drop_v, supply.node);
      net.volts += supply.volts;
      drops.push_back(supply.drop_v);
    }
    net.percentiles = percentiles_of(drops, all);
  }
  return statistics;
}

void add_statistics(const std::vector<NetStatistics>& statistics, std::span<const double> voltage_v,
                    std::vector<NetResult>& nets) {
  for (size_t k = 0; k < nets.size(); ++k) {
    const NetStatistics& of_net = statistics[k];
    NetResult& net = nets[k];
    net.loads += of_net.loads.count;
    net.load_current_a += of_net.loads.sum;
    net.reversed_loads += of_net.reversed.count;
    net.reversed_current_a += of_net.reversed.sum;
    if (of_net.reversed.count > 0) net.reversed_node = static_cast<NodeId>(of_net.reversed.largest.at);
    net.pads += of_net.pads.count;
    net.pad_current_a += of_net.pads.sum;
    net.total_power_w = std::abs(net.load_current_a) * net.supply_v;
    if (of_net.drops.count == 0) continue;
    static_cast<DropSummary&>(net) = summary_of(of_net.drops);
    net.nodes = of_net.drops.count;
    net.worst_voltage_v = voltage_v[net.worst_node];
    net.average_voltage_v = of_net.volts / net.nodes;
    net.percentiles_v = of_net.percentiles;
    for (const auto& [layer, drops] : of_net.layers) {
      LayerResult& of_layer = net.layers.emplace_back();
      static_cast<DropSummary&>(of_layer) = summary_of(drops);
      of_layer.layer = static_cast<int32_t>(layer);
      of_layer.nodes = drops.count;
      of_layer.least_drop_v = drops.least;
    }
  }
}

}  // namespace gridiron
