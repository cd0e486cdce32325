// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/over_time.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/tran/drop_of_node.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr int64_t kClassesAtOnce =
    1 << 14;  ///< classes that one thread takes at once; so few are not worth a second one

}  // namespace

OverTime::OverTime(const IrReport& dc, const Topology& topology, const Merge& merge, bool are_nodes_apart,
                   int64_t scenarios, OnState on_state)
    : dc_(dc),
      are_nodes_apart_(are_nodes_apart),
      group_(merge.group),
      on_state_(std::move(on_state)),
      scenarios_(scenarios),
      row_(dc.nets.size()),
      of_state_(dc.nets.size()),
      nets_(dc.nets.size()) {
  find_classes(topology, merge);
  order_classes();
  if (are_nodes_apart_) {
    nodes_.resize(class_of_.size());
    std::iota(nodes_.begin(), nodes_.end(), 0);
    group_ = nodes_;
  }
  for (const InstanceResult& instance : dc.instances)
    of_instance_.push_back({follower(class_of_[instance.power]), follower(class_of_[instance.ground])});
}

void OverTime::find_classes(const Topology& topology, const Merge& merge) {
  constexpr int kLooks = 8;  // at classes of a group, which are few as a rule
  const NodeTable& nodes = dc_.nodes;
  const size_t count = nodes.voltage_v.size();
  class_of_.assign(count, -1);
  const int32_t held = merge.unknowns;
  std::vector<int32_t> last_of_group(static_cast<size_t>(held) + 1, -1), before;
  for (size_t n = 1; n < count; ++n) {
    const Drop kind = drop_kind(dc_, topology, static_cast<int64_t>(n));
    if (kind == Drop::none) continue;
    const double at_rest = drop_at_rest(nodes, kind, static_cast<int64_t>(n));
    const int32_t group = std::min(merge.group[n], held);
    int32_t found = are_nodes_apart_ ? -1 : last_of_group[group];
    const auto is_same = [&](int32_t c) {
      return classes_.at_rest[c] == at_rest && kind_[c] == kind && nodes.net[classes_.lowest[c]] == nodes.net[n];
    };
    for (int look = 1; found >= 0 && !is_same(found); ++look) found = look < kLooks ? before[found] : -1;
    if (found < 0) {
      found = static_cast<int32_t>(classes_.lowest.size());
      before.push_back(std::exchange(last_of_group[group], found));
      classes_.lowest.push_back(static_cast<NodeId>(n));
      classes_.place.push_back(are_nodes_apart_ ? static_cast<int32_t>(n) : (group < held ? group : -1));
      kind_.push_back(kind);
      classes_.at_rest.push_back(at_rest);
    }
    class_of_[n] = found;
  }
}

/// Orders classes by net and kind, otherwise by lowest node.
void OverTime::order_classes() {
  constexpr size_t kKeysPerNet = 10;
  const auto key = [&](int32_t c) {
    return static_cast<size_t>(dc_.nodes.net[classes_.lowest[c]]) * kKeysPerNet + static_cast<size_t>(kind_[c]) * 2 +
           (classes_.place[c] >= 0 ? 1 : 0);
  };
  const int32_t classes = classes_.lowest.size();
  std::vector<int64_t> at(dc_.nets.size() * kKeysPerNet + 1, 0);
  for (int32_t c = 0; c < classes; ++c) ++at[key(c) + 1];
  for (size_t k = 1; k < at.size(); ++k) {
    at[k] += at[k - 1];
    for (int64_t begin = at[k - 1]; begin < at[k]; begin += kClassesAtOnce)
      classes_.ranges.push_back({begin, std::min(begin + kClassesAtOnce, at[k]),
                                 static_cast<int32_t>((k - 1) / kKeysPerNet),
                                 static_cast<Drop>((k - 1) % kKeysPerNet / 2), (k - 1) % 2 == 1});
  }
  of_range_.resize(classes_.ranges.size());
  std::vector<int32_t> position(classes_.lowest.size());
  for (int32_t c = 0; c < classes; ++c) position[c] = static_cast<int32_t>(at[key(c)]++);
  const auto move = [&](auto& of_class) {
    auto moved = of_class;
    for (int32_t c = 0; c < classes; ++c) moved[position[c]] = of_class[c];
    of_class = std::move(moved);
  };
  move(classes_.lowest), move(classes_.place), move(kind_), move(classes_.at_rest);
  for (int32_t& c : class_of_)
    if (c >= 0) c = position[c];
}

