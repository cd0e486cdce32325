// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/node_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "netlist/names/layer_evidence.hpp"
#include "netlist/names/layer_number.hpp"
#include "netlist/names/node_pattern.hpp"
#include "support/error_text.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

using NameStyle = NodeName::Style;

/// Splits off a trailing `_<integer>`.
bool take_integer(std::string_view& name, int64_t& value) {
  const size_t underscore = name.rfind('_');
  if (underscore == std::string_view::npos || underscore + 1 == name.size()) return false;
  const char* first = name.data() + underscore + 1;
  const char* last = name.data() + name.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last) return false;
  name = name.substr(0, underscore);
  return true;
}

/// Numbers labels, most of which are the same as the one before.
struct LabelNumbers {
  NameTable table;
  int32_t last = -1;

  /// −1: an empty one.
  int32_t of(std::string_view label) {
    if (label.empty()) return -1;
    if (last < 0 || table[last] != label) last = table.intern(label);
    return last;
  }
};

/// What other programs than SPICE part names of instances with, beside dots; no name of a layer holds them.
constexpr std::string_view kSeparators = "/:|";

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

int layer_number(std::string_view layer) {
  // 2_0 and 1_0 differ in the first number.
  const size_t first_end = layer.find('_');
  const bool is_of_numbers = first_end != layer.npos && layer.find_first_not_of("0123456789_") == layer.npos;
  if (is_of_numbers) layer = layer.substr(0, first_end);
  size_t digits = layer.size();
  while (digits > 0 && layer[digits - 1] >= '0' && layer[digits - 1] <= '9' && layer.size() - digits < 6) --digits;
  int number = 0;
  std::from_chars(layer.data() + digits, layer.data() + layer.size(), number);
  return digits == layer.size() ? std::numeric_limits<int>::max() : number;
}

bool is_metal_name(std::string_view layer) {
  const size_t letters = layer.find_first_of("0123456789");
  if (letters == layer.npos || layer.find_first_not_of("0123456789", letters) != layer.npos) return false;
  constexpr std::string_view kWords[] = {"m", "metal", "met", "me", "mt", "layer", "l", "li", "n"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return same_name(layer.substr(0, letters), word); });
}

/// Where the layer of NET_LAYER begins: at the last part, or if that is a number, at the first of those before it.
size_t layer_begin(std::string_view stem) {
  size_t begin = stem.rfind('_') + 1;
  while (all_digits(stem.substr(begin, stem.find('_', begin) - begin))) {
    const size_t before = stem.rfind('_', begin - 2);
    if (before == stem.npos || !all_digits(stem.substr(before + 1, begin - before - 2))) break;
    begin = before + 1;
  }
  return begin;
}

NodeName parse_node_name(std::string_view name) {
  NodeName out;
  std::string_view rest = name;
  if (rest.size() > 3 && rest[0] == '_' && rest[2] == '_') {
    out.is_pad = true;
    rest.remove_prefix(3);
  }
  std::string_view stem = rest;
  if (take_integer(stem, out.y) && take_integer(stem, out.x) && !stem.empty()) {
    if ((stem[0] == 'n' || stem[0] == 'N') && all_digits(stem.substr(1))) {
      out.style = NameStyle::ibm;
      out.net = stem.substr(1);
      return out;
    }
    const size_t first = stem.find('_');
    const bool is_inside =
        stem.find('.') != stem.npos || stem.substr(stem.rfind('_') + 1).find_first_of(kSeparators) != stem.npos;
    if (!is_inside && first != std::string_view::npos && first > 0 && first + 1 < stem.size()) {
      const std::string_view head = stem.substr(0, first);
      for (const std::string_view type : {"Node", "ITermNode", "BPinNode", "SourceNode"}) {
        if (!same_name(head, type)) continue;
        out.style = NameStyle::openroad;
        out.layer = stem.substr(first + 1);
        return out;
      }
      const size_t layer = layer_begin(stem);
      out.style = NameStyle::iccad;
      out.net = stem.substr(0, layer - 1);
      out.layer = stem.substr(layer);
      return out;
    }
  }
  out.is_pad = false;
  const size_t mark = name.find_last_of(":#");
  if (mark != std::string_view::npos && mark > 0 && all_digits(name.substr(mark + 1))) {
    out.style = NameStyle::extracted;
    out.net = name.substr(0, mark);
  }
  return out;
}

NodeLabels::NodeLabels(const Circuit& circuit)
    : has_instances_(std::ranges::any_of(circuit.instances, [](const std::vector<Circuit::InstanceMark>& marks) {
        return std::ranges::any_of(marks, [](const auto& mark) { return mark.path.ends_with('.'); });
      })) {
  for (const LayerCard& card : circuit.layer_cards) cards_.emplace(card.number, &card);
}

