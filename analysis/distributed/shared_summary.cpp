// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/distributed/shared_segments.hpp"
#include "analysis/results/inverted_parts.hpp"
#include "analysis/results/pad_elements.hpp"
#include "analysis/results/plausibility.hpp"
#include "analysis/results/statistics.hpp"
#include "analysis/results/supplies.hpp"

namespace gridiron::distributed {
namespace {

constexpr std::size_t kWorstNodesPerNet = 10;  ///< as many as a report lists

/// Doubles as integers of the same order.
std::uint64_t ordered(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}
double from_ordered(std::uint64_t key) {
  return std::bit_cast<double>(key >> 63 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

/// Of the drops of each net on all processes, by nearest rank, as percentiles_of(): found by bisection, for all at
/// once.
std::vector<Percentiles> percentiles_of_all(const Communicator& all, std::vector<std::vector<double>> drops) {
  constexpr double kShares[] = {0.5, 0.95, 0.99, 0.999};
  constexpr std::size_t kEach = std::size(kShares);
  std::vector<double> counts;
  for (std::vector<double>& of_net : drops) {
    std::sort(of_net.begin(), of_net.end());
    counts.push_back(static_cast<double>(of_net.size()));
  }
  all.sum(counts);
  std::vector<std::uint64_t> low(kEach * drops.size(), 0), high(low.size(), std::numeric_limits<std::uint64_t>::max());
  for (int bit = 0; bit < 64; ++bit) {
    std::vector<double> up_to(low.size());
    const auto middle = [&](std::size_t i) { return low[i] + (high[i] - low[i]) / 2; };
    for (std::size_t i = 0; i < low.size(); ++i) {
      const std::vector<double>& of_net = drops[i / kEach];
      up_to[i] = static_cast<double>(
          std::partition_point(of_net.begin(), of_net.end(), [&](double d) { return ordered(d) <= middle(i); }) -
          of_net.begin());
    }
    all.sum(up_to);
    for (std::size_t i = 0; i < low.size(); ++i) {
      const double wanted = std::max(1.0, std::ceil(kShares[i % kEach] * counts[i / kEach]));
      if (up_to[i] >= wanted)
        high[i] = middle(i);
      else if (low[i] < high[i])
        low[i] = middle(i) + 1;
    }
  }
  std::vector<Percentiles> out;
  for (std::size_t k = 0; k < drops.size(); ++k) {
    const auto at = [&](std::size_t i) { return counts[k] > 0 ? from_ordered(high[kEach * k + i]) : 0.0; };
    out.push_back({at(0), at(1), at(2), at(3)});
  }
  return out;
}

/// A node that results name.
struct NodeRow {
  std::int64_t serial;
  std::int32_t net, layer;
  double x_um, y_um, voltage_v, drop_v;
  NodeState state;
};

/// Collects the nodes that results name, here and then of all processes.
class NamedNodes {
 public:
  NamedNodes(const LocalCircuit& local, const NodeTable& nodes) : local_(local), nodes_(nodes) {}

  /// What to say instead of a node of this process.
  std::int64_t add(NodeId n) {
    if (n == kGround) return 0;
    if (added_.insert(n).second) {
      writer_.put(NodeRow{local_.serial[n], nodes_.net[n], nodes_.layer[n], nodes_.x_um[n], nodes_.y_um[n],
                          nodes_.voltage_v[n], nodes_.drop_v[n], nodes_.state[n]});
      writer_.put(local_.circuit.node_name(n));
    }
    return local_.serial[n];
  }

  /// Fills in the circuit and the nodes of a report; owns what its columns refer to.
  void share(const Communicator& all, const Design& design, IrReport& report) {
    const std::vector<Communicator::Bytes> bytes = all.gather(writer_.bytes());
    std::map<std::int64_t, std::pair<NodeRow, std::string_view>> rows;
    for (const Communicator::Bytes& some : bytes)
      for (Reader reader(some); !reader.is_done();) {
        const auto row = reader.take<NodeRow>();
        rows.emplace(row.serial, std::pair(row, reader.text()));
      }
    auto circuit = std::make_shared<Circuit>();
    circuit->title = design.circuit->title;
    circuit->ledger = design.circuit->ledger;
    circuit->files = design.circuit->files;
    circuit->nodes.intern("0");
    circuit->resistors.a.assign(resistors_.size(), kGround);
    circuit->resistors.b.assign(resistors_.size(), kGround);
    circuit->resistors.value.assign(resistors_.size(), std::nan(""));
    circuit->resistors.origin = resistors_;
    report.segments.current_a.assign(resistors_.size(), std::nan(""));
    report.segments.power_w.assign(resistors_.size(), std::nan(""));
    auto named = std::make_shared<Design>();
    NodeTable& to = report.nodes;
    named->places.x_um = named->places.y_um = {std::nan("")};
    named->places.layer = {-1};
    to.voltage_v = to.drop_v = {0};
    to.net = {-1};
    to.state = {NodeState::ground};
    for (const auto& [serial, item] : rows) {
      const auto& [row, name] = item;
      id_[serial] = circuit->nodes.intern(name);
      named->places.x_um.push_back(row.x_um);
      named->places.y_um.push_back(row.y_um);
      named->places.layer.push_back(row.layer);
      to.voltage_v.push_back(row.voltage_v);
      to.drop_v.push_back(row.drop_v);
      to.net.push_back(row.net);
      to.state.push_back(row.state);
    }
    to.layer = named->places.layer;
    to.x_um = named->places.x_um;
    to.y_um = named->places.y_um;
    report.circuit = circuit.get();
    named->circuit = std::move(circuit);
    named->options = design.options;
    report.design = std::move(named);
  }

  /// Resistors of the circuit that share() makes, of which only names are known.
  void name_resistors(std::vector<Origin> cards) { resistors_ = std::move(cards); }

  NodeId id(std::int64_t serial) const { return serial == 0 ? kGround : id_.at(serial); }

 private:
  const LocalCircuit& local_;
  const NodeTable& nodes_;
  std::set<NodeId> added_;
  Writer writer_;
  std::map<std::int64_t, NodeId> id_;
  std::vector<Origin> resistors_;
};

/// What a process contributes to a net or, with `layer` ≥ −1, to one of its layers.
struct Share {
  std::int32_t net = -1, layer = -2;
  std::int64_t nodes = 0, loads = 0, pads = 0, reversed_loads = 0;
  double worst_drop_v = 0, worst_voltage_v = 0, least_drop_v = 0, drops_v = 0, volts = 0;
  double load_a = 0, pad_a = 0, reversed_a = 0;
  std::int64_t worst_node = 0, reversed_node = 0;
};

std::vector<Share> shares_of(const std::vector<NetResult>& nets, NamedNodes& named) {
  std::vector<Share> shares;
  for (std::size_t k = 0; k < nets.size(); ++k) {
    const NetResult& net = nets[k];
    Share& share = shares.emplace_back();
    share.net = static_cast<std::int32_t>(k);
    share.nodes = net.nodes;
    share.loads = net.loads;
    share.pads = net.pads;
    share.reversed_loads = net.reversed_loads;
    share.worst_drop_v = net.worst_drop_v;
    share.worst_voltage_v = net.worst_voltage_v;
    share.drops_v = net.average_drop_v * static_cast<double>(net.nodes);
    share.volts = net.average_voltage_v * static_cast<double>(net.nodes);
    share.load_a = net.load_current_a;
    share.pad_a = net.pad_current_a;
    share.reversed_a = net.reversed_current_a;
    share.worst_node = named.add(net.worst_node);
    share.reversed_node = named.add(net.reversed_node);
    for (const LayerResult& layer : net.layers) {
      Share& of_layer = shares.emplace_back();
      of_layer.net = static_cast<std::int32_t>(k);
      of_layer.layer = layer.layer;
      of_layer.nodes = layer.nodes;
      of_layer.worst_drop_v = layer.worst_drop_v;
      of_layer.least_drop_v = layer.least_drop_v;
      of_layer.drops_v = layer.average_drop_v * static_cast<double>(layer.nodes);
      of_layer.worst_node = named.add(layer.worst_node);
    }
  }
  return shares;
}

/// Whether a drop is worse than what was found before: of equal ones the node that a run of one process finds first.
bool is_worse(const Share& share, std::int64_t nodes_before, double worst_v, NodeId node, NodeId worst) {
  return nodes_before == 0 || share.worst_drop_v > worst_v || (share.worst_drop_v == worst_v && node < worst);
}

void add(const Share& share, const NamedNodes& named, NetResult& net) {
  if (share.reversed_a > net.reversed_current_a && share.reversed_node != 0)
    net.reversed_node = named.id(share.reversed_node);
  net.loads += share.loads;
  net.pads += share.pads;
  net.load_current_a += share.load_a;
  net.pad_current_a += share.pad_a;
  net.reversed_loads += share.reversed_loads;
  net.reversed_current_a += share.reversed_a;
  if (share.nodes == 0) return;
  if (const NodeId node = named.id(share.worst_node);
      is_worse(share, net.nodes, net.worst_drop_v, node, net.worst_node)) {
    net.worst_drop_v = share.worst_drop_v;
    net.worst_voltage_v = share.worst_voltage_v;
    net.worst_node = node;
  }
  net.nodes += share.nodes;
  net.average_drop_v += share.drops_v;
  net.average_voltage_v += share.volts;
}

void add(const Share& share, const NamedNodes& named, LayerResult& layer) {
  layer.layer = share.layer;
  if (const NodeId node = named.id(share.worst_node);
      is_worse(share, layer.nodes, layer.worst_drop_v, node, layer.worst_node)) {
    layer.worst_drop_v = share.worst_drop_v;
    layer.worst_node = node;
  }
  layer.least_drop_v = layer.nodes == 0 ? share.least_drop_v : std::min(layer.least_drop_v, share.least_drop_v);
  layer.nodes += share.nodes;
  layer.average_drop_v += share.drops_v;
}

/// The nets of all processes.
std::vector<NetResult> join(std::vector<NetResult> nets, const std::vector<Share>& shares, const NamedNodes& named,
                            const std::vector<Percentiles>& percentiles) {
  std::vector<std::map<std::uint32_t, LayerResult>> layers(nets.size());  // −1, unknown, comes last
  for (const Share& share : shares)
    if (share.layer < -1)
      add(share, named, nets[share.net]);
    else
      add(share, named, layers[share.net][static_cast<std::uint32_t>(share.layer)]);
  for (std::size_t k = 0; k < nets.size(); ++k) {
    NetResult& net = nets[k];
    const auto count = static_cast<double>(std::max<std::int64_t>(net.nodes, 1));
    net.average_drop_v /= count;
    net.average_voltage_v /= count;
    net.percentiles_v = percentiles[k];
    net.total_power_w = std::abs(net.load_current_a) * net.supply_v;
    for (auto& [_, layer] : layers[k]) {
      layer.average_drop_v /= static_cast<double>(layer.nodes);
      net.layers.push_back(layer);
    }
  }
  return nets;
}

/// Names, nominal and supply voltages: the supplies of ground nets follow from what the loads of all processes join.
std::vector<NetResult> nets_of_all(const Communicator& all, const System& system, const NodeTable& nodes) {
  const std::vector<InstancePins> pins = find_instance_pins(*system.design()->circuit);
  struct Joins {
    std::int32_t power, ground;
    bool is_one_ended;
    auto operator<=>(const Joins&) const = default;
  };
  std::set<Joins> joins;
  for (const InstancePins& pin : pins) joins.insert({nodes.net[pin.power], nodes.net[pin.ground], pin.is_one_ended()});
  NodeTable by_net;  // node k + 1 is of net k
  by_net.net = {-1};
  std::vector<NetResult> nets = net_list(system, {}, nodes);
  for (std::size_t k = 0; k < nets.size(); ++k) by_net.net.push_back(static_cast<std::int32_t>(k));
  std::vector<InstancePins> of_all;
  for (const Joins& j : gather(all, std::vector<Joins>(joins.begin(), joins.end())))
    if (j.power >= 0 && (j.is_one_ended || j.ground >= 0))
      of_all.push_back({j.power + 1, j.is_one_ended ? kGround : j.ground + 1});
  find_supplies(system.design()->options.nominal_v, of_all, by_net, nets);
  return nets;
}

PowerBalance power_of_all(const Communicator& all, const LocalCircuit& local, const Network& network,
                          const NodeTable& nodes, double sources_w) {
  const std::vector<double>& volts = nodes.voltage_v;
  const auto is_known = [&](NodeId n) { return nodes.state[n] != NodeState::floating; };
  const Sources& loads = local.circuit.current_sources;
  long double loads_w = 0, dissipated_w = 0;
  for (std::int64_t i = 0; i < loads.size(); ++i)
    if (local.counts(loads.a[i], loads.b[i], all.rank()) && is_known(loads.a[i]) && is_known(loads.b[i]))
      loads_w += loads.value[i] * (volts[loads.a[i]] - volts[loads.b[i]]);
  for (std::int64_t e = 0; e < network.edges(); ++e) {
    const NodeId a = network.a[e], b = network.b[e];
    if (!local.counts(a, b, all.rank()) || !is_known(a) || !is_known(b)) continue;
    const double drop = volts[a] - volts[b];
    dissipated_w += network.conductance[e] * drop * drop;
  }
  double watts[] = {sources_w, static_cast<double>(loads_w), static_cast<double>(dissipated_w)};
  all.sum(watts);
  return {watts[0], watts[1], watts[2]};
}

/// Without their places: to count lines a process would have to read the whole text.
std::vector<PadResult> pads_of_all(const Communicator& all, const std::vector<PadCurrent>& pads, NamedNodes& named,
                                   IrReport& report, const Design& design) {
  struct Row {
    std::int64_t node;
    std::int32_t net;
    double voltage_v, current_a;
  };
  const Circuit& circuit = *design.circuit;
  const std::vector<Grid::TieElement> elements = elements_of(circuit, *design.topology, pads);
  Writer writer;
  for (std::size_t k = 0; k < pads.size(); ++k) {
    const auto [kind, index] = elements[k];
    writer.put(Row{named.add(pads[k].node), pads[k].net, pads[k].voltage_v, pads[k].current_a});
    writer.put(circuit.element_name(kind, index));
  }
  named.share(all, design, report);
  std::vector<PadResult> of_all;
  std::map<std::int32_t, double> of_net;
  for (const Communicator::Bytes& bytes : all.gather(writer.bytes()))
    for (Reader reader(bytes); !reader.is_done();) {
      const auto row = reader.take<Row>();
      PadResult& pad = of_all.emplace_back();
      pad.node = named.id(row.node);
      pad.net = row.net;
      pad.voltage_v = row.voltage_v;
      pad.current_a = row.current_a;
      pad.name = reader.text();
      of_net[pad.net] += pad.current_a;
    }
  for (PadResult& pad : of_all)
    if (of_net[pad.net] != 0) pad.share = pad.current_a / of_net[pad.net];
  std::stable_sort(of_all.begin(), of_all.end(), [](const PadResult& a, const PadResult& b) {
    return std::abs(a.current_a) > std::abs(b.current_a);
  });
  return of_all;
}

/// The worst nodes of each net here, as many as a report may list.
void add_worst_nodes(const NodeTable& nodes, std::size_t nets, NamedNodes& named) {
  std::vector<std::vector<NodeId>> worst(nets);
  const auto is_worse = [&](NodeId a, NodeId b) {
    return nodes.drop_v[a] != nodes.drop_v[b] ? nodes.drop_v[a] > nodes.drop_v[b] : a < b;
  };
  for (std::size_t n = 1; n < nodes.net.size(); ++n) {
    if (nodes.net[n] < 0) continue;
    std::vector<NodeId>& heap = worst[nodes.net[n]];
    const auto node = static_cast<NodeId>(n);
    if (heap.size() == kWorstNodesPerNet) {
      if (!is_worse(node, heap.front())) continue;
      std::pop_heap(heap.begin(), heap.end(), is_worse);
      heap.pop_back();
    }
    heap.push_back(node);
    std::push_heap(heap.begin(), heap.end(), is_worse);
  }
  for (const std::vector<NodeId>& heap : worst)
    for (const NodeId node : heap) named.add(node);
}

struct OvershootRow {
  double volts;
  std::int64_t node, nodes;
};

/// Above limits, of the nodes of all processes.
void count_failed(const Communicator& all, const NodeTable& nodes, IrReport& report) {
  for (LimitResult& limit : report.limits) {
    if (limit.quantity == "average") continue;
    const auto net = std::ranges::find(report.nets, limit.net, &NetResult::name) - report.nets.begin();
    limit.failed = sum(all, count_above(nodes, static_cast<std::int32_t>(net), -1, limit.limit_v));
    limit.failed_instances = -1;
  }
}

}  // namespace

IrReport summarise_shared(const Communicator& all, const SharedDesign& grid, const System& system, const Answer& answer,
                          const SummaryOptions& options, NodeTable& nodes) {
  const LocalCircuit& local = *grid.local;
  const Design& design = *grid.design;
  const Topology& topology = *design.topology;
  IrReport report;
  nodes = node_table(system, answer.voltage_v);
  std::vector<NetResult> empty_nets = nets_of_all(all, system, nodes), nets = empty_nets;
  // From here on this process counts its own nodes only.
  std::vector<double> injection = node_injection(local.circuit, answer.load_a);
  for (std::size_t n = static_cast<std::size_t>(local.own) + 1; n < injection.size(); ++n) {
    injection[n] = 0;
    nodes.net[n] = -1;
  }
  Currents currents = find_currents(topology, injection, nodes);
  report.power = power_of_all(all, local, topology.grid.network, nodes, currents.sources_w);
  std::optional<SharedSegments> segments;
  if (!options.em_limits.empty()) segments.emplace(all, grid, nodes);
  turn_inverted_parts(topology, nodes, injection, currents.pads);
  report.certificate = answer.certificate;
  report.certificate.current_imbalance_a = sum(all, currents.imbalance_a);
  add_currents(nodes, injection, currents.pads, nets);
  nodes.drop_v = drops_of(nodes.voltage_v, nodes.net, nets);
  add_statistics(nodes, nets);

  NamedNodes named(local, nodes);
  const std::vector<Share> shares = gather(all, shares_of(nets, named));
  std::vector<std::vector<double>> drops(nets.size());
  for (NodeId n = 1; n <= local.own; ++n)
    if (nodes.net[n] >= 0) drops[nodes.net[n]].push_back(nodes.drop_v[n]);
  const std::vector<Percentiles> percentiles = percentiles_of_all(all, std::move(drops));
  add_worst_nodes(nodes, nets.size(), named);
  if (segments) named.name_resistors(segments->worst());

  IrReport of_this;  // what find_overshoots() reads
  of_this.nodes.net = nodes.net;
  of_this.nodes.voltage_v = nodes.voltage_v;
  of_this.nets = empty_nets;
  of_this.certificate = answer.certificate;
  std::vector<OvershootRow> overshoots;
  for (const Overshoot& of_net : find_overshoots(of_this))
    overshoots.push_back({of_net.volts, named.add(of_net.node), of_net.nodes});
  of_this = {};

  report.pads = pads_of_all(all, currents.pads, named, report, design);
  report.nets = join(std::move(empty_nets), shares, named, percentiles);
  report.layer_names = design.places.layers;
  report.dbu_per_um = design.places.dbu_per_um;
  report.dbu_is_guess = design.places.dbu_is_guess;
  double counts[] = {
      static_cast<double>(system.problem()->matrix.rows), static_cast<double>(system.problem()->matrix.nonzeros()),
      static_cast<double>(topology.grid.network.ties()), static_cast<double>(system.elimination().steps.size()),
      static_cast<double>(std::count(nodes.state.begin(), nodes.state.begin() + local.own + 1, NodeState::floating))};
  all.sum(counts);
  report.reduced.unknowns = static_cast<std::int64_t>(counts[0]);
  report.reduced.nonzeros = static_cast<std::int64_t>(counts[1]);
  report.reduced.merged_shorts = static_cast<std::int64_t>(counts[2]);
  report.reduced.eliminated = static_cast<std::int64_t>(counts[3]);
  report.reduced.floating_nodes = static_cast<std::int64_t>(counts[4]);

  report.findings = grid.findings;
  std::vector<Overshoot> worst(report.nets.size());
  const std::vector<OvershootRow> rows = gather(all, overshoots);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Overshoot& of_net = worst[k % worst.size()];
    of_net.nodes += rows[k].nodes;
    if (rows[k].volts > of_net.volts) of_net = {rows[k].volts, named.id(rows[k].node), of_net.nodes};
  }
  note_left_out(options, report);
  if (!options.net.empty()) {
    std::int32_t kept = -1;
    together(all, [&] { kept = keep_only_net(options.net, report); });
    keep_only_net(kept, nodes);
    if (segments) segments->keep_only_net(kept);
    worst = {worst[kept]};
  }
  together(all, [&] { report.limits = check_limits(report, options.limits); });
  count_failed(all, nodes, report);
  for (Finding& finding : check_reach_of_limits(report)) report.findings.push_back(std::move(finding));
  if (segments) segments->check(options.em_limits, nodes, report);
  for (Finding& finding : check_plausibility(report, worst)) report.findings.push_back(std::move(finding));
  return report;
}

}  // namespace gridiron::distributed
