// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/pad_gains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/insight/explain.hpp"
#include "analysis/insight/pad_places.hpp"
#include "analysis/insight/sensitivity.hpp"
#include "analysis/results/net_statistics.hpp"
#include "support/error_text.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr size_t kAtOnce = 4, kMostWitnesses = 32;
constexpr double kWorthwhile = 1e-3;  ///< share of the drop that a place must gain more than another

/// The best places for a pad of one net.
class PadSearch {
 public:
  PadSearch(Solver& solver, const SolvedNets& solved, const IrReport& report, PadPlaces places,
            const PadGainOptions& options, PadGains& found)
      : solver_(solver),
        solved_(solved),
        report_(report),
        net_(report.nets[found.net]),
        options_(options),
        nodes_(std::move(places.nodes)),
        found_(found),
        least_ohm_(nodes_.size(), 0.0),
        gain_of_(nodes_.size(), -1) {
    for (NodeId n = 1; n < std::ssize(report.nodes.net); ++n)
      if (report.nodes.net[n] == found.net) of_net_.push_back(n);
  }

  void run() {
    found_.is_best = true;
    if (nodes_.empty()) return;
    find_error_asked_for();
    find_least_ohms(solver_.system());
    add_witnesses({found_.node});
    while (std::ssize(found_.places) < options_.places && find_next()) {
    }
  }

 private:
  /// By how much a current of the pad at candidate i changes the drop at a node, at most, per ohm of its response.
  double current_at_most(size_t i) const {
    const double ohm = found_.pad_ohm + least_ohm_[i];
    return ohm > 0 ? (net_.nominal_v - solved_.voltage_v[nodes_[i]]) / ohm : HUGE_VAL;
  }

  /// Below which the worst drop of the net does not come with a pad at candidate i: drops are at least linear in
  /// voltages, and what the pad changes is bounded by its current.
  double least_drop(size_t i) const {
    double most = -HUGE_VAL;
    const double amperes = current_at_most(i);
    for (const Witness& witness : witnesses_) {
      const double change = witness.sign * witness.ohm[i] * amperes;
      most = std::max(most, witness.drop_v + (change < 0 ? change : 0.0));
    }
    return most;
  }

  /// Solves for candidates, those with the lowest bounds first, until no other can be better than the best.
  bool find_next() {
    const double worthwhile = kWorthwhile * found_.drop_v;
    for (;;) {
      const PadGain* best = best_tried();
      const double goal = std::min(found_.drop_v, best ? best->worst_drop_v : HUGE_VAL) - worthwhile;
      const std::vector<size_t> promising = most_promising(goal);
      if (promising.empty()) break;
      if (std::ssize(tried_) >= options_.most_tried) {
        found_.is_best = false;
        break;
      }
      try_out(promising);
    }
    const PadGain* best = best_tried();
    if (!best || !(best->gain_v > 0)) return false;
    found_.places.push_back(*best);
    return true;
  }

  bool is_apart(NodeId node) const {
    const NodeTable& at = report_.nodes;
    return std::ranges::none_of(found_.places, [&](const PadGain& place) {
      if (place.node == node) return true;
      if (!at.has_place(node) || !at.has_place(place.node)) return false;
      return std::hypot(at.x_um[node] - at.x_um[place.node], at.y_um[node] - at.y_um[place.node]) < found_.distance_um;
    });
  }

  const PadGain* best_tried() const {
    const PadGain* best = nullptr;
    for (const PadGain& gain : tried_) {
      if (!is_apart(gain.node)) continue;
      if (!best || gain.worst_drop_v < best->worst_drop_v ||
          (gain.worst_drop_v == best->worst_drop_v && gain.node_gain_v > best->node_gain_v))
        best = &gain;
    }
    return best;
  }

  std::vector<size_t> most_promising(double goal) const {
    std::vector<double> least(nodes_.size(), HUGE_VAL);
    parallel_each(std::ssize(nodes_), [&](int64_t i) {
      if (gain_of_[i] < 0 && is_apart(nodes_[i])) least[i] = least_drop(i);
    });
    std::vector<size_t> promising;
    for (size_t i = 0; i < least.size(); ++i)
      if (least[i] < goal) promising.push_back(i);
    const size_t kept = std::min(kAtOnce, promising.size());
    std::partial_sort(promising.begin(), promising.begin() + kept, promising.end(),
                      [&](size_t i, size_t j) { return least[i] != least[j] ? least[i] < least[j] : i < j; });
    promising.resize(kept);
    return promising;
  }