NodeLabels::Label NodeLabels::of(const NodeName& name, std::string& room) const {
  Label label{name.net, name.layer};
  if (name.style == NameStyle::ibm) {
    int number = -1;
    std::from_chars(name.net.data(), name.net.data() + name.net.size(), number);
    const auto card = cards_.find(number);
    label.net = card == cards_.end() ? std::string_view() : card->second->net;
    if (card == cards_.end()) room = fmt::format("n{}", name.net);
    label.layer = card == cards_.end() ? std::string_view(room) : card->second->layer;
  }
  if (name.style == NameStyle::extracted && has_instances_ && name.net.find('.') != name.net.npos) label.net = {};
  if (name.is_pad) label.layer = {};
  return label;
}

namespace {

/// Nodes are placed range by range, and their labels numbered there and then merged in order, so that numbers do not
/// depend on the number of threads.
constexpr int64_t kGrain = 1 << 15;

struct Range {
  LabelNumbers nets, layers;
  NameStyles styles;
  int64_t placed = 0;
  int32_t matched = 0;
};

/// What a name says of its node, but for the place.
struct NumberedLabel {
  int32_t net = -1, layer = -1;  ///< −1 unknown
  NameStyle style = NameStyle::plain;
  bool is_metal = false;
};

void place_range(const Circuit& circuit, const NodeLabels& labels, int64_t first, int64_t last, Range& range,
                 NodePlaces& out) {
  std::string room;
  static const std::vector<Placement::NodePlace> kNone;
  const auto& notes = circuit.placement ? circuit.placement->node_places : kNone;
  auto note = std::ranges::lower_bound(notes, first, {}, &Placement::NodePlace::node);
  const auto label_of = [&](const NodeName& name) {
    const auto [net, layer] = labels.of(name, room);
    return NumberedLabel{range.nets.of(net), range.layers.of(layer), name.style, is_metal_name(layer)};
  };
  std::vector<std::optional<NumberedLabel>> of_stem(circuit.nodes.stems().size());
  for (int64_t n = first; n < last; ++n) {
    const auto id = static_cast<NodeId>(n);
    const NameKey key = circuit.nodes.key(id);
    NumberedLabel label;
    double x, y;
    if (name_key::is_text(key)) {
      const NodeName name = parse_node_name(circuit.nodes.texts()[name_key::text_of(key)]);
      label = label_of(name);
      x = static_cast<double>(name.x), y = static_cast<double>(name.y);
    } else {
      std::optional<NumberedLabel>& known = of_stem[name_key::stem_of(key)];
      if (!known) known = label_of(parse_node_name(circuit.node_name(id)));
      label = *known;
      x = static_cast<double>(name_key::x_of(key)), y = static_cast<double>(name_key::y_of(key));
    }
    if (note != notes.end() && note->node == n) {
      if (note->layer >= 0) label.layer = range.layers.of(circuit.placement->layers[note->layer].name);
      ++note;
    }
    out.net[n] = label.net;
    out.layer[n] = label.layer;
    if (!NodeName::has_place(label.style)) continue;
    out.x_um[n] = x;
    out.y_um[n] = y;
    ++range.placed;
    range.styles.count(label.style, label.is_metal);
  }
}

void match_range(const Circuit& circuit, const NodePattern& pattern, int64_t first, int64_t last, Range& range,
                 NodePlaces& out) {
  const NodePattern::Matcher matcher(pattern);
  for (int64_t n = first; n < last; ++n) {
    NodePattern::Parts parts;
    const SpelledName name = circuit.node_name(static_cast<NodeId>(n));
    if (!matcher.match(name, parts)) continue;
    ++range.matched;
    out.net[n] = range.nets.of(parts.net);
    out.layer[n] = range.layers.of(parts.layer);
    out.x_um[n] = parts.x;
    out.y_um[n] = parts.y;
    range.placed += parts.has_place();
  }
}

/// The numbers of all labels, range by range, from those that they have there.
struct MergedLabels {
  std::vector<std::vector<int32_t>> net, layer;
};

/// By what layers are sorted: their order in the technology of a layout, else the numbers at the ends of their names.
int64_t order_of(std::string_view layer, const Placement* placement) {
  if (!placement) return layer_number(layer);
  const auto same = [layer](const Placement::Layer& of_layout) { return same_name(of_layout.name, layer); };
  return std::ranges::find_if(placement->layers, same) - placement->layers.begin();
}

/// Lists nets as they come, and layers in their order.
MergedLabels merge_labels(const Placement* placement, std::vector<Range>& ranges, NodePlaces& out) {
  std::vector<NameTable*> net_tables, layer_tables;
  for (Range& range : ranges) {
    net_tables.push_back(&range.nets.table);
    layer_tables.push_back(&range.layers.table);
  }
  NameTable nets, layers;
  MergedLabels merged{merge_names(net_tables, nets), merge_names(layer_tables, layers)};
  for (int32_t i = 0; i < nets.size(); ++i) out.nets.emplace_back(nets[i]);
  std::vector<int32_t> order(layers.size()), rank(layers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int32_t layer) { return order_of(layers[layer], placement); });
  for (int32_t i = 0; i < layers.size(); ++i) {
    rank[order[i]] = i;
    out.layers.emplace_back(layers[order[i]]);
  }
  for (std::vector<int32_t>& of_range : merged.layer)
    for (int32_t& layer : of_range) layer = rank[layer];
  return merged;
}