void OverTime::make_room() {
  const size_t classes = classes_.lowest.size();
  for (std::vector<double>* figure : {&figures_.worst, &figures_.least, &figures_.worst_time})
    figure->assign(classes, 0.0);
  figures_.worst_scenario.assign(classes, 0);
  sum_.assign(classes * static_cast<size_t>(scenarios_), 0.0);
  squares_.assign(sum_.size(), 0.0);
}

void OverTime::add(int64_t j, const Potentials& deviation, double time, double weight) {
  if (sum_.empty()) make_room();
  if (j == 0) seconds_ += weight;
  State state{j, time, weight, deviation.merged, group_};
  if (are_nodes_apart_) {
    volts_.resize(nodes_.size());
    parallel_each(std::ssize(nodes_), [&](int64_t n) { volts_[n] = deviation[n]; });
    state.volts = volts_;
  }
  count(state);
}

void OverTime::add(int64_t j, std::span<const Largest> worst) {
  if (j == 0) now_.assign(row_.size(), {});
  for (size_t k = 0; k < row_.size(); ++k) {
    row_[k].take(worst[k]);
    now_[k].take(worst[k]);
  }
}

void OverTime::end_row() {
  const auto drop = [](const Largest& worst) { return worst.at == kGround ? 0.0 : worst.value; };
  for (size_t k = 0; k < row_.size(); ++k) {
    NetOverTime& net = nets_[k];
    net.worst_drop_v.push_back(drop(row_[k]));
    net.worst_node.push_back(static_cast<NodeId>(row_[k].at));
    net.drop_v.push_back(drop(now_[k]));
    net.node.push_back(static_cast<NodeId>(now_[k].at));
    row_[k] = {};
  }
}

/// Counts the classes of a range, in blocks that stay in the nearest cache.
template <Drop kKind>
Largest OverTime::count_range(const Range& range, const State& state) {
  constexpr int64_t kTogether = 512;
  constexpr double kSign = sign_of(kKind);
  const auto size = [](double signed_drop) { return is_bounce(kKind) ? std::abs(signed_drop) : signed_drop; };
  double drop[kTogether];
  Largest worst;
  for (int64_t begin = range.begin; begin < range.end; begin += kTogether) {
    const int64_t n = std::min(kTogether, range.end - begin), of_scenario = state.scenario * classes_.size();
    const double *const at_rest = classes_.at_rest.data() + begin, *const most = figures_.worst.data() + begin,
                        *const least = figures_.least.data() + begin;
    double *const sum = sum_.data() + of_scenario + begin, *const square = squares_.data() + of_scenario + begin;
    const int32_t* const place = classes_.place.data() + begin;
    if (range.moves)
      for (int64_t i = 0; i < n; ++i) drop[i] = at_rest[i] + kSign * state.volts[place[i]];
    else
      std::copy_n(at_rest, n, drop);
    const double weight = state.weight;
    double largest = -HUGE_VAL, rise = -HUGE_VAL, fall = -HUGE_VAL;
#pragma omp simd reduction(max : largest, rise, fall)
    for (int64_t i = 0; i < n; ++i) {
      const double value = size(drop[i]);
      sum[i] += value * weight;
      square[i] += value * value * weight;
      largest = std::max(largest, value);
      rise = std::max(rise, value - size(most[i]));
      fall = std::max(fall, least[i] - drop[i]);
    }
    if (rise > 0 || is_first_) take_worst<kKind>(state, begin, {drop, static_cast<size_t>(n)});
    if (fall > 0)
      for (int64_t i = 0; i < n; ++i) figures_.least[begin + i] = std::min(least[i], drop[i]);
    if (largest <= worst.value) continue;
    const double* const first = std::find_if(drop, drop + n, [&](double of) { return size(of) == largest; });
    worst = {largest, classes_.lowest[begin + (first - drop)]};
  }
  return worst;
}

template <Drop kKind>
void OverTime::take_worst(const State& state, int64_t begin, std::span<const double> drop) {
  for (const double value : drop) {
    const int64_t c = begin++;
    if (is_bounce(kKind) ? std::abs(value) <= std::abs(figures_.worst[c]) : value <= figures_.worst[c])
      if (!is_first_) continue;
    figures_.worst[c] = value;
    figures_.worst_time[c] = state.time;
    figures_.worst_scenario[c] = static_cast<int32_t>(state.scenario);
  }
}

Follower OverTime::follower(int32_t c) const {
  if (c < 0) return {};
  const double sign = sign_of(kind_[c]);
  return {std::max(classes_.place[c], 0), is_bounce(kind_[c]), classes_.at_rest[c], classes_.place[c] < 0 ? 0.0 : sign};
}

