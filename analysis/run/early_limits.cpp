// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/early_limits.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "analysis/results/net_statistics.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// The nets with what percentages refer to, where every ground net is that of the lowest supply.
std::vector<NetResult> nets_with_least_supplies(const System& system) {
  const std::vector<Net>& nets = system.topology().nets.nets;
  std::set<LoadedNets> all;
  for (int32_t power = 0; power < std::ssize(nets); ++power)
    for (int32_t ground = 0; ground < std::ssize(nets); ++ground)
      if (!nets[power].is_ground() && nets[ground].is_ground()) all.insert({power, ground, false});
  return net_list(system, all);
}

/// Of the nodes of a net, or of a layer of it.
struct Drops {
  int64_t nodes = 0, above = 0;
  double largest_v = -HUGE_VAL, sum_v = 0;
  void take(const Drops& more) {
    nodes += more.nodes;
    above += more.above;
    largest_v = std::max(largest_v, more.largest_v);
    sum_v += more.sum_v;
  }
};

/// Above how many of `nodes` drops a percentile by nearest rank lies; -1: the quantity is none.
double nodes_below(const std::string& quantity, double nodes) {
  for (const auto& [name, share] : {std::pair("p50", 0.5), {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}})
    if (quantity == name) return std::max(1.0, std::ceil(share * nodes)) - 1;
  return -1;
}

/// `quantity` as of LimitRequest.
bool may_exceed(const Drops& drops, const std::string& quantity, double limit_v) {
  constexpr double kRounding = 1e-9;
  if (drops.nodes == 0 || !(drops.largest_v > limit_v)) return false;
  const auto nodes = static_cast<double>(drops.nodes);
  if (quantity == "average") return drops.sum_v + kRounding * std::abs(drops.sum_v) > nodes * limit_v;
  const double below = nodes_below(quantity, nodes);
  return below < 0 || static_cast<double>(drops.above) >= nodes - below;
}

/// `net_at` and `drop_at` tell net and drop of a node.
bool may_exceed_any(const System& system, const std::vector<NetResult>& nets, const SummaryOptions& options,
                    auto&& net_at, auto&& drop_at) {
  const NodePlaces& places = system.design()->places;
  for (const LimitRequest& limit : options.limits) {
    const auto layer = std::ranges::find_if(places.layers, [&](auto& name) { return same_name(name, limit.layer); });
    const int32_t on = limit.layer.empty() ? -1 : static_cast<int32_t>(layer - places.layers.begin());
    for (int32_t k = 0; k < std::ssize(nets); ++k) {
      if (!limit.net.empty() && !same_name(limit.net, nets[k].name)) continue;
      if (!options.net.empty() && !same_name(options.net, nets[k].name)) continue;
      const double limit_v = limit.is_share ? limit.value * nets[k].supply_v : limit.value;
      const auto drops = joined_ranges<Drops>(
          std::ssize(places.layer),
          [&](int64_t begin, int64_t end) {
            Drops some;
            for (auto n = static_cast<NodeId>(begin); n < end; ++n) {
              if (n == kGround || (on >= 0 && places.layer[n] != on) || net_at(n) != k) continue;
              const double drop_v = drop_at(n, nets[k]);
              some.take({1, drop_v > limit_v, drop_v, drop_v});
            }
            return some;
          },
          [](Drops& so_far, const Drops& more) { so_far.take(more); });
      if (may_exceed(drops, limit.quantity, limit_v)) return true;
    }
  }
  return false;
}

}  // namespace

bool may_exceed_limits(const System& system, const Answer& answer, const SummaryOptions& options) {
  const Topology& t = system.topology();
  const NodePlaces& places = system.design()->places;
  return may_exceed_any(
      system, nets_with_least_supplies(system), options,
      [&](NodeId n) {
        const int32_t part = t.parts.part[n];
        if (!t.parts.anchored[part] || t.branches.has(n)) return -1;
        return t.nets.net_of(part, places.net[n], answer.voltage_v[n]);
      },
      [&](NodeId n, const NetResult& net) { return drop_of(net, answer.voltage_v[n]); });
}

bool may_exceed_limits(const System& system, const NodeTable& worst, const SummaryOptions& options) {
  if (worst.net.empty()) return false;
  return may_exceed_any(
      system, nets_with_least_supplies(system), options, [&](NodeId n) { return worst.net[n]; },
      [&](NodeId n, const NetResult&) { return worst.drop_v[n]; });
}

}  // namespace gridiron
