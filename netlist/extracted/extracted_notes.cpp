// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/extracted_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "netlist/extracted/card_annotations.hpp"
#include "netlist/extracted/joined_layers.hpp"
#include "netlist/extracted/layer_map.hpp"
#include "netlist/extracted/nodes_of_comments.hpp"
#include "netlist/extracted/places_by_node.hpp"
#include "netlist/extracted/resistor_notes.hpp"
#include "netlist/extracted/top_level_text.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// Cards or comments of which one finding tells.
struct Told {
  int64_t count = 0;
  size_t file = 0;
  uint64_t offset = 0;  ///< of the first

  void add(size_t in_file, uint64_t at) {
    if (count++ == 0) file = in_file, offset = at;
  }
};

/// Takes the comments of subcircuits out: they tell of nodes of instances, which have other names. Returns those that
/// have a place.
Told leave_out_subcircuits(Deck& deck, const TopLevelText& text) {
  using enum TopLevelText::Where;
  Told left_out;
  for (size_t f = 0; f < deck.files.size(); ++f) {
    if (text.is_all_of_top(f)) continue;
    for (ParsedChunk& chunk : deck.files[f].chunks) {
      std::erase_if(chunk.notes.malformed, [&](uint64_t offset) { return text.where(f, offset) != top; });
      for (NodeNote& note : chunk.notes.nodes) {
        const TopLevelText::Where where = text.where(f, note.name_at);
        if (where == top || note.name_size == 0) continue;
        note.name_size = 0;
        if (where == subcircuit && !std::isnan(note.x)) left_out.add(f, note.name_at);
      }
      const std::vector<CardNote>& cards = chunk.notes.cards;
      for (size_t i = 0; i < cards.size(); ++i)
        if (const uint64_t at = chunk.elements[kResistor].offset[i];
            cards[i].has_place() && text.where(f, at) == subcircuit)
          left_out.add(f, at);
    }
  }
  return left_out;
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

/// What the comments of the chunks tell, in the order in which they are read.
class CommentTaker {
 public:
  CommentTaker(const Deck& deck, const Circuit& circuit, JoinedLayers& layers, PlacesByNode& places, Placement& out)
      : deck_(deck), nodes_(nodes_of_comments(deck, circuit)), layers_(layers), places_(places), out_(out) {
    for (size_t f = 0; f < deck.files.size(); ++f) {
      first_chunk_.push_back(layers_of_chunk_.size());
      for (const ParsedChunk& c : deck.files[f].chunks) layers_of_chunk_.push_back(layers.add(f, c.notes.layers));
    }
  }

  void take(const TopLevelText::Part& part) {
    const std::vector<ParsedChunk>& chunks = deck_.files[part.file].chunks;
    for (size_t c = 0; c < chunks.size(); ++c) {
      const std::vector<NodeNote>& notes = chunks[c].notes.nodes;
      const auto index_of = [&notes](uint64_t offset) {
        return static_cast<size_t>(std::ranges::lower_bound(notes, offset, {}, &NodeNote::name_at) - notes.begin());
      };
      const size_t first = index_of(part.begin), last = index_of(part.end), chunk = first_chunk_[part.file] + c;
      const std::vector<NodeId>& nodes = nodes_[chunk];
      for (size_t i = first; i < last; ++i)
        if (nodes[i] > kGround) take(notes[i], nodes[i], chunk, part.file);
      const std::vector<PinNote>& pins = chunks[c].notes.pins;
      for (auto pin = std::ranges::lower_bound(pins, first, {}, &PinNote::node); pin != pins.end(); ++pin) {
        if (pin->node >= last) break;
        if (nodes[pin->node] > kGround) out_.pins.push_back({nodes[pin->node], pin->instance, pin->pin});
      }
    }
  }
  /// Comments that tell another place or layer of a node than one before, and the node of the first.
  const Told& contradictions() const { return contradictions_; }
  NodeId contradicted() const { return contradicted_; }

 private:
  void take(const NodeNote& note, NodeId node, size_t chunk, size_t file) {
    bool contradicts = false;
    if (note.layer >= 0) {
      const int32_t number = layers_of_chunk_[chunk][note.layer].number;
      const ToldLayer layer(LayerTeller::comment, number);
      layers_.use(number);
      contradicts = places_.contradicts_layer(node, layer);
      places_.take_layer(node, layer);
    }
    const WrittenPlace place{note.x, note.y, note.is_in_um != 0};
    contradicts |= places_.contradicts_place(node, place);
    if (!std::isnan(note.x)) places_.take_place(node, place);
    if (!contradicts) return;
    if (contradictions_.count == 0) contradicted_ = node;
    contradictions_.add(file, note.name_at);
  }

  const Deck& deck_;
  const std::vector<std::vector<NodeId>> nodes_;  ///< of the comments of each chunk
  std::vector<size_t> first_chunk_;               ///< by file
  std::vector<std::vector<JoinedLayers::Layer>> layers_of_chunk_;
  JoinedLayers& layers_;
  PlacesByNode& places_;
  Placement& out_;
  Told contradictions_;
  NodeId contradicted_ = kGround;
};

std::string more_of(int64_t count) { return count > 1 ? fmt::format(" ({} of them)", count) : ""; }

/// What comments and annotations tell that is not used.
void report_contradictions(const CommentTaker& comments, Circuit& circuit) {
  const Told& told = comments.contradictions();
  if (told.count > 0)
    circuit.findings.push_back(
        {true, "comments-contradict",
         fmt::format("this comment tells another place or layer of node {} than one that is read before{}; the first "
                     "one counts",
                     circuit.node_name(comments.contradicted()).view(), more_of(told.count)),
         circuit.files[told.file]->describe(told.offset)});
}

void report_left_out(const Told& told, Circuit& circuit) {
  if (told.count > 0)
    circuit.findings.push_back(
        {false, "places-in-subcircuits",
         fmt::format("this place in a subcircuit is one of each of its instances, and is not used{}; {} takes a "
                     "subcircuit that no card instantiates for the chip",
                     more_of(told.count), field("top")),
         circuit.files[told.file]->describe(told.offset)});
}

void report_odd_annotations(const ResistorNotes& notes, Circuit& circuit) {
  const auto tell = [&](const std::vector<Origin>& cards, bool is_width, const char* what) {
    if (cards.empty()) return;
    const Origin first = cards.front();
    const std::string_view text = circuit.files[first.file]->text();
    const CardAnnotation found = annotation_of_card(text.substr(first.offset));
    const char* const at = is_width ? found.width : found.x ? found.x : found.y;
    const uint64_t offset = at ? static_cast<uint64_t>(at - text.data()) : uint64_t{first.offset};
    circuit.findings.push_back({true, "comment-not-understood",
                                fmt::format("{}{} and is not used", what, more_of(std::ssize(cards))),
                                circuit.files[first.file]->describe(offset)});
  };
  tell(notes.odd_widths, true,
       "the width behind this resistor is no length up to 20 cm, such as $w=0.25 in um or $w=250n,");
  tell(notes.odd_places, false, "the place behind this resistor is none, such as $X=1.5 $Y=2 in um or $X=1.5u $Y=2u,");
}

/// What comments tell of a node overrules what cards tell.
void take_resistors(ResistorNotes notes, const Elements& r, JoinedLayers& layers, PlacesByNode& nodes, Placement& out) {
  for (const std::vector<ResistorNotes::Place>& of_range : notes.places)
    for (const auto& [node, place] : of_range) nodes.take_place(node, place);
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

  const TopLevelText text(deck);
  report_left_out(leave_out_subcircuits(deck, text), circuit);
  auto out = std::make_shared<Placement>();
  const LayerMaps maps = read_layer_maps(deck, circuit);
  JoinedLayers layers(maps);
  PlacesByNode places(circuit.node_count());
  CommentTaker comments(deck, circuit, layers, places, *out);
  for (const TopLevelText::Part& part : text.parts()) comments.take(part);
  report_contradictions(comments, circuit);
  for (const File& file : deck.files)
    for (const ParsedChunk& c : file.chunks)
      for (const uint64_t offset : c.notes.malformed)
        circuit.findings.push_back(odd_comment_of_dspf(file.text->describe(offset)));
  std::ranges::stable_sort(out->pins, {}, &Placement::Pin::node);
  if (has_annotations) {
    ResistorNotes notes = read_resistors(deck, circuit, text, places, layers);
    report_odd_annotations(notes, circuit);
    take_resistors(std::move(notes), circuit.resistors, layers, places, *out);
  }
  const auto [names, rank] = layers.sorted();
  for (const std::string& name : names) out->layers.push_back({name, 0});
  out->placed_in_um = places.take_in_um();
  out->node_places = std::move(places).list(rank);
  const bool has_width = std::ranges::any_of(out->width, [](int32_t w) { return w > 0; });
  if (has_width || !out->node_places.empty() || !out->pins.empty()) circuit.placement = std::move(out);
}

}  // namespace gridiron
