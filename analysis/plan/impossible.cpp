// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/impossible.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "netlist/names/name_table.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr int kIterations = 40;
constexpr double kSamePotential = 1e-9;  ///< share of the nominal voltage
constexpr double kSmallStep = 1e-4;      ///< relative gain of an iteration that ends the search

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Drops per merged node for currents drawn there, and their certified error, V.
struct Response {
  std::vector<double> drop;
  double bound_v = 0;
};
Response respond(Solver& solver, std::span<const double> amperes) {
  Response r;
  r.drop.assign(amperes.size(), 0.0);
  const auto rows = static_cast<int64_t>(amperes.size());
  const std::vector<Accuracy> accuracy = solver.solve({amperes.data(), rows, 1}, {r.drop.data(), rows, 1});
  r.bound_v = accuracy.front().certificate.bound_v();
  return r;
}

/// A limit on the worst drop of a net, in terms of merged nodes.
class Limited {
 public:
  Limited(const System& system, const IrReport& report, const LimitResult& limit) : system_(system), report_(report) {
    const auto net =
        std::ranges::find_if(report.nets, [&](const NetResult& n) { return same_name(n.name, limit.net); });
    net_ = static_cast<int32_t>(net - report.nets.begin());
    const auto layer = std::ranges::find(report.layer_names, limit.layer);
    const int32_t only = limit.layer.empty() ? -1 : static_cast<int32_t>(layer - report.layer_names.begin());
    const Merge& merge = system.topology().merge;
    is_judged_.assign(system.network().nodes, 0);
    is_of_net_.assign(system.network().nodes, 0);
    for (NodeId n = 0; n < std::ssize(report.nodes.net); ++n) {
      if (report.nodes.net[n] != net_ || merge.group[n] >= merge.unknowns) continue;
      is_of_net_[merge.group[n]] = 1;
      if (only < 0 || report.nodes.layer[n] == only) is_judged_[merge.group[n]] = 1;
    }
  }

  /// Whether all of its sources hold its nominal voltage, and what it is resistively joined to has the same; currents
  /// to node 0 other than loads make it no such net.
  bool has_one_potential() const {
    const Topology& t = system_.topology();
    const double nominal = report_.nets[net_].nominal_v;
    const auto differs = [&](double volts) {
      return std::abs(volts - nominal) > kSamePotential * std::max(1.0, std::abs(nominal));
    };
    const auto is_of_net = [&](NodeId n) { return n != kGround && report_.nodes.net[n] == net_; };
    for (NodeId n = 1; n < std::ssize(t.merge.group); ++n) {
      if (!is_of_net(n)) continue;
      if (t.merge.group[n] >= t.merge.unknowns ? differs(t.merge.known_volts_of(n)) : t.merge.offset[n] != 0)
        return false;
    }
    const Network& network = t.grid.network;
    for (int64_t e = 0; e < network.edges(); ++e) {
      const NodeId a = network.a[e], b = network.b[e];
      if (is_of_net(a) == is_of_net(b)) continue;
      const NodeId other = is_of_net(a) ? b : a;
      if (t.merge.group[other] < t.merge.unknowns || differs(t.merge.known_volts_of(other))) return false;
    }
    return std::ranges::none_of(t.added_pads,
                                [&](const AddedPad& pad) { return is_of_net(pad.node) && differs(pad.volts); });
  }

  /// What is drawn of each merged node, A; empty where loads of both signs are.
  std::vector<double> loads(const Loads& loads, int32_t vector) const {
    const double sign = report_.nets[net_].is_ground || report_.nets[net_].nominal_v <= 0 ? 1 : -1;
    const Merge& merge = system_.topology().merge;
    const std::vector<double> of_node = node_injection(*report_.circuit, loads.vector(vector));
    std::vector<double> amperes(is_of_net_.size(), 0.0);
    for (NodeId n = 1; n < std::ssize(of_node); ++n)
      if (merge.group[n] < merge.unknowns && is_of_net_[merge.group[n]]) amperes[merge.group[n]] += sign * of_node[n];
    if (std::ranges::any_of(amperes, [](double i) { return i < 0; })) return {};
    return amperes;
  }

  bool is_judged(size_t group) const { return is_judged_[group] != 0; }
  int32_t net() const { return net_; }

 private:
  const System& system_;
  const IrReport& report_;
  int32_t net_ = -1;
  std::vector<uint8_t> is_judged_, is_of_net_;
};

/// The right side for weights that are sought.
class Weights {
 public:
  Weights(Solver& exhausted, Solver& today, const Limited& limited, std::vector<double> amperes)
      : exhausted_(exhausted), today_(today), limited_(limited), i_(std::move(amperes)) {
    total_ = std::accumulate(i_.begin(), i_.end(), 0.0);
    w_ = i_;
    e_i_ = respond(exhausted_, i_).drop;
    t_i_ = respond(today_, i_).drop;
    bool all_judged = true;
    for (size_t g = 0; g < w_.size(); ++g) all_judged &= limited.is_judged(g) || w_[g] == 0;
    if (!all_judged) w_ = at(best_of(e_i_));
    e_w_ = all_judged ? e_i_ : respond(exhausted_, w_).drop;
    t_w_ = all_judged ? t_i_ : respond(today_, w_).drop;
  }

