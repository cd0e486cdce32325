// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/unread_parts.hpp"

#include <algorithm>

#include "netlist/deck/deck_ledger.hpp"

namespace gridiron {

std::optional<CardKind> UnreadParts::at(uint64_t offset) const {
  const auto after = std::ranges::upper_bound(changes_, offset, {}, &Change::offset);
  return after == changes_.begin() ? std::nullopt : std::prev(after)->unread;
}

void UnreadParts::leave_out(ParsedChunk& chunk, Ledger::File& ledger) const {
  if (changes_.empty()) return;
  const auto is_left_out = [&](uint64_t offset, int64_t count) {
    const std::optional<CardKind> unread = at(offset);
    if (unread) enter(ledger, *unread, count);
    return unread.has_value();
  };
  std::erase_if(chunk.layer_cards, [&](const LayerCard& card) { return is_left_out(card.origin.offset, 1); });
  std::erase_if(chunk.nominal_cards, [&](const NominalCard& card) { return is_left_out(card.origin.offset, 1); });
  std::erase_if(chunk.net_cards, [&](const auto& card) { return is_left_out(card.second, 1); });
  std::erase_if(chunk.dbu_cards, [&](const auto& card) { return is_left_out(card.second, 1); });
  std::erase_if(chunk.print_cards, [&](uint64_t offset) { return is_left_out(offset, 1); });
  std::erase_if(chunk.prints, [&](const auto& print) { return at(print.second).has_value(); });
  std::erase_if(chunk.unprinted, [&](const auto& print) { return at(print.second).has_value(); });
  std::erase_if(chunk.valueless, [&](uint64_t offset) { return at(offset).has_value(); });
  std::erase_if(chunk.signs, [&](const DialectSign& sign) { return at(sign.offset).has_value(); });
  std::erase_if(chunk.dspf_comments, [&](uint64_t offset) { return is_left_out(offset, 1); });
  for (auto* const comments : {&chunk.notes.layer_maps, &chunk.notes.malformed})
    std::erase_if(*comments, [&](uint64_t offset) { return at(offset).has_value(); });
  for (NodeNote& note : chunk.notes.nodes)
    if (at(note.name_at)) note.name_size = 0;
  std::erase_if(chunk.odd_comments, [&](uint64_t offset) { return at(offset).has_value(); });
  for (ReadingNotes& notes : chunk.readings)
    for (ReadingNotes::Note& note : notes.of)
      if (at(note.offset)) note = {};
  std::erase_if(chunk.skipped, [&](const ParsedChunk::Failure& card) { return is_left_out(card.offset, card.count); });
  for (const ParsedChunk::Failure& card : chunk.failures) is_left_out(card.offset, card.count);
  std::erase_if(chunk.directives, [&](const DirectiveCards& card) { return is_left_out(card.offset, card.count); });
  std::erase_if(chunk.options, [&](const OptionUse& option) { return is_left_out(option.offset, option.count); });
}

}  // namespace gridiron
