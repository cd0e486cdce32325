// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/grammar/primitives.hpp"

namespace gridiron {

/// The card `name node node {expression}`, or with a name as its value, on a line of its own.
struct PlainExpression {
  ast::Text a, b, text;
  bool is_name = false;
  const char* end = nullptr;  ///< its newline
};

/// False for any other card. `end` follows a newline, so that no word runs over it. Internal to netlist/.
inline bool parse_plain_expression(const char* p, const char* end, PlainExpression& card) {
  const auto word = [&p] {
    const char* const begin = p;
    while (grammar::is_word_char(*p)) ++p;
    return ast::Text(begin, p - begin);
  };
  const auto is_behind_blanks = [&p] {
    if (!grammar::is_blank(*p)) return false;
    do ++p;
    while (grammar::is_blank(*p));
    return *p != '$' && *p != ';';
  };
  const auto is_at_word = [&] { return is_behind_blanks() && grammar::is_word_char(*p); };
  word();
  if (!is_at_word()) return false;
  card.a = word();
  if (!is_at_word()) return false;
  card.b = word();
  if (!is_behind_blanks()) return false;
  card.is_name = ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') || *p == '_';
  if (card.is_name)
    card.text = word();
  else if (!grammar::expression_text::read(p, end, card.text))
    return false;
  while (grammar::is_blank(*p)) ++p;
  card.end = p;
  return *p == '\n' && !grammar::continuation(p, end);
}

}  // namespace gridiron
