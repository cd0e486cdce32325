// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/summarise.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/model/double_range.hpp"
#include "analysis/model/nets.hpp"
#include "analysis/model/static_sources.hpp"
#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/hot_spots.hpp"
#include "analysis/results/inverted_parts.hpp"
#include "analysis/results/net_statistics.hpp"
#include "analysis/results/require_doubles.hpp"
#include "analysis/results/segments.hpp"
#include "analysis/results/supplies.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

void check_answer(const System& system, const Answer& answer) {
  const Circuit& circuit = *system.design()->circuit;
  if (std::ssize(answer.voltage_v) != circuit.node_count() ||
      std::ssize(answer.load_a) != circuit.current_sources.size())
    throw InputError("this answer is of another design than the system");
  if (!answer.is_finite()) throw SolverError(beyond_doubles(circuit));
}

VectorFigures figures_of(const System& system, std::span<const InstancePins> pins, const Answer& answer,
                         bool do_sources_follow = false) {
  check_answer(system, answer);
  const Design& design = *system.design();
  std::vector<double> injection = node_injection(*design.circuit, answer.load_a);
  VectorFigures figures;
  figures.nodes = node_table(system, answer.voltage_v);
  figures.nets = net_list(system, loaded_nets(pins, figures.nodes));
  Currents currents = find_currents(system.topology(), injection, figures.nodes, do_sources_follow);
  figures.power = find_power(*design.circuit, system.topology(), figures.nodes, answer.load_a, currents.sources_w);
  turn_inverted_parts(system.topology(), figures.nodes, injection, currents.pads);
  figures.certificate = answer.certificate;
  figures.certificate.current_imbalance_a = currents.imbalance_a;
  add_statistics(current_statistics(figures.nodes, injection, currents.pads, figures.nets), figures.nodes.voltage_v,
                 figures.nets);
  figures.pads = std::move(currents.pads);
  figures.segments = find_segments(*design.circuit, system.topology(), figures.nodes);
  figures.nodes.drop_v = drops_of(figures.nodes.voltage_v, figures.nodes.net, figures.nets);
  const std::vector<AddedSupply> supplies = added_supplies(system.topology().added_pads, figures.nodes, figures.nets);
  add_statistics(drop_statistics(figures.nodes, figures.nets.size(), nullptr, supplies), figures.nodes.voltage_v,
                 figures.nets);
  require_doubles(*design.circuit, figures.nets, figures.pads, figures.power, figures.certificate);
  return figures;
}

IrReport report_of(const System& system, VectorFigures figures, std::vector<InstanceResult> instances,
                   std::vector<VectorResult> vectors, std::span<const uint8_t> is_given,
                   const SummaryOptions& options) {
  IrReport report = empty_report(system);
  report.design = system.design();
  report.circuit = system.design()->circuit.get();
  report.findings = system.findings();
  report.nodes = std::move(figures.nodes);
  report.nets = std::move(figures.nets);
  report.certificate = figures.certificate;
  report.certificate.is_accepted = options.accept_estimate;
  report.pads = ranked(named_pads(*report.circuit, system.topology(), figures.pads));
  report.segments = std::move(figures.segments);
  report.power = figures.power;
  report.instances = std::move(instances);
  report.vectors = std::move(vectors);
  report.reduced.floating_nodes = std::ranges::count(report.nodes.state, NodeState::floating);
  sort_instances(report.instances);
  judge_drops(options, report);
  if (!options.has_insights) return report;
  append(report.findings, check_start_values(*report.circuit, is_given));
  report.segment_layers = layer_results(segments_by_layer(*report.circuit, report.nodes, report.segments));
  add_hot_spots(system.topology().grid.network, report);
  report.em_limits = check_em_limits(report, system.topology(), options.em_limits);
  const int64_t unjudged = count_unjudged_segments(report, [](NodeId, NodeId) { return true; });
  append(report.findings, tell_unjudged_segments(unjudged));
  report.unlimited_layers = unlimited_layers(report, options.em_limits);
  append(report.findings, tell_em_limits(report, options.em_limits));
  if (options.em) report.em = judge_em(report, system.topology(), *options.em, report.findings);
  if (options.stress && report.vectors.empty()) {
    std::vector<Finding> of_stress;
    StressReport stress = find_stress(report, system.topology(), *options.stress, of_stress);
    keep_stress(std::move(stress), std::move(of_stress), report);
  }
  return report;
}

