// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir_drop.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/assemble.hpp"
#include "analysis/certificate.hpp"
#include "analysis/findings.hpp"
#include "analysis/grid.hpp"
#include "netlist/node_place.hpp"
#include "regularize/eliminate.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/parallel.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr double kBarrierResidual =
    1e-2;  // a loose solve gives a barrier with δ of about 0.1 to 0.3 (ALGORITHMS.md §6)

/// A circuit looked at: what check and ir share.
struct Examined {
  NodePlaces places;
  Grid grid;
  Merge merge;
  Parts parts;
  std::vector<double> known_volts;  ///< per node, NaN where no source fixes the potential
  Nets nets;
  std::vector<Finding> findings;
};

void append(std::vector<Finding>& to, std::vector<Finding> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Examined examine(const Circuit& circuit, const IrOptions& options) {
  Examined x;
  x.findings = check_values(circuit);
  if (std::any_of(x.findings.begin(), x.findings.end(),
                  [](const Finding& f) { return f.severity == Finding::Severity::error; }))
    return x;
  x.places = place_nodes(circuit, options.dbu_per_um);
  append(x.findings, check_geometry(circuit, x.places));
  x.grid = make_grid(circuit);
  x.merge = merge_ties(x.grid.network);
  append(x.findings, check_ties(circuit, x.grid, x.merge));
  x.parts = find_parts(x.grid.network);
  append(x.findings, check_parts(circuit, x.grid, x.parts, x.places));
  const Merge& m = x.merge;
  x.known_volts.assign(circuit.node_count(), std::numeric_limits<double>::quiet_NaN());
  for (NodeId n = 0; n < circuit.node_count(); ++n)
    if (m.group[n] >= m.unknowns) x.known_volts[n] = m.known_volts[m.group[n] - m.unknowns] + m.offset[n];
  x.nets = name_nets(circuit, x.places, x.parts, x.known_volts, options.nominal_v);
  append(x.findings, std::move(x.nets.findings));
  return x;
}

/// Per group the connected system it belongs to, −1 for floating ones.
std::vector<std::int32_t> systems_of_groups(const Examined& x) {
  std::vector<std::int32_t> system(x.merge.unknowns, -1);
  for (NodeId n = 1; n < x.grid.network.nodes; ++n) {
    const std::int32_t group = x.merge.group[n], part = x.parts.part[n];
    if (group < x.merge.unknowns && x.parts.anchored[part]) system[group] = x.parts.system[part];
  }
  return system;
}

/// Floating systems have no potential; a pad at one of their nodes pins them to 0 V, which keeps G regular and harms
/// nobody.
void pin_floating(MergedNetwork& network, const std::vector<std::int32_t>& system, const Examined& x) {
  std::vector<std::uint8_t> pinned(x.parts.systems, 0);
  for (NodeId n = 1; n < x.grid.network.nodes; ++n) {
    const std::int32_t group = x.merge.group[n];
    if (group >= x.merge.unknowns || system[group] >= 0) continue;
    std::uint8_t& done = pinned[x.parts.system[x.parts.part[n]]];
    if (!done) network.pad[group] = 1.0;
    done = 1;
  }
}

/// Places of the unknowns: each lies where the lowest node of its group with a place is.
Geometry geometry_of(const Examined& x, const Elimination& elimination) {
  if (x.places.placed == 0) return {};
  std::vector<NodeId> node_of_group(x.merge.unknowns, -1);
  for (NodeId n = 1; n < x.grid.network.nodes; ++n) {
    const std::int32_t group = x.merge.group[n];
    if (group >= x.merge.unknowns) continue;
    NodeId& chosen = node_of_group[group];
    if (chosen < 0 || (std::isnan(x.places.x_um[chosen]) && !std::isnan(x.places.x_um[n]))) chosen = n;
  }
  Geometry geometry;
  for (const std::int32_t group : elimination.kept) {
    const NodeId n = node_of_group[group];
    geometry.x_um.push_back(x.places.x_um[n]);
    geometry.y_um.push_back(x.places.y_um[n]);
    geometry.layer.push_back(x.places.layer[n]);
    geometry.net.push_back(x.nets.net_of_part[x.parts.part[n]]);
  }
  return geometry;
}

/// The reduced system of one grid and the engine set up for it.
class Solver {
 public:
  Solver(const MergedNetwork& network, const Elimination& elimination, Engine& engine)
      : network_(network), elimination_(elimination), engine_(engine) {}

  /// Solves for any injection of the merged network; `voltage` holds the guess on entry.
  SolveStats solve(std::span<const double> injection, std::span<double> voltage, const StopRule& stop) {
    const auto unknowns = static_cast<std::int64_t>(elimination_.kept.size());
    std::vector<double> arrived(network_.nodes), b(unknowns), x(unknowns);
    elimination_.reduce(injection, arrived, b);
    for (std::int64_t i = 0; i < unknowns; ++i) x[i] = voltage[elimination_.kept[i]];
    const SolveStats stats = engine_.solve({b.data(), unknowns, 1}, {x.data(), unknowns, 1}, stop);
    elimination_.recover(arrived, x, voltage);
    return stats;
  }

 private:
  const MergedNetwork& network_;
  const Elimination& elimination_;
  Engine& engine_;
};

const EngineInfo& choose_engine(const std::string& name, const Problem& problem) {
  if (name == "auto") {
    for (const EngineInfo& engine : engines())
      if (!engine.declines(problem)) return engine;
    throw InputError("no engine of this build can solve this problem");
  }
  const EngineInfo& engine = find_engine(name);
  if (const auto reason = engine.declines(problem)) throw InputError(fmt::format("engine {}: {}", name, *reason));
  return engine;
}

/// Current that leaves each tied node towards the root of its tree of ties, by Kirchhoff's law from the leaves inwards,
/// A.
std::vector<double> currents_to_parent(const Examined& x, const std::vector<double>& voltage) {
  const Network& net = x.grid.network;
  std::vector<double> flow(net.injection);
  for (std::int64_t e = 0; e < net.edges(); ++e) {
    const std::int32_t a = net.a[e], b = net.b[e];
    const double current = net.conductance[e] * (voltage[a] - voltage[b]);
    flow[a] -= current;
    flow[b] += current;
  }
  const std::vector<std::int32_t>& order = x.merge.order;
  for (auto it = order.rbegin(); it != order.rend(); ++it)
    if (x.merge.parent[*it] >= 0) flow[x.merge.parent[*it]] += flow[*it];
  return flow;
}

void find_pads(const Circuit& circuit, const Examined& x, const std::vector<double>& flow, IrResult& result) {
  std::vector<NodeId> node_of_tie(x.grid.network.ties(), -1);
  for (NodeId n = 0; n < circuit.node_count(); ++n)
    if (x.merge.parent[n] >= 0) node_of_tie[x.merge.parent_tie[n]] = n;
  for (std::int64_t t = 0; t < x.grid.network.ties(); ++t) {
    const Grid::TieElement& element = x.grid.tie_elements[t];
    if (element.kind != kVoltageSource) continue;
    const NodeId a = x.grid.network.tie_a[t], b = x.grid.network.tie_b[t];
    if (a != kGround && b != kGround) continue;
    PadResult pad;
    pad.node = a == kGround ? b : a;
    pad.net = result.nodes.net[pad.node];
    if (pad.net < 0) continue;
    pad.name = circuit.element_name(kVoltageSource, element.index);
    pad.voltage_v = result.nodes.voltage_v[pad.node];
    // A source that no tree of ties uses stands parallel to others: they carry its share.
    if (const NodeId child = node_of_tie[t]; child >= 0) pad.current_a = child == pad.node ? -flow[child] : flow[child];
    result.pads.push_back(std::move(pad));
  }
  std::stable_sort(result.pads.begin(), result.pads.end(), [](const PadResult& a, const PadResult& b) {
    return std::abs(a.current_a) > std::abs(b.current_a);
  });
}

/// Σ pad currents − Σ loads, resistors to ground counted as pads.
double current_imbalance(const Examined& x, const IrResult& result) {
  const Network& net = x.grid.network;
  long double sum = 0;
  for (const PadResult& pad : result.pads) sum += pad.current_a;
  for (std::int64_t e = 0; e < net.edges(); ++e) {
    if (net.a[e] != kGround && net.b[e] != kGround) continue;
    const NodeId n = net.a[e] == kGround ? net.b[e] : net.a[e];
    if (result.nodes.state[n] == NodeState::solved) sum -= net.conductance[e] * result.nodes.voltage_v[n];
  }
  for (NodeId n = 1; n < net.nodes; ++n)
    if (result.nodes.state[n] == NodeState::solved) sum += net.injection[n];
  return static_cast<double>(sum);
}

void fill_nodes(const Examined& x, const std::vector<double>& group_volts, IrResult& result) {
  const Merge& m = x.merge;
  NodeTable& nodes = result.nodes;
  const std::int64_t n = x.grid.network.nodes;
  nodes.voltage_v.assign(n, 0.0);
  nodes.drop_v.assign(n, 0.0);
  nodes.net.assign(n, -1);
  nodes.state.assign(n, NodeState::solved);
  nodes.state[kGround] = NodeState::ground;
  std::int64_t floating = 0;
  for (NodeId i = 1; i < n; ++i) {
    const std::int32_t part = x.parts.part[i];
    if (!x.parts.anchored[part]) {
      nodes.state[i] = NodeState::floating;
      ++floating;
      continue;
    }
    nodes.net[i] = x.nets.net_of_part[part];
    nodes.voltage_v[i] = m.group[i] >= m.unknowns ? x.known_volts[i] : group_volts[m.group[i]] + m.offset[i];
  }
  result.reduced.floating_nodes = floating;
  for (const Net& net : x.nets.nets) {
    NetResult& r = result.nets.emplace_back();
    r.name = net.name;
    r.nominal_v = net.nominal_v;
    r.is_ground = net.is_ground();
  }
}

/// Loads and pad currents per net, counted in the sense of a positive supply current.
void sum_currents(const Circuit& circuit, const Examined& x, IrResult& result) {
  for (NetResult& net : result.nets) net.loads = net.pads = 0;
  const Network& network = x.grid.network;
  for (NodeId n = 1; n < circuit.node_count(); ++n) {
    if (result.nodes.net[n] < 0 || network.injection[n] == 0) continue;
    NetResult& net = result.nets[result.nodes.net[n]];
    ++net.loads;
    net.load_current_a += net.is_ground ? network.injection[n] : -network.injection[n];
  }
  for (const PadResult& pad : result.pads) {
    NetResult& net = result.nets[pad.net];
    ++net.pads;
    net.pad_current_a += net.is_ground ? -pad.current_a : pad.current_a;
  }
}

/// --net: everything else disappears from the report.
void keep_only_net(const std::string& name, IrResult& result) {
  const auto wanted =
      std::find_if(result.nets.begin(), result.nets.end(), [&](const NetResult& n) { return same_name(n.name, name); });
  if (wanted == result.nets.end()) {
    std::string names;
    for (const NetResult& n : result.nets) names += (names.empty() ? "" : ", ") + n.name;
    throw InputError(fmt::format("--net {}: the netlist has no such net; it has {}", name, names));
  }
  const auto index = static_cast<std::int32_t>(wanted - result.nets.begin());
  for (std::size_t n = 0; n < result.nodes.net.size(); ++n) {
    if (result.nodes.net[n] == index) {
      result.nodes.net[n] = 0;
    } else if (result.nodes.net[n] >= 0) {
      result.nodes.net[n] = -1;
      result.nodes.state[n] = NodeState::unlisted;
    }
  }
  std::erase_if(result.pads, [&](const PadResult& p) { return p.net != index; });
  for (PadResult& p : result.pads) p.net = 0;
  result.nets = {result.nets[index]};
}

}  // namespace

