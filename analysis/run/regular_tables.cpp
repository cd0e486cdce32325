// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/regular_tables.hpp"

#include <algorithm>

#include "support/error_text.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

double sum(const std::vector<double>& values) {
  long double total = 0;
  for (const double value : values) total += value;
  return static_cast<double>(total);
}

/// Sums over the network, per grid.
std::vector<RegularNet::Network> network_sums(const MergedNetwork& network, const Geometry& geometry,
                                              const Regularization& regular) {
  struct Sum {
    long double wires = 0, vias = 0, pads = 0, injection = 0;
  };
  std::vector<Sum> sums(regular.grids.size());
  std::vector<RegularNet::Network> found(regular.grids.size());
  const auto grid_of = [&](int32_t node) {
    const auto next = std::ranges::lower_bound(regular.grids, geometry.net[node], {}, &GridTables::net);
    return next - regular.grids.begin();
  };
  for (int32_t i = 0; i < network.nodes; ++i) {
    const auto g = grid_of(i);
    ++found[g].nodes;
    sums[g].pads += network.pad[i];
    sums[g].injection += network.injection[i];
  }
  for (int64_t e = 0; e < network.edges(); ++e) {
    const int32_t a = network.a[e], b = network.b[e];
    const auto g = grid_of(a), other = grid_of(b);
    if (g != other) {
      for (const auto end : {g, other}) {
        ++found[end].edges_to_other_nets;
        sums[end].pads += network.conductance[e];
      }
      continue;
    }
    ++found[g].edges;
    found[g].edges_inside_cells += regular.cell_of_node[a] == regular.cell_of_node[b];
    (geometry.layer[a] == geometry.layer[b] ? sums[g].wires : sums[g].vias) += network.conductance[e];
  }
  for (size_t g = 0; g < found.size(); ++g) {
    found[g].wires_s = static_cast<double>(sums[g].wires);
    found[g].vias_s = static_cast<double>(sums[g].vias);
    found[g].pads_s = static_cast<double>(sums[g].pads);
    found[g].injection_a = static_cast<double>(sums[g].injection);
  }
  return found;
}

std::vector<int64_t> cells_with_nodes(const Regularization& regular) {
  std::vector<bool> holds_a_node(regular.first_cell.back(), false);
  for (const int64_t cell : regular.cell_of_node) holds_a_node[cell] = true;
  std::vector<int64_t> counts;
  for (size_t g = 0; g < regular.grids.size(); ++g)
    counts.push_back(std::count(holds_a_node.begin() + regular.first_cell[g],
                                holds_a_node.begin() + regular.first_cell[g + 1], true));
  return counts;
}

std::vector<std::string> layer_names(const GridTables& grid, const std::vector<std::string>& names, bool is_plane) {
  if (is_plane) return {"all layers"};
  std::vector<std::string> found;
  for (const int32_t metal : grid.metal) found.push_back(metal < 0 ? "unknown" : names[metal]);
  return found;
}

[[noreturn]] void throw_unknown_net(const std::string& wanted, const std::vector<RegularNet>& nets) {
  std::string names;
  for (const RegularNet& net : nets) names += (names.empty() ? "" : ", ") + net.name;
  throw field_error("net", "{}: no such net is left after the reduction; there are {}", wanted, names);
}

}  // namespace

RegularTables regularize_netlist(const Circuit& circuit, const IrOptions& options) {
  const auto params = read_params<RegularizeParams>("regularize", options.settings);
  require_choice("regularize", "plane", params.plane, {"layered", "single"});

  RegularTables result;
  result.parameters = list_params(params);
  result.nodes = circuit.node_count();
  Stopwatch watch;
  options.context.progress("reduce");
  DesignOptions of_design = options;
  of_design.islands.net = options.net;
  const System system(make_design(circuit, of_design), options.reduce);
  result.timings_s.reduce = watch.lap();

  options.context.progress("regularize");
  for (const Finding& finding : system.findings())
    if (finding.code == kIslandsLeftOut) result.findings.push_back(finding);
  const auto& [unloaded, geometry] = std::get<PowerGrid>(system.problem()->structure);
  MergedNetwork network = *unloaded;
  network.injection = system.right_hand_side(Loads(system.design()), 0);
  result.unknowns = network.nodes;
  if (result.unknowns == 0)
    throw input_error("no node is left to regularize after the exact reduction; {} keeps more of them",
                      field("no_reduce"));
  if (const auto reason = regularize_declines(network, geometry))
    throw input_error("regularize {}; names like n1_200_300, VDD_M4_200_300 or Node_M4_200_300 carry coordinates",
                      *reason);
  const bool is_plane = params.plane == "single";
  Regularization regular = regularize(network, geometry, {.grid_scale = params.grid_scale, .single_plane = is_plane});
  result.timings_s.regularize = watch.lap();

  const std::vector<RegularNet::Network> sums = network_sums(network, geometry, regular);
  const std::vector<int64_t> with_nodes = cells_with_nodes(regular);
  const std::vector<std::string> part_names = system.part_names();
  for (size_t g = 0; g < regular.grids.size(); ++g) {
    GridTables& tables = regular.grids[g];
    if (tables.net >= std::ssize(part_names) || part_names[tables.net].empty()) continue;  // nodes without a place
    RegularNet& net = result.nets.emplace_back();
    net.name = part_names[tables.net];
    net.layers = layer_names(tables, system.design()->places.layers, is_plane);
    net.network = sums[g];
    net.cells_with_nodes = with_nodes[g];
    net.gh_s = sum(tables.gh);
    net.gv_s = sum(tables.gv);
    net.via_s = sum(tables.via);
    net.gz_s = sum(tables.gz);
    net.iz_a = sum(tables.iz);
    net.tables = std::move(tables);
  }
  if (options.net.empty()) return result;
  const auto is_wanted = [&](const RegularNet& net) { return same_name(net.name, options.net); };
  if (std::ranges::none_of(result.nets, is_wanted)) throw_unknown_net(options.net, result.nets);
  std::erase_if(result.nets, [&](const RegularNet& net) { return !is_wanted(net); });
  return result;
}

}  // namespace gridiron