/// Combines two certificates into the worst case.
void join(const Certificate& other, Certificate& worst) {
  worst.valid = worst.valid && other.valid;
  worst.max_error_v = std::max(worst.max_error_v, other.max_error_v);
  worst.rounding_v = std::max(worst.rounding_v, other.rounding_v);
  worst.max_residual_a = std::max(worst.max_residual_a, other.max_residual_a);
  if (std::abs(other.current_imbalance_a) > std::abs(worst.current_imbalance_a))
    worst.current_imbalance_a = other.current_imbalance_a;
}

void join(const NetResult& other, NetResult& worst) {
  const auto raise = [](double& to, double from) { to = std::max(to, from); };
  if (other.worst_drop_v > worst.worst_drop_v) worst.worst_voltage_v = other.worst_voltage_v;
  if (other.average_drop_v > worst.average_drop_v) worst.average_voltage_v = other.average_voltage_v;
  worst.raise(other);
  raise(worst.percentiles_v.p50, other.percentiles_v.p50);
  raise(worst.percentiles_v.p95, other.percentiles_v.p95);
  raise(worst.percentiles_v.p99, other.percentiles_v.p99);
  raise(worst.percentiles_v.p999, other.percentiles_v.p999);
  raise(worst.load_current_a, other.load_current_a);
  raise(worst.pad_current_a, other.pad_current_a);
  raise(worst.total_power_w, other.total_power_w);
  if (other.reversed_current_a > worst.reversed_current_a) {
    worst.reversed_loads = other.reversed_loads;
    worst.reversed_current_a = other.reversed_current_a;
    worst.reversed_node = other.reversed_node;
  }
  worst.loads = std::max(worst.loads, other.loads);
  for (size_t k = 0; k < std::min(worst.layers.size(), other.layers.size()); ++k) {
    worst.layers[k].raise(other.layers[k]);
    raise(worst.layers[k].least_drop_v, other.layers[k].least_drop_v);
  }
}

void join(const VectorFigures& other, int32_t vector, VectorFigures& worst) {
  for (size_t n = 0; n < worst.nodes.drop_v.size(); ++n) {
    if (!(other.nodes.drop_v[n] > worst.nodes.drop_v[n])) continue;
    worst.nodes.drop_v[n] = other.nodes.drop_v[n];
    worst.nodes.voltage_v[n] = other.nodes.voltage_v[n];
    worst.nodes.net[n] = other.nodes.net[n];
    worst.nodes.vector[n] = vector;
  }
  for (size_t k = 0; k < worst.nets.size(); ++k) join(other.nets[k], worst.nets[k]);
  for (size_t k = 0; k < std::min(other.pads.size(), worst.pads.size()); ++k)
    if (std::abs(other.pads[k].current_a) > std::abs(worst.pads[k].current_a)) worst.pads[k] = other.pads[k];
  join(other.segments, worst.segments);
  if (other.power.sources_w > worst.power.sources_w) worst.power = other.power;
  join(other.certificate, worst.certificate);
}

/// Returns the number of the net before.
int32_t keep_only_net(const std::string& name, IrReport& report) {
  const auto wanted = std::ranges::find_if(report.nets, [&](const NetResult& n) { return same_name(n.name, name); });
  if (wanted == report.nets.end())
    throw field_error("net", "{}: the netlist has no such net; it has {}", name, nets_near(name, report.nets));
  const int32_t index = wanted - report.nets.begin();
  NodeTable& nodes = report.nodes;
  keep_only_net(index, nodes);
  for (int64_t i = 0; i < std::ssize(report.segments.current_a); ++i)
    if (nodes.net[grid_end(*report.circuit, i)] < 0) report.segments.current_a[i] = report.segments.power_w[i] = NAN;
  std::erase_if(report.pads, [&](const PadResult& p) { return p.net != index; });
  for (PadResult& p : report.pads) p.net = 0;
  std::erase_if(report.instances, [&](const InstanceResult& instance) {
    const bool has_two_nets = instance.power != kGround && instance.ground != kGround;
    return has_two_nets || nodes.net[instance.node()] < 0;
  });
  for (VectorResult& vector : report.vectors) vector.nets = {vector.nets[index]};
  report.nets = {report.nets[index]};
  return index;
}