CheckResult check_netlist(const Circuit& circuit, const IrOptions& options) {
  CheckResult result;
  Examined x = examine(circuit, options);
  result.findings = std::move(x.findings);
  result.nodes = circuit.node_count() - 1;
  result.parts = x.parts.count();
  result.floating_parts = std::count(x.parts.anchored.begin(), x.parts.anchored.end(), 0);
  for (const Net& net : x.nets.nets) result.nets.push_back(fmt::format("{} {:g} V", net.name, net.nominal_v));
  return result;
}

IrResult analyse_ir_drop(const Circuit& circuit, const IrOptions& options) {
  IrResult result;
  result.circuit = &circuit;
  Timings& timings = result.timings_s;
  Stopwatch watch;

  options.progress("check");
  Examined x = examine(circuit, options);
  throw_first_error(x.findings);
  timings.check = watch.lap();

  options.progress("reduce");
  MergedNetwork merged = merged_network(x.grid.network, x.merge);
  const std::vector<std::int32_t> system = systems_of_groups(x);
  pin_floating(merged, system, x);
  const Elimination elimination = eliminate(merged, options.reduce);
  timings.reduce = watch.lap();

  options.progress("assemble");
  Problem problem;
  problem.matrix = assemble(elimination.network);
  problem.structure = PowerGrid{&elimination.network, geometry_of(x, elimination)};
  timings.assemble = watch.lap();

  options.progress("set up");
  const EngineInfo& info = choose_engine(options.engine, problem);
  const std::unique_ptr<Engine> engine = info.make(options.settings);
  engine->setup(problem);
  Solver solver(merged, elimination, *engine);
  timings.setup = watch.lap();

  // The barrier comes before the solve: it says how small the residual must get for the tolerance in volts.
  options.progress("certify");
  ErrorBound error_bound(merged, system, x.parts.systems);
  std::vector<double> w(merged.nodes, 0.0);
  const std::vector<double> ones(merged.nodes, 1.0);
  solver.solve(ones, w, {kBarrierResidual, 0, options.max_iterations});
  Certificate& certificate = result.certificate;
  certificate.valid = error_bound.set_barrier(w);
  certificate.tolerance_v = options.tolerance_v;
  certificate.max_w_ohm = error_bound.max_w();
  certificate.delta = error_bound.delta();
  timings.certify = watch.lap();

  options.progress("solve");
  StopRule stop;
  stop.max_iterations = options.max_iterations;
  if (options.rtol)
    stop.relative_residual = *options.rtol;
  else if (certificate.valid)
    stop.absolute_max = 0.5 * error_bound.residual_for(options.tolerance_v), stop.relative_residual = 0;
  std::vector<double> volts(merged.nodes, 0.0);
  result.solve = solver.solve(merged.injection, volts, stop);
  timings.solve = watch.lap();

  options.progress("certify");
  if (certificate.valid) {
    const ErrorBound::Result bound = error_bound.bound(volts);
    certificate.max_error_v = bound.max_error_v;
    certificate.max_residual_a = bound.max_residual_a;
  }
  if (!certificate.valid || (!options.rtol && certificate.max_error_v > options.tolerance_v)) {
    // Conductances many orders apart make the bound by one number pessimistic; the residual itself as right-hand side
    // is sharp.
    const std::vector<double> majorant = error_bound.residual_majorant(volts);
    std::fill(w.begin(), w.end(), 0.0);
    solver.solve(majorant, w, {kBarrierResidual, 0, options.max_iterations});
    const double sharp = error_bound.sharp_bound(w, majorant, volts);
    if (std::isfinite(sharp) && (!certificate.valid || sharp < certificate.max_error_v)) {
      certificate.valid = true;
      certificate.max_error_v = sharp;
      certificate.max_residual_a = *std::max_element(majorant.begin(), majorant.end());
    }
  }
  timings.certify += watch.lap();

  options.progress("recover");
  fill_nodes(x, volts, result);
  find_pads(circuit, x, currents_to_parent(x, result.nodes.voltage_v), result);
  certificate.current_imbalance_a = current_imbalance(x, result);
  sum_currents(circuit, x, result);
  result.layer_names = std::move(x.places.layers);
  result.nodes.layer = std::move(x.places.layer);
  result.nodes.x_um = std::move(x.places.x_um);
  result.nodes.y_um = std::move(x.places.y_um);
  result.dbu_per_um = x.places.dbu_per_um;
  for (NetResult& net : result.nets) {
    const auto supply =
        std::find_if(options.nominal_v.begin(), options.nominal_v.end(), [](const auto& o) { return o.second != 0; });
    if (net.is_ground && supply != options.nominal_v.end()) net.supply_v = std::abs(supply->second);
  }
  if (!options.net.empty()) keep_only_net(options.net, result);
  summarise_drops(result);
  result.instances = find_instances(circuit, result);
  result.limits = check_limits(result, options.limits);
  result.findings = std::move(x.findings);

  result.reduced.unknowns = problem.matrix.rows;
  result.reduced.nonzeros = problem.matrix.nonzeros();
  result.reduced.merged_shorts = x.grid.network.ties();
  result.reduced.eliminated = static_cast<std::int64_t>(elimination.steps.size());
  result.engine = {std::string(info.name), "cpu", engine->parameters(), engine->bytes(), omp_get_max_threads()};
  timings.recover = watch.lap();
  return result;
}

std::string tolerance_miss(const IrResult& result, const IrOptions& options) {
  if (options.rtol)
    return result.solve.converged
               ? ""
               : fmt::format(
                     "engine {} stopped after {} iterations at a relative residual of {:.2e}, asked for {:.2e}; raise "
                     "--max-iterations or try another --engine",
                     result.engine.name, result.solve.iterations, result.solve.relative_residual, *options.rtol);
  const Certificate& c = result.certificate;
  if (!c.valid)
    return "the error of the voltages could not be bounded; conductances lie too far apart for double precision";
  if (c.max_error_v <= options.tolerance_v) return "";
  return fmt::format(
      "the certified error bound is {:.2e} V, above the tolerance of {:.2e} V; raise --tolerance or try another "
      "--engine",
      c.max_error_v, options.tolerance_v);
}

}  // namespace gridiron
