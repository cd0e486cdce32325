// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/deck/islands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/model/findings.hpp"
#include "analysis/model/floating_loads.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

/// Net names as reports spell them may end in "@1.1V".
bool is_of_net(std::string_view label, std::string_view net) {
  if (same_name(label, net)) return true;
  return net.size() > label.size() && net[label.size()] == '@' && same_name(label, net.substr(0, label.size()));
}

/// What a part that floats has.
struct Island {
  std::set<std::string> nets;
  int64_t loads = 0;
  double amperes = 0;
};

/// The net that the comment card above a card tells, as OpenROAD writes it, or "".
std::string net_above(const Circuit& circuit, Origin origin) {
  std::string name;
  for (const NetCard& card : circuit.net_cards)
    if (card.origin.file == origin.file && card.origin.offset < origin.offset) name = card.net;
  return name;
}

std::map<int32_t, Island> find_islands(const Circuit& circuit, const NodePlaces& places, const Parts& parts) {
  std::map<int32_t, Island> islands;
  const Sources& sources = circuit.current_sources;
  std::map<int32_t, std::string> of_cards;
  const auto add = [&](NodeId a, NodeId b, double amperes, Origin origin) {
    std::set<int32_t> ends;
    for (const NodeId n : {a, b})
      if (n != kGround && !parts.anchored[parts.part[n]]) ends.insert(parts.part[n]);
    for (const int32_t part : ends) {
      Island& island = islands[part];
      ++island.loads;
      island.amperes += std::abs(amperes);
      of_cards.try_emplace(part, net_above(circuit, origin));
    }
  };
  for (const int64_t i : sources_at_floating(circuit, parts))
    add(sources.a[i], sources.b[i], sources.value[i], sources.origin[i]);
  for (const ControlledSource& source : circuit.controlled_sources)
    if (source.kind == kCurrentSource && source.a != source.b) add(source.a, source.b, 0, source.origin);
  if (islands.empty()) return islands;
  for (size_t n = 1; n < parts.part.size(); ++n)
    if (places.net[n] >= 0 && !parts.anchored[parts.part[n]])
      if (const auto found = islands.find(parts.part[n]); found != islands.end())
        found->second.nets.insert(places.nets[places.net[n]]);
  for (auto& [part, island] : islands)
    if (island.nets.empty()) island.nets.insert(of_cards[part]);
  return islands;
}

}  // namespace

bool LeftOut::has(int32_t part) const { return std::ranges::binary_search(parts, part); }

bool LeftOut::concerns(const std::string& net) const {
  return std::ranges::any_of(nets,
                             [&](const std::string& own) { return net.empty() || own.empty() || is_of_net(own, net); });
}

LeftOut find_left_out(const Circuit& circuit, const NodePlaces& places, const Parts& parts, const IslandRule& rule) {
  LeftOut left_out;
  if (!rule.ignores_all && rule.net.empty()) return left_out;
  std::set<std::string> nets;
  for (const auto& [part, island] : find_islands(circuit, places, parts)) {
    const bool is_wanted = !rule.net.empty() && std::ranges::any_of(island.nets, [&](const std::string& own) {
      return !own.empty() && is_of_net(own, rule.net);
    });
    if (!rule.ignores_all && is_wanted) continue;
    left_out.parts.push_back(part);
    left_out.nodes += parts.nodes[part];
    left_out.loads += island.loads;
    left_out.amperes += island.amperes;
    nets.insert(island.nets.begin(), island.nets.end());
  }
  left_out.nets.assign(nets.begin(), nets.end());
  return left_out;
}

std::vector<Finding> left_out_findings(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
                                       const LeftOut& left_out) {
  if (left_out.is_empty()) return {};
  constexpr size_t kNamed = 5;
  std::string names;
  for (size_t k = 0; k < std::min(kNamed, left_out.parts.size()); ++k) {
    const NodeId n = parts.first_node[left_out.parts[k]];
    names += (k > 0 ? ", " : "") + shown(circuit.node_name(n)) + location(places, n);
  }
  if (left_out.parts.size() > kNamed) names += ", …";
  const auto islands = std::ssize(left_out.parts);
  const NodeId first = parts.first_node[left_out.parts.front()];
  return {
      {Finding::Severity::warning, kIslandsLeftOut,
       fmt::format("{} of {} with {} of {:g} A in all {} left out, as no path leads from there to a voltage source: "
                   "{}; neither voltages nor limits are known there",
                   counted(islands, "island"), counted(left_out.nodes, "node"), counted(left_out.loads, "load"),
                   left_out.amperes, islands == 1 ? "is" : "are", names),
       place_of_load(circuit, parts, parts.part[first])}};
}

std::shared_ptr<const Circuit> without_loads_of(const LeftOut& left_out, const Circuit& circuit, const Parts& parts) {
  auto without = std::make_shared<Circuit>(circuit);
  Sources& sources = without->current_sources;
  const auto is_inside = [&](NodeId n) { return n != kGround && left_out.has(parts.part[n]); };
  for (const int64_t i : sources_at_floating(circuit, parts))
    for (std::vector<NodeId>* ends : {&sources.a, &sources.b})
      if (is_inside((*ends)[i])) (*ends)[i] = kGround;
  for (ControlledSource& source : without->controlled_sources) {
    const bool is_of_islands =
        (is_inside(source.a) || source.a == kGround) && (is_inside(source.b) || source.b == kGround);
    for (NodeId* const end : {&source.a, &source.b})
      if (source.kind == kCurrentSource && is_inside(*end)) *end = kGround;
    if (!is_of_islands) continue;
    source.controls.clear();
  }
  return without;
}

}  // namespace gridiron
