// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/shared_design.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "analysis/distributed/merge_findings.hpp"
#include "analysis/distributed/shared_parts.hpp"
#include "analysis/model/findings.hpp"
#include "linalg/shares.hpp"
#include "netlist/names/layer_evidence.hpp"
#include "netlist/names/layer_number.hpp"
#include "support/error.hpp"
#include "support/lists.hpp"

namespace gridiron::distributed {
namespace {

/// Labels of all processes in one table, and per label of this process its number in that.
struct Labels {
  std::vector<std::string> names;
  std::vector<int32_t> number;
};

Labels share_labels(const Communicator& all, const std::vector<std::string>& mine, bool by_layer_number) {
  Writer writer;
  for (const std::string& label : mine) writer.put(label);
  NameTable table;
  for (const std::string& label : gather_texts(all, writer)) table.intern(label);
  Labels labels;
  for (int32_t k = 0; k < table.size(); ++k) labels.names.emplace_back(table[k]);
  if (by_layer_number)
    std::ranges::stable_sort(labels.names, {}, [](const std::string& layer) { return layer_number(layer); });
  std::map<int32_t, int32_t> at;
  for (size_t k = 0; k < labels.names.size(); ++k) at[table.find(labels.names[k])] = static_cast<int32_t>(k);
  for (const std::string& label : mine) labels.number.push_back(at.at(table.find(label)));
  return labels;
}

/// Units, as place_nodes() finds them.
void set_units(const LocalCircuit& local, int64_t placed, std::optional<double> dbu_per_um, NodePlaces& places) {
  const bool has_card = local.circuit.dbu_card > 0;
  const double usual = 2 * local.styles.ibm > placed ? 1000.0 : 2000.0;
  places.dbu_per_um = placed > 0 ? dbu_per_um.value_or(has_card ? local.circuit.dbu_card : usual) : 0;
  places.dbu_is_guess = placed > 0 && !dbu_per_um && !has_card && 2 * local.styles.iccad <= placed;
}

/// Returns how many nodes of all processes lose their place.
int64_t drop_contradicted(const Communicator& all, const LocalCircuit& local, NodePlaces& places) {
  const SharedEvidence shared{[&](std::vector<int64_t>& counts) {
                                std::vector<double> sums(counts.begin(), counts.end());
                                all.sum(sums);
                                std::transform(sums.begin(), sums.end(), counts.begin(),
                                               [](double sum) { return static_cast<int64_t>(sum); });
                              },
                              [&](NodeId a, NodeId b) { return local.counts(a, b, all.rank()); }};
  return sum(all, drop_contradicted_layers(local.circuit, places, shared));
}

NodePlaces take_places(const Communicator& all, LocalCircuit& local, std::optional<double> dbu_per_um) {
  NodePlaces places = std::move(local.places);
  Labels nets = share_labels(all, places.nets, false), layers = share_labels(all, places.layers, true);
  for (int32_t& net : places.net)
    if (net >= 0) net = nets.number[net];
  for (int32_t& layer : places.layer)
    if (layer >= 0) layer = layers.number[layer];
  places.nets = std::move(nets.names);
  places.layers = std::move(layers.names);
  int64_t placed = local.placed;
  if (2 * local.styles.openroad <= placed && drop_contradicted(all, local, places) > 0) {
    const auto of_own = std::span(places.x_um).first(local.own + 1);
    placed = sum(all, std::ranges::count_if(of_own, [](double x) { return !std::isnan(x); }));
  }
  places.placed = placed;
  set_units(local, placed, dbu_per_um, places);
  for (size_t n = 0; n < places.x_um.size(); ++n)
    places.x_um[n] /= places.dbu_per_um, places.y_um[n] /= places.dbu_per_um;
  return places;
}

/// What an owner's ties make of a node.
struct Merged {
  int32_t group;
  bool is_known;
  double volts;  ///< its potential if that is known, else its offset
};

/// Merges with knowledge of what other processes merge: nodes of others that belong to one group are one here, too.
Merge merge_shared(const Communicator& all, const LocalCircuit& local, const Network& network) {
  Network ties;
  ties.nodes = network.nodes;
  ties.tie_a = network.tie_a;
  ties.tie_b = network.tie_b;
  ties.tie_volts = network.tie_volts;
  ties.fixed = network.fixed;
  ties.fixed_volts = network.fixed_volts;
  const Merge own = merge_ties(ties);
  const auto others = ask_owners<Merged>(all, local, [&](NodeId n) {
    const int32_t known = own.group[n] - own.unknowns;
    return Merged{own.group[n], known >= 0, own.offset[n] + (known >= 0 ? own.known_volts[known] : 0.0)};
  });
  std::map<std::pair<size_t, int32_t>, NodeId> first_of_group;
  NodeId node = local.own;
  for (size_t p = 0; p < local.others.size(); ++p)
    for (int32_t k = 0; k < local.others[p]; ++k) {
      const Merged& merged = others[++node - local.own - 1];
      if (merged.is_known) {
        ties.fixed.push_back(node);
        ties.fixed_volts.push_back(merged.volts);
      } else if (const auto [first, is_new] = first_of_group.try_emplace({p, merged.group}, node); !is_new) {
        ties.tie_a.push_back(first->second);
        ties.tie_b.push_back(node);
        ties.tie_volts.push_back(0);
      }
    }
  Merge merge = merge_ties(ties);
  for (node = local.own + 1; node < network.nodes; ++node) {
    merge.parent[node] = -1;
    if (const Merged& merged = others[node - local.own - 1]; !merged.is_known) merge.offset[node] = merged.volts;
  }
  size_t children = 0;
  for (size_t k = 0; k < merge.order.size(); ++k) {
    if (merge.parent[merge.order[k]] < 0) continue;
    merge.order[children] = merge.order[k];
    merge.order_tie[children++] = merge.order_tie[k];
  }
  merge.order.resize(children);
  merge.order_tie.resize(children);
  return merge;
}

/// The rows of a reduced system that other processes refer to, and the reverse.
class RowShares : public Shares {
 public:
  RowShares(const Communicator& all, std::vector<std::vector<int32_t>> to, int64_t others)
      : all_(all), to_(std::move(to)), others_(others) {}

