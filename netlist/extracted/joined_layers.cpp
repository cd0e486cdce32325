// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/joined_layers.hpp"

#include <algorithm>

#include "netlist/names/layer_number.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

bool is_cut_name(std::string_view layer) {
  constexpr std::string_view kWords[] = {"v", "via", "cut", "co", "ct", "cont", "contact"};
  const std::string_view letters = layer.substr(0, layer.find_first_of("0123456789_"));
  return std::ranges::any_of(kWords, [letters](std::string_view word) { return same_name(letters, word); });
}

}  // namespace

JoinedLayers::Layer JoinedLayers::add(size_t file, std::string_view label) {
  const std::string_view name = maps_.name(file, label);
  if (const auto known = all_.find(name); known != all_.end()) return known->second;
  const Layer layer{static_cast<int32_t>(all_.size()), is_cut_name(name)};
  all_.emplace(name, layer);
  is_used_.push_back(0);
  return layer;
}

std::vector<JoinedLayers::Layer> JoinedLayers::add(size_t file, const LayerLabels& labels) {
  std::vector<Layer> layers;
  layers.reserve(labels.names().size());
  for (const std::string_view label : labels.names()) layers.push_back(add(file, label));
  return layers;
}

std::pair<std::vector<std::string>, std::vector<int32_t>> JoinedLayers::sorted() const {
  std::vector<std::pair<std::string, int32_t>> list;
  for (const auto& [name, layer] : all_)
    if (is_used_[layer.number]) list.emplace_back(name, layer.number);
  std::ranges::stable_sort(list, {}, [](const auto& entry) { return layer_number(entry.first); });
  std::vector<std::string> names;
  std::vector<int32_t> rank(all_.size(), -1);
  for (const auto& [name, number] : list) {
    rank[number] = static_cast<int32_t>(names.size());
    names.push_back(name);
  }
  return {names, rank};
}

}  // namespace gridiron
