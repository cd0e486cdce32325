// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

double drop_of(const NetResult& net, double voltage) {
  if (net.is_ground) return std::abs(voltage);
  return net.nominal_v > 0 ? net.nominal_v - voltage : voltage - net.nominal_v;
}

/// Smallest value such that at least a fraction `p` of the values are at or below it (nearest rank). Reorders `values`.
double percentile(std::vector<double>& values, double p) {
  const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(p * static_cast<double>(values.size()))));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank - 1), values.end());
  return values[rank - 1];
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

/// The nodes of each net, ascending.
class NodesOfNets {
 public:
  NodesOfNets(const std::vector<std::int32_t>& net, std::size_t nets) : start_(nets + 1, 0) {
    for (const std::int32_t n : net)
      if (n >= 0) ++start_[n + 1];
    for (std::size_t k = 0; k < nets; ++k) start_[k + 1] += start_[k];
    node_.resize(start_[nets]);
    std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < net.size(); ++i)
      if (net[i] >= 0) node_[next[net[i]]++] = static_cast<NodeId>(i);
  }

  std::span<const NodeId> operator[](std::int64_t k) const {
    return {node_.data() + start_[k], static_cast<std::size_t>(start_[k + 1] - start_[k])};
  }

 private:
  std::vector<std::int64_t> start_;
  std::vector<NodeId> node_;
};

}  // namespace

Percentiles percentiles_of(std::vector<double>& drops) {
  return {percentile(drops, 0.5), percentile(drops, 0.95), percentile(drops, 0.99), percentile(drops, 0.999)};
}

std::vector<double> drops_of(std::span<const double> voltage_v, std::span<const std::int32_t> net,
                             std::span<const NetResult> nets) {
  std::vector<double> drops(voltage_v.size());
  parallel_ranges(static_cast<std::int64_t>(drops.size()), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) drops[i] = net[i] < 0 ? 0.0 : drop_of(nets[net[i]], voltage_v[i]);
  });
  return drops;
}

void add_statistics(const NodeTable& nodes, std::vector<NetResult>& nets) {
  const NodesOfNets nodes_of(nodes.net, nets.size());
  parallel_tasks(static_cast<std::int64_t>(nets.size()), [&](std::int64_t k) {
    NetResult& net = nets[k];
    net.total_power_w = std::abs(net.load_current_a) * net.supply_v;
    std::vector<double> drops;
    std::map<std::uint32_t, LayerResult> layers;  // unsigned, so that −1 (layer unknown) comes last
    LayerResult all;
    LayerResult* of_layer = nullptr;
    double volts = 0;
    for (const NodeId node : nodes_of[k]) {
      const double drop = nodes.drop_v[node];
      drops.push_back(drop);
      volts += nodes.voltage_v[node];
      add_to_layer(all, node, drop);
      if (!of_layer || of_layer->layer != nodes.layer[node]) {
        of_layer = &layers[static_cast<std::uint32_t>(nodes.layer[node])];
        of_layer->layer = nodes.layer[node];
      }
      add_to_layer(*of_layer, node, drop);
    }
    if (drops.empty()) return;
    const double count = static_cast<double>(drops.size());
    net.nodes = all.nodes;
    net.worst_drop_v = all.worst_drop_v;
    net.worst_node = all.worst_node;
    net.worst_voltage_v = nodes.voltage_v[all.worst_node];
    net.average_drop_v = all.average_drop_v / count;
    net.average_voltage_v = volts / count;
    net.percentiles_v = percentiles_of(drops);
    for (auto& [_, layer] : layers) {
      layer.average_drop_v /= static_cast<double>(layer.nodes);
      net.layers.push_back(layer);
    }
  });
}

}  // namespace gridiron
