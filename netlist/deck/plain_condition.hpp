// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "netlist/deck/deck.hpp"
#include "netlist/grammar/primitives.hpp"

namespace gridiron {

/// A card of an .if block on a line of its own, without a comment.
struct PlainCondition {
  ConditionCard::Kind kind = ConditionCard::kIf;
  ast::Text rest;             ///< behind the word; of .else and .endif none
  const char* end = nullptr;  ///< its newline
};

/// A word of less than eight lower-case characters, to be compared with eight bytes of a text at once.
struct ShortWord {
  size_t size = 0;
  uint64_t bytes = 0, mask = 0;

  consteval ShortWord(const char* word) {
    std::array<char, sizeof bytes> of_word{}, of_mask{};
    for (; word[size] != '\0'; ++size) of_word[size] = word[size], of_mask[size] = '\xff';
    bytes = std::bit_cast<uint64_t>(of_word);
    mask = std::bit_cast<uint64_t>(of_mask);
  }
};

/// False for any other card. `p` is at a point; `end` of the text follows a newline, so that no word runs over it.
/// Internal to netlist/.
inline bool parse_plain_condition(const char* p, const char* end, PlainCondition& card) {
  static constexpr std::array<bool, 256> kEndsCondition = [] {
    std::array<bool, 256> table{};
    for (const char c : {'\n', ';', '$', '\\'}) table[static_cast<unsigned char>(c)] = true;
    return table;
  }();
  constexpr uint64_t kLowerCase = 0x2020202020202020;
  uint64_t first = 0;
  if (end - p < static_cast<ptrdiff_t>(sizeof first)) return false;
  std::memcpy(&first, p, sizeof first);
  first |= kLowerCase;
  const auto takes = [&p, first](const ShortWord& word) {
    if ((first & word.mask) != word.bytes || grammar::is_word_char(p[word.size])) return false;
    p += word.size;
    return true;
  };
  bool has_condition = true;
  if (takes(".if"))
    card.kind = ConditionCard::kIf;
  else if (takes(".endif"))
    card.kind = ConditionCard::kEndif, has_condition = false;
  else if (takes(".else"))
    card.kind = ConditionCard::kElse, has_condition = false;
  else if (takes(".elseif"))
    card.kind = ConditionCard::kElseif;
  else
    return false;
  const char* const begin = p;
  if (has_condition)
    while (!kEndsCondition[static_cast<unsigned char>(*p)]) ++p;
  else
    while (grammar::is_blank(*p)) ++p;
  if (*p != '\n' || grammar::is_continued(p, end)) return false;
  card.rest = {begin, has_condition ? static_cast<size_t>(p - begin) : 0};
  card.end = p;
  return true;
}

}  // namespace gridiron
