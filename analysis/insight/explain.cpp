// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/explain.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/insight/conductors.hpp"
#include "analysis/insight/sensitivity.hpp"
#include "analysis/model/deck/unknown_name.hpp"
#include "analysis/results/asked_names.hpp"
#include "analysis/results/segments.hpp"
#include "analysis/results/summarise.hpp"
#include "netlist/names/node_place.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// Moves the `most` best of `list` to its front, in order, and drops the rest.
template <class T>
void keep_best(std::vector<T>& list, size_t most, auto better) {
  const size_t kept = std::min(most, list.size());
  std::partial_sort(list.begin(), list.begin() + kept, list.end(), better);
  list.resize(kept);
}

/// A resistor to a node behind a pad, such as _X_n7_4528_3000 of the IBM decks: no wire that could be widened.
bool is_of_package(const Circuit& circuit, int64_t resistor) {
  return parse_node_name(circuit.node_name(circuit.resistors.a[resistor])).is_pad ||
         parse_node_name(circuit.node_name(circuit.resistors.b[resistor])).is_pad;
}

std::vector<SegmentEffect> best_segments(const IrReport& report, const Sensitivity& sensitivity, size_t most) {
  std::vector<SegmentEffect> effects;
  for_each_edge(*report.circuit, [&](int64_t resistor, int64_t edge) {
    if (!report.segments.has(resistor)) return;
    const double volts = sensitivity.of_edge(edge);
    if (volts < 0 && !is_of_package(*report.circuit, resistor)) effects.push_back({resistor, volts});
  });
  keep_best(effects, most, [](const SegmentEffect& a, const SegmentEffect& b) {
    return a.sensitivity_v != b.sensitivity_v ? a.sensitivity_v < b.sensitivity_v : a.resistor < b.resistor;
  });
  return effects;
}

void add_loads(const Circuit& circuit, std::span<const double> amperes, const Sensitivity& sensitivity, size_t most,
               Explanation& e) {
  std::vector<LoadEffect>& effects = e.loads;
  double all_v = 0;
  for (size_t i = 0; i < amperes.size(); ++i) {
    const double ohm = sensitivity.of_load(circuit.current_sources.a[i], circuit.current_sources.b[i]);
    if (ohm * amperes[i] == 0) continue;
    effects.push_back({static_cast<int64_t>(i), ohm, amperes[i], ohm * amperes[i]});
    all_v += ohm * amperes[i];
  }
  e.other_loads = std::ssize(effects);
  keep_best(effects, most, [](const LoadEffect& a, const LoadEffect& b) {
    return a.drop_v != b.drop_v ? a.drop_v > b.drop_v : a.source < b.source;
  });
  e.other_loads -= std::ssize(effects);
  if (e.other_loads == 0) return;
  e.other_loads_v = all_v;
  for (const LoadEffect& load : effects) e.other_loads_v -= load.drop_v;
}

/// The load vector under which the report has this node.
Loads loads_for(const Loads& loads, int32_t vector) {
  Loads one(loads.design());
  const std::span<const double> amperes = loads.vector(vector);
  std::ranges::copy(amperes, one.vector(0).begin());
  return one;
}

/// A state of the grid whose drops are explained. It refers to the vectors that it is made of.
struct State {
  State(const System& system, const IrReport& report, std::span<const double> volts, std::span<const double> amperes)
      : voltage_v(volts),
        load_a(amperes),
        nodes(node_table(system, voltage_v)),
        conductors(*report.circuit, system.topology(), nodes, node_injection(*report.circuit, load_a)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::span<const double> voltage_v, load_a;
  NodeTable nodes;
  Conductors conductors;
};

/// A load vector with its solution.
struct Case {
  Case(Solver& solver, const System& system, const IrReport& report, const Loads& all, int32_t vector)
      : loads(loads_for(all, vector)),
        answer(std::move(solver.solve(loads).front())),
        state(system, report, answer.voltage_v, answer.load_a) {}

  Loads loads;
  Answer answer;
  State state;
};

/// Explains nodes one after the other, and leaves the solver with the system of the last widening until restore().
class Explainer {
 public:
  Explainer(Solver& solver, const System& system, const IrReport& report, const ExplainOptions& options)
      : solver_(solver), system_(system), report_(report), options_(options) {}

