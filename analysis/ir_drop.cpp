// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir_drop.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/certificate.hpp"
#include "analysis/currents.hpp"
#include "analysis/findings.hpp"
#include "analysis/grid.hpp"
#include "analysis/nets.hpp"
#include "engines/assemble.hpp"
#include "netlist/node_place.hpp"
#include "regularize/eliminate.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

constexpr double kBarrierSlack = 0.1;  ///< largest |1 − (G w)ᵢ|: the bound grows by 1/(1 − 0.1) at most
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
  x.nets = name_nets(circuit, x.places, x.grid, x.parts, x.known_volts, options.nominal_v);
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

/// Floating systems have no potential; a pad at one of their nodes, as strong as what the node is connected by, pins
/// them to 0 V, which keeps G regular and harms nobody.
void pin_floating(MergedNetwork& network, const std::vector<std::int32_t>& system, const Examined& x) {
  std::vector<std::int32_t> pinned(x.parts.systems, -1);
  for (NodeId n = 1; n < x.grid.network.nodes; ++n) {
    const std::int32_t group = x.merge.group[n];
    if (group >= x.merge.unknowns || system[group] >= 0) continue;
    std::int32_t& pin = pinned[x.parts.system[x.parts.part[n]]];
    if (pin < 0) pin = group;
  }
  std::vector<double> strength(network.nodes, 0.0);
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    strength[network.a[e]] += network.conductance[e];
    strength[network.b[e]] += network.conductance[e];
  }
  for (const std::int32_t group : pinned)
    if (group >= 0) network.pad[group] = strength[group] > 0 ? strength[group] : 1.0;
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
    geometry.net.push_back(x.parts.part[n]);
  }
  return geometry;
}

void reduce(const Examined& x, bool eliminates, ReducedGrid& grid) {
  grid.merged = merged_network(x.grid.network, x.merge);
  grid.system = systems_of_groups(x);
  grid.systems = x.parts.systems;
  for (const std::vector<double>* volts : {&x.merge.known_volts, &x.merge.offset})
    for (const double v : *volts) grid.largest_volts = std::max(grid.largest_volts, std::abs(v));
  pin_floating(grid.merged, grid.system, x);
  grid.elimination = eliminate(grid.merged, eliminates);
}

void assemble_problem(const Examined& x, ReducedGrid& grid) {
  Problem problem;
  problem.matrix = assemble(grid.elimination.network);
  problem.structure = PowerGrid{std::make_shared<const MergedNetwork>(std::move(grid.elimination.network)),
                                geometry_of(x, grid.elimination)};
  grid.problem = std::make_shared<const Problem>(std::move(problem));
}

std::vector<std::string> part_names(const Examined& x) {
  std::vector<std::string> names(x.parts.count());
  for (std::int32_t part = 0; part < x.parts.count(); ++part)
    for (std::int32_t k = x.nets.first_of_part[part]; k < x.nets.first_of_part[part + 1]; ++k)
      names[part] += (names[part].empty() ? "" : "+") + x.nets.nets[x.nets.candidates[k]].name;
  return names;
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
    nodes.voltage_v[i] = m.group[i] >= m.unknowns ? x.known_volts[i] : group_volts[m.group[i]] + m.offset[i];
    nodes.net[i] = x.nets.net_of(part, nodes.voltage_v[i]);
  }
  result.reduced.floating_nodes = floating;
  for (const Net& net : x.nets.nets) {
    NetResult& r = result.nets.emplace_back();
    r.name = net.name;
    r.nominal_v = net.nominal_v;
    r.is_ground = net.is_ground();
  }
}

