// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/em/em_sections.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <functional>
#include <utility>

#include "analysis/results/segments.hpp"
#include "netlist/names/name_table.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"
#include "support/union_find.hpp"

namespace gridiron {
namespace {

class MetalMeter {
 public:
  explicit MetalMeter(const IrReport& report)
      : circuit_(*report.circuit), nodes_(report.nodes), trees_(std::ssize(nodes_.net)) {
    const Elements& resistors = circuit_.resistors;
    for (int64_t i = 0; i < resistors.size(); ++i)
      if (is_wire(resistors.a[i], resistors.b[i])) trees_.join(resistors.a[i], resistors.b[i]);
    lengths_.at_least_um.assign(nodes_.net.size(), 0.0);
    lengths_.is_open.assign(nodes_.net.size(), 0);
  }

  MetalLengths measure() {
    add_pieces();
    open_ends();
    for (NodeId n = 0; n < std::ssize(nodes_.net); ++n) {
      const NodeId tree = trees_.find(n);
      lengths_.at_least_um[n] = lengths_.at_least_um[tree];
      lengths_.is_open[n] = lengths_.is_open[tree];
    }
    return std::move(lengths_);
  }

 private:
  /// Between two places, in their order.
  struct Piece {
    NodeId tree;
    std::array<double, 2> from, to;
    auto operator<=>(const Piece&) const = default;
  };
  /// A node on a layer where metal goes on to nodes of no known one.
  struct Port {
    NodeId beyond;
    int32_t layer;
    NodeId node;
    auto operator<=>(const Port&) const = default;
  };

  bool is_wire(NodeId a, NodeId b) const {
    return a != b && a != kGround && b != kGround && nodes_.layer[a] >= 0 && nodes_.layer[a] == nodes_.layer[b];
  }

  /// Parallel pieces between two places are one. Database units are multiples of 1e-7 µm, so that sums are exact.
  void add_pieces() {
    constexpr double kPerUm = 1e7;
    const Elements& resistors = circuit_.resistors;
    std::vector<Piece> pieces;
    const TerminalNodes terminals(circuit_);
    for (int64_t i = 0; i < resistors.size(); ++i) {
      const NodeId a = resistors.a[i], b = resistors.b[i];
      if (!is_wire(a, b) || terminals.has_link(i)) continue;
      if (nodes_.has_place(a) && nodes_.has_place(b)) {
        const std::array from = {nodes_.x_um[a], nodes_.y_um[a]}, to = {nodes_.x_um[b], nodes_.y_um[b]};
        pieces.push_back({trees_.find(a), std::min(from, to), std::max(from, to)});
      } else {
        lengths_.is_open[trees_.find(a)] = 1;
      }
    }
    parallel_sort(pieces, std::less<>());
    pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
    for (const auto& [tree, from, to] : pieces)
      lengths_.at_least_um[tree] += std::round(kPerUm * std::hypot(from[0] - to[0], from[1] - to[1]));
    for (double& length : lengths_.at_least_um) length /= kPerUm;
  }

  /// Calls f(a, b, may_be_wire) for what conducts: resistors, inductors and voltage sources between two nodes.
  void for_each_conductor(auto f) const {
    for (const Kind kind : {kResistor, kInductor, kVoltageSource}) {
      const Elements& elements = circuit_.elements(kind);
      for (int64_t i = 0; i < elements.size(); ++i)
        if (const NodeId a = elements.a[i], b = elements.b[i]; a != b && a != kGround && b != kGround)
          f(a, b, kind == kResistor);
    }
  }

  void open_ends() {
    const auto has_layer = [&](NodeId n) { return nodes_.layer[n] >= 0; };
    UnionFind beyond(std::ssize(nodes_.net));
    for_each_conductor([&](NodeId a, NodeId b, bool) {
      if (!has_layer(a) && !has_layer(b)) beyond.join(a, b);
    });
    std::vector<Port> ports;
    for_each_conductor([&](NodeId a, NodeId b, bool is_resistor) {
      if (has_layer(a) != has_layer(b)) {
        const NodeId node = has_layer(a) ? a : b;
        ports.push_back({beyond.find(has_layer(a) ? b : a), nodes_.layer[node], node});
      } else if (!is_resistor && is_wire(a, b)) {
        for (const NodeId end : {a, b}) lengths_.is_open[trees_.find(end)] = 1;
      }
    });
    parallel_sort(ports, std::less<>());
    for (size_t k = 1; k < ports.size(); ++k) {
      const Port &a = ports[k - 1], &b = ports[k];
      if (a.beyond == b.beyond && a.layer == b.layer && a.node != b.node)
        for (const Port* port : {&a, &b}) lengths_.is_open[trees_.find(port->node)] = 1;
    }
  }