  /// By the loads of a vector.
  Explanation by_loads(NodeId node, int32_t vector, const Case& in, const UnitResponse& response) {
    Explanation e = explain(node, vector, in.state, response);
    if (e.segments.empty()) return e;
    widen(e);
    const Answer after = std::move(solver_.solve(in.loads).front());
    e.gain_v = sign_of(node, in.state) * (in.answer.voltage_v[node] - after.voltage_v[node]);
    e.gain_bound_v = in.answer.certificate.bound_v() + after.certificate.bound_v();
    return e;
  }

  /// At a moment, in this state.
  Explanation at_moment(NodeId node, const GridMoment& moment, const State& in, const UnitResponse& response) {
    Explanation e = explain(node, moment.scenario, in, response);
    const Sensitivity sensitivity(system_.topology(), response, in.voltage_v, sign_of(node, in));
    const double injected_v = sensitivity.of_injections();
    e.capacitors_v = injected_v - e.other_loads_v;
    for (const LoadEffect& load : e.loads) *e.capacitors_v -= load.drop_v;
    e.inductors_v = e.drop_v - injected_v - e.unequal_sources_v;
    if (e.segments.empty()) return e;
    widen(e);
    const UnitResponse after = std::move(solver_.respond(std::span(&node, 1)).front());
    find_gain(e, moment, after, sign_of(node, in));
    return e;
  }

  /// Brings the solver back to its own system.
  void restore() {
    if (is_widened_) solver_.update(system_);
  }

 private:
  double sign_of(NodeId node, const State& in) const {
    return drop_sign(report_.nets[report_.nodes.net[node]], in.voltage_v[node]);
  }

  /// All but the gain.
  Explanation explain(NodeId node, int32_t vector, const State& in, const UnitResponse& response) const {
    Explanation e;
    e.node = node;
    e.vector = vector;
    e.net = report_.nodes.net[node];
    e.drop_v = report_.nodes.drop_v[node];
    e.effective_ohm = response.effective_ohm();
    const double sign = sign_of(node, in);
    e.path = in.conductors.path_to_pad(node, sign);
    const Sensitivity sensitivity(system_.topology(), response, in.voltage_v, sign);
    e.segments = best_segments(report_, sensitivity, options_.segments);
    add_loads(*report_.circuit, in.load_a, sensitivity, options_.loads, e);
    e.unequal_sources_v = sensitivity.of_sources(report_.nets[e.net].nominal_v);
    return e;
  }

  /// Widens its segments in the solver.
  void widen(Explanation& e) {
    ScaleResistors edit;
    edit.factor = 1 / (1 + options_.widened_by);
    for (const SegmentEffect& segment : e.segments) {
      edit.resistors.push_back(segment.resistor);
      e.predicted_gain_v -= options_.widened_by * segment.sensitivity_v;
    }
    System widened = system_;
    widened.apply(edit);
    e.widened_by = options_.widened_by;
    solver_.update(std::move(widened));
    is_widened_ = true;
  }

  /// With the conductances G + D of the wider segments, the state v becomes v - (G + D)^-1 D v.
  void find_gain(Explanation& e, const GridMoment& moment, const UnitResponse& after, double sign) const {
    const Network& network = system_.topology().grid.network;
    for_each_edge(*report_.circuit, [&](int64_t resistor, int64_t edge) {
      if (std::ranges::find(e.segments, resistor, &SegmentEffect::resistor) == e.segments.end()) return;
      const int32_t a = network.a[edge], b = network.b[edge];
      const double more = e.widened_by * network.conductance[edge], ohm = after.ohm[a] - after.ohm[b],
                   across_v = moment.voltage_v[a] - moment.voltage_v[b];
      e.gain_v += sign * more * ohm * across_v;
      e.gain_bound_v += 2 * std::abs(more * across_v) * after.error_ohm;
    });
  }

