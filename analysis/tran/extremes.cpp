// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/extremes.hpp"

#include <cmath>
#include <utility>

#include "analysis/results/net_statistics.hpp"
#include "analysis/tran/drop_of_node.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

Extremes::Extremes(const IrReport& dc, const Topology& topology, int64_t scenarios)
    : dc_(dc),
      topology_(topology),
      scenarios_(static_cast<size_t>(scenarios)),
      worst_(dc.nets.size() * scenarios_, {-HUGE_VAL, 0, kGround}),
      worst_moment_(-HUGE_VAL) {}

bool Extremes::add(int64_t j, std::span<const Largest> worst, double time) {
  bool is_worst_moment = false;
  for (size_t k = 0; k < worst.size(); ++k) {
    const auto [drop, node] = worst[k];
    ScenarioNet& of_scenario = worst_[static_cast<size_t>(j) * worst.size() + k];
    if (drop > of_scenario.worst_drop_v) of_scenario = {drop, time, static_cast<NodeId>(node)};
    if (drop <= worst_moment_) continue;
    worst_moment_ = drop;
    is_worst_moment = true;
  }
  if (!is_worst_moment) return false;
  moment_.time_s = time;
  moment_.scenario = static_cast<int32_t>(j);
  return true;
}

void Extremes::keep(const Potentials& deviation) {
  merged_.assign(deviation.merged.begin(), deviation.merged.end());
  held_.assign(deviation.held.begin(), deviation.held.end());
  group_ = deviation.group;
}

void Extremes::finish(TranReport& report, const std::vector<std::string>& names) && {
  const size_t nets = dc_.nets.size();
  for (size_t j = 0; j < scenarios_; ++j) {
    ScenarioResult& result = report.by_scenario.emplace_back();
    result.name = names.empty() ? std::to_string(j) : names[j];
    result.nets.assign(worst_.begin() + j * nets, worst_.begin() + (j + 1) * nets);
    for (ScenarioNet& net : result.nets)
      if (net.worst_node == kGround) net = {};
  }

  IrReport& grid = moment_.grid;
  grid.design = dc_.design;
  grid.circuit = dc_.circuit;
  grid.layer_names = dc_.layer_names;
  grid.dbu_per_um = dc_.dbu_per_um;
  grid.dbu_is_guess = dc_.dbu_is_guess;
  grid.nodes = dc_.nodes;
  grid.nets = dc_.nets;
  const Potentials deviation{merged_, group_, held_};
  parallel_each(std::ssize(deviation.group), [&](int64_t n) {
    const Drop kind = drop_kind(dc_, topology_, n);
    if (kind == Drop::none) {
      const bool is_inverted = n != kGround && topology_.nets.inverted[topology_.parts.part[n]];
      grid.nodes.voltage_v[n] += is_inverted ? -deviation[n] : deviation[n];
      return;
    }
    const double drop = drop_at_rest(dc_.nodes, kind, n) + sign_of(kind) * deviation[n];
    set_drop(dc_.nets[dc_.nodes.net[n]], drop, n, grid.nodes);
  });
  for (NetResult& net : grid.nets) net.layers.clear();
  add_statistics(grid.nodes, grid.nets);
  report.moment = std::move(moment_);
}

}  // namespace gridiron
