// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/system.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/model/floating_loads.hpp"
#include "analysis/model/reference_potentials.hpp"
#include "engines/assemble.hpp"
#include "regularize/careful_sums.hpp"
#include "regularize/loose_nodes.hpp"
#include "regularize/negative_edges.hpp"
#include "support/error_text.hpp"
#include "support/freed_memory.hpp"
#include "support/parallel_arrays.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// Per group the connected system it belongs to, −1 for floating ones.
std::vector<int32_t> systems_of_groups(const Topology& t) {
  std::vector<int32_t> system;
  assign_in_parallel(system, t.merge.unknowns, int32_t{-1});
  parallel_each(t.grid.network.nodes, [&](int64_t n) {
    const int32_t group = t.merge.group[n], part = t.parts.part[n];
    if (n != kGround && group < t.merge.unknowns && t.parts.anchored[part])  // the same for all nodes of the group
      std::atomic_ref(system[group]).store(t.parts.system[part], std::memory_order_relaxed);
  });
  return system;
}

/// Floating systems have no potential; a pad at one of their nodes, as large as the node's total conductance, pins them
/// to 0 V, which keeps G nonsingular without affecting other systems. Nodes keep their numbers, as they would not if
/// these systems were cut out; no statistic and no bound counts them.
void pin_floating(MergedNetwork& network, const std::vector<int32_t>& system, const Topology& t, int32_t groups) {
  const auto floating = parallel_list<NodeId>(t.grid.network.nodes, [&](int64_t n, auto& list) {
    const int32_t group = t.merge.group[n];
    if (n != kGround && group < groups && system[group] < 0) list.push_back(static_cast<NodeId>(n));
  });
  if (floating.empty()) return;
  std::vector<int32_t> pinned(t.parts.systems, -1);
  std::vector<double> strength(network.nodes, -1.0);  // of pinned groups
  for (const NodeId n : floating) {
    int32_t& pin = pinned[t.parts.system[t.parts.part[n]]];
    if (pin < 0) strength[pin = t.merge.group[n]] = 0;
  }
  const auto group_at = [&](int64_t end) { return (end % 2 == 0 ? network.a : network.b)[end / 2]; };
  for_each_by_node(
      2 * network.edges(), network.nodes, [&](int64_t end) { return strength[group_at(end)] < 0 ? -1 : group_at(end); },
      [&](int64_t end) { strength[group_at(end)] += network.conductance[end / 2]; });
  for (const int32_t group : pinned)
    if (group >= 0) network.pad[group] = strength[group] > 0 ? strength[group] : 1.0;
}

/// A representative node for each group of unknown potential: the lowest with a location, otherwise the lowest.
std::vector<NodeId> nodes_of_groups(const Design& design, const Topology& t) {
  constexpr uint32_t kUnplaced = uint32_t{1} << 31;  // added to nodes without a location: they come last
  std::vector<uint32_t> lowest;
  assign_in_parallel(lowest, t.merge.unknowns, std::numeric_limits<uint32_t>::max());
  parallel_each(t.grid.network.nodes, [&](int64_t n) {
    const int32_t group = t.merge.group[n];
    if (n == kGround || group >= t.merge.unknowns) return;
    const auto node = static_cast<uint32_t>(n) | (std::isnan(design.places.x_um[n]) ? kUnplaced : 0);
    std::atomic_ref chosen(lowest[group]);
    uint32_t before = chosen.load(std::memory_order_relaxed);
    while (node < before && !chosen.compare_exchange_weak(before, node, std::memory_order_relaxed))
      ;
  });
  std::vector<NodeId> node_of_group;
  make_room_in_parallel(node_of_group, t.merge.unknowns);
  parallel_each(t.merge.unknowns,
                [&](int64_t group) { node_of_group[group] = static_cast<NodeId>(lowest[group] & ~kUnplaced); });
  return node_of_group;
}

