// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/extracted_notes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include "netlist/extracted/card_annotations.hpp"
#include "netlist/extracted/dspf_comment.hpp"
#include "netlist/extracted/layer_map.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/layer_number.hpp"
#include "netlist/names/name_table.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr double kUnitsPerUm = 1e4;  // of widths: a tenth of a nanometre
constexpr int64_t kGrain = 1 << 12;

/// Numbers labels, of which there are few.
class Layers {
 public:
  /// −1: an empty one.
  int32_t of(std::string_view name) {
    if (name.empty()) return -1;
    auto& [known, last] = recent_[(name.size() ^ static_cast<unsigned char>(name.back())) % std::size(recent_)];
    if (known.size() == name.size() && std::memcmp(known.data(), name.data(), name.size()) == 0) return last;
    const auto found = numbers_.find(name);
    const int32_t number = found != numbers_.end()
                               ? found->second
                               : numbers_.emplace(name, static_cast<int32_t>(numbers_.size())).first->second;
    known = name;
    return last = number;
  }
  const std::map<std::string, int32_t, std::less<>>& numbers() const { return numbers_; }

 private:
  std::map<std::string, int32_t, std::less<>> numbers_;
  /// By the length and the last character, a digit of most; views into texts that outlive this.
  std::array<std::pair<std::string_view, int32_t>, 32> recent_{};
};

/// Finds nodes, mostly in about the order in which they occur.
class NodeFinder {
 public:
  explicit NodeFinder(const NodeNames& names) : names_(names) {}
  int32_t find(std::string_view name) {
    for (int32_t id = last_ + 1; id <= last_ + 2 && id < names_.size(); ++id)
      if (is_called(id, name)) return last_ = id;
    const int32_t id = names_.find(name);
    if (id >= 0) last_ = id;
    return id;
  }

 private:
  bool is_called(int32_t id, std::string_view name) const {
    const NameKey key = names_.key(id);
    return name_key::is_text(key) && names_.texts()[name_key::text_of(key)] == name;
  }

  const NodeNames& names_;
  int32_t last_ = 0;
};

std::string_view line_at(std::string_view text, uint64_t offset) {
  const std::string_view rest = text.substr(offset);
  return rest.substr(0, rest.find('\n'));
}

/// What the comments of one chunk tell.
struct ChunkNotes {
  std::vector<Placement::NodePlace> places;
  std::vector<Placement::Pin> pins;
  Layers layers;
  std::vector<uint64_t> odd;
};

/// A comment of a table of layers, behind `*|` or `*` and blanks.
bool begins_layer_map(std::string_view text, uint64_t offset) {
  std::string_view rest = text.substr(offset + 1);
  while (!rest.empty() && (rest.front() == '|' || grammar::is_blank(rest.front()))) rest.remove_prefix(1);
  return !rest.empty() && (rest.front() | 0x20) == 'l' && is_layer_map(rest);
}

void read_comments(std::string_view text, const std::vector<uint64_t>& offsets, const LayerMaps& maps, size_t file,
                   const Circuit& circuit, ChunkNotes& out) {
  NodeFinder nodes(circuit.nodes);
  DspfComment comment;
  out.places.reserve(offsets.size());
  for (const uint64_t offset : offsets) {
    read_dspf_comment(line_at(text, offset), comment);
    if (comment.kind == DspfComment::Kind::malformed) out.odd.push_back(offset);
    for (const DspfComment::Node& node : comment.nodes) {
      const int32_t id = nodes.find(node.name);
      if (id <= kGround) continue;
      const int32_t layer = out.layers.of(maps.name(file, comment.layer));
      if (!std::isnan(node.x) || layer >= 0) out.places.push_back({id, layer, node.x, node.y});
      if (!node.instance.empty()) out.pins.push_back({id, node.instance, node.pin});
    }
  }
}

/// What the cards of a range of resistors tell.
struct RangeNotes {
  Layers layers;
  std::vector<Placement::NodePlace> ends;  ///< of those with a place
};

/// What a card tells of the layer of its nodes, the best first: a wire lies on it, whose width is told; a resistor of
/// which nothing tells that it is no wire; a via lies between its nodes' layers, and names that of nodes between vias.
enum Grade : uint8_t { kWire, kUnknown, kVia, kGrades };

/// What cards tell of all resistors.
struct CardNotes {
  std::vector<int32_t> width;  ///< in units
  std::vector<int32_t> layer;  ///< a number of their range, −1: none
  std::vector<uint8_t> grade;
  std::vector<RangeNotes> ranges;
};

/// "via1", "v12", "CO": what the layers of vias are called.
bool is_cut_name(std::string_view layer) {
  constexpr std::string_view kWords[] = {"v", "via", "cut", "co", "ct", "cont", "contact"};
  const std::string_view letters = layer.substr(0, layer.find_first_of("0123456789_"));
  return std::ranges::any_of(kWords, [letters](std::string_view word) { return same_name(letters, word); });
}

