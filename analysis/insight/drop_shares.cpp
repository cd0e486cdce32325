// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/drop_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "analysis/insight/explain.hpp"
#include "analysis/insight/sensitivity.hpp"
#include "analysis/insight/solved_nets.hpp"
#include "analysis/results/segments.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// A conductor from node a to node b, or, where b is −1, to a potential, and the voltage that its share is of.
struct Conductor {
  NodeId a, b;
  double siemens, volts;
};

/// The shares of all parts of one net in the drop of one node.
///
/// With voltages off by ε and λ off by δ, the sum λᵀ L v over a part, whose conductance matrix is L, is off by
/// εᵀ L λ + δᵀ L v − δᵀ L ε. So the error of voltages counts by the currents L λ that a unit current into the node
/// brings into the part from others, and that of λ by the currents L v, not by the many conductors within.
class NodeShares {
 public:
  NodeShares(const System& system, const UnitResponse& response, const SolvedNets& solved, const NetResult& net)
      : system_(system),
        topology_(system.topology()),
        response_(response),
        solved_(solved),
        net_(solved.parts.net_of(response.node)),
        nominal_v_(net.nominal_v),
        into_v_(static_cast<size_t>(topology_.merge.groups), 0.0),
        into_ohm_(into_v_) {}

  /// With the sign of voltages, not of drops.
  std::vector<DropShare> shares() {
    std::vector<DropShare> shares;
    std::vector<int64_t> first;
    const std::vector<NetParts::Place> places = sort_edges(first);
    for (size_t k = 0; k < places.size(); ++k) {
      const std::span<const int64_t> edges = std::span(edges_).subspan(first[k], first[k + 1] - first[k]);
      if (places[k].part == NetPart::sources) continue;
      const bool takes_pads = places[k].part == NetPart::pads;
      shares.push_back(share_of(places[k], [&](auto&& take) {
        for (const int64_t e : edges) take(between(e));
        if (takes_pads) take_added_pads(take, false);
      }));
      shares.back().segments = std::ssize(edges) + (takes_pads ? added_pads() : 0);
    }
    shares.push_back(share_of({NetPart::sources, {}}, [&](auto&& take) { take_sources(take); }));
    DropShare& sources = shares.back();
    sources.drop_v += known_part(response_.node);
    double largest_v = std::abs(nominal_v_);
    for (const double volts : topology_.merge.known_volts) largest_v = std::max(largest_v, std::abs(volts));
    sources.bound_v += 2 * std::numeric_limits<double>::epsilon() * largest_v;  // of potentials as decimals
    sources.segments = std::ranges::count_if(edges_, [&](int64_t e) { return is_of_other_net(e); });
    if (sources.drop_v == 0 && sources.segments == 0) shares.pop_back();
    return shares;
  }

 private:
  bool is_unknown(NodeId n) const { return topology_.merge.group[n] < topology_.merge.unknowns; }
  /// The potential of a node that sources hold, from the nominal one; of others what ties add to that of their group.
  double known_part(NodeId n) const {
    const Merge& merge = topology_.merge;
    return merge.offset[n] + (is_unknown(n) ? 0 : merge.known_volts[merge.group[n] - merge.unknowns] - nominal_v_);
  }
  bool is_of_other_net(int64_t edge) const { return solved_.parts.place_of(edge, net_).part == NetPart::sources; }

  /// Whether currents into the node reach this one.
  bool is_reached(NodeId n) const {
    const std::vector<int32_t>& system = system_.connected_system();
    const int32_t group = topology_.merge.group[n], own = topology_.merge.group[response_.node];
    return is_unknown(n) && is_unknown(response_.node) && system[group] == system[own];
  }

  Conductor between(int64_t e) const {
    const Network& network = topology_.grid.network;
    const NodeId a = network.a[e], b = network.b[e];
    return {a, b, network.conductance[e], solved_.voltage_v[a] - solved_.voltage_v[b]};
  }

  int64_t added_pads() const {
    return std::ranges::count_if(topology_.added_pads, [&](const AddedPad& pad) {
      return is_reached(pad.node) && solved_.parts.net_of(pad.node) == net_;
    });
  }
  /// Those of the net by their voltage, or those of all nets by what they add to the share of sources.
  void take_added_pads(auto& take, bool is_of_sources) const {
    for (const AddedPad& pad : topology_.added_pads) {
      if (!is_reached(pad.node)) continue;
      const bool is_of_net = solved_.parts.net_of(pad.node) == net_;
      const double across = solved_.voltage_v[pad.node] - pad.volts;
      const double known = known_part(pad.node) - (pad.volts - nominal_v_);
      const double volts = is_of_sources ? (is_of_net ? 0 : across) - known : is_of_net ? across : 0;
      if (volts != 0) take(Conductor{pad.node, -1, pad.conductance, volts});
    }
  }
  /// v_k − V is the sum of all shares, known_part(k), and −g (λ_a − λ_b)(known_part(a) − known_part(b)) of each
  /// conductor.
  void take_sources(auto& take) const {
    for (const int64_t e : edges_) {
      Conductor c = between(e);
      const bool is_of_other = is_of_other_net(e);
      const double known = known_part(c.a) - known_part(c.b);
      c.volts = (is_of_other ? c.volts : 0) - known;
      if (is_of_other || known != 0) take(c);
    }
    take_added_pads(take, true);
  }

