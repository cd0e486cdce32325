// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/over_time.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/parallel.hpp"

namespace gridiron {

OverTime::OverTime(const IrReport& dc, const Topology& topology, std::int64_t scenarios)
    : dc_(dc), row_(dc.nets.size()), nets_(dc.nets.size()), instances_(dc.instances) {
  const NodeTable& nodes = dc.nodes;
  const std::size_t count = nodes.voltage_v.size();
  kind_.assign(count, Drop::none);
  at_rest_.assign(count, 0.0);
  for (std::size_t n = 1; n < count; ++n) {
    if (nodes.net[n] < 0) continue;
    const NetResult& net = dc.nets[nodes.net[n]];
    const bool is_inverted = topology.nets.inverted[topology.parts.part[n]] != 0;
    kind_[n] = net.is_ground ? (is_inverted ? Drop::inverted_bounce : Drop::bounce)
                             : (net.nominal_v > 0 ? Drop::below : Drop::above);
    at_rest_[n] = net.is_ground ? nodes.voltage_v[n] : nodes.drop_v[n];
  }
  drops_.assign(count, 0.0);
  worst_.assign(count, 0.0);
  worst_time_.assign(count, 0.0);
  worst_scenario_.assign(count, 0);
  sum_.assign(count * static_cast<std::size_t>(scenarios), 0.0);
  squares_.assign(sum_.size(), 0.0);
  for (InstanceResult& instance : instances_) instance.combined_v = -HUGE_VAL;
}

/// The drop, or for ground nets the bounce with its sign.
double OverTime::signed_drop(std::size_t n, double deviation) const {
  switch (kind_[n]) {
    case Drop::below:
    case Drop::inverted_bounce:
      return at_rest_[n] - deviation;
    case Drop::above:
    case Drop::bounce:
      return at_rest_[n] + deviation;
    default:
      return 0;
  }
}

void OverTime::add(std::int64_t j, std::span<const double> deviation, double time, double weight) {
  if (j == 0) seconds_ += weight;
  const bool is_first = std::exchange(is_first_, false);
  constexpr std::int64_t kGrain = 1 << 14;
  const auto count = static_cast<std::int64_t>(deviation.size());
  const std::size_t nets = row_.size();
  std::vector<NetWorst> by_range(static_cast<std::size_t>((count + kGrain - 1) / kGrain) * nets);
  parallel_ranges(
      count,
      [&](std::int64_t begin, std::int64_t end) {
        NetWorst* const worst_of = by_range.data() + static_cast<std::size_t>(begin / kGrain) * nets;
        double* const sum = sum_.data() + j * count;
        double* const squares = squares_.data() + j * count;
        for (std::int64_t n = begin; n < end; ++n) {
          if (kind_[n] == Drop::none) continue;
          const double with_sign = signed_drop(n, deviation[n]);
          const double d = kind_[n] < Drop::bounce ? with_sign : std::abs(with_sign);
          drops_[n] = d;
          sum[n] += d * weight;
          squares[n] += d * d * weight;
          if (d > (kind_[n] < Drop::bounce ? worst_[n] : std::abs(worst_[n])) || is_first) {
            worst_[n] = with_sign;
            worst_time_[n] = time;
            worst_scenario_[n] = static_cast<std::int32_t>(j);
          }
          NetWorst& of_net = worst_of[dc_.nodes.net[n]];
          if (d > of_net.drop) of_net = {d, static_cast<NodeId>(n)};
        }
      },
      kGrain);
  for (std::size_t k = 0; k < by_range.size(); ++k)
    if (NetWorst& of_row = row_[k % nets]; by_range[k].drop > of_row.drop) of_row = by_range[k];
  for (InstanceResult& instance : instances_) {
    const double vdd = drops_[instance.power], gnd = drops_[instance.ground];
    if (vdd + gnd <= instance.combined_v) continue;
    instance.vdd_drop_v = vdd;
    instance.gnd_bounce_v = gnd;
    instance.combined_v = vdd + gnd;
  }
}

void OverTime::end_row() {
  for (std::size_t k = 0; k < row_.size(); ++k) {
    nets_[k].worst_drop_v.push_back(row_[k].node == kGround ? 0.0 : row_[k].drop);
    nets_[k].worst_node.push_back(row_[k].node);
    row_[k] = {};
  }
}

void OverTime::finish(TranReport& report) && {
  NodeTable& nodes = report.worst.nodes;
  const std::size_t count = nodes.voltage_v.size(), scenarios = sum_.size() / count;
  report.average_drop_v.assign(count, 0.0);
  report.rms_drop_v.assign(count, 0.0);
  for (std::size_t n = 1; n < count; ++n) {
    if (kind_[n] == Drop::none) continue;
    const NetResult& net = report.worst.nets[nodes.net[n]];
    nodes.drop_v[n] = net.is_ground ? std::abs(worst_[n]) : worst_[n];
    nodes.voltage_v[n] = net.is_ground ? worst_[n] : net.nominal_v - (net.nominal_v > 0 ? worst_[n] : -worst_[n]);
    for (std::size_t j = 0; j < scenarios; ++j) {
      const double average = sum_[j * count + n] / seconds_, rms = std::sqrt(squares_[j * count + n] / seconds_);
      if (j == 0 || average > report.average_drop_v[n]) report.average_drop_v[n] = average;
      report.rms_drop_v[n] = std::max(report.rms_drop_v[n], rms);
    }
  }
  if (scenarios > 1) nodes.vector = worst_scenario_;
  report.worst_time_s = std::move(worst_time_);
  report.worst_scenario = std::move(worst_scenario_);
  report.nets = std::move(nets_);
  report.worst.instances = std::move(instances_);
  sort_instances(report.worst.instances);
}

}  // namespace gridiron
