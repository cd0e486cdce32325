// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/topology.hpp"

#include <algorithm>
#include <utility>

#include "analysis/model/findings.hpp"
#include "analysis/model/part_facts.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

Topology joined(Grid grid, const ControlledTies& controlled = {}) {
  Topology topology;
  topology.merge = merge_ties(grid.network);
  topology.parts = find_parts(grid.network, controlled);
  topology.grid = std::move(grid);
  return topology;
}

void anchor(Parts& parts, const std::vector<AddedPad>& pads) {
  std::vector<bool> has_pad(parts.systems, false);
  for (const AddedPad& pad : pads) has_pad[parts.system[parts.part[pad.node]]] = true;
  for (int32_t part = 0; part < parts.count(); ++part)
    if (has_pad[parts.system[part]]) parts.anchored[part] = 1;
}

/// `merge` tells what potentials the sources of the deck fix.
void find_nets(const Circuit& circuit, const NodePlaces& places, const Merge& merge,
               const std::map<std::string, double>& overrides, Topology& topology) {
  topology.branches = find_branches(circuit, places, topology.grid.network, topology.parts, topology.merge);
  const std::vector<PartFacts> facts =
      collect_part_facts(circuit, places, topology.parts, merge, topology.branches.inside, topology.added_pads);
  topology.nets = name_nets(circuit, places, topology.parts, facts, overrides);
}

/// Whether a deck without any voltage source is one of ground nets, as one of them is said to be at 0 V: then the
/// resistors and shorts to node 0 are its pads.
bool has_ground_pads(const Circuit& circuit, const Nets& nets, const std::map<std::string, double>& overrides) {
  if (circuit.voltage_sources.size() > 0) return false;
  return std::ranges::any_of(overrides, [&](const auto& nominal) {
    const bool is_used = std::ranges::find(nets.unused, nominal.first) == nets.unused.end();
    return nominal.second == 0 && is_used;
  });
}

void find_out(const Circuit& circuit, const NodePlaces& places, const std::map<std::string, double>& overrides,
              Matrices allowed, Topology& topology) {
  topology.findings = check_ties(circuit, topology.grid, topology.merge);
  const Network& network = topology.grid.network;
  const std::vector<NodeId> leaks = leaking_nodes(network, topology.parts, topology.nets, topology.branches);
  const auto inside = std::ranges::count(topology.branches.inside, 1);
  const std::string first = leaks.empty() ? "" : shown(circuit.node_name(leaks.front()));
  append(topology.findings, check_matrix(circuit, topology.grid, topology.merge, allowed));
  append(topology.findings, check_parts(circuit, topology.parts, places, topology.left_out,
                                        has_ground_pads(circuit, topology.nets, overrides)));
  append(topology.findings, topology.nets.findings);
  append(topology.findings, branch_findings(inside, std::ssize(leaks), first));
}

}  // namespace

Topology make_topology(const Circuit& circuit, const NodePlaces& places, const std::map<std::string, double>& overrides,
                       const IslandRule& islands, Matrices allowed) {
  Topology topology = joined(make_grid(circuit), controlled_ties(circuit));
  find_nets(circuit, places, topology.merge, overrides, topology);
  require_used(overrides, topology.nets);
  topology.left_out = find_left_out(circuit, places, topology.parts, islands);
  find_out(circuit, places, overrides, allowed, topology);
  return topology;
}

Topology with_other_pads(const Circuit& circuit, const NodePlaces& places,
                         const std::map<std::string, double>& overrides, const Topology& deck, Grid grid,
                         std::vector<AddedPad> pads) {
  Topology topology = joined(std::move(grid));
  anchor(topology.parts, pads);
  topology.added_pads = std::move(pads);
  find_nets(circuit, places, deck.merge, overrides, topology);
  for (const int32_t island : deck.left_out.parts) {
    const NodeId node = deck.parts.first_node[island];
    if (topology.parts.anchored[topology.parts.part[node]])
      throw grid_error("{}: the loads of this island were left out; read the netlist without {} to feed it",
                       circuit.node_name(node), field("ignore_opens"));
  }
  topology.left_out = deck.left_out;  // edits leave the numbers of parts as they are: no tie of 0 V is one of them
  find_out(circuit, places, overrides, Matrices::m_matrix, topology);
  return topology;
}

}  // namespace gridiron
