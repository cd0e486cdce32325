// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/nodes_of_comments.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "netlist/names/name_table.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr size_t kFew = 4;  ///< names that are looked for without an index

/// A chunk and, if it is the first thing that the circuit takes from it, the row of its first resistor.
struct Chunk {
  std::string_view text;
  const ParsedChunk* chunk;
  int64_t first_resistor = 0;
};

std::vector<Chunk> chunks_of(const Deck& deck) {
  std::map<const ParsedChunk*, int64_t> first_resistor;
  int64_t resistors = 0;
  for (const Piece& piece : deck.top.pieces) {
    first_resistor.try_emplace(&deck.files[piece.file].chunks[piece.chunk], resistors - piece.begin[kResistor]);
    resistors += piece.end[kResistor] - piece.begin[kResistor];
  }
  std::vector<Chunk> chunks;
  for (const File& file : deck.files)
    for (const ParsedChunk& c : file.chunks) {
      const auto first = first_resistor.find(&c);
      chunks.push_back({file.text->text(), &c, first == first_resistor.end() ? 0 : first->second});
    }
  return chunks;
}

/// Finds the nodes of the comments of a chunk, mostly in about the order in which they occur.
class NodeFinder {
 public:
  NodeFinder(const Chunk& chunk, const Circuit& circuit)
      : chunk_(chunk),
        notes_(chunk.chunk->notes.nodes),
        circuit_(circuit),
        names_(circuit.nodes),
        nodes_(notes_.size(), -1) {}

  std::vector<NodeId> take_nodes() { return std::move(nodes_); }
  std::string_view name(size_t note) const { return chunk_.text.substr(notes_[note].name_at, notes_[note].name_size); }
  void set(size_t note, NodeId node) { nodes_[note] = node; }

  /// Indices of notes whose nodes were not where they mostly are.
  const std::vector<size_t>& missing() const { return missing_; }
  bool has_more() const { return next_ < notes_.size(); }

  /// Looks for all of them where they mostly are, until more than a few are missing.
  void find_nearby() {
    for (; has_more() && missing_.size() <= kFew; ++next_)
      if (notes_[next_].name_size > 0 && !is_next(next_) && !is_on_card_behind(next_)) missing_.push_back(next_);
  }
  /// Goes on with an index of all names.
  void find_rest() {
    for (const size_t note : missing_) nodes_[note] = names_.find(name(note));
    for (; has_more(); ++next_)
      if (notes_[next_].name_size > 0 && !is_next(next_)) {
        const NodeId node = nodes_[next_] = names_.find(name(next_));
        if (node >= 0) last_ = node;
      }
  }

 private:
  bool is_next(size_t note) { return takes(note, last_ + 1) || takes(note, last_ + 2); }
  bool is_on_card_behind(size_t note) {
    const std::vector<uint64_t>& cards = chunk_.chunk->elements[kResistor].offset;
    const int64_t row = chunk_.first_resistor + (std::ranges::lower_bound(cards, notes_[note].name_at) - cards.begin());
    const Elements& r = circuit_.resistors;
    return row >= 0 && row < r.size() && (takes(note, r.a[row]) || takes(note, r.b[row]));
  }
  bool takes(size_t note, NodeId node) {
    if (!is_called(node, name(note))) return false;
    nodes_[note] = last_ = node;
    return true;
  }
  bool is_called(NodeId id, std::string_view name) const {
    if (id >= names_.size()) return false;
    const NameKey key = names_.key(id);
    return name_key::is_text(key) && is_spelled(names_.texts()[name_key::text_of(key)], name);
  }

  const Chunk& chunk_;
  const std::vector<NodeNote>& notes_;
  const Circuit& circuit_;
  const NodeNames& names_;
  std::vector<NodeId> nodes_;
  std::vector<size_t> missing_;
  size_t next_ = 0;
  NodeId last_ = kGround;
};

}  // namespace

std::vector<std::vector<NodeId>> nodes_of_comments(const Deck& deck, const Circuit& circuit) {
  const std::vector<Chunk> chunks = chunks_of(deck);
  std::vector<NodeFinder> finders;
  finders.reserve(chunks.size());
  for (const Chunk& chunk : chunks) finders.emplace_back(chunk, circuit);
  parallel_tasks(std::ssize(finders), [&](int64_t k) { finders[k].find_nearby(); });

  std::vector<std::string_view> missing;
  for (const NodeFinder& finder : finders)
    for (const size_t note : finder.missing()) missing.push_back(finder.name(note));
  const bool are_all = std::ranges::none_of(finders, &NodeFinder::has_more);
  if (!are_all || missing.size() > kFew) {
    parallel_tasks(std::ssize(finders), [&](int64_t k) { finders[k].find_rest(); });
  } else if (!missing.empty()) {
    const std::vector<int32_t> found = circuit.nodes.find_few(missing);
    auto node = found.begin();
    for (NodeFinder& finder : finders)
      for (const size_t note : finder.missing()) finder.set(note, *node++);
  }

  std::vector<std::vector<NodeId>> nodes;
  for (NodeFinder& finder : finders) nodes.push_back(finder.take_nodes());
  return nodes;
}

}  // namespace gridiron
