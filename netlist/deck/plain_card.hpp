// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "netlist/grammar/primitives.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {

/// The usual card, `name node node number` on a line of its own.
struct PlainCard {
  ast::Text a, b, unit;
  double value = 0;
  const char* behind_nodes = nullptr;  ///< also of a card that has two nodes and is not plain
  const char* end = nullptr;           ///< its newline
};

/// Whether a card that is not plain would be without what stands behind a `$`; moves `end` to the newline. `end` of the
/// text follows one. Internal to netlist/.
inline bool ends_with_annotation(PlainCard& card, const char* end) {
  if (!card.end || *card.end != '$') return false;
  card.end = static_cast<const char*>(std::memchr(card.end, '\n', static_cast<size_t>(end - card.end)));
  return !grammar::is_continued(card.end, end);
}

/// False for any other card. `end` follows a newline, so that no word runs over it. Internal to netlist/.
inline bool parse_plain(const char* p, const char* end, PlainCard& card) {
  const auto word = [&p] {
    const char* const begin = p;
    while (grammar::is_word_char(*p)) ++p;
    return ast::Text(begin, p - begin);
  };
  const auto is_at_word = [&p] {
    if (!grammar::is_blank(*p)) return false;
    do ++p;
    while (grammar::is_blank(*p));
    return *p != '$' && grammar::is_word_char(*p);
  };
  word();
  if (!is_at_word()) return false;
  card.a = word();
  if (!is_at_word()) return false;
  card.b = word();
  card.behind_nodes = p;
  if (!is_at_word() || !(p = parse_decimal(p, end, card.value))) return false;
  const char* const letters = p;
  if (!grammar::is_blank(*p) && *p != '\n') p = end_of_digits_behind(letters, end_of_letters(letters, end), end);
  card.unit = {letters, static_cast<size_t>(p - letters)};
  while (grammar::is_blank(*p)) ++p;
  card.end = p;
  return *p == '\n' && !grammar::is_continued(p, end);
}

}  // namespace gridiron