  void improve() {
    for (int k = 0; k < kIterations; ++k) {
      std::vector<double> gradient(w_.size());
      for (size_t g = 0; g < w_.size(); ++g) gradient[g] = 0.5 * (e_w_[g] + e_i_[g] - t_w_[g] + t_i_[g]);
      const std::vector<double> corner = at(best_of(gradient));
      std::vector<double> d(w_.size());
      for (size_t g = 0; g < w_.size(); ++g) d[g] = corner[g] - w_[g];
      const double slope = dot(gradient, d);
      if (slope <= kSmallStep * total_ * std::abs(value())) return;
      std::vector<double> e_d = respond(exhausted_, corner).drop, t_d = respond(today_, corner).drop;
      for (size_t g = 0; g < w_.size(); ++g) e_d[g] -= e_w_[g], t_d[g] -= t_w_[g];
      const double curve = 0.5 * (dot(d, t_d) - dot(d, e_d));
      const double step = curve > 0 ? std::min(1.0, slope / curve) : 1.0;
      for (size_t g = 0; g < w_.size(); ++g) w_[g] += step * d[g], e_w_[g] += step * e_d[g], t_w_[g] += step * t_d[g];
    }
  }

  /// Of the right side over Σi, V, with what is known of its error.
  Response certified() {
    std::vector<double> sum(w_.size()), difference(w_.size());
    double total_difference = 0;
    for (size_t g = 0; g < w_.size(); ++g) {
      sum[g] = w_[g] + i_[g];
      difference[g] = w_[g] - i_[g];
      total_difference += std::abs(difference[g]);
    }
    const Response above = respond(exhausted_, sum);
    const Response below = total_difference > 0 ? respond(today_, difference) : Response{difference, 0};
    const double value = 0.25 * (dot(sum, above.drop) - dot(difference, below.drop)) / total_;
    return {{value}, 0.5 * above.bound_v + 0.25 * total_difference / total_ * below.bound_v};
  }

  double value() const {
    double value = 0;
    for (size_t g = 0; g < w_.size(); ++g)
      value += 0.25 * ((w_[g] + i_[g]) * (e_w_[g] + e_i_[g]) - (w_[g] - i_[g]) * (t_w_[g] - t_i_[g]));
    return value / total_;
  }

 private:
  size_t best_of(const std::vector<double>& gradient) const {
    size_t best = gradient.size();
    for (size_t g = 0; g < gradient.size(); ++g)
      if (limited_.is_judged(g) && (best == gradient.size() || gradient[g] > gradient[best])) best = g;
    return best;
  }
  std::vector<double> at(size_t group) const {
    std::vector<double> w(w_.size(), 0.0);
    if (group < w.size()) w[group] = total_;
    return w;
  }

  Solver& exhausted_;
  Solver& today_;
  const Limited& limited_;
  std::vector<double> i_, w_, e_i_, t_i_, e_w_, t_w_;
  double total_ = 0;
};

/// Power in resistors that end where a source holds the potential, over the current of all loads.
double drop_at_sources(const System& system, const Trial& trial, int32_t vector, int32_t net, double amperes) {
  const Topology& t = system.topology();
  const std::vector<double>& volts = trial.answers[vector].voltage_v;
  double watts = 0;
  const auto is_known = [&](NodeId n) { return t.merge.group[n] >= t.merge.unknowns; };
  for (int64_t e = 0; e < t.grid.network.edges(); ++e) {
    const NodeId a = t.grid.network.a[e], b = t.grid.network.b[e];
    const NodeId end = a == kGround ? b : a;
    if (trial.report.nodes.net[end] != net || is_known(a) == is_known(b)) continue;
    watts += t.grid.network.conductance[e] * (volts[a] - volts[b]) * (volts[a] - volts[b]);
  }
  for (const AddedPad& pad : t.added_pads)
    if (trial.report.nodes.net[pad.node] == net)
      watts += pad.conductance * (pad.volts - volts[pad.node]) * (pad.volts - volts[pad.node]);
  return watts / amperes;
}

}  // namespace

std::optional<Impossibility> prove_impossible(PlanGrid& grid, const Trial& exhausted, Solver& today, bool sharpens) {
  const IrReport& report = exhausted.report;
  const System& system = grid.solver().system();
  for (size_t l = 0; l < report.limits.size(); ++l) {
    const LimitResult& limit = report.limits[l];
    if (limit.quantity != "worst" || !(limit.exceeded || limit.undecided)) continue;
    const Limited limited(system, report, limit);
    if (!limited.has_one_potential()) continue;
    for (int32_t v = 0; v < grid.loads().vectors(); ++v) {
      std::vector<double> amperes = limited.loads(grid.loads(), v);
      const double total = std::accumulate(amperes.begin(), amperes.end(), 0.0);
      if (!(total > 0)) continue;
      Weights weights(grid.solver(), today, limited, amperes);
      Impossibility found;
      found.limit = static_cast<int32_t>(l);
      found.vector = v;
      Response least = weights.certified();
      if (!(least.drop.front() - least.bound_v > limit.limit_v) && sharpens) {
        weights.improve();
        found.has_weights = true;
        least = weights.certified();
      }
      found.least_v = least.drop.front();
      found.bound_v = least.bound_v;
      if (!(found.least_v - found.bound_v > limit.limit_v)) continue;
      found.at_sources_v = drop_at_sources(system, exhausted, v, limited.net(), total);
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace gridiron