  Solver& solver_;
  const System& system_;
  const IrReport& report_;
  ExplainOptions options_;
  bool is_widened_ = false;
};

void require_possible(const ExplainOptions& options) {
  if (!(options.widened_by > -1) || !std::isfinite(options.widened_by))
    throw field_error("widened_by", "{}: a conductance stays above 0", options.widened_by);
}

/// explain_one(k) for every node; the solver has its own system afterwards, whatever happens.
std::vector<Explanation> explain_all(Explainer& explainer, size_t nodes, auto&& explain_one) {
  std::vector<Explanation> explanations;
  try {
    for (size_t k = 0; k < nodes; ++k) explanations.push_back(explain_one(k));
  } catch (...) {
    explainer.restore();
    throw;
  }
  explainer.restore();
  return explanations;
}

}  // namespace

void require_drops(const Solver& solver, const IrReport& report, std::span<const NodeId> nodes) {
  if (report.design != solver.system().design()) throw InputError("this report is of another design than the solver");
  for (const NodeId node : nodes)
    if (report.nodes.net[node] < 0)
      throw input_error(
          "node {} has no drop to explain: it floats, is ground, or is on a net that was not "
          "asked for",
          report.circuit->node_name(node));
}

std::vector<Explanation> explain(Solver& solver, const Loads& loads, const IrReport& report,
                                 std::span<const NodeId> nodes, const ExplainOptions& options) {
  require_possible(options);
  require_drops(solver, report, nodes);
  if (nodes.empty()) return {};
  const auto vector_of = [&](NodeId node) { return report.nodes.vector.empty() ? 0 : report.nodes.vector[node]; };
  const System system = solver.system();
  const std::vector<UnitResponse> responses = solver.respond(nodes);
  std::map<int32_t, Case> cases;
  for (const NodeId node : nodes)
    if (const int32_t vector = vector_of(node); !cases.contains(vector))
      cases.try_emplace(vector, solver, system, report, loads, vector);
  Explainer explainer(solver, system, report, options);
  return explain_all(explainer, nodes.size(), [&](size_t k) {
    const int32_t vector = vector_of(nodes[k]);
    return explainer.by_loads(nodes[k], vector, cases.at(vector), responses[k]);
  });
}

std::vector<Explanation> explain(Solver& solver, const GridMoment& moment, const IrReport& report,
                                 std::span<const NodeId> nodes, const ExplainOptions& options) {
  require_possible(options);
  require_drops(solver, report, nodes);
  if (nodes.empty()) return {};
  const System system = solver.system();
  const std::vector<UnitResponse> responses = solver.respond(nodes);
  const State state(system, report, moment.voltage_v, moment.load_a);
  Explainer explainer(solver, system, report, options);
  return explain_all(explainer, nodes.size(),
                     [&](size_t k) { return explainer.at_moment(nodes[k], moment, state, responses[k]); });
}

NodeId node_to_explain(const IrReport& report, const std::string& name, std::string_view option) {
  if (const NodeId node = report.circuit->nodes.find(name); node >= 0) return node;
  if (name != kWorstNode.word)
    throw unknown_node(*report.circuit, name,
                       fmt::format("{} {}: {}", option.empty() ? "node" : field(option), name, kNoNode),
                       fmt::format("; '{}' is {}", kWorstNode.word, kWorstNode.meaning));
  const NetResult* worst = nullptr;
  for (const NetResult& net : report.nets)
    if (net.nodes > 0 && (!worst || net.worst_drop_v > worst->worst_drop_v)) worst = &net;
  if (!worst) throw InputError("node worst: no node has a drop");
  return worst->worst_node;
}

std::vector<LayerPart> parts_of(const IrReport& report, const Path& path) {
  std::vector<LayerPart> parts;
  for (const PathStep& step : path.steps) {
    const int32_t a = report.nodes.layer[step.from], b = report.nodes.layer[step.to];
    const LayerPair layers = ascending(a, b);
    auto part = std::ranges::find_if(parts, [&](const LayerPart& p) { return p.layers == layers; });
    if (part == parts.end()) part = parts.insert(parts.end(), {layers});
    ++part->steps;
    part->ohm += step.ohm;
    part->drop_v += step.drop_v;
  }
  return parts;
}

}  // namespace gridiron
