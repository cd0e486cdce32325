// SPDX-License-Identifier: Apache-2.0
#include "analysis/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "netlist/spice_number.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kQuantities[] = {"worst", "average", "p50", "p95", "p99", "p99.9"};

double drop_of(const NetResult& net, double voltage) {
  if (net.is_ground) return std::abs(voltage);
  return net.nominal_v > 0 ? net.nominal_v - voltage : voltage - net.nominal_v;
}

/// Smallest value with at least the share `p` of the values at or below it (nearest rank). Reorders `values`.
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

double quantity_of(const NetResult& net, std::string_view quantity) {
  if (quantity == "worst") return net.worst_drop_v;
  if (quantity == "average") return net.average_drop_v;
  if (quantity == "p50") return net.percentiles_v.p50;
  if (quantity == "p95") return net.percentiles_v.p95;
  if (quantity == "p99") return net.percentiles_v.p99;
  return net.percentiles_v.p999;
}

}  // namespace

LimitRequest parse_limit(const std::string& text) {
  LimitRequest limit;
  std::string value = text;
  if (const std::size_t equals = text.find('='); equals != std::string::npos) {
    limit.quantity = text.substr(0, equals);
    value = text.substr(equals + 1);
  }
  if (std::find(std::begin(kQuantities), std::end(kQuantities), limit.quantity) == std::end(kQuantities))
    throw InputError(fmt::format("--limit {}: unknown quantity '{}'; known are {}", text, limit.quantity,
                                 fmt::join(kQuantities, ", ")));
  limit.is_share = value.ends_with('%');
  if (limit.is_share) value.pop_back();
  const auto number = spice_number(value);
  if (!number || !(*number >= 0))
    throw InputError(fmt::format("--limit {}: expected a share like 5% or volts like 50mV", text));
  limit.value = limit.is_share ? *number / 100 : *number;
  return limit;
}

void summarise_drops(IrResult& result) {
  NodeTable& nodes = result.nodes;
  const std::int64_t n = static_cast<std::int64_t>(nodes.voltage_v.size());
  parallel_ranges(n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      nodes.drop_v[i] = nodes.net[i] < 0 ? 0.0 : drop_of(result.nets[nodes.net[i]], nodes.voltage_v[i]);
  });
  const NodesOfNets nodes_of(nodes.net, result.nets.size());
  parallel_tasks(static_cast<std::int64_t>(result.nets.size()), [&](std::int64_t k) {
    NetResult& net = result.nets[k];
    net.total_power_w = std::abs(net.load_current_a) * net.supply_v;
    std::vector<double> drops;
    std::map<std::uint32_t, LayerResult> layers;  // as unsigned number, so that −1, layer unknown, comes last
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
    net.percentiles_v = {percentile(drops, 0.5), percentile(drops, 0.95), percentile(drops, 0.99),
                         percentile(drops, 0.999)};
    for (auto& [_, layer] : layers) {
      layer.average_drop_v /= static_cast<double>(layer.nodes);
      net.layers.push_back(layer);
    }
  });
}

std::vector<InstanceResult> find_instances(const Circuit& circuit, const IrResult& result) {
  const Sources& sources = circuit.current_sources;
  const NodeTable& nodes = result.nodes;
  std::vector<InstanceResult> instances;
  const auto add = [&](std::string name, NodeId power, NodeId ground, double current) {
    if (nodes.net[power] < 0 || nodes.net[ground] < 0 || nodes.net[power] == nodes.net[ground]) return;
    const double drop = nodes.drop_v[power], bounce = nodes.drop_v[ground];
    instances.push_back({std::move(name), power, ground, drop, bounce, drop + bounce, current});
  };

  // `…_v` and `…_g` mostly follow each other; the rest is matched through the sorted list of what is left over.
  struct Half {
    std::string stem;
    std::int64_t index;
    bool is_power;
  };
  std::vector<Half> open;
  for (std::int64_t i = 0; i < sources.size(); ++i) {
    const NodeId a = sources.a[i], b = sources.b[i];
    if (a != kGround && b != kGround) {
      const bool a_is_power = nodes.net[a] >= 0 && !result.nets[nodes.net[a]].is_ground;
      add(circuit.element_name(kCurrentSource, i), a_is_power ? a : b, a_is_power ? b : a, std::abs(sources.value[i]));
      continue;
    }
    std::string name = circuit.element_name(kCurrentSource, i);
    if (name.size() < 3 || name[name.size() - 2] != '_') continue;
    const char side = static_cast<char>(name.back() | 0x20);
    if (side != 'v' && side != 'g') continue;
    name.resize(name.size() - 2);
    if (!open.empty() && open.back().stem == name && open.back().is_power != (side == 'v')) {
      const std::int64_t j = open.back().index;
      const std::int64_t v = side == 'v' ? i : j, g = side == 'v' ? j : i;
      add(std::move(name), sources.a[v] == kGround ? sources.b[v] : sources.a[v],
          sources.a[g] == kGround ? sources.b[g] : sources.a[g], std::abs(sources.value[v]));
      open.pop_back();
    } else {
      open.push_back({std::move(name), i, side == 'v'});
    }
  }
  std::stable_sort(open.begin(), open.end(), [](const Half& a, const Half& b) { return a.stem < b.stem; });
  for (std::size_t i = 0; i + 1 < open.size(); ++i) {
    if (open[i].stem != open[i + 1].stem || open[i].is_power == open[i + 1].is_power) continue;
    const std::int64_t v = open[i].is_power ? open[i].index : open[i + 1].index;
    const std::int64_t g = open[i].is_power ? open[i + 1].index : open[i].index;
    add(open[i].stem, sources.a[v] == kGround ? sources.b[v] : sources.a[v],
        sources.a[g] == kGround ? sources.b[g] : sources.a[g], std::abs(sources.value[v]));
    ++i;
  }
  std::stable_sort(instances.begin(), instances.end(),
                   [](const InstanceResult& a, const InstanceResult& b) { return a.combined_v > b.combined_v; });
  return instances;
}

std::vector<LimitResult> check_limits(const IrResult& result, const std::vector<LimitRequest>& limits) {
  std::vector<LimitResult> out;
  for (const LimitRequest& limit : limits) {
    for (const NetResult& net : result.nets) {
      if (net.nodes == 0) continue;
      if (limit.is_share && net.supply_v == 0)
        throw InputError(fmt::format(
            "net {} has no supply voltage that a limit in % could refer to; give --nominal NET=VOLTS of its power "
            "net, or the limit in volts",
            net.name));
      LimitResult r;
      r.quantity = limit.quantity;
      r.net = net.name;
      r.limit_v = limit.is_share ? limit.value * net.supply_v : limit.value;
      r.value_v = quantity_of(net, limit.quantity);
      r.exceeded = r.value_v > r.limit_v;
      out.push_back(r);
    }
  }
  return out;
}

}  // namespace gridiron
