// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/pad_places.hpp"

#include <algorithm>
#include <set>

#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

/// The resistances of a net's pads, and the layers that they are on.
struct OwnPads {
  std::vector<double> ohm;
  std::set<int32_t> layers;
};

OwnPads own_pads(const System& system, const SolvedNets& solved, const IrReport& report, NodeId worst) {
  const Topology& topology = system.topology();
  const Network& network = topology.grid.network;
  const std::span<const int32_t> layer = system.design()->places.layer;
  const int32_t net = solved.parts.net_of(worst);
  OwnPads pads;
  const auto add = [&](NodeId node, double ohm) {
    pads.ohm.push_back(ohm);
    if (layer[node] >= 0) pads.layers.insert(layer[node]);
  };
  for (int64_t e = 0; e < network.edges(); ++e)
    if (solved.parts.place_of(e, net).part == NetPart::pads)
      add(solved.parts.is_near(network.a[e]) ? network.b[e] : network.a[e], 1 / network.conductance[e]);
  for (const AddedPad& pad : topology.added_pads)
    if (solved.parts.net_of(pad.node) == net) add(pad.node, 1 / pad.conductance);
  for (const PadResult& pad : report.pads)
    if (layer[pad.node] >= 0 && topology.merge.group[pad.node] >= topology.merge.unknowns &&
        solved.parts.net_of(pad.node) == net)
      add(pad.node, 0);
  return pads;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

int32_t layer_named(const NodePlaces& places, const std::string& name) {
  const auto found = std::ranges::find_if(places.layers, [&](const std::string& own) { return same_name(own, name); });
  if (found == places.layers.end())
    throw field_error("pad_layer", "{}: the netlist has no such layer; it has {}", name,
                      names_near(name, places.layers));
  return static_cast<int32_t>(found - places.layers.begin());
}

}  // namespace

PadPlaces find_pad_places(const System& system, const SolvedNets& solved, const IrReport& report, NodeId worst,
                          const PadGainOptions& options) {
  const NodePlaces& where = system.design()->places;
  const Merge& merge = system.topology().merge;
  const OwnPads own = own_pads(system, solved, report, worst);
  PadPlaces places;
  places.ohm = options.ohm.value_or(median(own.ohm));
  places.median_of = options.ohm ? 0 : std::ssize(own.ohm);
  if (options.layer.empty())
    places.layers.assign(own.layers.begin(), own.layers.end());
  else
    places.layers = {layer_named(where, options.layer)};
  const auto is_unknown = [&](NodeId n) { return merge.group[n] < merge.unknowns; };
  if (!is_unknown(worst)) return places;
  const std::vector<int32_t>& connected = system.connected_system();
  std::vector<uint8_t> is_taken(static_cast<size_t>(merge.unknowns), 0);
  for (NodeId n = 1; n < std::ssize(merge.group); ++n) {
    const int32_t group = merge.group[n];
    if (report.nodes.net[n] != report.nodes.net[worst] || !is_unknown(n) || is_taken[group] || solved.parts.is_near(n))
      continue;
    if (connected[group] != connected[merge.group[worst]]) continue;
    if (!places.layers.empty() && std::ranges::find(places.layers, where.layer[n]) == places.layers.end()) continue;
    is_taken[group] = 1;
    places.nodes.push_back(n);
  }
  return places;
}

}  // namespace gridiron
