// SPDX-License-Identifier: Apache-2.0
// Whether a first line that reads as a card is one. SPICE takes every first line as the title, but the ICCAD-2023 decks
// have none and begin with a card; `IBM power grid 1` is a title that reads as a source of 1 A.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "netlist/deck/deck_ledger.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/values/scope.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// The nodes that an instance or a controlled source names; none of other cards.
std::vector<std::string> nodes_of(const StructureCard& of) {
  if (const auto* card = std::get_if<ast::Instance>(&of)) return {card->words.begin(), card->words.end() - 1};
  const auto* card = std::get_if<ast::Controlled>(&of);
  if (!card) return {};
  std::vector<std::string> nodes{std::string(card->a), std::string(card->b)};
  if (card->controls.size() == 2) nodes.insert(nodes.end(), card->controls.begin(), card->controls.end());
  return nodes;
}

/// Whether a card other than the first one, or a probe, names a node.
class Occurrences {
 public:
  explicit Occurrences(const Deck& deck) : deck_(deck), first_(deck.files[0].chunks[0]) {}

  bool again(ast::Text node) const {
    for (const File& file : deck_.files)
      for (const ParsedChunk& chunk : file.chunks)
        if (in_elements(chunk, node) || in_instances(chunk, node) || in_probes(chunk, node)) return true;
    return false;
  }

 private:
  bool is_first_card(const ParsedChunk& chunk, uint64_t offset) const {
    return &chunk == &first_ && offset == first_.first_line.begin;
  }

  bool in_elements(const ParsedChunk& chunk, ast::Text node) const {
    const NodeId id = chunk.names.find(node);
    const std::vector<NameKey> keys = chunk.mentions.keys_of(node);
    if (id < 0 && keys.empty()) return false;
    const auto is_node = [&](NodeId n) {
      return id >= 0 ? n == id : std::ranges::find(keys, chunk.mentions[n]) != keys.end();
    };
    if (id >= 0 && &chunk != &first_) return true;
    for (const ChunkElements& e : chunk.elements)
      for (int64_t i = 0; i < e.size(); ++i)
        if ((is_node(e.a[i]) || is_node(e.b[i])) && !is_first_card(chunk, e.offset[i])) return true;
    return false;
  }

  bool in_instances(const ParsedChunk& chunk, ast::Text node) const {
    return std::ranges::any_of(chunk.marks, [&](const StructureMark& mark) {
      const std::vector<std::string> nodes = nodes_of(mark.card);
      return !is_first_card(chunk, mark.offset) &&
             std::ranges::any_of(nodes, [node](const std::string& other) { return same_name(other, node); });
    });
  }

  static bool in_probes(const ParsedChunk& chunk, ast::Text node) {
    return std::ranges::any_of(chunk.prints, [node](const auto& probed) { return same_name(probed.first, node); });
  }

  const Deck& deck_;
  const ParsedChunk& first_;
};

/// The first card: its kind in the first chunk, or none for one that is a mark there.
struct FirstCard {
  std::optional<size_t> kind;
  std::vector<std::string> nodes;
};

std::string name_of(const ParsedChunk& chunk, NodeId node) {
  return chunk.names.size() > 0 ? std::string(chunk.names[node]) : chunk.mentions.name(node);
}

FirstCard first_card(const Deck& deck) {
  const ParsedChunk& chunk = deck.files[0].chunks[0];
  const auto first = std::ranges::find_if(
      chunk.elements, [&](const ChunkElements& e) { return e.size() > 0 && e.offset[0] == chunk.first_line.begin; });
  if (first == chunk.elements.end()) return {std::nullopt, nodes_of(chunk.marks.front().card)};
  return {static_cast<size_t>(first - chunk.elements.begin()),
          {name_of(chunk, first->a[0]), name_of(chunk, first->b[0])}};
}

bool reads_as_card(const Deck& deck) {
  return !deck.files[0].chunks.empty() && deck.files[0].chunks[0].first_line.reads_as_card;
}

/// Neither the name of the card nor what follows its nodes has a digit, as in the title `Vias vdd a`.
bool is_without_number(std::string_view line) {
  return std::ranges::none_of(line, [](char c) { return c >= '0' && c <= '9'; });
}

bool has_fault(const Deck& deck) {
  return !deck.files[0].chunks.empty() && !deck.files[0].chunks[0].first_line.fault.empty();
}