bool has_limits_on_currents(const SummaryOptions& options) {
  return !options.em_limits.empty() || (options.em && options.em->limit);
}

/// Tells which nets are left out, and which of them escape limits on drops and currents of all nets.
void note_left_out(const SummaryOptions& options, IrReport& report) {
  report.only_net = options.net;
  for (const NetResult& net : report.nets)
    if (!options.net.empty() && !same_name(net.name, options.net)) report.left_out_nets.push_back(net.name);
  report.unjudged_nets = find_unjudged_nets(report.left_out_nets, options.limits, has_limits_on_currents(options));
}

VectorResult vector_result(const VectorFigures& figures, const Answer& answer) {
  VectorResult result;
  for (const NetResult& net : figures.nets) result.nets.push_back(net);
  result.bound_v = answer.certificate.max_error_v;
  result.bounded = answer.certificate.valid;
  result.iterations = answer.stats.iterations;
  return result;
}

}  // namespace

void turn_inverted_parts(const Topology& topology, NodeTable& nodes, std::vector<double>& injection,
                         std::vector<PadCurrent>& pads) {
  const std::vector<uint8_t>& inverted = topology.nets.inverted;
  const auto is_inverted = [&](NodeId n) { return n != kGround && inverted[topology.parts.part[n]]; };
  if (std::ranges::none_of(inverted, [](uint8_t is) { return is != 0; })) return;
  parallel_each(std::ssize(injection), [&](int64_t n) {
    if (!is_inverted(static_cast<NodeId>(n))) return;
    nodes.voltage_v[n] = 0.0 - nodes.voltage_v[n];
    injection[n] = 0.0 - injection[n];
  });
  for (PadCurrent& pad : pads)
    if (is_inverted(pad.node)) pad.current_a = 0.0 - pad.current_a;
}

std::vector<NetResult> net_list(const System& system, const std::set<LoadedNets>& loaded) {
  std::vector<NetResult> nets;
  for (const Net& net : system.topology().nets.nets) {
    NetResult& r = nets.emplace_back();
    r.name = net.name;
    r.nominal_v = net.nominal_v;
    r.is_ground = net.is_ground();
  }
  const Design& design = *system.design();
  find_supplies(design.options.nominal_v, loaded, design.circuit->placement.get(), nets);
  return nets;
}

NodeTable node_table(const System& system, std::span<const double> voltage_v) {
  const Design& design = *system.design();
  const NodePlaces& places = design.places;
  const Topology& t = system.topology();
  NodeTable nodes;
  const auto count = std::ssize(voltage_v);
  nodes.voltage_v = parallel_copy(voltage_v);
  nodes.layer = design.places.layer;
  nodes.x_um = design.places.x_um;
  nodes.y_um = design.places.y_um;
  assign_in_parallel(nodes.net, count, int32_t{-1});
  assign_in_parallel(nodes.state, count, NodeState::solved);
  nodes.state[kGround] = NodeState::ground;
  parallel_each(count, [&](int64_t n) {
    if (n == kGround) return;
    const int32_t part = t.parts.part[n];
    if (t.parts.anchored[part])
      nodes.net[n] = t.branches.has(static_cast<NodeId>(n)) ? -1 : t.nets.net_of(part, places.net[n], voltage_v[n]);
    else
      nodes.state[n] = NodeState::floating;
  });
  return nodes;
}

void keep_only_net(int32_t index, NodeTable& nodes) {
  for (size_t n = 0; n < nodes.net.size(); ++n) {
    if (nodes.net[n] == index) {
      nodes.net[n] = 0;
    } else if (nodes.net[n] >= 0) {
      nodes.net[n] = -1;
      nodes.drop_v[n] = 0;
      nodes.state[n] = NodeState::unlisted;
    }
  }
}

