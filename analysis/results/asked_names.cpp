// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/asked_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/model/deck/unknown_name.hpp"
#include "analysis/results/em/active_rules.hpp"
#include "analysis/results/em/em_sections.hpp"
#include "analysis/results/segments.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

[[noreturn]] void fail(std::string_view option, const std::string& what, const std::string& why) {
  throw input_error("{} {}: {}", field(option), what, why);
}

/// Where `name` is among names, as SPICE compares them; their number if it is not.
size_t index_of(const auto& names, const std::string& name, auto name_of) {
  const auto found = std::ranges::find_if(names, [&](const auto& entry) { return same_name(name_of(entry), name); });
  return static_cast<size_t>(found - names.begin());
}

constexpr auto kItself = [](const std::string& name) -> const std::string& { return name; };

}  // namespace

AskedNames::AskedNames(const Design& design, const Topology& topology, const std::string& net)
    : design_(design), topology_(topology), net_(net) {
  if (net.empty()) return;
  kept_ = find_net(net);
  if (kept_ == kAllNets) fail("net", net, "the netlist has no such net; it has " + nets_near(net, topology.nets.nets));
}

int32_t AskedNames::find_net(const std::string& name) const {
  const std::vector<Net>& nets = topology_.nets.nets;
  const size_t index = index_of(nets, name, [](const Net& net) -> const std::string& { return net.name; });
  return index == nets.size() ? kAllNets : static_cast<int32_t>(index);
}

bool AskedNames::may_be_on(int32_t part, int32_t net) const {
  const Nets& nets = topology_.nets;
  const auto first = nets.candidates.begin() + nets.first_of_part[part],
             last = nets.candidates.begin() + nets.first_of_part[part + 1];
  return net == kAllNets ? first != last : std::find(first, last, net) != last;
}

void AskedNames::require(const std::vector<LimitRequest>& limits) const {
  const std::vector<Net>& nets = topology_.nets.nets;
  const Placement* placement = design_.circuit->placement.get();
  const bool has_supply =
      std::ranges::any_of(nets, [](const Net& net) { return !net.is_ground(); }) ||
      (placement &&
       std::ranges::any_of(placement->nets, [](const Placement::Net& net) { return net.supply_v != 0; })) ||
      std::ranges::any_of(design_.options.nominal_v, [](const auto& given) { return given.second != 0; });
  for (const LimitRequest& limit : limits) {
    const int32_t of = find_net(limit.net);
    if (!limit.net.empty() && of == kAllNets) {
      const std::vector<std::string>& labels = design_.places.nets;
      const size_t label = index_of(labels, limit.net, kItself);
      const bool is_label = label < labels.size();
      if (is_label &&
          std::ranges::any_of(nets, [&](const Net& net) { return net.name.starts_with(labels[label] + "@"); }))
        fail("limit", limit.net,
             fmt::format("its sources have different voltages; give a limit of one of {}, or {} {}=VOLTS, which makes "
                         "them one net",
                         names_near(limit.net, net_names(nets)), field("nominal"), limit.net));
      fail("limit", limit.net,
           is_label ? "no path leads from the nodes of this net to a source, so that they have no drop"
                    : "the netlist has no such net; it has " + nets_near(limit.net, nets));
    }
    if (kept_ != kAllNets && of != kAllNets && of != kept_)
      fail("limit", limit.net, fmt::format("{} {} leaves this net out; leave out one of the two", field("net"), net_));
    if (limit.is_share && !has_supply && !nets.empty()) throw InputError(no_supply(nets[std::max(of, 0)].name));
    if (!limit.layer.empty()) require_layer(limit, of);
  }
}

