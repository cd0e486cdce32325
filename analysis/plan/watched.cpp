// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/watched.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/plan/die_cells.hpp"
#include "analysis/results/net_statistics.hpp"
#include "analysis/results/segments.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

constexpr double kNear = 0.9;     ///< of a limit: what may come to exceed it
constexpr double kForget = 0.75;  ///< of a limit: what is not looked at any more
constexpr double kMargin = 1e-6;  ///< of a limit, and
constexpr double kBounds = 1.1;   ///< so many certified bounds are kept free
constexpr int kCells = 8;         ///< per side of the die, each with the largest value in it
constexpr size_t kOfLimit = 24;

std::vector<NodeId> nodes_of(const IrReport& report, int32_t net, int32_t layer) {
  std::vector<NodeId> nodes;
  for (NodeId n = 0; n < std::ssize(report.nodes.net); ++n)
    if (report.nodes.net[n] == net && (layer < 0 || report.nodes.layer[n] == layer)) nodes.push_back(n);
  return nodes;
}

class Chooser {
 public:
  explicit Chooser(const Trial& trial) : trial_(trial), report_(trial.report), answers_(trial.answers) {
    for (const Answer& answer : answers_) drops_.push_back(drops_of(answer.voltage_v, report_.nodes.net, report_.nets));
    for (NodeId n = 0; n < std::ssize(report_.nodes.state); ++n) cells_.cover(n);
  }

  std::vector<Watched> choose(const std::vector<Watched>& earlier, size_t most) {
    for (const LimitResult& limit : report_.limits)
      for (int32_t v = 0; v < std::ssize(answers_); ++v) add_drops(limit, v);
    for (const EmLimitResult& limit : report_.em_limits)
      for (int32_t v = 0; v < std::ssize(answers_); ++v) add_currents(limit, v);
    for (const Watched& w : earlier) keep(w);
    std::ranges::stable_sort(chosen_, [](const Watched& a, const Watched& b) { return a.excess() > b.excess(); });
    if (chosen_.size() > most) chosen_.resize(most);
    return std::move(chosen_);
  }

  double value_of(const Watched& w) const {
    const std::vector<double>& drop = drops_[w.vector];
    if (w.kind == Watched::Kind::drop) return drop[w.node];
    if (w.kind == Watched::Kind::current) return current_of(w.resistor, w.vector);
    const AveragedNodes averaged = averaged_nodes(report_, w.net, w.layer);
    double mean = 0;
    for (const NodeId n : averaged.nodes) mean += drop[n] * averaged.share;
    return mean;
  }

 private:
  static double allowed(double limit, double bound) {
    constexpr double kLeast = 1e-12;  // of a limit of 0, which no plan keeps
    return std::max(kLeast, limit - (std::isfinite(bound) ? kBounds * bound : 0) - kMargin * limit);
  }

  int32_t net_called(const std::string& name) const {
    const auto found = std::ranges::find(report_.nets, name, &NetResult::name);
    return static_cast<int32_t>(found - report_.nets.begin());
  }
  int32_t layer_called(const std::string& name) const {
    if (name.empty()) return -1;
    const auto found = std::ranges::find(report_.layer_names, name);
    return static_cast<int32_t>(found - report_.layer_names.begin());
  }

  /// The best of each cell, best first.
  void add_best(std::map<int64_t, Watched>& best) {
    std::vector<Watched> some;
    for (auto& [cell, watched] : best) some.push_back(watched);
    std::ranges::stable_sort(some, [](const Watched& a, const Watched& b) { return a.value > b.value; });
    if (some.size() > kOfLimit) some.resize(kOfLimit);
    for (const Watched& w : some)
      if (std::ranges::none_of(chosen_, [&](const Watched& other) { return other.is_same(w); })) chosen_.push_back(w);
  }