/// Of the first unknowns.
Geometry geometry_of(const Design& design, const Topology& t, const Elimination& elimination, int64_t unknowns) {
  if (design.places.placed == 0) return {};
  const std::vector<NodeId> node_of_group = nodes_of_groups(design, t);
  Geometry geometry;
  make_room_in_parallel(geometry.x_um, unknowns);
  make_room_in_parallel(geometry.y_um, unknowns);
  make_room_in_parallel(geometry.layer, unknowns);
  make_room_in_parallel(geometry.net, unknowns);
  parallel_each(unknowns, [&](int64_t i) {
    const NodeId n = node_of_group[elimination.kept[i]];
    geometry.x_um[i] = design.places.x_um[n];
    geometry.y_um[i] = design.places.y_um[n];
    geometry.layer[i] = design.places.layer[n];
    geometry.net[i] = t.parts.part[n];
  });
  return geometry;
}

/// Per merged node what its connected system has; 0 where it floats.
std::vector<double> per_group(std::span<const double> of_system, const std::vector<int32_t>& system) {
  std::vector<double> reference;
  const auto groups = std::ssize(system);
  make_room_in_parallel(reference, groups);
  parallel_each(groups, [&](int64_t group) { reference[group] = system[group] >= 0 ? of_system[system[group]] : 0.0; });
  return reference;
}

void add_pads(const Topology& t, std::span<const double> reference, MergedNetwork& network) {
  for (const AddedPad& pad : t.added_pads) {
    const int32_t group = t.merge.group[pad.node];
    if (group >= t.merge.unknowns) continue;
    network.pad[group] += pad.conductance;
    network.injection[group] += pad.conductance * (pad.volts - t.merge.offset[pad.node] - reference[group]);
  }
}

/// Drops all rows but the first ones.
void keep_rows(CsrMatrix& matrix, int64_t rows) {
  matrix.rows = rows;
  matrix.row_ptr.resize(rows + 1);
  matrix.col.resize(matrix.row_ptr.back());
  matrix.value.resize(matrix.row_ptr.back());
}

/// What sources of these currents and the pads (`given`; empty: nothing) drive into each merged node, A.
void sum_currents(const Circuit& circuit, const Merge& merge, std::span<const double> given,
                  std::span<const double> amperes, std::span<double> injection) {
  sum_carefully(
      injection, [&](int64_t group) { return given.empty() ? 0.0 : given[group]; }, 2 * std::ssize(amperes),
      [&](int64_t end) {
        const Sources& sources = circuit.current_sources;
        const int32_t group = merge.group[end % 2 == 0 ? sources.a[end / 2] : sources.b[end / 2]];
        return group < merge.unknowns ? group : -1;
      },
      [&](int64_t end) { return end % 2 == 0 ? -amperes[end / 2] : amperes[end / 2]; });
}

}  // namespace

System::System(const std::shared_ptr<const Design>& design, bool eliminates)
    : System(design, (design->throw_first_error(), design->topology), eliminates) {}

System::System(std::shared_ptr<const Design> design, bool eliminates, const Shared& shared)
    : design_(std::move(design)),
      topology_(design_->topology),
      reduced_(reduced(*design_, *topology_, eliminates, &shared)),
      eliminates_(eliminates) {}

System::System(std::shared_ptr<const Design> design, std::shared_ptr<const Topology> topology, bool eliminates)
    : design_(std::move(design)),
      topology_(std::move(topology)),
      reduced_(reduced(*design_, *topology_, eliminates)),
      eliminates_(eliminates) {}

System::System(std::shared_ptr<const Design> design, std::shared_ptr<Reduced> reduced)
    : design_(std::move(design)), topology_(design_->topology), reduced_(std::move(reduced)), eliminates_(false) {}

System System::of_any_matrix(std::shared_ptr<const Design> design) {
  design->throw_first_error();
  std::shared_ptr<Reduced> all = reduced(*design, *design->topology, false, nullptr, Matrices::any);
  return {std::move(design), std::move(all)};
}

void System::apply(std::span<const Edit> edits) {
  const auto topology = std::make_shared<const Topology>(edited(*design_, *topology_, edits));
  reduced_ = reduced(*design_, *topology, eliminates_);
  topology_ = topology;
}

