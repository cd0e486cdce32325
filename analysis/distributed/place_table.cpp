// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/place_table.hpp"

#include <cmath>
#include <utility>

#include "netlist/names/layer_number.hpp"

namespace gridiron::distributed {
namespace {

constexpr double kUnknown = NAN;

}  // namespace

PlaceTable::PlaceTable(const Circuit& cards, const NameStems& stems) : labels_(cards), of_stem_(stems.size()) {
  places_.net = places_.layer = {-1};
  places_.x_um = places_.y_um = {kUnknown};
}

void PlaceTable::reserve(size_t nodes) {
  places_.net.reserve(nodes + 1), places_.layer.reserve(nodes + 1);
  places_.x_um.reserve(nodes + 1), places_.y_um.reserve(nodes + 1);
}

PlaceTable::Label PlaceTable::label_of(const NodeName& name) {
  std::string room;
  const auto [net, layer] = labels_.of(name, room);
  return {net.empty() ? -1 : nets_.intern(net), layer.empty() ? -1 : layers_.intern(layer), name.style,
          is_metal_name(layer)};
}

void PlaceTable::add(NameKey key, std::string_view name) {
  Label label;
  double x = kUnknown, y = kUnknown;
  if (name_key::is_text(key)) {
    const NodeName parsed = parse_node_name(name);
    label = label_of(parsed);
    if (parsed.has_place()) x = static_cast<double>(parsed.x), y = static_cast<double>(parsed.y);
  } else {
    std::optional<Label>& of_stem = of_stem_[name_key::stem_of(key)];
    if (!of_stem) of_stem = label_of(parse_node_name(name));
    label = *of_stem;
    x = static_cast<double>(name_key::x_of(key)), y = static_cast<double>(name_key::y_of(key));
  }
  places_.net.push_back(label.net);
  places_.layer.push_back(label.layer);
  places_.x_um.push_back(x);
  places_.y_um.push_back(y);
  places_.placed += x == x;
  styles_.count(label.style, label.is_metal);
}

NodePlaces PlaceTable::take() {
  for (int32_t k = 0; k < nets_.size(); ++k) places_.nets.emplace_back(nets_[k]);
  for (int32_t k = 0; k < layers_.size(); ++k) places_.layers.emplace_back(layers_[k]);
  return std::move(places_);
}

}  // namespace gridiron::distributed