  void try_out(const std::vector<size_t>& candidates) {
    std::vector<NodeId> nodes;
    for (const size_t i : candidates) nodes.push_back(nodes_[i]);
    const std::vector<UnitResponse> responses = solver_.respond(nodes, error_asked_for_);
    std::vector<NodeId> worst;
    for (size_t k = 0; k < candidates.size(); ++k) {
      gain_of_[candidates[k]] = std::ssize(tried_);
      tried_.push_back(gain_of(responses[k]));
      raise_least_ohms(responses[k]);
      const NodeId node = tried_.back().worst_node;
      const auto is_it = [&](const Witness& witness) { return witness.node == node; };
      if (std::ranges::none_of(witnesses_, is_it) && std::ranges::find(worst, node) == worst.end())
        worst.push_back(node);
    }
    found_.tried = std::ssize(tried_);
    if (witnesses_.size() + worst.size() <= kMostWitnesses) add_witnesses(worst);
  }

  PadGain gain_of(const UnitResponse& response) const {
    const double ohm = response.effective_ohm();
    const double amperes = (net_.nominal_v - solved_.voltage_v[response.node]) / (found_.pad_ohm + ohm);
    const auto drop_at = [&](NodeId n) { return drop_of(net_, solved_.voltage_v[n] + amperes * response.ohm[n]); };
    struct Worst {
      double drop_v = -HUGE_VAL;
      NodeId node = kGround;
      void take(const Worst& other) {
        if (other.drop_v > drop_v) *this = other;
      }
    };
    const auto worst = joined_ranges<Worst>(
        std::ssize(of_net_),
        [&](int64_t begin, int64_t end) {
          Worst some;
          for (int64_t k = begin; k < end; ++k) some.take({drop_at(of_net_[k]), of_net_[k]});
          return some;
        },
        [](Worst& so_far, const Worst& more) { so_far.take(more); });
    PadGain gain;
    gain.node = response.node;
    gain.worst_drop_v = worst.drop_v;
    gain.worst_node = worst.node;
    gain.gain_v = found_.drop_v - worst.drop_v;
    gain.node_gain_v = drop_of(net_, solved_.voltage_v[found_.node]) - drop_at(found_.node);
    gain.bound_v = bound_with(response, amperes);
    return gain;
  }

  /// Of voltages with a pad, from those of voltages without it and of the response, whose largest entry is that of its
  /// own node.
  double bound_with(const UnitResponse& response, double amperes) const {
    const double error_ohm = response.error_ohm, ohm = response.effective_ohm() + error_ohm;
    const double through_ohm = found_.pad_ohm + response.effective_ohm() - error_ohm;
    if (!(through_ohm > 0)) return HUGE_VAL;
    const double error_a = (solved_.bound_v + std::abs(amperes) * error_ohm) / through_ohm;
    constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
    return solved_.bound_v + ohm * error_a + (std::abs(amperes) + error_a) * error_ohm +
           kRounding * (std::abs(net_.nominal_v) + std::abs(found_.drop_v) + ohm * std::abs(amperes));
  }

  /// A node that is worst, or would be with some pad, and what candidates do to it.
  struct Witness {
    NodeId node;
    double drop_v, sign;
    std::vector<double> ohm;  ///< per candidate
  };
  void add_witnesses(const std::vector<NodeId>& nodes) {
    if (nodes.empty()) return;
    for (const UnitResponse& response : solver_.respond(nodes, error_asked_for_)) {
      const double volts = solved_.voltage_v[response.node];
      Witness& witness = witnesses_.emplace_back(
          Witness{response.node, drop_of(net_, volts), drop_sign(net_, volts), std::vector<double>(nodes_.size())});
      for (size_t i = 0; i < nodes_.size(); ++i) witness.ohm[i] = response.ohm[nodes_[i]] + response.error_ohm;
      raise_least_ohms(response);
    }
  }