/// What comments tell overrules names. In µm, unless an option tells database units and the place has none of its own.
void take_noted_places(const Placement& placement, double dbu_per_um, NodePlaces& out) {
  for (const Placement::NodePlace& note : placement.node_places) {
    if (std::isnan(note.x_um) || std::isnan(note.y_um)) continue;
    const double scale = std::ranges::binary_search(placement.placed_in_um, note.node) ? 1 : dbu_per_um;
    out.placed += std::isnan(out.x_um[note.node]) ? 1 : 0;
    out.x_um[note.node] = note.x_um / scale;
    out.y_um[note.node] = note.y_um / scale;
    if (!(out.dbu_per_um > 0)) out.dbu_per_um = dbu_per_um;
  }
}

/// Sets the units, and locations in µm from those in units that were set before.
void set_units(const Circuit& circuit, std::optional<double> dbu_per_um, const NameStyles& styles, bool by_pattern,
               NodePlaces& places) {
  const bool is_ibm = by_pattern || 2 * styles.ibm > places.placed;
  const double before = std::exchange(places.dbu_per_um, dbu_per_um.value_or(circuit.dbu_card > 0 ? circuit.dbu_card
                                                                             : is_ibm             ? 1000.0
                                                                                                  : 2000.0));
  places.dbu_is_guess = !dbu_per_um && !(circuit.dbu_card > 0) && (by_pattern || 2 * styles.iccad <= places.placed);
  if (places.placed == 0) places.dbu_per_um = 0, places.dbu_is_guess = false;
  if (before == 0 || places.dbu_per_um == 0 || before == places.dbu_per_um) return;
  const double scale = before / places.dbu_per_um;
  parallel_each(std::ssize(places.x_um), [&](int64_t n) { places.x_um[n] *= scale, places.y_um[n] *= scale; });
}

/// Numbers labels as in the lists, and sets locations in µm.
void number_labels(const MergedLabels& merged, int64_t ranges, NodePlaces& out) {
  const auto nodes = std::ssize(out.net);
  parallel_tasks(ranges, [&](int64_t r) {
    for (int64_t id = r * kGrain; id < std::min(nodes, (r + 1) * kGrain); ++id) {
      if (out.net[id] >= 0) out.net[id] = merged.net[r][out.net[id]];
      if (out.layer[id] >= 0) out.layer[id] = merged.layer[r][out.layer[id]];
      out.x_um[id] /= out.dbu_per_um;
      out.y_um[id] /= out.dbu_per_um;
    }
  });
}

}  // namespace

NodePlaces place_nodes(const Circuit& circuit, std::optional<double> dbu_per_um, const std::string& pattern) {
  const int64_t nodes = circuit.node_count();
  NodePlaces out;
  for (auto* column : {&out.net, &out.layer}) assign_in_parallel(*column, nodes, int32_t{-1});
  for (auto* column : {&out.x_um, &out.y_um}) assign_in_parallel(*column, nodes, double{NAN});
  const NodeLabels labels(circuit);
  const bool has_notes = circuit.placement && !circuit.placement->node_places.empty();
  std::optional<NodePattern> given;
  if (!pattern.empty()) given.emplace(pattern);
  std::vector<Range> ranges((nodes + kGrain - 1) / kGrain);
  parallel_tasks(std::ssize(ranges), [&](int64_t r) {
    const int64_t first = std::max<int64_t>(1, r * kGrain), last = std::min(nodes, (r + 1) * kGrain);
    given ? match_range(circuit, *given, first, last, ranges[r], out)
          : place_range(circuit, labels, first, last, ranges[r], out);
  });
  const MergedLabels merged = merge_labels(circuit.placement.get(), ranges, out);
  NameStyles styles;
  int32_t matched = 0;
  for (const Range& range : ranges) {
    styles.add(range.styles);
    out.placed += range.placed;
    matched += range.matched;
  }
  set_units(circuit, dbu_per_um, styles, given.has_value(), out);
  number_labels(merged, std::ssize(ranges), out);
  if (given) {
    if (matched == 0 && nodes > 1)
      throw field_error("node_pattern",
                        "{}: no node has a name that it matches, the first one is {}; it must match "
                        "whole names",
                        pattern, circuit.node_name(1).view());
    out.matched = matched;
  } else if (!circuit.made_names && !has_notes && 2 * styles.openroad <= out.placed) {
    if (const int64_t dropped = drop_contradicted_layers(circuit, out); dropped > 0) {
      out.placed -= dropped;
      set_units(circuit, dbu_per_um, styles, false, out);
    }
  }
  if (has_notes) take_noted_places(*circuit.placement, dbu_per_um.value_or(1), out);
  return out;
}

}  // namespace gridiron
