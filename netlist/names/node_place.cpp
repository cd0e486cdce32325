// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/node_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "netlist/names/layer_number.hpp"
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

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

int layer_number(std::string_view layer) {
  size_t digits = layer.size();
  while (digits > 0 && layer[digits - 1] >= '0' && layer[digits - 1] <= '9' && layer.size() - digits < 6) --digits;
  int number = 0;
  std::from_chars(layer.data() + digits, layer.data() + layer.size(), number);
  return digits == layer.size() ? std::numeric_limits<int>::max() : number;
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
    if (first != std::string_view::npos && first > 0 && first + 1 < stem.size()) {
      const std::string_view head = stem.substr(0, first);
      for (const std::string_view type : {"Node", "ITermNode", "BPinNode", "SourceNode"}) {
        if (!same_name(head, type)) continue;
        out.style = NameStyle::openroad;
        out.layer = stem.substr(first + 1);
        return out;
      }
      const size_t split = stem.rfind('_');
      out.style = NameStyle::iccad;
      out.net = stem.substr(0, split);
      out.layer = stem.substr(split + 1);
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

NodeLabels::NodeLabels(const Circuit& circuit) {
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
  if (name.is_pad) label.layer = {};
  return label;
}

namespace {

/// Nodes are placed range by range, and their labels numbered there and then merged in order, so that numbers do not
/// depend on the number of threads.
constexpr int64_t kGrain = 1 << 15;

struct Range {
  LabelNumbers nets, layers;
  int64_t ibm = 0, iccad = 0, openroad = 0;
};

/// What a name says of its node, but for the place.
struct NumberedLabel {
  int32_t net = -1, layer = -1;  ///< −1 unknown
  NameStyle style = NameStyle::plain;
};

void place_range(const Circuit& circuit, const NodeLabels& labels, int64_t first, int64_t last, Range& range,
                 NodePlaces& out) {
  std::string room;
  static const std::vector<Placement::NodePlace> kNone;
  const auto& notes = circuit.placement ? circuit.placement->node_places : kNone;
  auto note = std::ranges::lower_bound(notes, first, {}, &Placement::NodePlace::node);
  const auto label_of = [&](const NodeName& name) {
    const auto [net, layer] = labels.of(name, room);
    return NumberedLabel{range.nets.of(net), range.layers.of(layer), name.style};
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
    ++(label.style == NameStyle::ibm ? range.ibm : label.style == NameStyle::iccad ? range.iccad : range.openroad);
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

/// What comments tell overrules names. In µm, unless an option tells database units.
void take_noted_places(const std::vector<Placement::NodePlace>& notes, double dbu_per_um, NodePlaces& out) {
  for (const Placement::NodePlace& note : notes) {
    if (std::isnan(note.x_um) || std::isnan(note.y_um)) continue;
    out.placed += std::isnan(out.x_um[note.node]) ? 1 : 0;
    out.x_um[note.node] = note.x_um / dbu_per_um;
    out.y_um[note.node] = note.y_um / dbu_per_um;
    if (!(out.dbu_per_um > 0)) out.dbu_per_um = dbu_per_um;
  }
}

}  // namespace

NodePlaces place_nodes(const Circuit& circuit, std::optional<double> dbu_per_um) {
  const int64_t nodes = circuit.node_count();
  NodePlaces out;
  for (auto* column : {&out.net, &out.layer}) assign_in_parallel(*column, nodes, int32_t{-1});
  for (auto* column : {&out.x_um, &out.y_um}) assign_in_parallel(*column, nodes, double{NAN});
  const NodeLabels labels(circuit);
  std::vector<Range> ranges((nodes + kGrain - 1) / kGrain);
  parallel_tasks(std::ssize(ranges), [&](int64_t r) {
    place_range(circuit, labels, std::max<int64_t>(1, r * kGrain), std::min(nodes, (r + 1) * kGrain), ranges[r], out);
  });
  const MergedLabels merged = merge_labels(circuit.placement.get(), ranges, out);
  int64_t ibm = 0, iccad = 0;
  for (const Range& range : ranges) {
    ibm += range.ibm;
    iccad += range.iccad;
    out.placed += range.ibm + range.iccad + range.openroad;
  }
  if (out.placed > 0) {
    const double usual = 2 * ibm > out.placed ? 1000.0 : 2000.0;
    out.dbu_per_um = dbu_per_um.value_or(circuit.dbu_card > 0 ? circuit.dbu_card : usual);
    out.dbu_is_guess = !dbu_per_um && !(circuit.dbu_card > 0) && 2 * iccad <= out.placed;
  }
  parallel_tasks(std::ssize(ranges), [&](int64_t r) {
    for (int64_t id = r * kGrain; id < std::min(nodes, (r + 1) * kGrain); ++id) {
      if (out.net[id] >= 0) out.net[id] = merged.net[r][out.net[id]];
      if (out.layer[id] >= 0) out.layer[id] = merged.layer[r][out.layer[id]];
      out.x_um[id] /= out.dbu_per_um;
      out.y_um[id] /= out.dbu_per_um;
    }
  });
  if (circuit.placement) take_noted_places(circuit.placement->node_places, dbu_per_um.value_or(1), out);
  return out;
}

}  // namespace gridiron
