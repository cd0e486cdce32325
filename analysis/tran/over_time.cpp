// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/over_time.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/tran/sources_over_time.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr std::int64_t kGrain = 1 << 14;  ///< classes that one thread takes at once; so few are not worth a second one

}  // namespace

OverTime::OverTime(const IrReport& dc, const Topology& topology, const Merge& merge, std::int64_t scenarios)
    : dc_(dc),
      do_sources_move_(do_sources_move(*dc.circuit)),
      row_(dc.nets.size()),
      of_state_(dc.nets.size()),
      nets_(dc.nets.size()) {
  find_classes(topology, merge);
  order_classes();
  const std::size_t classes = lowest_.size();
  drops_.assign(classes, 0.0);
  worst_.assign(classes, 0.0);
  least_.assign(classes, 0.0);
  worst_time_.assign(classes, 0.0);
  worst_scenario_.assign(classes, 0);
  sum_.assign(classes * static_cast<std::size_t>(scenarios), 0.0);
  squares_.assign(sum_.size(), 0.0);
  if (do_sources_move_) of_nodes_.resize(class_of_.size());
  for (const InstanceResult& instance : dc.instances)
    of_instance_.push_back({class_of_[instance.power], class_of_[instance.ground], -HUGE_VAL, 0});
}

void OverTime::find_classes(const Topology& topology, const Merge& merge) {
  constexpr int kLooks = 8;  // at classes of a group, which are few as a rule
  const NodeTable& nodes = dc_.nodes;
  const std::size_t count = nodes.voltage_v.size();
  class_of_.assign(count, -1);
  const std::int32_t held = merge.unknowns;
  std::vector<std::int32_t> last_of_group(static_cast<std::size_t>(held) + 1, -1), before;
  for (std::size_t n = 1; n < count; ++n) {
    if (nodes.net[n] < 0) continue;
    const NetResult& net = dc_.nets[nodes.net[n]];
    const bool is_inverted = topology.nets.inverted[topology.parts.part[n]] != 0;
    const Drop kind = net.is_ground ? (is_inverted ? Drop::inverted_bounce : Drop::bounce)
                                    : (net.nominal_v > 0 ? Drop::below : Drop::above);
    const double at_rest = net.is_ground ? nodes.voltage_v[n] : nodes.drop_v[n];
    const std::int32_t group = std::min(merge.group[n], held);
    std::int32_t found = do_sources_move_ ? -1 : last_of_group[group];
    const auto is_same = [&](std::int32_t c) {
      return at_rest_[c] == at_rest && kind_[c] == kind && nodes.net[lowest_[c]] == nodes.net[n];
    };
    for (int look = 1; found >= 0 && !is_same(found); ++look) found = look < kLooks ? before[found] : -1;
    if (found < 0) {
      found = static_cast<std::int32_t>(lowest_.size());
      before.push_back(std::exchange(last_of_group[group], found));
      lowest_.push_back(static_cast<NodeId>(n));
      place_.push_back(do_sources_move_ ? static_cast<std::int32_t>(n) : (group < held ? group : -1));
      kind_.push_back(kind);
      at_rest_.push_back(at_rest);
    }
    class_of_[n] = found;
  }
}

/// By net and kind, otherwise by lowest node.
void OverTime::order_classes() {
  constexpr std::size_t kKeysPerNet = 10;
  const auto key = [&](std::int32_t c) {
    return static_cast<std::size_t>(dc_.nodes.net[lowest_[c]]) * kKeysPerNet + static_cast<std::size_t>(kind_[c]) * 2 +
           (place_[c] >= 0 ? 1 : 0);
  };
  const auto classes = static_cast<std::int32_t>(lowest_.size());
  std::vector<std::int64_t> at(dc_.nets.size() * kKeysPerNet + 1, 0);
  for (std::int32_t c = 0; c < classes; ++c) ++at[key(c) + 1];
  for (std::size_t k = 1; k < at.size(); ++k) {
    at[k] += at[k - 1];
    for (std::int64_t begin = at[k - 1]; begin < at[k]; begin += kGrain)
      ranges_.push_back({begin, std::min(begin + kGrain, at[k]), static_cast<std::int32_t>((k - 1) / kKeysPerNet),
                         static_cast<Drop>((k - 1) % kKeysPerNet / 2), (k - 1) % 2 == 1});
  }
  of_range_.resize(ranges_.size());
  std::vector<std::int32_t> position(lowest_.size());
  for (std::int32_t c = 0; c < classes; ++c) position[c] = static_cast<std::int32_t>(at[key(c)]++);
  const auto move = [&](auto& of_class) {
    auto moved = of_class;
    for (std::int32_t c = 0; c < classes; ++c) moved[position[c]] = of_class[c];
    of_class = std::move(moved);
  };
  move(lowest_), move(place_), move(kind_), move(at_rest_);
  for (std::int32_t& c : class_of_)
    if (c >= 0) c = position[c];
}

