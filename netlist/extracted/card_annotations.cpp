// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/card_annotations.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
  const size_t letters = word.find_first_of("0123456789");
  if (letters == word.npos || word.find_first_not_of("0123456789", letters) != word.npos) return false;
  constexpr std::string_view kWords[] = {"m", "metal", "met", "me", "mt", "v", "via"};
  return std::ranges::any_of(kWords, [&](std::string_view w) { return same_name(word.substr(0, letters), w); });
}

/// Longer than any wire in metres, and shorter than any in µm.
constexpr double kLongestInMetres = 1e-4;

/// µm; none for what is no length.
std::optional<double> length_of(std::string_view word) {
  double digits = 0;
  const char* const end = word.data() + word.size();
  const char* const letters = parse_decimal(word.data(), end, digits);
  if (!letters || !std::isfinite(digits)) return std::nullopt;
  if (letters == end) return std::abs(digits) < kLongestInMetres && digits != 0 ? digits * 1e6 : digits;
  const std::optional<double> metres = quantity(word, Quantity::length);
  return metres ? std::optional(*metres * 1e6) : std::nullopt;
}

}  // namespace

CardAnnotation read_annotation(std::string_view text) {
  CardAnnotation found;
  const char* at = text.data();
  const char* const end = at + text.size();
  std::string_view word_alone;
  const auto word = [&] {
    const char* const begin = at;
    while (at != end && kNoteChar[static_cast<unsigned char>(*at)]) ++at;
    return std::string_view(begin, static_cast<size_t>(at - begin));
  };
  const auto skip_blanks = [&] {
    while (at != end && grammar::is_blank(*at)) ++at;
  };
  while (at != end) {
    while (at != end && !kNoteChar[static_cast<unsigned char>(*at)]) ++at;
    const bool is_behind_sign = at != text.data() && at[-1] == '$';
    const std::string_view key = word();
    skip_blanks();
    if (at == end || *at != '=') {
      if (is_behind_sign && word_alone.empty() && is_layer_word(key)) word_alone = key;
      continue;
    }
    ++at;
    skip_blanks();
    const std::string_view value = word();
    if (key.size() == 1) switch (key[0] | 0x20) {
        case 'a':
          found.has_area = true;
          break;
        case 'w':
          found.width_um = std::max(0.0, length_of(value).value_or(0));
          break;
        case 'x':
          found.x_um = length_of(value);
          break;
        case 'y':
          found.y_um = length_of(value);
          break;
        default:
          break;
      }
    else if ((key.size() == 3 && same_name(key, "lvl")) || (key.size() == 5 && same_name(key, "layer")))
      found.layer = value;
  }
  if (found.layer.empty()) found.layer = word_alone;
  return found;
}

}  // namespace gridiron