  void add_drops(const LimitResult& limit, int32_t vector) {
    Watched w;
    w.vector = vector;
    w.allowed = allowed(limit.limit_v, trial_.error_of(limit));
    const int32_t net = net_called(limit.net), layer = layer_called(limit.layer);
    const std::vector<NodeId> of_net = nodes_of(report_, net, layer);
    const std::vector<double>& drop = drops_[vector];
    if (limit.quantity == "average") {
      w.kind = Watched::Kind::average;
      w.net = net, w.layer = layer;
      w.value = value_of(w);
      if (w.value > kNear * limit.limit_v) chosen_.push_back(w);
      return;
    }
    const int64_t supplies = layer < 0 ? report_.nets[net].nodes - std::ssize(of_net) : 0;
    const double largest = limit.quantity == "worst" ? HUGE_VAL : percentile(limit.quantity, of_net, drop, supplies);
    std::map<int64_t, Watched> best;
    for (const NodeId n : of_net) {
      if (drop[n] > largest || drop[n] < kNear * limit.limit_v) continue;
      Watched& of_cell = best.try_emplace(cells_.of(n), w).first->second;
      if (drop[n] <= of_cell.value && of_cell.node != kGround) continue;
      of_cell.node = n;
      of_cell.value = drop[n];
    }
    add_best(best);
  }

  /// By nearest rank, of "p99.9", beside the supplies of added pads.
  static double percentile(const std::string& quantity, const std::vector<NodeId>& nodes,
                           const std::vector<double>& drop, int64_t supplies) {
    std::vector<double> drops(supplies, 0.0);
    for (const NodeId n : nodes) drops.push_back(drop[n]);
    const Percentiles p = percentiles_of(drops);
    return quantity == "p50" ? p.p50 : quantity == "p95" ? p.p95 : quantity == "p99" ? p.p99 : p.p999;
  }

  void add_currents(const EmLimitResult& limit, int32_t vector) {
    Watched w;
    w.kind = Watched::Kind::current;
    w.vector = vector;
    w.allowed = allowed(limit.limit_a, trial_.error_of(limit));
    const int32_t net = net_called(limit.net);
    const Elements& resistors = report_.circuit->resistors;
    std::map<int64_t, Watched> best;
    for (int64_t r = 0; r < resistors.size(); ++r) {
      if (!report_.segments.has(r) || std::abs(report_.segments.current_a[r]) < kNear * limit.limit_a) continue;
      const NodeId end = grid_end(*report_.circuit, r);
      if (report_.nodes.net[end] != net || !names_layers(limit.layer, report_.layer_names, layers_of(report_, r)))
        continue;
      w.resistor = r;
      w.value = current_of(r, vector);
      Watched& of_cell = best.try_emplace(cells_.of(end), w).first->second;
      if (w.value > of_cell.value) of_cell = w;
    }
    add_best(best);
  }

  /// Its share of the largest over all vectors, as their tables of segments are not kept: V across it tells.
  double current_of(int64_t resistor, int32_t vector) const {
    const Elements& resistors = report_.circuit->resistors;
    const auto across = [&](const Answer& answer) {
      return std::abs(answer.voltage_v[resistors.a[resistor]] - answer.voltage_v[resistors.b[resistor]]);
    };
    double largest = 0;
    for (const Answer& answer : answers_) largest = std::max(largest, across(answer));
    return largest > 0 ? std::abs(report_.segments.current_a[resistor]) * across(answers_[vector]) / largest : 0;
  }

  /// One that was watched before, if it still matters.
  void keep(Watched w) {
    if (std::ranges::any_of(chosen_, [&](const Watched& other) { return other.is_same(w); })) return;
    w.value = value_of(w);
    if (w.kind != Watched::Kind::average && w.value > kForget * w.allowed) chosen_.push_back(w);
  }

  const Trial& trial_;
  const IrReport& report_;
  const std::vector<Answer>& answers_;
  std::vector<std::vector<double>> drops_;
  DieCells cells_{report_.nodes, kCells};
  std::vector<Watched> chosen_;
};

}  // namespace

AveragedNodes averaged_nodes(const IrReport& report, int32_t net, int32_t layer) {
  AveragedNodes averaged{nodes_of(report, net, layer), 0};
  averaged.share = 1 / static_cast<double>(layer < 0 ? report.nets[net].nodes : std::ssize(averaged.nodes));
  return averaged;
}

std::vector<Watched> choose_watched(const Trial& trial, const std::vector<Watched>& earlier, size_t most) {
  return Chooser(trial).choose(earlier, most);
}

std::vector<double> watched_values(const Trial& trial, const std::vector<Watched>& watched) {
  const Chooser chooser(trial);
  std::vector<double> values;
  for (const Watched& w : watched) values.push_back(chooser.value_of(w));
  return values;
}

}  // namespace gridiron