template <OverTime::Drop kKind>
NetWorst OverTime::add_range(const Range& range, const double* volts, std::int64_t j, double time, double weight) {
  constexpr double kSign = kKind == Drop::below || kKind == Drop::inverted_bounce ? -1 : 1;
  const bool is_first = is_first_;
  const auto scenario = static_cast<std::int32_t>(j);
  double* const sum = sum_.data() + j * std::ssize(lowest_);
  double* const squares = squares_.data() + j * std::ssize(lowest_);
  double most = -HUGE_VAL;
  std::int64_t at_most = range.begin;
  for (std::int64_t c = range.begin; c < range.end; ++c) {
    const double with_sign = at_rest_[c] + (range.moves ? kSign * volts[place_[c]] : 0.0);
    const double d = is_bounce(kKind) ? std::abs(with_sign) : with_sign;
    drops_[c] = d;
    sum[c] += d * weight;
    squares[c] += d * d * weight;
    if (d > (is_bounce(kKind) ? std::abs(worst_[c]) : worst_[c]) || is_first) {
      worst_[c] = with_sign;
      worst_time_[c] = time;
      worst_scenario_[c] = scenario;
    }
    if (with_sign < least_[c]) least_[c] = with_sign;
    if (d > most) most = d, at_most = c;
  }
  return {most, lowest_[at_most]};
}

std::span<const NetWorst> OverTime::add(std::int64_t j, const Potentials& deviation, double time, double weight) {
  if (j == 0) seconds_ += weight;
  if (do_sources_move_)
    parallel_ranges(std::ssize(of_nodes_), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n) of_nodes_[n] = deviation[n];
    });
  const double* const volts = do_sources_move_ ? of_nodes_.data() : deviation.merged.data();
  const auto add_to = [&](std::int64_t r) {
    const Range& range = ranges_[r];
    of_range_[r] = range.kind == Drop::below    ? add_range<Drop::below>(range, volts, j, time, weight)
                   : range.kind == Drop::above  ? add_range<Drop::above>(range, volts, j, time, weight)
                   : range.kind == Drop::bounce ? add_range<Drop::bounce>(range, volts, j, time, weight)
                                                : add_range<Drop::inverted_bounce>(range, volts, j, time, weight);
  };
  if (std::ssize(lowest_) > kGrain)
    parallel_tasks(std::ssize(ranges_), add_to);
  else
    for (std::int64_t r = 0; r < std::ssize(ranges_); ++r) add_to(r);
  is_first_ = false;
  of_state_.assign(of_state_.size(), {});
  for (std::size_t r = 0; r < ranges_.size(); ++r) of_state_[ranges_[r].net].take(of_range_[r]);
  for (std::size_t k = 0; k < row_.size(); ++k) row_[k].take(of_state_[k]);
  parallel_ranges(std::ssize(of_instance_), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      InstanceWorst& worst = of_instance_[k];
      const double drop = drop_of(worst.power), bounce = drop_of(worst.ground);
      if (drop + bounce > worst.drop + worst.bounce) worst.drop = drop, worst.bounce = bounce;
    }
  });
  return of_state_;
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
  const std::size_t count = nodes.voltage_v.size(), classes = lowest_.size(),
                    scenarios = classes > 0 ? sum_.size() / classes : 1;
  report.nets = std::move(nets_);
  report.average_drop_v.assign(count, 0.0);
  report.rms_drop_v.assign(count, 0.0);
  report.overshoot_v.assign(count, 0.0);
  report.worst_time_s.assign(count, 0.0);
  report.worst_scenario.assign(count, 0);
  for (std::size_t n = 1; n < count; ++n) {
    const std::int32_t c = class_of_[n];
    if (c < 0) continue;
    const NetResult& net = report.worst.nets[nodes.net[n]];
    nodes.drop_v[n] = net.is_ground ? std::abs(worst_[c]) : worst_[c];
    nodes.voltage_v[n] = net.is_ground ? worst_[c] : net.nominal_v - (net.nominal_v > 0 ? worst_[c] : -worst_[c]);
    report.overshoot_v[n] = 0.0 - least_[c];
    if (NetOverTime& of_net = report.nets[nodes.net[n]]; report.overshoot_v[n] > of_net.overshoot_v) {
      of_net.overshoot_v = report.overshoot_v[n];
      of_net.overshoot_node = static_cast<NodeId>(n);
    }
    report.worst_time_s[n] = worst_time_[c];
    report.worst_scenario[n] = worst_scenario_[c];
    for (std::size_t j = 0; j < scenarios; ++j) {
      const double average = sum_[j * classes + c] / seconds_, rms = std::sqrt(squares_[j * classes + c] / seconds_);
      if (j == 0 || average > report.average_drop_v[n]) report.average_drop_v[n] = average;
      report.rms_drop_v[n] = std::max(report.rms_drop_v[n], rms);
    }
  }
  if (scenarios > 1) nodes.vector = report.worst_scenario;
  for (std::size_t k = 0; k < of_instance_.size(); ++k) {
    InstanceResult& instance = report.worst.instances[k];
    instance.vdd_drop_v = of_instance_[k].drop;
    instance.gnd_bounce_v = of_instance_[k].bounce;
    instance.combined_v = of_instance_[k].drop + of_instance_[k].bounce;
  }
  sort_instances(report.worst.instances);
}

}  // namespace gridiron
