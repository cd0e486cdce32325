// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "netlist/grammar/primitives.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {

/// The usual card, `name node node number` on a line of its own.
struct PlainCard {
  ast::Text a, b, unit;
  double value = 0;
  const char* behind_nodes = nullptr;  ///< also of a card that has two nodes and is not plain
  const char* end = nullptr;           ///< its newline, or what stands where that would be
};

/// Whether a card that is not plain might be without what stands behind the `$` at its `end`. Internal to netlist/.
inline bool is_annotated(const PlainCard& card) { return card.end && *card.end == '$'; }

inline constexpr ptrdiff_t kBytesPerCard = 40;  ///< of a resistor, about

/// Of a text that begins with a card: kBytesPerCard unless its first lines have much longer ones, with what stands
/// behind and between them.
inline ptrdiff_t bytes_per_card(const char* begin, const char* end) {
  constexpr ptrdiff_t kSample = 4096, kLong = 2 * kBytesPerCard, kMost = 5 * kBytesPerCard;
  const std::string_view sample(begin, static_cast<size_t>(std::min(kSample, end - begin)));
  ptrdiff_t cards = 1;
  for (size_t at = sample.find('\n'); at != sample.npos; at = sample.find('\n', at + 1))
    cards += at + 1 < sample.size() && sample[at + 1] >= 'A' ? 1 : 0;
  const ptrdiff_t bytes = std::ssize(sample) / cards;
  return bytes < kLong ? kBytesPerCard : std::min(bytes, kMost);
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
