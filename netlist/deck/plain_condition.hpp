// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// False for any other card. `p` is at a point; `end` of the text follows a newline, so that no word runs over it.
/// Internal to netlist/.
inline bool parse_plain_condition(const char* p, const char* end, PlainCondition& card) {
  const auto takes = [&p](std::string_view word) {
    size_t k = 0;
    while (k < word.size() && (p[k] | 0x20) == word[k]) ++k;
    if (k < word.size() || grammar::is_word_char(p[k])) return false;
    p += k;
    return true;
  };
  ++p;
  if (takes("if"))
    card.kind = ConditionCard::kIf;
  else if ((*p | 0x20) != 'e')
    return false;
  else if (takes("endif"))
    card.kind = ConditionCard::kEndif;
  else if (takes("else"))
    card.kind = ConditionCard::kElse;
  else if (takes("elseif"))
    card.kind = ConditionCard::kElseif;
  else
    return false;
  const char* const begin = p;
  if (card.kind == ConditionCard::kElse || card.kind == ConditionCard::kEndif)
    while (grammar::is_blank(*p)) ++p;
  else
    while (*p != '\n' && *p != ';' && *p != '$' && *p != '\\') ++p;
  if (*p != '\n' || grammar::is_continued(p, end)) return false;
  const bool has_condition = card.kind == ConditionCard::kIf || card.kind == ConditionCard::kElseif;
  card.rest = {begin, has_condition ? static_cast<size_t>(p - begin) : 0};
  card.end = p;
  return true;
}

}  // namespace gridiron