/// Joins numbers of layers, range by range, and sorts these by the numbers in their names.
class JoinedLayers {
 public:
  /// The joined numbers of a range's layers, in the order of names for now.
  std::vector<int32_t> add(const Layers& of_range) {
    std::vector<int32_t> map(of_range.numbers().size());
    for (const auto& [name, number] : of_range.numbers())
      map[number] = all_.try_emplace(name, static_cast<int32_t>(all_.size())).first->second;
    return map;
  }
  /// The names in their order, and the rank of each number.
  std::pair<std::vector<std::string>, std::vector<int32_t>> sorted() const {
    std::vector<std::pair<std::string, int32_t>> list(all_.begin(), all_.end());
    std::ranges::stable_sort(list, {}, [](const auto& entry) { return layer_number(entry.first); });
    std::vector<std::string> names;
    std::vector<int32_t> rank(list.size());
    for (const auto& [name, number] : list) {
      rank[number] = static_cast<int32_t>(names.size());
      names.push_back(name);
    }
    return {names, rank};
  }

 private:
  std::map<std::string, int32_t> all_;
};

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

/// Of the card at `offset`, if there is a `$` before the end of its line.
CardAnnotation annotation_at(std::string_view text, uint64_t offset) {
  const std::string_view line = line_at(text, offset);
  const size_t sign = line.find('$');
  return sign < line.size() ? read_annotation(line.substr(sign)) : CardAnnotation{};
}

/// What is told of each node first.
class PlacesByNode {
 public:
  explicit PlacesByNode(int64_t nodes) {
    assign_in_parallel(layer_, nodes, int32_t{-1});
    assign_in_parallel(x_, nodes, double{NAN});
    assign_in_parallel(y_, nodes, double{NAN});
  }
  void take_layer(NodeId node, int32_t layer) {
    if (layer_[node] < 0) layer_[node] = layer;
  }
  void take_place(NodeId node, double x, double y) {
    if (!has_place(node)) x_[node] = x, y_[node] = y;
  }
  bool has_place(NodeId node) const { return !std::isnan(x_[node]); }
  std::vector<Placement::NodePlace> list(const std::vector<int32_t>& rank) const {
    std::vector<Placement::NodePlace> places;
    for (NodeId n = kGround + 1; n < std::ssize(layer_); ++n)
      if (layer_[n] >= 0 || !std::isnan(x_[n]))
        places.push_back({n, layer_[n] >= 0 ? rank[layer_[n]] : -1, x_[n], y_[n]});
    return places;
  }

 private:
  std::vector<int32_t> layer_;
  std::vector<double> x_, y_;
};

/// `nodes`: what comments tell of them, which counts.
CardNotes read_cards(const Circuit& circuit, const LayerMaps& maps, const PlacesByNode& nodes) {
  const Elements& r = circuit.resistors;
  CardNotes out;
  assign_in_parallel(out.width, r.size(), int32_t{0});
  assign_in_parallel(out.layer, r.size(), int32_t{-1});
  assign_in_parallel(out.grade, r.size(), uint8_t{kUnknown});
  out.ranges.resize((r.size() + kGrain - 1) / kGrain);
  parallel_tasks(std::ssize(out.ranges), [&](int64_t k) {
    RangeNotes& range = out.ranges[k];
    for (int64_t i = k * kGrain; i < std::min(r.size(), (k + 1) * kGrain); ++i) {
      const Origin origin = r.origin[i];
      const CardAnnotation note = annotation_at(circuit.files[origin.file]->text(), origin.offset);
      const double units = std::round(note.width_um * kUnitsPerUm);
      out.width[i] = units < 2e9 ? static_cast<int32_t>(units) : 0;
      const std::string_view layer = maps.name(origin.file, note.layer);
      out.layer[i] = range.layers.of(layer);
      out.grade[i] = out.width[i] > 0 ? kWire : note.has_area || is_cut_name(layer) ? kVia : kUnknown;
      if (note.x.empty() || (nodes.has_place(r.a[i]) && nodes.has_place(r.b[i]))) continue;
      if (const auto x = note.x_um(), y = note.y_um(); x && y) {
        if (range.ends.empty()) range.ends.reserve(2 * kGrain);
        for (const NodeId node : {r.a[i], r.b[i]}) range.ends.push_back({node, -1, *x, *y});
      }
    }
  });
  return out;
}

/// Chunks with comments, and their files.
using Noted = std::vector<std::pair<size_t, const ParsedChunk*>>;