std::shared_ptr<System::Reduced> System::reduced(const Design& design, const Topology& topology, bool eliminates,
                                                 const Shared* shared, Matrices allowed) {
  Stopwatch watch;
  auto out = std::make_shared<Reduced>();
  out->system = systems_of_groups(topology);
  const int32_t own = shared ? shared->groups : topology.merge.unknowns;
  ReferencePotentials references =
      reference_potentials(topology, out->system, own, shared ? shared->totals.get() : nullptr);
  out->reference_of_system = std::move(references.of_system);
  out->data_error_v = references.data_error_v;
  std::vector<double> reference = per_group(out->reference_of_system, out->system);
  std::fill(out->system.begin() + own, out->system.end(), -1);  // others bound their errors
  out->network = merged_network(topology.grid.network, topology.merge, {}, reference);
  add_pads(topology, reference, out->network);
  out->network.opposed = opposed_conductances(topology.grid.network, topology.merge, reference);
  free_memory(reference);
  if (allowed == Matrices::m_matrix && !join_negative_edges(out->network))
    throw GridError(
        "negative resistances are not outweighed by positive ones between the same nodes, so that no error can be "
        "bounded; undo what changed these");
  pin_floating(out->network, out->system, topology, own);
  out->given_currents = std::move(out->network.injection);
  if (holds_for_all(out->network.nodes, [&](int64_t group) { return out->given_currents[group] == 0; }))
    free_memory(out->given_currents);
  out->sources_at_floating = sources_at_floating(*design.circuit, topology.parts);
  out->elimination = eliminate(out->network, eliminates, shared ? shared->is_held : std::vector<uint8_t>());
  out->seconds.reduce = watch.lap();

  auto kept = std::make_shared<const MergedNetwork>(std::move(out->elimination.network));
  Problem problem;
  problem.matrix = assemble(*kept);
  if (shared) {
    out->shares = shared->shares_of(out->elimination);
    keep_rows(problem.matrix, kept->nodes - out->shares->others());
  }
  Geometry geometry = geometry_of(design, topology, out->elimination, problem.matrix.rows);
  place_loose_nodes(*kept, geometry);
  problem.structure = PowerGrid{std::move(kept), std::move(geometry)};
  out->problem = std::make_shared<Problem>(std::move(problem));
  out->seconds.assemble = watch.lap();
  return out;
}

void System::free_equations() const {
  free_structure();
  CsrMatrix& matrix = reduced_->problem->matrix;
  MergedNetwork& network = reduced_->network;
  free_memory(matrix.col, matrix.value, network.a, network.b, network.conductance);
}

void System::check(Block<const double> block, int64_t columns) const {
  if (block.memory != Memory::host) throw InputError("a system takes injections and voltages in host memory only");
  if (block.rows != network().nodes || block.columns != columns)
    throw input_error("a block of {} x {} for a system that expects {} x {}", block.rows, block.columns,
                      network().nodes, columns);
}

void System::check(const Loads& loads) const {
  if (loads.design() != design_) throw InputError("these loads are of another design than the system");
  for (int64_t v = 0; v < loads.vectors(); ++v) {
    require_finite(loads, v);
    require_path(loads, v);
  }
}

void System::require_finite(const Loads& loads, int64_t v) const {
  const std::span<const double> amperes = loads.vector(v);
  const auto is_finite = [](double current) { return std::isfinite(current); };
  if (holds_for_all(std::ssize(amperes), [&](int64_t i) { return is_finite(amperes[i]); })) return;
  const auto bad = std::ranges::find_if_not(amperes, is_finite);
  throw input_error("load vector {}: current source {} draws {} A; a current must be finite", v,
                    design_->circuit->element_name(kCurrentSource, bad - amperes.begin()), *bad);
}

void System::require_path(const Loads& loads, int64_t v) const {
  if (reduced_->sources_at_floating.empty()) return;
  const Circuit& circuit = *design_->circuit;
  for (const FloatingLoad& load :
       floating_loads(circuit, topology_->parts, reduced_->sources_at_floating, loads.vector(v)))
    if (!load.cancels)
      throw grid_error(
          "load vector {}: {:g} A at {}, which floats (current source {}): no path leads to a voltage "
          "source; connect the node or set the source to 0, or leave it out by {}",
          v, std::abs(load.amperes), circuit.node_name(load.node), circuit.element_name(kCurrentSource, load.source),
          field("ignore_opens"));
}