  /// No response is less than if all neighbours were held.
  void find_least_ohms(const System& system) {
    const Network& network = system.topology().grid.network;
    const Merge& merge = system.topology().merge;
    std::vector<double> siemens(static_cast<size_t>(merge.groups), 0.0);
    for (int64_t e = 0; e < network.edges(); ++e)
      for (const NodeId n : {network.a[e], network.b[e]}) siemens[merge.group[n]] += network.conductance[e];
    for (const AddedPad& pad : system.topology().added_pads) siemens[merge.group[pad.node]] += pad.conductance;
    constexpr double kRounding = 1e-12;
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (const double all = siemens[merge.group[nodes_[i]]]; all > 0) least_ohm_[i] = (1 - kRounding) / all;
  }

  /// G⁻¹ is positive definite, and the largest entry of its columns, as G is an M-matrix, is on the diagonal.
  void raise_least_ohms(const UnitResponse& response) {
    const double own = response.effective_ohm() + response.error_ohm;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const double ohm = std::max(0.0, response.ohm[nodes_[i]] - response.error_ohm);
      least_ohm_[i] = std::max(least_ohm_[i], own > 0 ? std::max(ohm, ohm * ohm / own) : 0.0);
    }
  }

  /// What the bounds take of the error of responses to be as small as the tolerance.
  void find_error_asked_for() {
    const double amperes = std::abs(net_.load_current_a);
    if (amperes > 0) error_asked_for_ = solver_.options().tolerance_v / amperes;
  }

  Solver& solver_;
  const SolvedNets& solved_;
  const IrReport& report_;
  const NetResult& net_;
  const PadGainOptions& options_;
  std::vector<NodeId> nodes_;  ///< the candidates
  PadGains& found_;
  std::vector<double> least_ohm_;  ///< per candidate: below which R_mm is not
  std::vector<int64_t> gain_of_;   ///< per candidate an index into tried_; −1: not tried
  std::vector<PadGain> tried_;
  std::vector<Witness> witnesses_;
  std::vector<NodeId> of_net_;
  double error_asked_for_ = HUGE_VAL;
};

}  // namespace

void require_possible(const PadGainOptions& options) {
  if (options.ohm && !(*options.ohm >= 0 && std::isfinite(*options.ohm)))
    throw field_error("pad_resistance", "{}: a resistance is finite and not negative", *options.ohm);
}

std::vector<PadGains> find_pad_gains(Solver& solver, const Loads& loads, const IrReport& report,
                                     std::span<const int32_t> nets, const PadGainOptions& options) {
  require_possible(options);
  const System system = solver.system();
  require_drops(solver, report, {});
  std::vector<PadGains> all;
  for (const int32_t net : nets) {
    const NetResult& of = report.nets[net];
    if (of.nodes == 0 || of.worst_node == kGround) continue;
    PadGains found;
    found.node = of.worst_node;
    found.net = net;
    found.vector = vector_of(report, of.worst_node);
    found.drop_v = of.worst_drop_v;
    const SolvedNets solved = solved_nets(solver, system, loads, report, found.vector);
    found.bound_v = solved.bound_v;
    PadPlaces places = find_pad_places(system, solved, report, of.worst_node, options);
    found.pad_ohm = places.ohm;
    found.median_of = places.median_of;
    for (const int32_t layer : places.layers) found.layers.push_back({layer});
    found.candidates = std::ssize(places.nodes);
    found.distance_um = report.hot_spot_distance_um;
    PadSearch(solver, solved, report, std::move(places), options, found).run();
    all.push_back(std::move(found));
  }
  return all;
}

std::vector<int32_t> nets_short_of_pads(const IrReport& report) {
  std::vector<int32_t> all(report.nets.size()), beyond;
  std::iota(all.begin(), all.end(), 0);
  for (const int32_t net : all)
    if (std::ranges::any_of(report.limits, [&](const LimitResult& limit) {
          return limit.exceeded && limit.net == report.nets[net].name;
        }))
      beyond.push_back(net);
  return beyond.empty() ? all : beyond;
}

}  // namespace gridiron