void AskedNames::require_layer(const LimitRequest& limit, int32_t net) const {
  const std::string text = limit.net + ":" + limit.layer;
  const std::vector<std::string>& layers = design_.places.layers;
  const size_t layer = index_of(layers, limit.layer, kItself);
  if (layer == layers.size())
    fail(
        "limit", text,
        "the netlist has no such layer; it has " + names_near(limit.layer, layers) + did_you_mean(limit.layer, layers));
  const bool has_none = holds_for_all(std::ssize(design_.places.layer), [&](int64_t n) {
    return n == kGround || design_.places.layer[n] != static_cast<int32_t>(layer) ||
           !may_be_on(topology_.parts.part[n], net);
  });
  if (has_none) fail("limit", text, "the net has no nodes on this layer");
}

void AskedNames::require_layer(const std::string& name, std::string_view option) const {
  const std::vector<std::string>& layers = design_.places.layers;
  if (!name.empty() && index_of(layers, name, kItself) == layers.size())
    fail(option, name,
         "the netlist has no such layer; it has " + names_near(name, layers) + did_you_mean(name, layers));
}

void AskedNames::require(const std::optional<EmSettings>& settings) const {
  if (!settings) return;
  const Circuit& circuit = *design_.circuit;
  const NodePlaces& places = design_.places;
  std::vector<LayerPair> layers = layers_of_segments();
  add_layers(shorts_of_metal(circuit, places.layer, places.x_um, places.y_um,
                             [&](NodeId n) { return may_be_on(topology_.parts.part[n], kept_); }),
             layers);
  active_em_rules(*settings, {circuit, places.layers, layers});
}

std::vector<LayerPair> AskedNames::layers_of_segments() const {
  const Circuit& circuit = *design_.circuit;
  const Elements& resistors = circuit.resistors;
  const Nets& nets = topology_.nets;
  const auto may_be_segment = [&](int64_t i) {
    if (!is_edge(resistors, i)) return false;
    const int32_t part = topology_.parts.part[grid_end(circuit, i)];
    if (!may_be_on(part, kept_)) return false;
    if (resistors.a[i] != kGround && resistors.b[i] != kGround) return true;
    return std::any_of(nets.candidates.begin() + nets.first_of_part[part],
                       nets.candidates.begin() + nets.first_of_part[part + 1],
                       [&](int32_t net) { return nets.nets[net].is_ground(); });
  };
  const auto add = [](LayerPair layers, std::vector<LayerPair>& to) {
    if (std::ranges::find(to, layers) == to.end()) to.push_back(layers);
  };
  return joined_ranges<std::vector<LayerPair>>(
      resistors.size(),
      [&](int64_t begin, int64_t end) {
        std::vector<LayerPair> some;
        for (int64_t i = begin; i < end; ++i) {
          const LayerPair layers = layers_between(design_.places.layer, resistors.a[i], resistors.b[i]);
          const bool is_known = !some.empty() && some.back() == layers;  // neighbours in the deck mostly are on one
          if (!is_known && may_be_segment(i)) add(layers, some);
        }
        return some;
      },
      [&](std::vector<LayerPair>& all, const std::vector<LayerPair>& some) {
        for (const LayerPair layers : some) add(layers, all);
      });
}

void AskedNames::require(const std::vector<EmLimit>& limits, std::string_view option) const {
  if (!limits.empty()) require_layers(layers_of_segments(), design_.places.layers, limits, option);
}

void AskedNames::require_nodes(const std::vector<std::string>& names, std::string_view option,
                               const Word& other) const {
  for (const std::string& name : names) {
    const NodeId node = design_.find_node(name);
    if (node < 0 && name == other.word) continue;
    if (node < 0)
      throw unknown_node(*design_.circuit, name, fmt::format("{} {}: {}", field(option), name, kNoNode),
                         other.word.empty() ? "" : fmt::format("; '{}' is {}", other.word, other.meaning));
    if (node == kGround || !may_be_on(topology_.parts.part[node], kept_))
      fail(option, name, "the node has no drop: it floats, is ground, or is on a net that was not asked for");
  }
}

}  // namespace gridiron
