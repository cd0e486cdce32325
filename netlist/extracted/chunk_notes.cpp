// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/chunk_notes.hpp"

namespace gridiron {

int32_t LayerLabels::number_of(std::string_view label) {
  const auto [entry, is_new] = numbers_.try_emplace(label, static_cast<int32_t>(names_.size()));
  if (is_new) names_.push_back(label);
  return entry->second;
}

void ChunkNotes::add(const DspfComment& comment, const char* text) {
  const int32_t layer = layers.of(comment.layer);
  for (const DspfComment::Node& node : comment.nodes) {
    if (!node.instance.empty()) pins.push_back({nodes.size(), node.instance, node.pin});
    add(node, text, layer);
  }
}

}  // namespace gridiron