  void largest(std::span<double> values) const override {
    for (double& value : values)
      if (std::isnan(value)) value = INFINITY;
    all_.largest(values);
  }
  void sum(std::span<double> values) const override { all_.sum(values); }
  int64_t others() const override { return others_; }
  void exchange(std::span<double> values) const override {
    std::vector<std::vector<double>> to(to_.size());
    for (size_t p = 0; p < to.size(); ++p)
      for (const int32_t row : to_[p]) to[p].push_back(values[row]);
    size_t next = values.size() - static_cast<size_t>(others_);
    for (const std::vector<double>& from : all_to_all(all_, std::move(to)))
      for (const double value : from) values[next++] = value;
  }

 private:
  const Communicator& all_;
  std::vector<std::vector<int32_t>> to_;  ///< per process the rows that it refers to
  int64_t others_;
};

System::Shared shares_of(const Communicator& all, const LocalCircuit& local, const Merge& merge) {
  System::Shared shared;
  for (NodeId n = 1; n <= local.own; ++n)
    if (merge.group[n] < merge.unknowns) shared.groups = std::max(shared.groups, merge.group[n] + 1);
  shared.is_held.assign(merge.unknowns, 0);
  std::fill(shared.is_held.begin() + shared.groups, shared.is_held.end(), uint8_t{1});
  // A process refers to a group by its nodes, in its own order, in which the first of them decides the group's place.
  std::vector<std::vector<int32_t>> asked(local.asked.size());
  for (size_t p = 0; p < asked.size(); ++p) {
    std::vector<bool> is_listed(merge.unknowns, false);
    for (const NodeId n : local.asked[p]) {
      const int32_t group = merge.group[n];
      if (group >= merge.unknowns || is_listed[group]) continue;
      is_listed[group] = true;
      shared.is_held[group] = 1;
      asked[p].push_back(group);
    }
  }
  shared.totals = std::make_shared<RowShares>(all, std::vector<std::vector<int32_t>>(asked.size()), 0);
  const int64_t others = merge.unknowns - shared.groups;
  shared.shares_of = [&all, asked = std::move(asked), others](const Elimination& elimination) {
    std::vector<std::vector<int32_t>> rows = asked;
    for (auto& to : rows)
      for (int32_t& row : to) row = elimination.unknown[row];
    return std::make_shared<RowShares>(all, std::move(rows), others);
  };
  return shared;
}

/// What find_branches() finds, of own nodes, in the grid of all processes.
Branches branches_of(const Communicator& all, const LocalCircuit& local, const NodePlaces& places,
                     const Topology& topology) {
  const Network& network = topology.grid.network;
  Branches branches;
  branches.inside = find_inside(local.circuit, places, topology.merge, local.own);
  if (largest(all, branches.inside.empty() ? 0 : 1) > 0) {
    PartNodes nodes = count_part_nodes(branches.inside, topology.parts, topology.merge, local.own);
    all.sum(nodes.held);
    all.sum(nodes.free);
    keep_whole_grids(nodes, topology.parts, branches.inside);
  }
  const auto is_grounded = [&](int64_t e) { return network.a[e] == kGround || network.b[e] == kGround; };
  double grounded = 0;
  for (int64_t e = 0; e < network.edges() && grounded == 0; ++e) grounded = is_grounded(e) ? 1 : 0;
  if (largest(all, grounded) == 0) return branches;
  branches.widest_to_ground = find_widest_to_ground(network, topology.parts, topology.merge);
  all.largest(branches.widest_to_ground);
  return branches;
}

std::vector<Finding> tell_shared_branches(const Communicator& all, const LocalCircuit& local,
                                          const Topology& topology) {
  std::vector<NodeId> leaks = leaking_nodes(topology.grid.network, topology.parts, topology.nets, topology.branches);
  std::erase_if(leaks, [&](NodeId n) { return n > local.own; });
  Writer writer;
  if (!leaks.empty()) writer.put(local.circuit.node_name(leaks.front()));
  const std::vector<std::string> texts = gather_texts(all, writer);
  const std::string first = texts.empty() ? "" : shown(texts.front());
  const std::vector<uint8_t>& inside = topology.branches.inside;
  return branch_findings(sum(all, std::ranges::count(inside, 1)), sum(all, std::ssize(leaks)), first);
}

}  // namespace

SharedDesign make_shared_design(const Communicator& all, LocalCircuit read, const DesignOptions& options) {
  SharedDesign out;
  out.local = std::make_shared<LocalCircuit>(std::move(read));
  LocalCircuit& local = *out.local;
  const Circuit& circuit = local.circuit;
  auto design = std::make_shared<Design>();
  design->circuit = design->as_read = std::shared_ptr<const Circuit>(out.local, &circuit);
  design->options = options;
  std::vector<Finding> findings = local.findings;
  design->places = take_places(all, local, options.dbu_per_um);
  append(findings, check_geometry(circuit, design->places));

  auto topology = std::make_shared<Topology>();
  topology->grid = make_grid(circuit);
  topology->merge = merge_shared(all, local, topology->grid.network);
  topology->parts = find_parts(topology->grid.network);
  PartNames names = number_parts(all, local, design->places, topology->parts);
  topology->branches = branches_of(all, local, design->places, *topology);
  const std::vector<Finding> ties = check_ties(circuit, topology->grid, topology->merge);
  name_parts(all, local, design->places, options.nominal_v, std::move(names), *topology);
  together(all, [&] { throw_first_error(ties); });
  together(all, [&] { throw_first_error(topology->findings); });
  append(topology->findings, tell_shared_branches(all, local, *topology));
  append(findings, ties);
  out.findings = merge_findings(all, findings);
  append(out.findings, topology->findings);
  out.shared = shares_of(all, local, topology->merge);
  design->topology = std::move(topology);
  out.design = std::move(design);
  return out;
}

}  // namespace gridiron::distributed
