// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/extremes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/ir/statistics.hpp"
#include "support/parallel.hpp"

namespace gridiron {

Extremes::Extremes(const IrReport& dc, const Topology& topology, std::int64_t scenarios)
    : dc_(dc),
      scenarios_(static_cast<std::size_t>(scenarios)),
      drops_(dc, topology),
      worst_(dc.nets.size() * scenarios_, {-HUGE_VAL, 0, kGround}),
      least_(drops_.rest.size(), 0.0),
      worst_moment_(-HUGE_VAL) {}

void Extremes::add(std::int64_t j, const Potentials& deviation, double time) {
  constexpr std::int64_t kGrain = 1 << 14;
  const auto count = static_cast<std::int64_t>(deviation.size());
  const std::size_t nets = dc_.nets.size();
  std::vector<ScenarioNet> by_range(static_cast<std::size_t>((count + kGrain - 1) / kGrain) * nets,
                                    {-HUGE_VAL, 0, kGround});
  parallel_ranges(
      count,
      [&](std::int64_t begin, std::int64_t end) {
        ScenarioNet* const worst_of = by_range.data() + static_cast<std::size_t>(begin / kGrain) * nets;
        for (std::int64_t n = begin; n < end; ++n) {
          if (drops_.sign[n] == 0) continue;
          const double with_sign = drops_.at(n, deviation[n]);
          least_[n] = std::min(least_[n], with_sign);
          const double drop = drops_.is_bounce[n] ? std::abs(with_sign) : with_sign;
          ScenarioNet& worst = worst_of[dc_.nodes.net[n]];
          if (drop > worst.worst_drop_v) worst = {drop, time, static_cast<NodeId>(n)};
        }
      },
      kGrain);
  bool is_worst_moment = false;
  for (std::size_t k = 0; k < by_range.size(); ++k) {
    ScenarioNet& worst = worst_[static_cast<std::size_t>(j) * nets + k % nets];
    if (by_range[k].worst_drop_v > worst.worst_drop_v) worst = by_range[k];
    if (by_range[k].worst_drop_v <= worst_moment_) continue;
    worst_moment_ = by_range[k].worst_drop_v;
    is_worst_moment = true;
  }
  if (!is_worst_moment) return;
  moment_.time_s = time;
  moment_.scenario = static_cast<std::int32_t>(j);
  deviation_.resize(deviation.size());
  for (std::size_t n = 0; n < deviation_.size(); ++n) deviation_[n] = deviation[n];
}

void Extremes::finish(TranReport& report, const std::vector<std::string>& names) && {
  const std::size_t nets = dc_.nets.size();
  for (std::size_t j = 0; j < scenarios_; ++j) {
    ScenarioResult& result = report.by_scenario.emplace_back();
    result.name = names.empty() ? std::to_string(j) : names[j];
    result.nets.assign(worst_.begin() + static_cast<std::ptrdiff_t>(j * nets),
                       worst_.begin() + static_cast<std::ptrdiff_t>((j + 1) * nets));
    for (ScenarioNet& net : result.nets)
      if (net.worst_node == kGround) net = {};
  }

  report.overshoot_v = std::move(least_);
  for (std::size_t n = 0; n < report.overshoot_v.size(); ++n) {
    double& overshoot = report.overshoot_v[n];
    overshoot = std::max(0.0, -overshoot);
    if (dc_.nodes.net[n] < 0) continue;
    NetOverTime& net = report.nets[dc_.nodes.net[n]];
    if (overshoot <= net.overshoot_v) continue;
    net.overshoot_v = overshoot;
    net.overshoot_node = static_cast<NodeId>(n);
  }

  IrReport& grid = moment_.grid;
  grid.design = dc_.design;
  grid.circuit = dc_.circuit;
  grid.layer_names = dc_.layer_names;
  grid.dbu_per_um = dc_.dbu_per_um;
  grid.dbu_is_guess = dc_.dbu_is_guess;
  grid.nodes = dc_.nodes;
  grid.nets = dc_.nets;
  for (std::size_t n = 1; n < deviation_.size(); ++n) {
    if (drops_.sign[n] == 0) continue;
    const double drop = drops_.at(n, deviation_[n]), nominal = dc_.nets[dc_.nodes.net[n]].nominal_v;
    grid.nodes.drop_v[n] = drops_.is_bounce[n] ? std::abs(drop) : drop;
    grid.nodes.voltage_v[n] = drops_.is_bounce[n] ? drop : nominal - (nominal > 0 ? drop : -drop);
  }
  for (NetResult& net : grid.nets) net.layers.clear();
  add_statistics(grid.nodes, grid.nets);
  report.moment = std::move(moment_);
}

}  // namespace gridiron
