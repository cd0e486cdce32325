// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "analysis/distributed/shared_nodes.hpp"
#include "analysis/distributed/shared_segments.hpp"
#include "analysis/results/inverted_parts.hpp"
#include "analysis/results/net_statistics.hpp"
#include "analysis/results/plausibility.hpp"
#include "support/lists.hpp"

namespace gridiron::distributed {
namespace {

/// Names, nominal and supply voltages: the supplies of ground nets follow from what the loads of all processes join.
std::vector<NetResult> nets_of_all(const Communicator& all, const System& system, const NodeTable& nodes) {
  const std::set<LoadedNets> mine = loaded_nets(find_instance_pins(*system.design()->circuit), nodes);
  const std::vector<LoadedNets> of_all = gather(all, std::vector<LoadedNets>(mine.begin(), mine.end()));
  return net_list(system, {of_all.begin(), of_all.end()});
}

PowerBalance power_of_all(const Communicator& all, const LocalCircuit& local, const Network& network,
                          const NodeTable& nodes, double sources_w) {
  const std::vector<double>& volts = nodes.voltage_v;
  const auto is_known = [&](NodeId n) { return nodes.state[n] != NodeState::floating; };
  const Sources& loads = local.circuit.current_sources;
  long double loads_w = 0, dissipated_w = 0;
  for (int64_t i = 0; i < loads.size(); ++i)
    if (local.counts(loads.a[i], loads.b[i], all.rank()) && is_known(loads.a[i]) && is_known(loads.b[i]))
      loads_w += loads.value[i] * (volts[loads.a[i]] - volts[loads.b[i]]);
  for (int64_t e = 0; e < network.edges(); ++e) {
    const NodeId a = network.a[e], b = network.b[e];
    if (!local.counts(a, b, all.rank()) || !is_known(a) || !is_known(b)) continue;
    const double drop = volts[a] - volts[b];
    dissipated_w += network.conductance[e] * drop * drop;
  }
  double watts[] = {sources_w, static_cast<double>(loads_w), static_cast<double>(dissipated_w)};
  all.sum(watts);
  return {watts[0], watts[1], watts[2]};
}

/// What this process knows of its own nodes, loads and pads.
struct OwnResults {
  std::vector<NetStatistics> nets;
  std::vector<Statistics> overshoots;  ///< per net
  std::vector<PadResult> pads;         ///< without places: to count lines all of the text would have to be read
};

/// Calls f for the statistics of a net whose nodes results name.
void for_each_named(NetStatistics& net, auto f) {
  f(net.drops), f(net.reversed);
  for (auto& [_, drops] : net.layers) f(drops);
}

/// The nodes that results name, among them the worst ones of each net, as many as a report lists.
std::set<NodeId> named_nodes(OwnResults& own, const NodeTable& nodes) {
  constexpr size_t kWorstNodesPerNet = 10;
  std::set<NodeId> named;
  const auto add = [&](const Statistics& s) { named.insert(static_cast<NodeId>(s.largest.at)); };
  for (NetStatistics& net : own.nets) for_each_named(net, add);
  for (const Statistics& of_net : own.overshoots) add(of_net);
  for (const PadResult& pad : own.pads) named.insert(pad.node);
  std::vector<std::set<std::pair<double, NodeId>>> worst(own.nets.size());  // by drop, the largest first
  for (NodeId n = 1; n < std::ssize(nodes.net); ++n) {
    if (nodes.net[n] < 0) continue;
    auto& of_net = worst[nodes.net[n]];
    const std::pair rank(-nodes.drop_v[n], n);
    if (of_net.size() == kWorstNodesPerNet && *of_net.rbegin() < rank) continue;
    of_net.insert(rank);
    if (of_net.size() > kWorstNodesPerNet) of_net.erase(std::prev(of_net.end()));
  }
  for (const auto& of_net : worst)
    for (const auto& [_, node] : of_net) named.insert(node);
  return named;
}

/// Sums of drops and voltages are averages times numbers of nodes, as processes have always told them: to leave out the
/// two roundings would change last digits.
void round_sums(NetStatistics& net) {
  const auto round = [](double& sum, int64_t nodes) {
    if (nodes > 0) sum = sum / static_cast<double>(nodes) * static_cast<double>(nodes);
  };
  round(net.volts, net.drops.count);
  round(net.drops.sum, net.drops.count);
  for (auto& [_, drops] : net.layers) round(drops.sum, drops.count);
}

/// What all processes know of the nets, taken together in their order.
std::vector<NetStatistics> take_together(const Communicator& all, const std::vector<NetStatistics>& mine) {
  Writer writer;
  std::vector<NetStatistics> nets;
  for (const NetStatistics& net : mine) {
    writer.put<NetSums>(net);
    writer.put(net.layers.size());
    for (const auto& [layer, drops] : net.layers) writer.put(layer), writer.put(drops);
    nets.emplace_back().percentiles = net.percentiles;
  }
  for (const Communicator::Bytes& bytes : all.gather(writer.bytes())) {
    Reader reader(bytes);
    for (NetStatistics& net : nets) {
      NetStatistics some{reader.take<NetSums>(), {}, {}};
      for (auto layers = reader.take<size_t>(); layers > 0; --layers) {
        const auto layer = reader.take<uint32_t>();
        some.layers[layer] = reader.take<Statistics>();
      }
      net.take(some);
    }
  }
  return nets;
}

std::vector<Statistics> take_together(const Communicator& all, const std::vector<Statistics>& mine) {
  std::vector<Statistics> nets(mine.size());
  const std::vector<Statistics> of_all = gather(all, mine);
  for (size_t k = 0; k < of_all.size(); ++k) nets[k % nets.size()].take(of_all[k]);
  return nets;
}

std::vector<PadResult> take_together(const Communicator& all, const std::vector<PadResult>& mine) {
  Writer writer;
  for (const PadResult& pad : mine)
    writer.put(pad.name), writer.put(pad.node), writer.put(pad.net), writer.put(pad.voltage_v),
        writer.put(pad.current_a);
  std::vector<PadResult> pads;
  read_all(all, writer, [&](Reader& reader) {
    PadResult& pad = pads.emplace_back();
    pad.name = reader.text();
    pad.node = reader.take<NodeId>();
    pad.net = reader.take<int32_t>();
    pad.voltage_v = reader.take<double>();
    pad.current_a = reader.take<double>();
  });
  return pads;
}

/// Fills nodes, nets and pads in from what all processes have, and returns their overshoots. `nets`: without figures.
std::vector<Statistics> take_together(const Communicator& all, const LocalCircuit& local, const NodeTable& nodes,
                                      OwnResults own, std::vector<NetResult> nets, IrReport& report) {
  const std::map<NodeId, NodeId> id = share_nodes(all, local, nodes, named_nodes(own, nodes), report);
  const auto rename = [&](Statistics& s) { s.largest.at = id.at(static_cast<NodeId>(s.largest.at)); };
  for (NetStatistics& net : own.nets) {
    for_each_named(net, rename);
    round_sums(net);
  }
  for (Statistics& of_net : own.overshoots) rename(of_net);
  for (PadResult& pad : own.pads) pad.node = id.at(pad.node);
  add_statistics(take_together(all, own.nets), report.nodes.voltage_v, nets);
  report.nets = std::move(nets);
  report.pads = ranked(take_together(all, own.pads));
  return take_together(all, own.overshoots);
}

/// Fills in how large the netlist and the system of all processes are.
void add_sizes(const Communicator& all, const SharedDesign& grid, const NodeTable& nodes, IrReport& report) {
  const LocalCircuit& local = *grid.local;
  const auto& elements = local.elements_in_all;
  report.input = {local.nodes_in_all, elements[kResistor], elements[kCurrentSource], elements[kVoltageSource]};
  auto& reduced = report.reduced;
  reduced.floating_nodes = std::count(nodes.state.begin(), nodes.state.begin() + local.own + 1, NodeState::floating);
  for (int64_t* const size :
       {&reduced.unknowns, &reduced.nonzeros, &reduced.merged_shorts, &reduced.eliminated, &reduced.floating_nodes})
    *size = sum(all, *size);
}

/// Counts the nodes of all processes that are above limits.
void count_failed(const Communicator& all, const NodeTable& nodes, IrReport& report) {
  for (LimitResult& limit : report.limits) {
    if (limit.quantity == "average") continue;
    const auto net = std::ranges::find(report.nets, limit.net, &NetResult::name) - report.nets.begin();
    limit.failed = sum(all, count_above(nodes, static_cast<int32_t>(net), -1, limit.limit_v));
  }
}

}  // namespace

IrReport summarise_shared(const Communicator& all, const SharedDesign& grid, const System& system, const Answer& answer,
                          const SummaryOptions& options, NodeTable& nodes) {
  const LocalCircuit& local = *grid.local;
  const Topology& topology = *grid.design->topology;
  IrReport report = empty_report(system);
  nodes = node_table(system, answer.voltage_v);
  std::vector<NetResult> nets = nets_of_all(all, system, nodes);
  // From here on this process counts its own nodes only.
  std::vector<double> injection = node_injection(local.circuit, answer.load_a);
  for (size_t n = static_cast<size_t>(local.own) + 1; n < injection.size(); ++n) {
    injection[n] = 0;
    nodes.net[n] = -1;
  }
  Currents currents = find_currents(topology, injection, nodes);
  report.power = power_of_all(all, local, topology.grid.network, nodes, currents.sources_w);
  SegmentTable segments;
  if (!options.em_limits.empty()) segments = find_shared_segments(all, grid, nodes);
  turn_inverted_parts(topology, nodes, injection, currents.pads);
  report.certificate = answer.certificate;
  report.certificate.current_imbalance_a = sum(all, currents.imbalance_a);
  nodes.drop_v = drops_of(nodes.voltage_v, nodes.net, nets);

  OwnResults own;
  own.nets = drop_statistics(nodes, nets.size(), grid.shared.totals.get());
  own.overshoots = find_overshoots(nodes, nets, answer.certificate);
  own.pads = named_pads(local.circuit, topology, currents.pads, false);
  const std::vector<NetStatistics> of_currents = current_statistics(nodes, injection, std::move(currents.pads), nets);
  for (size_t k = 0; k < nets.size(); ++k) own.nets[k].take(of_currents[k]);
  std::vector<Statistics> overshoots = take_together(all, local, nodes, std::move(own), std::move(nets), report);
  add_sizes(all, grid, nodes, report);

  report.findings = grid.findings;
  int32_t kept = -1;
  together(all, [&] { kept = judge_drops(options, report); });
  if (kept >= 0) {
    keep_only_net(kept, nodes);
    overshoots = {overshoots[kept]};
  }
  count_failed(all, nodes, report);
  if (!options.em_limits.empty())
    check_shared_segments(all, grid, std::move(segments), options.em_limits, nodes, report);
  append(report.findings, check_plausibility(report, overshoots));
  return report;
}

}  // namespace gridiron::distributed