/// What percentages refer to: a power net's own voltage; for a ground net the largest power net's, or what --nominal
/// says when the deck has none.
void set_supplies(const std::map<std::string, double>& overrides, std::vector<NetResult>& nets) {
  double largest = 0;
  for (const NetResult& net : nets) largest = std::max(largest, std::abs(net.nominal_v));
  if (largest == 0)
    for (const auto& [name, volts] : overrides) largest = std::max(largest, std::abs(volts));
  for (NetResult& net : nets) net.supply_v = net.is_ground ? largest : std::abs(net.nominal_v);
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

SolveStats ReducedGrid::solve(Engine& engine, std::span<const double> injection, std::span<double> voltage,
                              const StopRule& stop) const {
  const auto unknowns = static_cast<std::int64_t>(elimination.kept.size());
  std::vector<double> arrived(merged.nodes), b(unknowns), x(unknowns);
  elimination.reduce(injection, arrived, b);
  for (std::int64_t i = 0; i < unknowns; ++i) x[i] = voltage[elimination.kept[i]];
  SolveStats stats = engine.solve({b.data(), unknowns, 1}, {x.data(), unknowns, 1}, stop);
  elimination.recover(arrived, x, voltage);
  return stats;
}

bool ReducedGrid::set_barrier(Engine& engine, ErrorBound& bound, int max_iterations) const {
  std::vector<double> w(merged.nodes, 0.0);
  const std::vector<double> ones(merged.nodes, 1.0);
  solve(engine, ones, w, {0, kBarrierSlack, max_iterations});
  return bound.set_barrier(w);
}

ErrorBound::Result ReducedGrid::sharp_bound(Engine& engine, const ErrorBound& bound, std::span<const double> voltage,
                                            int max_iterations) const {
  const std::vector<double> majorant = bound.residual_majorant(voltage);
  std::vector<double> w(merged.nodes, 0.0);
  solve(engine, majorant, w, {kBarrierResidual, 0, max_iterations});
  const double largest = majorant.empty() ? 0.0 : *std::max_element(majorant.begin(), majorant.end());
  return {bound.sharp_bound(w, majorant, voltage), largest};
}

std::unique_ptr<const ReducedGrid> prepare(const Circuit& circuit, const IrOptions& options) {
  const Examined x = examine(circuit, options);
  throw_first_error(x.findings);
  auto grid = std::make_unique<ReducedGrid>();
  reduce(x, options.reduce, *grid);
  assemble_problem(x, *grid);
  grid->part_names = part_names(x);
  grid->layer_names = x.places.layers;
  return grid;
}

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

namespace {

/// Sets up an engine, bounds what residual the tolerance allows, solves, and bounds the error of the answer: fills
/// result.engine, .solve, .certificate and adds to their timings. Returns the voltages of the merged network.
std::vector<double> solve_and_certify(const ReducedGrid& grid, const EngineInfo& info, const IrOptions& options,
                                      IrResult& result) {
  Timings& timings = result.timings_s;
  Stopwatch watch;
  options.progress("set up");
  const std::string_view device = choose_device(info, options.device);
  const std::unique_ptr<Engine> engine = make_engine(info, device, options.settings);
  engine->setup(grid.problem);
  timings.setup += watch.lap();

  // The barrier comes before the solve: it says how small the residual must get for the tolerance in volts.
  options.progress("certify");
  ErrorBound error_bound(grid.merged, grid.system, grid.systems, grid.largest_volts);
  Certificate& certificate = result.certificate;
  certificate.valid = grid.set_barrier(*engine, error_bound, options.max_iterations);
  certificate.tolerance_v = options.rtol ? 0.0 : options.tolerance_v;
  certificate.max_w_ohm = error_bound.max_w();
  certificate.delta = error_bound.delta();
  timings.certify += watch.lap();

  options.progress("solve");
  StopRule stop;
  stop.max_iterations = options.max_iterations;
  if (options.rtol)
    stop.relative_residual = *options.rtol;
  else if (certificate.valid)
    stop.absolute_max = 0.5 * error_bound.residual_for(options.tolerance_v), stop.relative_residual = 0;
  std::vector<double> volts(grid.merged.nodes, 0.0);
  result.solve = grid.solve(*engine, grid.merged.injection, volts, stop);
  timings.solve += watch.lap();
  if (!std::all_of(volts.begin(), volts.end(), [](double v) { return std::isfinite(v); }))
    throw SolverError("the voltages are not finite: some values lie too many orders apart for double precision");

  options.progress("certify");
  certificate.max_residual_a = result.solve.max_residual;
  if (certificate.valid) {
    const ErrorBound::Result bound = error_bound.bound(volts);
    certificate.max_error_v = bound.max_error_v;
    certificate.max_residual_a = bound.max_residual_a;
  }
  if (!certificate.valid || (!options.rtol && certificate.max_error_v > options.tolerance_v)) {
    const ErrorBound::Result sharp = grid.sharp_bound(*engine, error_bound, volts, options.max_iterations);
    if (std::isfinite(sharp.max_error_v) && (!certificate.valid || sharp.max_error_v < certificate.max_error_v)) {
      certificate.valid = true;
      certificate.max_error_v = sharp.max_error_v;
      certificate.max_residual_a = sharp.max_residual_a;
    }
  }
  timings.certify += watch.lap();
  result.engine = describe(info, *engine, device, options.device);
  return volts;
}

/// The first engine that supports the problem whatever its size, if it is not `tried`.
const EngineInfo* another_engine(const EngineInfo& tried, const Problem& problem) {
  for (const EngineInfo& info : engines())
    if (!info.declines(problem)) return &info == &tried ? nullptr : &info;
  return nullptr;
}

}  // namespace

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
  ReducedGrid grid;
  reduce(x, options.reduce, grid);
  timings.reduce = watch.lap();

  options.progress("assemble");
  assemble_problem(x, grid);
  const Problem& problem = *grid.problem;
  timings.assemble = watch.lap();

  const EngineInfo* info = &choose_engine(options.engine, problem);
  std::vector<double> volts = solve_and_certify(grid, *info, options, result);
  // `auto` promises an answer: where multigrid misses the tolerance, a factorization takes over.
  if (options.engine == "auto" && !tolerance_miss(result, options).empty())
    if (const EngineInfo* direct = another_engine(*info, problem)) {
      const std::string missed = tolerance_miss(result, options);
      volts = solve_and_certify(grid, *direct, options, result);
      x.findings.push_back({Finding::Severity::warning, "engine-changed",
                            fmt::format("engine {} took over from {}: {}", direct->name, info->name, missed), ""});
    }
  watch.lap();

  options.progress("recover");
  fill_nodes(x, volts, result);
  find_currents(circuit, x.grid, x.merge, result);
  result.layer_names = std::move(x.places.layers);
  result.nodes.layer = std::move(x.places.layer);
  result.nodes.x_um = std::move(x.places.x_um);
  result.nodes.y_um = std::move(x.places.y_um);
  result.dbu_per_um = x.places.dbu_per_um;
  set_supplies(options.nominal_v, result.nets);
  if (!options.net.empty()) keep_only_net(options.net, result);
  summarise_drops(result);
  result.instances = find_instances(circuit, result);
  result.limits = check_limits(result, options.limits);
  result.findings = std::move(x.findings);

  result.reduced.unknowns = problem.matrix.rows;
  result.reduced.nonzeros = problem.matrix.nonzeros();
  result.reduced.merged_shorts = x.grid.network.ties();
  result.reduced.eliminated = static_cast<std::int64_t>(grid.elimination.steps.size());
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
  if (!c.valid && !result.solve.converged)
    return fmt::format(
        "engine {} stopped after {} iterations at a relative residual of {:.2e}, too early for any error bound; raise "
        "--max-iterations or try --engine cholmod",
        result.engine.name, result.solve.iterations, result.solve.relative_residual);
  if (!c.valid)
    return "the error of the voltages could not be bounded; conductances lie too far apart for double precision";
  if (c.max_error_v <= options.tolerance_v) return "";
  return fmt::format(
      "the certified error bound is {:.2e} V, above the tolerance of {:.2e} V; raise --tolerance or try another "
      "--engine",
      c.max_error_v, options.tolerance_v);
}

}  // namespace gridiron