/// Those of all files. A `*|LAYER_MAP` without any layer is a finding.
LayerMaps read_layer_maps(const Deck& deck, const Noted& noted, Circuit& circuit) {
  std::vector<std::vector<uint64_t>> found(noted.size());
  parallel_tasks(std::ssize(noted), [&](int64_t k) {
    const std::string_view text = deck.files[noted[k].first].text->text();
    for (const uint64_t offset : noted[k].second->dspf_comments)
      if (begins_layer_map(text, offset)) found[k].push_back(offset);
  });
  LayerMaps maps(deck.files.size());
  for (size_t k = 0; k < noted.size(); ++k) {
    const auto& text = deck.files[noted[k].first].text;
    for (const uint64_t offset : found[k])
      if (!maps.read(noted[k].first, text->text(), offset) && text->text()[offset + 1] == '|')
        circuit.findings.push_back({true, "comment-not-understood",
                                    "no layer follows this LAYER_MAP; write lines '* NUMBER NAME' below it",
                                    text->describe(offset)});
  }
  maps.finish();
  return maps;
}

std::vector<ChunkNotes> read_chunks(const Deck& deck, const Circuit& circuit, const LayerMaps& maps,
                                    const Noted& noted) {
  std::vector<ChunkNotes> notes(noted.size());
  std::vector<std::vector<std::pair<uint64_t, uint64_t>>> inside;
  for (size_t f = 0; f < deck.files.size(); ++f) inside.push_back(subcircuits_in(deck, f));
  parallel_tasks(std::ssize(noted), [&](int64_t k) {
    const auto& [file, chunk] = noted[k];
    std::vector<uint64_t> outside;
    if (!inside[file].empty())
      std::ranges::copy_if(chunk->dspf_comments, std::back_inserter(outside),
                           [&parts = inside[file]](uint64_t offset) { return !is_inside(parts, offset); });
    read_comments(deck.files[file].text->text(), inside[file].empty() ? chunk->dspf_comments : outside, maps, file,
                  circuit, notes[k]);
  });
  return notes;
}

/// What comments tell of a node overrules what cards tell.
void take_cards(CardNotes cards, const Circuit& circuit, JoinedLayers& layers, PlacesByNode& nodes, Placement& out) {
  const Elements& r = circuit.resistors;
  std::vector<std::vector<int32_t>> joined;
  for (const RangeNotes& range : cards.ranges) {
    joined.push_back(layers.add(range.layers));
    for (const Placement::NodePlace& end : range.ends) nodes.take_place(end.node, end.x_um, end.y_um);
  }
  for (uint8_t grade = 0; grade < kGrades; ++grade)
    for (int64_t i = 0; i < r.size(); ++i)
      if (cards.layer[i] >= 0 && cards.grade[i] == grade)
        for (const NodeId node : {r.a[i], r.b[i]}) nodes.take_layer(node, joined[i / kGrain][cards.layer[i]]);
  out.width = std::move(cards.width);
  out.cuts.assign(out.width.size(), 0);
  out.dbu_per_um = kUnitsPerUm;
}

ReadFinding odd_comment_of_dspf(const std::string& place) {
  return {true, "comment-not-understood",
          "this comment begins like one of DSPF and cannot be read as one; write '*|NET NAME C', '*|S (NODE X Y)', "
          "'*|P (PIN DIRECTION C X Y)' or '*|I (NODE INSTANCE PIN DIRECTION C X Y)'",
          place};
}

}  // namespace

void add_extracted_notes(const Deck& deck, Circuit& circuit) {
  Noted noted;
  bool has_annotations = false;
  for (size_t f = 0; f < deck.files.size(); ++f)
    for (const ParsedChunk& c : deck.files[f].chunks) {
      if (!c.dspf_comments.empty()) noted.emplace_back(f, &c);
      has_annotations |= c.has_annotations;
    }
  if ((noted.empty() && !has_annotations) || deck.mentions) return;

  auto out = std::make_shared<Placement>();
  JoinedLayers layers;
  PlacesByNode nodes(circuit.node_count());
  const LayerMaps maps = read_layer_maps(deck, noted, circuit);
  const std::vector<ChunkNotes> of_chunk = read_chunks(deck, circuit, maps, noted);
  for (size_t k = 0; k < noted.size(); ++k) {
    const std::vector<int32_t> map = layers.add(of_chunk[k].layers);
    for (const Placement::NodePlace& place : of_chunk[k].places) {
      if (place.layer >= 0) nodes.take_layer(place.node, map[place.layer]);
      nodes.take_place(place.node, place.x_um, place.y_um);
    }
    append(out->pins, of_chunk[k].pins);
    for (const uint64_t offset : of_chunk[k].odd)
      circuit.findings.push_back(odd_comment_of_dspf(deck.files[noted[k].first].text->describe(offset)));
  }
  std::ranges::stable_sort(out->pins, {}, &Placement::Pin::node);
  if (has_annotations) take_cards(read_cards(circuit, maps, nodes), circuit, layers, nodes, *out);
  const auto [names, rank] = layers.sorted();
  for (const std::string& name : names) out->layers.push_back({name, 0});
  out->node_places = nodes.list(rank);
  const bool has_width = std::ranges::any_of(out->width, [](int32_t w) { return w > 0; });
  if (has_width || !out->node_places.empty() || !out->pins.empty()) circuit.placement = std::move(out);
}

}  // namespace gridiron
