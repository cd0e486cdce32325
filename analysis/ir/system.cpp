// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "analysis/ir/floating_loads.hpp"
#include "engines/assemble.hpp"
#include "engines/direct/direct_engine.hpp"
#include "regularize/careful_sums.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// Per group the connected system it belongs to, −1 for floating ones.
std::vector<std::int32_t> systems_of_groups(const Topology& t) {
  std::vector<std::int32_t> system(t.merge.unknowns, -1);
  for (NodeId n = 1; n < t.grid.network.nodes; ++n) {
    const std::int32_t group = t.merge.group[n], part = t.parts.part[n];
    if (group < t.merge.unknowns && t.parts.anchored[part]) system[group] = t.parts.system[part];
  }
  return system;
}

/// Floating systems have no potential; a pad at one of their nodes, as large as the node's total conductance, pins them
/// to 0 V, which keeps G nonsingular without affecting other systems.
void pin_floating(MergedNetwork& network, const std::vector<std::int32_t>& system, const Topology& t) {
  std::vector<std::int32_t> pinned(t.parts.systems, -1);
  for (NodeId n = 1; n < t.grid.network.nodes; ++n) {
    const std::int32_t group = t.merge.group[n];
    if (group >= t.merge.unknowns || system[group] >= 0) continue;
    std::int32_t& pin = pinned[t.parts.system[t.parts.part[n]]];
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

/// A representative node for each group of unknown potential: the lowest with a location, otherwise the lowest.
std::vector<NodeId> nodes_of_groups(const Design& design, const Topology& t) {
  const std::vector<double>& x_um = design.places.x_um;
  std::vector<NodeId> node_of_group(t.merge.unknowns, -1);
  for (NodeId n = 1; n < t.grid.network.nodes; ++n) {
    const std::int32_t group = t.merge.group[n];
    if (group >= t.merge.unknowns) continue;
    NodeId& chosen = node_of_group[group];
    if (chosen < 0 || (std::isnan(x_um[chosen]) && !std::isnan(x_um[n]))) chosen = n;
  }
  return node_of_group;
}

Geometry geometry_of(const Design& design, const Topology& t, const Elimination& elimination) {
  if (design.places.placed == 0) return {};
  const std::vector<NodeId> node_of_group = nodes_of_groups(design, t);
  Geometry geometry;
  for (const std::int32_t group : elimination.kept) {
    const NodeId n = node_of_group[group];
    geometry.x_um.push_back(design.places.x_um[n]);
    geometry.y_um.push_back(design.places.y_um[n]);
    geometry.layer.push_back(design.places.layer[n]);
    geometry.net.push_back(t.parts.part[n]);
  }
  return geometry;
}

/// The potential of each pad of the merged network, V, as f(group, volts).
template <class F>
void for_each_pad(const Topology& t, F f) {
  const Network& network = t.grid.network;
  const Merge& merge = t.merge;
  for (std::int64_t k = 0; k < network.edges(); ++k) {
    std::int32_t inside = network.a[k], outside = network.b[k];
    if (merge.group[inside] >= merge.unknowns) std::swap(inside, outside);
    const std::int32_t group = merge.group[inside], known = merge.group[outside] - merge.unknowns;
    if (group < merge.unknowns && known >= 0)
      f(group, merge.known_volts[known] + merge.offset[outside] - merge.offset[inside]);
  }
  for (const AddedPad& pad : t.added_pads)
    if (merge.group[pad.node] < merge.unknowns) f(merge.group[pad.node], pad.volts - merge.offset[pad.node]);
}

/// Per merged node the potential of most pads of its connected system; of several the highest. 0 where it floats.
std::vector<double> references(const Topology& t, const std::vector<std::int32_t>& system) {
  std::vector<std::map<double, std::int64_t>> pads(static_cast<std::size_t>(t.parts.systems));
  for_each_pad(t, [&](std::int32_t group, double volts) {
    if (system[group] >= 0) ++pads[system[group]][volts];
  });
  std::vector<double> of_system(pads.size(), 0.0);
  for (std::size_t s = 0; s < pads.size(); ++s) {
    std::int64_t most = 0;
    for (const auto& [volts, count] : pads[s])
      if (count >= most) most = count, of_system[s] = volts;
  }
  std::vector<double> reference(system.size(), 0.0);
  for (std::size_t group = 0; group < system.size(); ++group)
    if (system[group] >= 0) reference[group] = of_system[system[group]];
  return reference;
}

void add_pads(const Topology& t, std::span<const double> reference, MergedNetwork& network) {
  for (const AddedPad& pad : t.added_pads) {
    const std::int32_t group = t.merge.group[pad.node];
    if (group >= t.merge.unknowns) continue;
    network.pad[group] += pad.conductance;
    network.injection[group] += pad.conductance * (pad.volts - t.merge.offset[pad.node] - reference[group]);
  }
}

/// What potentials and offsets are uncertain by: their rounding, that of the final sum with the reference, and what
/// sources in series are rounded and sources in parallel contradict each other by (twice, as both a known potential and
/// an offset may be off).
double data_error(const Topology& t, const std::vector<double>& reference) {
  double largest = 0, largest_reference = 0;
  for_each_pad(t, [&](std::int32_t group, double volts) {
    largest = std::max(largest, std::abs(volts - reference[group]));
    largest_reference = std::max(largest_reference, std::abs(reference[group]));
  });
  for (const double volts : t.merge.offset) largest = std::max(largest, std::abs(volts));
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  return 8 * kEpsilon * largest + kEpsilon * largest_reference + 2 * t.merge.rounding_volts +
         2 * t.merge.accepted_volts;
}

/// What sources of these currents and the pads drive into each merged node, A.
std::vector<double> sum_of_currents(const Circuit& circuit, const Merge& merge, std::span<const double> given,
                                    std::span<const double> amperes) {
  CarefulSums sums(merge.unknowns);
  for (std::int32_t group = 0; group < merge.unknowns; ++group) sums.add(group, given[group]);
  const auto add = [&](NodeId node, double current) {
    if (merge.group[node] < merge.unknowns) sums.add(merge.group[node], current);
  };
  for (std::size_t i = 0; i < amperes.size(); ++i) {
    add(circuit.current_sources.a[i], -amperes[i]);
    add(circuit.current_sources.b[i], amperes[i]);
  }
  return sums.take();
}

}  // namespace

System::System(std::shared_ptr<const Design> design, bool eliminates)
    : System(design, (design->throw_first_error(), design->topology), eliminates) {}

System::System(std::shared_ptr<const Design> design, std::shared_ptr<const Topology> topology, bool eliminates)
    : design_(std::move(design)),
      topology_(std::move(topology)),
      reduced_(reduced(*design_, *topology_, eliminates)),
      eliminates_(eliminates) {}

void System::apply(std::span<const Edit> edits) {
  const auto topology = std::make_shared<const Topology>(edited(*design_, *topology_, edits));
  reduced_ = reduced(*design_, *topology, eliminates_);
  topology_ = topology;
}

std::shared_ptr<const System::Reduced> System::reduced(const Design& design, const Topology& topology,
                                                       bool eliminates) {
  Stopwatch watch;
  auto out = std::make_shared<Reduced>();
  out->system = systems_of_groups(topology);
  out->reference = references(topology, out->system);
  out->data_error_v = data_error(topology, out->reference);
  out->network = merged_network(topology.grid.network, topology.merge, {}, out->reference);
  add_pads(topology, out->reference, out->network);
  pin_floating(out->network, out->system, topology);
  out->given_currents = out->network.injection;
  out->network.injection =
      sum_of_currents(*design.circuit, topology.merge, out->given_currents, design.circuit->current_sources.value);
  out->sources_at_floating = sources_at_floating(*design.circuit, topology.parts);
  out->elimination = eliminate(out->network, eliminates);
  out->seconds.reduce = watch.lap();

  auto kept = std::make_shared<const MergedNetwork>(std::move(out->elimination.network));
  Problem problem;
  problem.matrix = assemble(*kept);
  problem.structure = PowerGrid{std::move(kept), geometry_of(design, topology, out->elimination)};
  out->problem = std::make_shared<const Problem>(std::move(problem));
  out->seconds.assemble = watch.lap();
  return out;
}

ErrorBound System::error_bound() const {
  return ErrorBound(reduced_->network, reduced_->system, topology_->parts.systems,
                    {reduced_->data_error_v, reduced_->given_currents});
}

void System::check(Block<const double> block, std::int64_t columns) const {
  if (block.memory != Memory::host) throw InputError("a system takes injections and voltages in host memory only");
  if (block.rows != network().nodes || block.columns != columns)
    throw InputError(fmt::format("a block of {} x {} for a system that expects {} x {}", block.rows, block.columns,
                                 network().nodes, columns));
}

void System::check(const Loads& loads) const {
  if (loads.design() != design_) throw InputError("these loads are of another design than the system");
  for (std::int64_t v = 0; v < loads.vectors(); ++v) {
    require_finite(loads, v);
    require_path(loads, v);
  }
}

void System::require_finite(const Loads& loads, std::int64_t v) const {
  const std::span<const double> amperes = loads.vector(v);
  const auto bad = std::find_if(amperes.begin(), amperes.end(), [](double i) { return !std::isfinite(i); });
  if (bad == amperes.end()) return;
  throw InputError(fmt::format("load vector {}: current source {} draws {} A; a current must be finite", v,
                               design_->circuit->element_name(kCurrentSource, bad - amperes.begin()), *bad));
}

void System::require_path(const Loads& loads, std::int64_t v) const {
  if (reduced_->sources_at_floating.empty()) return;
  const Circuit& circuit = *design_->circuit;
  for (const FloatingLoad& load :
       floating_loads(circuit, topology_->parts, reduced_->sources_at_floating, loads.vector(v)))
    if (!load.cancels)
      throw GridError(fmt::format(
          "load vector {}: {:g} A at {}, which floats (current source {}): no path leads to a voltage "
          "source; connect the node or set the source to 0",
          v, std::abs(load.amperes), circuit.node_name(load.node), circuit.element_name(kCurrentSource, load.source)));
}

std::vector<double> System::injection(const Loads& loads, std::int64_t v) const {
  if (loads.design() != design_) throw InputError("these loads are of another design than the system");
  require_path(loads, v);
  return sum_of_currents(*design_->circuit, topology_->merge, reduced_->given_currents, loads.vector(v));
}

SolveStats System::solve(Engine& engine, Block<const double> injection, Block<double> voltage,
                         const StopRule& stop) const {
  Scratch scratch;
  return solve(engine, injection, voltage, stop, scratch);
}

SolveStats System::solve(Engine& engine, Block<const double> injection, Block<double> voltage, const StopRule& stop,
                         Scratch& scratch, const OnUnknowns& afterwards) const {
  check(injection, injection.columns);
  check(Block<const double>(voltage), injection.columns);
  const Elimination& elimination = reduced_->elimination;
  const auto unknowns = static_cast<std::int64_t>(elimination.kept.size());
  const std::int64_t columns = injection.columns;
  auto& [arrived, b, x] = scratch;
  const auto make_room = [columns](std::vector<double>& block, std::int64_t rows) {
    block.resize(std::max(block.size(), static_cast<std::size_t>(rows * columns)));
  };
  make_room(arrived, injection.rows);
  make_room(b, unknowns);
  make_room(x, unknowns);
  const auto column = [](std::vector<double>& block, std::int64_t rows, std::int64_t j) {
    return std::span(block).subspan(static_cast<std::size_t>(j * rows), static_cast<std::size_t>(rows));
  };
  const bool takes_guess = dynamic_cast<const DirectEngine*>(&engine) == nullptr;
  parallel_tasks(columns, [&, &arrived = arrived, &b = b, &x = x](std::int64_t j) {
    elimination.reduce(injection.column(j), column(arrived, injection.rows, j), column(b, unknowns, j));
    if (takes_guess)
      for (std::int64_t i = 0; i < unknowns; ++i) x[j * unknowns + i] = voltage.column(j)[elimination.kept[i]];
  });
  SolveStats stats = engine.solve({b.data(), unknowns, columns}, {x.data(), unknowns, columns}, stop);
  if (afterwards) afterwards(stats, {b.data(), unknowns, columns}, {x.data(), unknowns, columns});
  parallel_tasks(columns, [&, &arrived = arrived, &x = x](std::int64_t j) {
    elimination.recover(column(arrived, injection.rows, j), column(x, unknowns, j), voltage.column(j));
  });
  return stats;
}

std::vector<double> System::node_voltages(std::span<const double> merged) const {
  const Topology& t = *topology_;
  std::vector<double> volts(static_cast<std::size_t>(t.grid.network.nodes), 0.0);
  for (NodeId n = 1; n < t.grid.network.nodes; ++n)
    if (t.parts.anchored[t.parts.part[n]])
      volts[n] = t.merge.group[n] >= t.merge.unknowns
                     ? t.known_volts[n]
                     : reduced_->reference[t.merge.group[n]] + (merged[t.merge.group[n]] + t.merge.offset[n]);
  return volts;
}

std::vector<std::string> System::unknown_names() const {
  const std::vector<NodeId> node_of_group = nodes_of_groups(*design_, *topology_);
  std::vector<std::string> names;
  names.reserve(reduced_->elimination.kept.size());
  for (const std::int32_t group : reduced_->elimination.kept)
    names.emplace_back(design_->circuit->node_name(node_of_group[group]));
  return names;
}

std::vector<std::string> System::part_names() const {
  const Nets& nets = topology_->nets;
  std::vector<std::string> names(topology_->parts.count());
  for (std::int32_t part = 0; part < topology_->parts.count(); ++part)
    for (std::int32_t k = nets.first_of_part[part]; k < nets.first_of_part[part + 1]; ++k)
      names[part] += (names[part].empty() ? "" : "+") + nets.nets[nets.candidates[k]].name;
  return names;
}

}  // namespace gridiron
