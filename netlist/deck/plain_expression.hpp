// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "netlist/deck/plain_card.hpp"
#include "netlist/grammar/primitives.hpp"

namespace gridiron {

/// The card `name node node {expression}`, or with a name as its value, or behind the key of its value, as `R=1.5k`, on
/// a line of its own.
struct PlainExpression {
  ast::Value value;
  bool is_name = false;
  const char* end = nullptr;  ///< its newline
};

/// False for any other card; `plain` is what parse_plain() made of it. `key`: of the value, in lower case; 0 for none.
/// `end` follows a newline, so that no word runs over it. Internal to netlist/.
inline bool parse_plain_expression(const PlainCard& plain, const char* end, char key, PlainExpression& card) {
  const char* p = plain.behind_nodes;
  if (!p || !grammar::is_blank(*p)) return false;
  do ++p;
  while (grammar::is_blank(*p));
  if (*p == '$' || *p == ';') return false;
  const bool has_key = key != 0 && (*p | 0x20) == key && p[1] == '=';
  if (has_key) p += 2;
  const char* const begin = p;
  card.is_name = !has_key && (((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z') || *p == '_');
  if (card.is_name) {
    while (grammar::is_word_char(*p)) ++p;
    card.value.expression = {begin, static_cast<size_t>(p - begin)};
  } else if (*p == '{' || *p == '\'') {
    const char close = *p == '{' ? '}' : '\'';
    const auto* const newline = static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end - p)));
    p = static_cast<const char*>(std::memchr(p + 1, close, static_cast<size_t>(newline - p - 1)));
    if (!p || p == begin + 1) return false;
    card.value.expression = {begin + 1, static_cast<size_t>(p - begin - 1)};
    ++p;
  } else {
    const char* const letters = has_key ? parse_decimal(p, end, card.value.number) : nullptr;
    if (!letters) return false;
    p = end_of_digits_behind(letters, end_of_letters(letters, end), end);
    card.value.letters = {letters, static_cast<size_t>(p - letters)};
  }
  while (grammar::is_blank(*p)) ++p;
  card.end = p;
  return *p == '\n' && !grammar::is_continued(p, end);
}

}  // namespace gridiron
