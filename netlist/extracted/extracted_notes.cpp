// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/extracted_notes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "netlist/extracted/joined_layers.hpp"
#include "netlist/extracted/layer_map.hpp"
#include "netlist/extracted/nodes_of_comments.hpp"
#include "netlist/extracted/places_by_node.hpp"
#include "netlist/extracted/resistor_notes.hpp"

namespace gridiron {
namespace {

/// The parts of a file that are subcircuits, ascending. Their comments tell of nodes of instances, which have other
/// names.
std::vector<std::pair<uint64_t, uint64_t>> subcircuits_in(const Deck& deck, size_t file) {
  std::vector<std::pair<uint64_t, uint64_t>> parts;
  for (const auto& [name, scope] : deck.top.definitions)
    if (const uint64_t begin = scope->opened.offset; scope->opened.file == file)
      parts.emplace_back(begin, begin + scope->bytes);
  std::ranges::sort(parts);
  return parts;
}

bool is_inside(const std::vector<std::pair<uint64_t, uint64_t>>& parts, uint64_t offset) {
  const auto after = std::ranges::upper_bound(parts, offset, {}, &std::pair<uint64_t, uint64_t>::first);
  return after != parts.begin() && offset < std::prev(after)->second;
}

/// Takes the comments of subcircuits out.
void leave_out_subcircuits(Deck& deck) {
  for (size_t f = 0; f < deck.files.size(); ++f) {
    const std::vector<std::pair<uint64_t, uint64_t>> parts = subcircuits_in(deck, f);
    if (parts.empty()) continue;
    for (ParsedChunk& chunk : deck.files[f].chunks) {
      std::erase_if(chunk.notes.malformed, [&parts](uint64_t offset) { return is_inside(parts, offset); });
      for (NodeNote& note : chunk.notes.nodes)
        if (is_inside(parts, note.name_at)) note.name_size = 0;
    }
  }
}

/// Those of all files. A `*|LAYER_MAP` without any layer is a finding.
LayerMaps read_layer_maps(const Deck& deck, Circuit& circuit) {
  LayerMaps maps(deck.files.size());
  for (size_t f = 0; f < deck.files.size(); ++f) {
    const SourceText& text = *deck.files[f].text;
    for (const ParsedChunk& chunk : deck.files[f].chunks)
      for (const uint64_t offset : chunk.notes.layer_maps)
        if (!maps.read(f, text.text(), offset) && text.text()[offset + 1] == '|')
          circuit.findings.push_back({true, "comment-not-understood",
                                      "no layer follows this LAYER_MAP; write lines '* NUMBER NAME' below it",
                                      text.describe(offset)});
  }
  maps.finish();
  return maps;
}

ReadFinding odd_comment_of_dspf(const std::string& place) {
  return {true, "comment-not-understood",
          "this comment begins like one of DSPF and cannot be read as one; write '*|NET NAME C', '*|S (NODE X Y)', "
          "'*|P (PIN DIRECTION C X Y)' or '*|I (NODE INSTANCE PIN DIRECTION C X Y)'",
          place};
}

/// `nodes`: those of the chunk's comments.
void take_comments(const ChunkNotes& notes, const std::vector<NodeId>& nodes,
                   const std::vector<JoinedLayers::Layer>& layer, JoinedLayers& layers, PlacesByNode& places,
                   Placement& out) {
  for (size_t i = 0; i < notes.nodes.size(); ++i) {
    const NodeNote& note = notes.nodes[i];
    if (nodes[i] <= kGround) continue;
    if (note.layer >= 0) {
      layers.use(layer[note.layer].number);
      places.take_layer(nodes[i], {LayerTeller::comment, layer[note.layer].number});
    }
    places.take_place(nodes[i], note.x, note.y);
  }
  for (const PinNote& pin : notes.pins)
    if (nodes[pin.node] > kGround) out.pins.push_back({nodes[pin.node], pin.instance, pin.pin});
}

/// What comments tell of a node overrules what cards tell.
void take_resistors(ResistorNotes notes, const Elements& r, JoinedLayers& layers, PlacesByNode& nodes, Placement& out) {
  for (const std::vector<Placement::NodePlace>& of_range : notes.places)
    for (const Placement::NodePlace& place : of_range) nodes.take_place(place.node, place.x_um, place.y_um);
  for (int64_t i = 0; i < r.size(); ++i)
    if (const ToldLayer told = notes.layer[i]; !told.is_none()) {
      layers.use(told.layer());
      nodes.take_layer(r.a[i], told);
      nodes.take_layer(r.b[i], told);
    }
  out.width = std::move(notes.width);
  out.cuts.assign(out.width.size(), 0);
  out.dbu_per_um = kWidthsPerUm;
}

}  // namespace

void add_extracted_notes(Deck& deck, Circuit& circuit) {
  bool has_comments = false, has_annotations = false;
  for (const File& file : deck.files)
    for (const ParsedChunk& c : file.chunks) {
      has_comments |= !c.dspf_comments.empty();
      has_annotations |= c.has_annotations;
    }
  if ((!has_comments && !has_annotations) || deck.mentions) return;

  leave_out_subcircuits(deck);
  auto out = std::make_shared<Placement>();
  const LayerMaps maps = read_layer_maps(deck, circuit);
  JoinedLayers layers(maps);
  PlacesByNode places(circuit.node_count());
  const std::vector<std::vector<NodeId>> nodes = nodes_of_comments(deck, circuit);
  auto of_chunk = nodes.begin();
  for (size_t f = 0; f < deck.files.size(); ++f)
    for (const ParsedChunk& c : deck.files[f].chunks) {
      take_comments(c.notes, *of_chunk++, layers.add(f, c.notes.layers), layers, places, *out);
      for (const uint64_t offset : c.notes.malformed)
        circuit.findings.push_back(odd_comment_of_dspf(deck.files[f].text->describe(offset)));
    }
  std::ranges::stable_sort(out->pins, {}, &Placement::Pin::node);
  if (has_annotations)
    take_resistors(read_resistors(deck, circuit, places, layers), circuit.resistors, layers, places, *out);
  const auto [names, rank] = layers.sorted();
  for (const std::string& name : names) out->layers.push_back({name, 0});
  out->node_places = std::move(places).list(rank);
  const bool has_width = std::ranges::any_of(out->width, [](int32_t w) { return w > 0; });
  if (has_width || !out->node_places.empty() || !out->pins.empty()) circuit.placement = std::move(out);
}

}  // namespace gridiron