  const Circuit& circuit_;
  const NodeTable& nodes_;
  UnionFind trees_;
  MetalLengths lengths_;
};

}  // namespace

EmSection em_section(const IrReport& report, std::span<const double> layer_width_um, int64_t resistor,
                     LayerPair layers) {
  EmSection section;
  section.is_via = layers.layer != layers.other;
  const Placement* placement = report.circuit->placement.get();
  const bool has_row = placement && resistor < std::ssize(placement->width);
  if (!section.is_via) {
    // A sliver of unknown metal has no width, whatever a table says of its layer.
    const bool has_width = has_row && placement->width[resistor] > 0;
    const double width = has_width ? placement->metal_width_um(resistor) : layer_width_um[layers.layer];
    section.width_um = width > 0 ? width : NAN;
    return section;
  }
  if (!has_row || resistor >= std::ssize(placement->cut) || !(placement->cuts[resistor] > 0)) return section;
  section.cuts = placement->cuts[resistor];
  section.cut = placement->cut[resistor];
  const Placement::Cut& cut = placement->cut_sizes[section.cut];
  if (cut.um2 > 0) section.one_cut = cut.um2;
  section.counts_for = cut.counts_for;
  return section;
}

EmAmount em_amount(const ActiveEmRule& rule, const EmSection& section) {
  if (rule.unit == EmUnit::per_um) return {section.width_um, section.width_um};
  const double cuts = section.cuts / section.counts_for;
  if (rule.unit == EmUnit::per_um2) return {cuts * section.one_cut, section.one_cut};
  // A rule of a class is for each of its cuts, another one for each ordinary cut that they count for.
  const double size = rule.sizes.size() < 2 ? 0 : section.one_cut;
  return {rule.cut_class.empty() ? section.cuts : cuts, size};
}

std::vector<double> table_widths(const std::vector<std::string>& layer_names, std::span<const MetalLayer> table) {
  std::vector<double> widths(layer_names.size(), NAN);
  for (const MetalLayer& row : table)
    for (size_t layer = 0; layer < widths.size(); ++layer)
      if (row.width_um > 0 && same_name(row.layer, layer_names[layer])) widths[layer] = row.width_um;
  return widths;
}

std::optional<bool> MetalLengths::is_in(const EmRange& range, NodeId node) const {
  const double length = at_least_um[node];
  if (!is_open[node]) return range.has(length);
  if (length >= range.high) return false;
  if (length >= range.low && range.high == HUGE_VAL) return true;
  return std::nullopt;
}

MetalLengths metal_lengths(const IrReport& report) { return MetalMeter(report).measure(); }

std::vector<EmShort> shorts_of_metal(const Circuit& circuit, std::span<const int32_t> layer,
                                     std::span<const double> x_um, std::span<const double> y_um,
                                     const std::function<bool(NodeId)>& is_judged) {
  const TerminalNodes terminals(circuit);
  const auto is_metal = [&](NodeId a, NodeId b) {
    for (const NodeId end : {a, b})
      if (end == kGround || layer[end] < 0 || !is_judged(end)) return false;
    if (a == b || terminals.has(a) || terminals.has(b)) return false;
    return layer[a] != layer[b] || x_um[a] != x_um[b] || y_um[a] != y_um[b];
  };
  std::vector<EmShort> shorts;
  for (const Kind kind : {kResistor, kVoltageSource}) {
    const Elements& elements = circuit.elements(kind);
    std::vector<EmShort> some = parallel_list<EmShort>(elements.size(), [&](int64_t i, auto& list) {
      const NodeId a = elements.a[i], b = elements.b[i];
      if (elements.value[i] == 0 && is_metal(a, b)) list.push_back({kind, i, ascending(layer[a], layer[b]), a});
    });
    append(shorts, some);
  }
  return shorts;
}

void add_layers(std::span<const EmShort> shorts, std::vector<LayerPair>& layers) {
  for (const EmShort& metal : shorts)
    if (std::ranges::find(layers, metal.layers) == layers.end()) layers.push_back(metal.layers);
}

const EmRuleFinder::Rules& EmRuleFinder::look_up(const Key& key) {
  const auto known = std::ranges::find(found_, key, [](const auto& entry) { return entry.first; });
  last_ = known - found_.begin();
  if (known == found_.end()) found_.emplace_back(key, find(key.layers, key.cut));
  return found_[last_].second;
}

EmRuleFinder::Rules EmRuleFinder::find(LayerPair layers, int32_t cut) const {
  Rules found;
  const Placement* placement = report_.circuit->placement.get();
  const Placement::Cut* of_cut = cut < 0 ? nullptr : &placement->cut_sizes[cut];
  const std::string cut_layer = of_cut && of_cut->layer >= 0 ? placement->cut_layers[of_cut->layer] : "";
  const auto is_on = [&](const std::string& layer) {
    return names_layers(layer, report_.layer_names, layers) || (!cut_layer.empty() && same_name(layer, cut_layer));
  };
  if (std::ranges::any_of(active_.of_no_unit, is_on)) found.is_on_layer = true, found.is_known = false;
  std::array<bool, kEmKinds.size()> is_limited{}, is_of_class{}, is_found{};
  for (const ActiveEmRule& rule : active_.rules)
    if (is_on(rule.layer)) {
      found.is_on_layer = is_limited[static_cast<size_t>(rule.kind)] = true;
      if (rule.cut_class.empty()) continue;
      if (!of_cut || of_cut->um2 == 0) found.is_known = false;
      if (of_cut && same_name(rule.cut_class, of_cut->cut_class)) is_of_class[static_cast<size_t>(rule.kind)] = true;
    }
  for (size_t k = 0; k < active_.rules.size(); ++k) {
    const ActiveEmRule& rule = active_.rules[k];
    const auto kind = static_cast<size_t>(rule.kind);
    if (!is_on(rule.layer)) continue;
    if (is_of_class[kind] ? !same_name(rule.cut_class, of_cut->cut_class) : !rule.cut_class.empty()) continue;
    found.rules.push_back(static_cast<int32_t>(k));
    is_found[kind] = true;
  }
  found.is_known &= is_found == is_limited;
  return found;
}

}  // namespace gridiron