/// Of a first line with a fault: what stands where a card has its nodes; none if it has too few words for a card.
std::vector<std::string> words_for_nodes(const Deck& deck) {
  const FirstLine& line = deck.files[0].chunks[0].first_line;
  std::string_view rest = deck.files[0].text->text().substr(line.begin, line.end - line.begin);
  std::vector<std::string> words;
  while (words.size() < 4) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t,()"), rest.size()));
    if (rest.empty()) return {};
    const size_t size = std::min(rest.find_first_of(" \t,()"), rest.size());
    words.emplace_back(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  return {words[1], words[2]};
}

/// A card of the circuit with a mistake in it is no title: its load or source would be lost.
void require_no_faulty_card(const Deck& deck, const std::function<bool(ast::Text)>& elsewhere) {
  const std::vector<std::string> nodes = words_for_nodes(deck);
  const Occurrences occurrences(deck);
  const auto is_node = [&](const std::string& n) { return is_ground(n) || occurrences.again(n) || elsewhere(n); };
  if (nodes.empty() || !std::ranges::all_of(nodes, is_node) || std::ranges::all_of(nodes, is_ground)) return;
  const FirstLine& line = deck.files[0].chunks[0].first_line;
  throw input_error("{}: {}; if this line is the title, begin it with *", deck.files[0].text->describe(line.fault_at),
                    line.fault);
}

}  // namespace

std::vector<std::string> nodes_of_first_line(const Deck& deck) {
  std::vector<std::string> names;
  if (has_fault(deck))
    for (const std::string& node : words_for_nodes(deck))
      if (!is_ground(node)) names.push_back(node);
  if (reads_as_card(deck))
    for (const std::string& node : first_card(deck).nodes)
      if (!is_ground(node)) names.push_back(node);
  return names;
}

/// A title of words, the last of which would be a parameter that the deck does not have.
bool lacks_parameter(const Deck& deck) {
  const FirstLine& line = deck.files[0].chunks[0].first_line;
  return !line.parameter.empty() && !deck.top.defined.contains(lower(line.parameter));
}

void decide_first_line(Deck& deck, const std::function<bool(ast::Text)>& elsewhere) {
  if (has_fault(deck)) require_no_faulty_card(deck, elsewhere);
  if (!reads_as_card(deck)) return;
  ParsedChunk& chunk = deck.files[0].chunks[0];
  const bool is_words = lacks_parameter(deck);
  if (is_words) {
    chunk.first_line.fault = fmt::format("unknown parameter '{}'; define it with .param", chunk.first_line.parameter);
    require_no_faulty_card(deck, elsewhere);
  }
  const FirstLine line = chunk.first_line;
  const auto [kind, nodes] = first_card(deck);

  const Occurrences occurrences(deck);
  const auto found = is_words ? nodes.end() : std::ranges::find_if(nodes, [&](const std::string& node) {
    return !is_ground(node) && (occurrences.again(node) || elsewhere(node));
  });
  const auto tell = [&](bool is_warning, const std::string& message) {
    deck.findings.push_back({is_warning, "first-line", message, deck.files[0].text->describe(line.begin)});
  };
  if (found != nodes.end()) {
    tell(is_without_number(deck.files[0].text->text().substr(line.begin, line.end - line.begin)),
         fmt::format("the first line is taken as a card, not as the title: its node '{:.40}' occurs again", *found));
    return;
  }
  if (!is_words)
    tell(false, "the first line is taken as the title: it reads as a card, but none of its nodes occurs again");
  Ledger::File& ledger = deck.ledger.files[0];
  const CardKind read_as = kind ? static_cast<CardKind>(*kind) : kind_of(chunk.marks.front().card);
  enter(ledger, read_as, -1);
  enter(ledger, CardKind::title, 1);
  chunk.title = deck.files[0].text->text().substr(line.begin, line.end - line.begin);
  if (read_as == CardKind::instance)
    deck.top.uses.erase(deck.top.uses.begin());
  else if (read_as == CardKind::coupling)
    deck.top.couplings.erase(deck.top.couplings.begin());
  else if (!kind)
    deck.top.controlled.erase(deck.top.controlled.begin());
  else
    ++deck.top.pieces.front().begin[*kind];
}

std::string hint_at_first_line(std::string_view message, const SourceText& first) {
  const std::string_view text = without_byte_order_mark(first.text());
  const size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const bool is_card = begin < text.size() && std::string_view("\n*$;.+").find(text[begin]) == std::string_view::npos;
  const bool is_here = message.starts_with(fmt::format("{}:1:", first.path()));
  if (!is_card || !is_here || message.find("the title") != message.npos) return {};
  return "; this is the first line, where SPICE has a title: if it is one, begin it with *";
}

}  // namespace gridiron