IrReport empty_report(const System& system) {
  const Design& design = *system.design();
  const Circuit& circuit = *design.circuit;
  IrReport report;
  if (!circuit.files.empty()) report.input_path = circuit.files.front()->path();
  report.input = counts_of(circuit);
  report.ledger = circuit.ledger;
  report.layer_names = design.places.layers;
  report.dbu_per_um = design.places.dbu_per_um;
  report.dbu_is_guess = design.places.dbu_is_guess;
  report.reduced.unknowns = system.problem()->matrix.rows;
  report.reduced.nonzeros = system.problem()->matrix.nonzeros();
  report.reduced.merged_shorts = system.topology().grid.network.ties();
  report.reduced.eliminated = std::ssize(system.elimination().steps);
  report.left_out = system.topology().left_out;
  report.reduced.left_out_loads = report.left_out.loads;
  report.reduced.left_out_current_a = report.left_out.amperes;
  return report;
}

int32_t judge_drops(const SummaryOptions& options, IrReport& report) {
  note_left_out(options, report);
  const int32_t kept = options.net.empty() ? -1 : keep_only_net(options.net, report);
  report.limits = check_limits(report, options.limits);
  append(report.findings, check_reach_of_limits(report, !has_limits_on_currents(options)));
  append(report.findings,
         check_left_out(report.left_out, options.limits, has_limits_on_currents(options), options.net));
  return kept;
}

IrReport summarise(const System& system, const Answer& answer, const SummaryOptions& options) {
  const std::vector<InstancePins> pins = find_instance_pins(*system.design()->circuit);
  VectorFigures figures = figures_of(system, pins, answer);
  std::vector<InstanceResult> instances = instances_at(pins, answer.load_a, figures.nodes, figures.nets);
  std::vector<uint8_t> is_given;
  mark_given(*system.design()->circuit, answer.load_a, is_given);
  return report_of(system, std::move(figures), std::move(instances), {}, is_given, options);
}

WorstCase::WorstCase(System system)
    : system_(std::move(system)), pins_(find_instance_pins(*system_.design()->circuit)), instances_(pins_.size()) {}

void WorstCase::add(std::span<const Answer> answers, bool do_sources_follow) {
  while (!answers.empty()) {
    const auto some = answers.first(std::min(answers.size(), static_cast<size_t>(omp_get_max_threads())));
    std::vector<VectorFigures> figures(some.size());
    parallel_tasks(std::ssize(some),
                   [&](int64_t v) { figures[v] = figures_of(system_, pins_, some[v], do_sources_follow); });
    for (size_t v = 0; v < some.size(); ++v) join_in(std::move(figures[v]), some[v]);
    answers = answers.subspan(some.size());
  }
}

void WorstCase::join_in(VectorFigures figures, const Answer& answer) {
  VectorResult row = vector_result(figures, answer);
  for (size_t k = 0; k < pins_.size(); ++k) {
    auto instance = instance_at(pins_[k], answer.load_a, figures.nodes, figures.nets);
    if (instance && (!instances_[k] || instance->combined_v > instances_[k]->combined_v)) instances_[k] = instance;
  }
  if (vectors_.empty()) {
    worst_ = std::move(figures);
    worst_.nodes.vector.assign(worst_.nodes.net.size(), 0);
  } else {
    join(figures, static_cast<int32_t>(vectors_.size()), worst_);
  }
  vectors_.push_back(std::move(row));
  mark_given(*system_.design()->circuit, answer.load_a, is_given_);
}

IrReport WorstCase::report(const SummaryOptions& options) && {
  if (vectors_.empty()) throw InputError("the worst of no load vector: add an answer first");
  std::vector<InstanceResult> instances;
  for (auto& instance : instances_)
    if (instance) instances.push_back(*instance);
  return report_of(system_, std::move(worst_), std::move(instances), std::move(vectors_), is_given_, options);
}

}  // namespace gridiron
