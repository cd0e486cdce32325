// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/card_annotations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

namespace gridiron {
namespace {

/// What keys and values are made of.
constexpr std::array<bool, 256> kNoteChar = [] {
  std::array<bool, 256> table = grammar::kWordChar;
  table['$'] = false;
  return table;
}();

/// "metal2", "M3", "via1": what a word alone is only if it cannot be one of a text.
bool is_layer_word(std::string_view word) {
  if (word.empty() || ((word[0] | 0x20) != 'm' && (word[0] | 0x20) != 'v')) return false;
  const size_t letters = word.find_first_of("0123456789");
  if (letters == word.npos || word.find_first_not_of("0123456789", letters) != word.npos) return false;
  constexpr std::string_view kWords[] = {"m", "metal", "met", "me", "mt", "v", "via"};
  return std::ranges::any_of(kWords, [&](std::string_view w) { return same_name(word.substr(0, letters), w); });
}

/// Longer than any wire in metres, and shorter than any in µm.
constexpr double kLongestInMetres = 1e-4;

double um_of(double digits) { return std::abs(digits) < kLongestInMetres && digits != 0 ? digits * 1e6 : digits; }

/// µm; none for what is no length.
std::optional<double> length_of(std::string_view word) {
  double digits = 0;
  const char* const end = word.data() + word.size();
  if (word.empty()) return std::nullopt;
  if (parse_fixed_decimal(word.data(), end, digits) == end) return um_of(digits);
  const char* const letters = parse_decimal(word.data(), end, digits);
  if (!letters || !std::isfinite(digits)) return std::nullopt;
  if (letters == end) return um_of(digits);
  const std::optional<double> metres = quantity(word, Quantity::length);
  return metres ? std::optional(*metres * 1e6) : std::nullopt;
}

bool is_note_char(char c) { return kNoteChar[static_cast<unsigned char>(c)]; }

const char* end_of_word(const char* at, const char* end) {
  while (at != end && is_note_char(*at)) ++at;
  return at;
}
const char* behind_blanks(const char* at, const char* end) {
  while (at != end && grammar::is_blank(*at)) ++at;
  return at;
}
std::string_view word_at(const char* at, const char* end) {
  return {at, static_cast<size_t>(end_of_word(at, end) - at)};
}

std::optional<double> length_at(const char* at, const char* end) {
  double digits = 0;
  const char* const behind = parse_fixed_decimal(at, end, digits);
  return behind && (behind == end || !is_note_char(*behind)) ? um_of(digits) : length_of(word_at(at, end));
}

void take_value(std::string_view key, const char* value, const char* end, CardAnnotation& found) {
  if (key.size() == 1) switch (key[0] | 0x20) {
      case 'a':
        found.has_area = true;
        break;
      case 'w':
        found.width_um = std::max(0.0, length_at(value, end).value_or(0));
        break;
      case 'x':
        found.x = {value, static_cast<size_t>(end - value)};
        break;
      case 'y':
        found.y = {value, static_cast<size_t>(end - value)};
        break;
      default:
        break;
    }
  else if ((key.size() == 3 && same_name(key, "lvl")) || (key.size() == 5 && same_name(key, "layer")))
    found.layer = word_at(value, end);
}

/// The first word behind a '$' that is one of a layer, and no key.
std::string_view layer_alone(const char* at, const char* end) {
  while ((at = static_cast<const char*>(std::memchr(at, '$', static_cast<size_t>(end - at))))) {
    const std::string_view word = word_at(++at, end);
    const char* const next = behind_blanks(word.data() + word.size(), end);
    if (is_layer_word(word) && (next == end || *next != '=')) return word;
  }
  return {};
}

}  // namespace

std::optional<double> CardAnnotation::x_um() const { return length_at(x.data(), x.data() + x.size()); }

std::optional<double> CardAnnotation::y_um() const { return length_at(y.data(), y.data() + y.size()); }

CardAnnotation read_annotation(std::string_view text) {
  CardAnnotation found;
  const char *const begin = text.data(), *const end = begin + text.size();
  const char* value = begin;  // of the last key, which is no key
  for (const char* sign = begin; (sign = static_cast<const char*>(std::memchr(sign, '=', end - sign))); ++sign) {
    const char* key_end = sign;
    while (key_end > value && grammar::is_blank(key_end[-1])) --key_end;
    const char* key = key_end;
    while (key > value && is_note_char(key[-1])) --key;
    if (key == key_end || (key == value && value != begin)) continue;
    value = behind_blanks(sign + 1, end);
    take_value({key, static_cast<size_t>(key_end - key)}, value, end, found);
  }
  if (found.layer.empty()) found.layer = layer_alone(begin, end);
  return found;
}

}  // namespace gridiron
