// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/net_parts.hpp"

#include "analysis/model/design.hpp"
#include "analysis/results/segments.hpp"
#include "analysis/results/summarise.hpp"
#include "support/union_find.hpp"

namespace gridiron {
namespace {

bool is_held(const Merge& merge, NodeId n) { return merge.group[n] >= merge.unknowns; }

}  // namespace

NetParts::NetParts(const System& system, std::span<const double> voltage_v)
    : system_(system), topology_(system.topology()), layer_(system.design()->places.layer) {
  net_ = node_table(system, voltage_v).net;
  for (NodeId n = 1; n < std::ssize(net_); ++n)
    if (const int32_t part = topology_.parts.part[n]; topology_.branches.has(n) && topology_.parts.anchored[part])
      net_[n] = topology_.nets.net_of(part, -1, voltage_v[n]);
  find_near_side();
}

bool NetParts::is_fed_by_ground(int64_t edge) const {
  const Network& network = topology_.grid.network;
  const NodeId a = network.a[edge], b = network.b[edge], n = a == kGround ? b : a;
  return (a == kGround || b == kGround) && net_[n] >= 0 && topology_.nets.nets[net_[n]].is_ground() &&
         !topology_.branches.is_leak(topology_.parts.part[n], network.conductance[edge]);
}

std::vector<int32_t> NetParts::joined_nodes() const {
  const Network& network = topology_.grid.network;
  UnionFind sets(std::ssize(net_));
  const auto join = [&](NodeId a, NodeId b) {
    if (net_[a] >= 0 && net_[a] == net_[b] && layer_[a] < 0 && layer_[b] < 0) sets.join(a, b);
  };
  for (int64_t e = 0; e < network.edges(); ++e) join(network.a[e], network.b[e]);
  for (int64_t t = 0; t < network.ties(); ++t) join(network.tie_a[t], network.tie_b[t]);
  std::vector<int32_t> joined(net_.size());
  for (int32_t n = 0; n < std::ssize(joined); ++n) joined[n] = sets.find(n);
  return joined;
}

void NetParts::find_near_side() {
  const Network& network = topology_.grid.network;
  const Sources& loads = system_.design()->circuit->current_sources;
  const std::vector<int32_t> joined = joined_nodes();
  std::vector<uint8_t> is_fed(net_.size(), 0), is_loaded(net_.size(), 0);
  for (NodeId n = 1; n < std::ssize(net_); ++n)
    if (is_held(topology_.merge, n)) is_fed[joined[n]] = 1;
  for (const AddedPad& pad : topology_.added_pads) is_fed[joined[pad.node]] = 1;
  for (int64_t e = 0; e < network.edges(); ++e)
    if (is_fed_by_ground(e)) is_fed[joined[network.a[e] == kGround ? network.b[e] : network.a[e]]] = 1;
  for (int64_t i = 0; i < loads.size(); ++i)
    for (const NodeId n : {loads.a[i], loads.b[i]})
      if (!is_held(topology_.merge, n)) is_loaded[joined[n]] = 1;
  is_near_.assign(net_.size(), 0);
  for (NodeId n = 1; n < std::ssize(net_); ++n)
    if (net_[n] >= 0 && layer_[n] < 0)
      is_near_[n] = is_held(topology_.merge, n) || (is_fed[joined[n]] && !is_loaded[joined[n]]);
}

NetParts::Place NetParts::place_of(int64_t edge, int32_t net) const {
  const Network& network = topology_.grid.network;
  const NodeId a = network.a[edge], b = network.b[edge];
  const bool is_fed = is_fed_by_ground(edge);
  const auto is_of_net = [&](NodeId n) { return n == kGround ? is_fed : net_[n] == net; };
  if (!is_of_net(a) || !is_of_net(b)) return {NetPart::sources, {}};
  if (is_near(a) && is_near(b)) return {NetPart::package, {}};
  if (is_near(a) || is_near(b)) return {NetPart::pads, {}};
  const LayerPair layers = ascending(layer_[a], layer_[b]);
  if (layers.layer < 0 || layers.other < 0) return {NetPart::unlayered, layers};
  return {layers.layer == layers.other ? NetPart::layer : NetPart::vias, layers};
}

}  // namespace gridiron