void System::injection(const Loads& loads, int64_t v, std::span<double> amperes) const {
  if (loads.design() != design_) throw InputError("these loads are of another design than the system");
  require_path(loads, v);
  sum_currents(*design_->circuit, topology_->merge, reduced_->given_currents, loads.vector(v), amperes);
}

std::vector<double> System::injection(const Loads& loads, int64_t v) const {
  std::vector<double> amperes;
  make_room_in_parallel(amperes, network().nodes);
  injection(loads, v, amperes);
  return amperes;
}

std::vector<double> System::right_hand_side(const Loads& loads, int64_t v) const {
  const Elimination& elimination = reduced_->elimination;
  std::vector<double> arrived(elimination.steps.size()), reduced(elimination.kept.size());
  elimination.reduce(injection(loads, v), arrived, reduced);
  return reduced;
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
  const auto unknowns = std::ssize(elimination.kept);
  const int64_t columns = injection.columns;
  auto& [arrived, b, x] = scratch;
  const auto make_room = [columns](std::vector<double>& block, int64_t rows) {
    if (std::ssize(block) < rows * columns) resize_untouched(block, rows * columns);
  };
  const auto steps = std::ssize(elimination.steps);
  make_room(arrived, steps);
  make_room(b, unknowns);
  make_room(x, unknowns);
  const auto column = [](std::vector<double>& block, int64_t rows, int64_t j) {
    return std::span(block).subspan(j * rows, rows);
  };
  StopRule rule = stop;
  rule.from_zero = stop.from_zero || injection.data == voltage.data;
  parallel_tasks(columns, [&, &arrived = arrived, &b = b, &x = x](int64_t j) {
    elimination.reduce(injection.column(j), column(arrived, steps, j), column(b, unknowns, j));
    const std::span<const double> guess = voltage.column(j);
    if (!rule.from_zero) parallel_each(unknowns, [&](int64_t i) { x[j * unknowns + i] = guess[elimination.kept[i]]; });
  });
  const int64_t rows = reduced_->problem->matrix.rows;
  if (shares() && columns != 1) throw InputError("processes that share a system solve it for one vector at a time");
  SolveStats stats = engine.solve({b.data(), rows, columns}, {x.data(), rows, columns}, rule);
  if (afterwards) afterwards(stats, {b.data(), rows, columns}, {x.data(), unknowns, columns});
  if (shares()) shares()->exchange({x.data(), static_cast<size_t>(unknowns)});
  parallel_tasks(columns, [&, &arrived = arrived, &x = x](int64_t j) {
    elimination.recover(column(arrived, steps, j), column(x, unknowns, j), voltage.column(j));
  });
  return stats;
}

std::vector<double> System::node_voltages(std::span<const double> merged) const {
  const Topology& t = *topology_;
  std::vector<double> volts;
  make_room_in_parallel(volts, t.grid.network.nodes);
  parallel_each(t.grid.network.nodes, [&](int64_t n) {
    const int32_t part = t.parts.part[n], group = t.merge.group[n];
    if (n == kGround || !t.parts.anchored[part])
      volts[n] = 0;
    else if (group >= t.merge.unknowns)
      volts[n] = t.merge.known_volts_of(n);
    else
      volts[n] = reduced_->reference_of_system[t.parts.system[part]] + (merged[group] + t.merge.offset[n]);
  });
  return volts;
}

std::vector<double> System::reference() const {
  return per_group(reduced_->reference_of_system, systems_of_groups(*topology_));
}

std::vector<std::string> System::unknown_names() const {
  const std::vector<NodeId> node_of_group = nodes_of_groups(*design_, *topology_);
  std::vector<std::string> names;
  names.reserve(reduced_->elimination.kept.size());
  for (const int32_t group : reduced_->elimination.kept)
    names.emplace_back(design_->circuit->node_name(node_of_group[group]));
  return names;
}

std::vector<std::string> System::part_names() const {
  const Nets& nets = topology_->nets;
  std::vector<std::string> names(topology_->parts.count());
  for (int32_t part = 0; part < topology_->parts.count(); ++part)
    for (int32_t k = nets.first_of_part[part]; k < nets.first_of_part[part + 1]; ++k)
      names[part] += (names[part].empty() ? "" : "+") + nets.nets[nets.candidates[k]].name;
  return names;
}

}  // namespace gridiron
