// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/resistor_notes.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "netlist/extracted/card_annotations.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr int64_t kGrain = 1 << 12;

/// A chunk with resistors.
struct NotedChunk {
  size_t file;
  const ParsedChunk* chunk;
  std::vector<JoinedLayers::Layer> layers;  ///< of its labels

  const std::vector<uint64_t>& offsets() const { return chunk->elements[kResistor].offset; }
};

/// Those of all files, in their order.
std::vector<NotedChunk> noted_chunks(const Deck& deck, JoinedLayers& layers) {
  std::vector<NotedChunk> chunks;
  for (size_t f = 0; f < deck.files.size(); ++f)
    for (const ParsedChunk& c : deck.files[f].chunks)
      if (c.elements[kResistor].size() > 0) chunks.push_back({f, &c, layers.add(f, c.notes.layers)});
  return chunks;
}

/// Finds the cards of resistors in the chunks, mostly in the order in which they stand there.
class CardFinder {
 public:
  explicit CardFinder(const std::vector<NotedChunk>& chunks) : chunks_(chunks) {}

  /// False for what is made of a card of another kind.
  bool find(Origin origin) {
    ++card_;
    return is_at(origin) || search(origin);
  }
  /// Of the card that was found.
  CardNote note() const { return card_ < notes_ ? first_note_[card_] : CardNote(); }
  JoinedLayers::Layer layer(int32_t label) const { return chunk_->layers[label]; }

 private:
  bool is_at(Origin origin) const {
    return card_ < cards_ && offsets_[card_] == origin.offset && chunk_->file == origin.file;
  }
  bool search(Origin origin) {
    using Place = std::pair<size_t, uint64_t>;
    const Place place(size_t{origin.file}, uint64_t{origin.offset});
    const auto first_card = [](const NotedChunk& c) { return Place(c.file, c.offsets()[0]); };
    const auto behind = std::ranges::upper_bound(chunks_, place, {}, first_card);
    if (behind == chunks_.begin()) return false;
    chunk_ = &*std::prev(behind);
    offsets_ = chunk_->offsets().data();
    cards_ = chunk_->offsets().size();
    first_note_ = chunk_->chunk->notes.cards.data();
    notes_ = chunk_->chunk->notes.cards.size();
    card_ = static_cast<size_t>(std::lower_bound(offsets_, offsets_ + cards_, uint64_t{origin.offset}) - offsets_);
    return is_at(origin);
  }

  const std::vector<NotedChunk>& chunks_;
  const NotedChunk* chunk_ = nullptr;
  const uint64_t* offsets_ = nullptr;
  const CardNote* first_note_ = nullptr;
  size_t cards_ = 0, notes_ = 0, card_ = 0;
};

/// Adds those that are not there yet.
void join(std::vector<Origin>&& more, std::set<std::pair<uint64_t, uint64_t>>& known, std::vector<Origin>& all) {
  for (const Origin origin : more)
    if (known.emplace(origin.file, origin.offset).second) all.push_back(origin);
}

/// A resistor that no card of one spells, and what stands behind it.
struct OtherCard {
  int64_t resistor;
  CardAnnotation note;
};

/// What one range of resistors adds to the notes of all.
struct OfRange {
  std::vector<OtherCard> others;
  std::vector<Origin> odd_widths, odd_places;
};

ToldLayer told(const CardNote& note, JoinedLayers::Layer layer) {
  return {note.width() > 0                  ? LayerTeller::wire
          : note.has_area() || layer.is_cut ? LayerTeller::via
                                            : LayerTeller::unknown,
          layer.number};
}

}  // namespace

ResistorNotes read_resistors(const Deck& deck, const Circuit& circuit, const TopLevelText& text,
                             const PlacesByNode& nodes, JoinedLayers& layers) {
  const Elements& r = circuit.resistors;
  const std::vector<NotedChunk> chunks = noted_chunks(deck, layers);
  ResistorNotes out;
  make_room_in_parallel(out.width, r.size());
  make_room_in_parallel(out.layer, r.size());
  out.places.resize((r.size() + kGrain - 1) / kGrain);
  std::vector<OfRange> ranges(out.places.size());
  parallel_tasks(std::ssize(out.places), [&](int64_t k) {
    CardFinder finder(chunks);
    for (int64_t i = k * kGrain; i < std::min(r.size(), (k + 1) * kGrain); ++i) {
      const Origin origin = r.origin[i];
      const auto annotation = [&] {
        return annotation_of_card(circuit.files[origin.file]->text().substr(origin.offset));
      };
      CardNote note;
      out.layer[i] = ToldLayer();
      if (finder.find(origin)) {
        note = finder.note();
        if (note.layer() >= 0) out.layer[i] = told(note, finder.layer(note.layer()));
      } else {
        ranges[k].others.push_back({i, annotation()});
        note = CardNote(ranges[k].others.back().note, -1);
      }
      out.width[i] = note.width();
      if (note.has_odd_width()) ranges[k].odd_widths.push_back(origin);
      if (!note.has_place() || (nodes.has_place(r.a[i]) && nodes.has_place(r.b[i])) || !text.is_of_top(origin))
        continue;
      const CardAnnotation places = annotation();
      if (const auto first = places.place(), second = places.second_place(); first && second) {
        if (out.places[k].empty()) out.places[k].reserve(2 * kGrain);
        out.places[k].push_back({r.a[i], *first});
        out.places[k].push_back({r.b[i], *second});
      } else {
        ranges[k].odd_places.push_back(origin);
      }
    }
  });
  std::set<std::pair<uint64_t, uint64_t>> odd_widths, odd_places;
  for (OfRange& range : ranges) {
    for (const auto& [i, annotation] : range.others)
      if (!annotation.layer.empty())
        out.layer[i] = told(CardNote(annotation, -1), layers.add(r.origin[i].file, annotation.layer));
    join(std::move(range.odd_widths), odd_widths, out.odd_widths);
    join(std::move(range.odd_places), odd_places, out.odd_places);
  }
  return out;
}

}  // namespace gridiron