void OverTime::count(const State& state) {
  const auto count = [&](int64_t r) {
    const Range& range = classes_.ranges[r];
    switch (range.kind) {
      case Drop::below:
        of_range_[r] = count_range<Drop::below>(range, state);
        break;
      case Drop::above:
        of_range_[r] = count_range<Drop::above>(range, state);
        break;
      case Drop::bounce:
        of_range_[r] = count_range<Drop::bounce>(range, state);
        break;
      default:
        of_range_[r] = count_range<Drop::inverted_bounce>(range, state);
    }
  };
  if (classes_.size() > kClassesAtOnce)
    parallel_tasks(std::ssize(classes_.ranges), count);
  else
    for (int64_t r = 0; r < std::ssize(classes_.ranges); ++r) count(r);
  is_first_ = false;
  parallel_each(std::ssize(of_instance_), [&](int64_t k) { of_instance_[k].take(state.volts.data(), state.time); });
  of_state_.assign(of_state_.size(), {});
  for (size_t r = 0; r < classes_.ranges.size(); ++r) of_state_[classes_.ranges[r].net].take(of_range_[r]);
  add(state.scenario, of_state_);
  if (on_state_) on_state_(state.scenario, of_state_, {state.volts, state.group}, state.time);
}

void OverTime::take(DropFigures figures, std::vector<InstanceWorst> instances) {
  figures_ = std::move(figures);
  of_instance_ = std::move(instances);
}

/// Averages and root mean squares, unless they were taken.
void OverTime::sum_up() {
  if (sum_.empty()) return;
  const auto classes = std::ssize(classes_.lowest);
  figures_.average.resize(classes_.lowest.size());
  figures_.rms.resize(classes_.lowest.size());
  parallel_ranges(classes, [&](int64_t begin, int64_t end) {
    for (int64_t j = 0; j < scenarios_; ++j)
      for (int64_t c = begin; c < end; ++c) {
        const double average = sum_[j * classes + c] / seconds_, rms = std::sqrt(squares_[j * classes + c] / seconds_);
        figures_.average[c] = j == 0 ? average : std::max(figures_.average[c], average);
        figures_.rms[c] = j == 0 ? rms : std::max(figures_.rms[c], rms);
      }
  });
}

void OverTime::finish(TranReport& report) && {
  sum_up();
  NodeTable& nodes = report.worst.nodes;
  const int64_t count = std::ssize(nodes.voltage_v);
  report.nets = std::move(nets_);
  for (std::vector<double>* column :
       {&report.average_drop_v, &report.rms_drop_v, &report.overshoot_v, &report.worst_time_s})
    assign_in_parallel(*column, count);
  assign_in_parallel(report.worst_scenario, count);
  parallel_each(count, [&](int64_t n) {
    const int32_t c = class_of_[n];
    if (c < 0) return;
    set_drop(report.worst.nets[nodes.net[n]], figures_.worst[c], n, nodes);
    report.overshoot_v[n] = 0.0 - figures_.least[c];
    report.worst_time_s[n] = figures_.worst_time[c];
    report.worst_scenario[n] = figures_.worst_scenario[c];
    report.average_drop_v[n] = figures_.average[c];
    report.rms_drop_v[n] = figures_.rms[c];
  });
  std::vector<Largest> overshoot(report.nets.size());
  for (const Range& range : classes_.ranges)
    for (int64_t c = range.begin; c < range.end; ++c)
      if (figures_.least[c] < 0) overshoot[range.net].take({0.0 - figures_.least[c], classes_.lowest[c]});
  for (size_t k = 0; k < overshoot.size(); ++k)
    if (const auto [volts, node] = overshoot[k]; node != kGround) {
      report.nets[k].overshoot_v = volts;
      report.nets[k].overshoot_node = static_cast<NodeId>(node);
    }
  if (scenarios_ > 1) nodes.vector = report.worst_scenario;
  for (size_t k = 0; k < of_instance_.size(); ++k) {
    InstanceResult& instance = report.worst.instances[k];
    instance.vdd_drop_v = of_instance_[k].drop;
    instance.gnd_bounce_v = of_instance_[k].bounce;
    instance.combined_v = of_instance_[k].drop + of_instance_[k].bounce;
  }
  std::vector<double> time_of_source(dc_.circuit->current_sources.value.size(), 0.0);
  for (size_t k = 0; k < of_instance_.size(); ++k)
    time_of_source[report.worst.instances[k].source] = of_instance_[k].time;
  sort_instances(report.worst.instances);
  for (const InstanceResult& instance : report.worst.instances)
    report.instance_time_s.push_back(time_of_source[instance.source]);
}

}  // namespace gridiron