  /// The edges that currents into the node reach, by place; those of a place are edges_ from first[place] on.
  std::vector<NetParts::Place> sort_edges(std::vector<int64_t>& first) {
    const Network& network = topology_.grid.network;
    std::map<NetParts::Place, std::vector<int64_t>> by_place;
    if (added_pads() > 0) by_place[{NetPart::pads, {}}];
    for (int64_t e = 0; e < network.edges(); ++e)
      if (is_reached(network.a[e]) || is_reached(network.b[e])) by_place[solved_.parts.place_of(e, net_)].push_back(e);
    std::vector<NetParts::Place> places;
    for (auto& [place, edges] : by_place) {
      places.push_back(place);
      first.push_back(std::ssize(edges_));
      edges_.insert(edges_.end(), edges.begin(), edges.end());
      edges = {};
    }
    first.push_back(std::ssize(edges_));
    return places;
  }

  /// Of the conductors that `for_each` calls its argument with.
  DropShare share_of(NetParts::Place place, auto&& for_each) {
    long double sum = 0, sum_of_sizes = 0, siemens = 0;
    int64_t count = 0;
    for_each([&](const Conductor& c) {
      const double ohm = response_.ohm[c.a] - (c.b < 0 ? 0 : response_.ohm[c.b]);
      sum += static_cast<long double>(c.siemens * ohm) * c.volts;
      sum_of_sizes += std::abs(c.siemens * ohm * c.volts);
      ++count;
      add_current(into_ohm_, c, c.siemens * c.volts);
      siemens += c.siemens;
      add_current(into_v_, c, c.siemens * ohm);
    });
    double out_of_v = 0, out_of_ohm = 0;
    for_each([&](const Conductor& c) {
      for (const NodeId n : {c.a, c.b}) {
        if (n < 0) continue;
        const int32_t group = topology_.merge.group[n];
        out_of_v += std::abs(std::exchange(into_v_[group], 0.0));
        const double amperes = std::abs(std::exchange(into_ohm_[group], 0.0));
        if (is_unknown(n)) out_of_ohm += amperes;  // λ is 0 without error at others
      }
    });
    constexpr double kRounding = std::numeric_limits<double>::epsilon();
    const double rounding = 4 * kRounding + static_cast<double>(count) * std::numeric_limits<long double>::epsilon();
    const double error = solved_.bound_v, error_ohm = response_.error_ohm;
    DropShare share{place.part, place.layers, 0, static_cast<double>(sum), 0};
    share.bound_v = error * out_of_v + error_ohm * out_of_ohm + 4 * error * error_ohm * static_cast<double>(siemens) +
                    rounding * static_cast<double>(sum_of_sizes);
    if (count == 0) share.bound_v = 0;
    return share;
  }

  void add_current(std::vector<double>& into, const Conductor& c, double amperes) const {
    into[topology_.merge.group[c.a]] += amperes;
    if (c.b >= 0) into[topology_.merge.group[c.b]] -= amperes;
  }

  const System& system_;
  const Topology& topology_;
  const UnitResponse& response_;
  const SolvedNets& solved_;
  int32_t net_;
  double nominal_v_;
  std::vector<int64_t> edges_;
  std::vector<double> into_v_, into_ohm_;  ///< per group: currents of a part into it, per volt and per ohm of an error
};

/// What the shares' bounds take of the error of λ to be as small as the tolerance.
double error_asked_for(const Solver& solver, const IrReport& report, std::span<const NodeId> nodes) {
  double most_a = 0;
  for (const NodeId node : nodes)
    most_a = std::max(most_a, std::abs(report.nets[report.nodes.net[node]].load_current_a));
  return most_a > 0 ? solver.options().tolerance_v / most_a : HUGE_VAL;
}

}  // namespace

std::vector<DropShares> find_drop_shares(Solver& solver, const Loads& loads, const IrReport& report,
                                         std::span<const NodeId> nodes) {
  if (nodes.empty()) return {};
  require_drops(solver, report, nodes);
  const System system = solver.system();
  const std::vector<UnitResponse> responses = solver.respond(nodes, error_asked_for(solver, report, nodes));
  std::map<int32_t, SolvedNets> solved;
  std::vector<DropShares> all;
  for (size_t k = 0; k < nodes.size(); ++k) {
    DropShares of;
    of.node = nodes[k];
    of.net = report.nodes.net[of.node];
    of.vector = vector_of(report, of.node);
    of.drop_v = report.nodes.drop_v[of.node];
    auto in = solved.find(of.vector);
    if (in == solved.end()) in = solved.emplace(of.vector, solved_nets(solver, system, loads, report, of.vector)).first;
    of.bound_v = in->second.bound_v;
    const NetResult& net = report.nets[of.net];
    of.shares = NodeShares(system, responses[k], in->second, net).shares();
    const double sign = drop_sign(net, in->second.voltage_v[of.node]);
    for (DropShare& share : of.shares) share.drop_v = sign * share.drop_v + 0.0;
    std::ranges::stable_sort(of.shares, std::greater<>(), &DropShare::drop_v);
    all.push_back(std::move(of));
  }
  return all;
}

std::vector<NodeId> worst_beyond_limits(const IrReport& report) {
  std::vector<NodeId> nodes;
  for (const NetResult& net : report.nets) {
    const DropSummary* worst = nullptr;
    for (const LimitResult& limit : report.limits) {
      if (!limit.exceeded || limit.net != net.name) continue;
      const auto layer = std::ranges::find_if(net.layers, [&](const LayerResult& of) {
        return !limit.layer.empty() && layer_text(report.layer_names, {of.layer, of.layer}) == limit.layer;
      });
      const DropSummary& judged = layer == net.layers.end() ? static_cast<const DropSummary&>(net) : *layer;
      if (!worst || judged.worst_drop_v > worst->worst_drop_v) worst = &judged;
    }
    if (worst && worst->worst_node != kGround) nodes.push_back(worst->worst_node);
  }
  return nodes;
}

}  // namespace gridiron
