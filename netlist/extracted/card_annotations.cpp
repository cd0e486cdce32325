// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/card_annotations.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/quantity.hpp"
#include "netlist/values/spice_number.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/// µm; NaN for what is no length.
double length_of(std::string_view word) {
  double digits = 0;
  const char* const end = word.data() + word.size();
  if (word.empty()) return NAN;
  if (parse_fixed_decimal(word.data(), end, digits) == end) return um_of(digits);
  const char* const letters = parse_decimal(word.data(), end, digits);
  if (!letters || !std::isfinite(digits)) return NAN;
  if (letters == end) return um_of(digits);
  return quantity(word, Quantity::length).value_or(NAN) * 1e6;
}

bool is_note_char(char c) { return kNoteChar[static_cast<unsigned char>(c)]; }

/// Ends of texts: a text that ends with a newline is read without looking where it ends.
struct AtNewline {
  friend bool operator==(const char*, AtNewline) { return false; }
};

template <class End>
const char* end_of_word(const char* at, End end) {
  while (at != end && is_note_char(*at)) ++at;
  return at;
}
template <class End>
const char* behind_blanks(const char* at, End end) {
  while (at != end && grammar::is_blank(*at)) ++at;
  return at;
}

/// Whether a key is that word of lower-case letters.
bool is_key(std::string_view key, std::string_view word) {
  if (key.size() != word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i)
    if ((key[i] | 0x20) != word[i]) return false;
  return true;
}

/// Where some characters are in the next ones, a bit for each.
struct Signs {
  static constexpr ptrdiff_t kLength = 64;
  uint64_t dollars = 0, assigned = 0;
  int length = 0;  ///< of what can be annotations

  /// False if these do not end there, or where this takes longer than to look at one after the other.
  bool find(const char* at) {
#ifdef __SSE2__
    uint64_t ends = 0;
    for (int i = 0; i < kLength; i += 16) {
      const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i));
      const auto are = [text](char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
      const auto bits_of = [](__m128i where) { return uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(where))}; };
      dollars |= bits_of(are('$')) << i;
      assigned |= bits_of(are('=')) << i;
      ends |= bits_of(_mm_or_si128(are('\n'), are(';'))) << i;
    }
    if (ends == 0) return false;
    length = std::countr_zero(ends);
    const uint64_t of_line = (uint64_t{1} << length) - 1;
    dollars &= of_line;
    assigned &= of_line;
    return true;
#else
    return at == nullptr;
#endif
  }
};

template <class End>
class AnnotationReader {
 public:
  /// `text_end`: behind which nothing is looked at, for words of numbers.
  AnnotationReader(const char* text_end, End end, CardAnnotation& found)
      : text_end_(text_end), end_(end), found_(found) {}

  /// Up to the newline or the end.
  const char* read(const char* at) {
    if (const char* const line_end = read_keys(at)) return line_end;
    found_ = {};
    std::string_view layer_alone;  // the first word behind a '$' that is one of a layer, and no key
    const char* const begin = at;
    while (at != end_ && *at != '\n' && *at != ';') {
      if (*at++ != '$') continue;
      if (at == end_ || grammar::is_blank(*at)) break;
      const char* const word = at;
      at = end_of_word(at, end_);
      const std::string_view key(word, static_cast<size_t>(at - word));
      at = behind_blanks(at, end_);
      if (at != end_ && *at == '=') {
        at = behind_blanks(at + 1, end_);
        take(key, at);
        at = end_of_word(at, end_);
      } else if (layer_alone.empty() && is_layer_word(key) && stands_alone(begin, word, at)) {
        layer_alone = key;
      }
    }
    if (found_.layer.empty()) found_.layer = layer_alone;
    while (at != end_ && *at != '\n') ++at;
    return at;
  }

 private:
  /// Whether the `$` before `word` begins a word, and only another `$` or the end of the line follows at `behind`.
  bool stands_alone(const char* begin, const char* word, const char* behind) const {
    const bool begins = word - begin < 2 || !grammar::is_word_char(word[-2]);
    return begins && (behind == end_ || *behind == '\n' || *behind == ';' || *behind == '$');
  }

  /// The same of short ones in which each `$` is followed by a key and its value; null for all others.
  const char* read_keys(const char* at) {
    Signs signs;
    if (text_end_ - at < Signs::kLength || !signs.find(at)) return nullptr;
    const char* const line_end = at + signs.length;
    if (*line_end != '\n') return nullptr;
    const uint64_t letters = signs.dollars & signs.assigned >> 2;  // keys of one
    uint64_t assigned = signs.assigned & ~(letters << 2);
    for (uint64_t dollars = signs.dollars & ~letters; dollars != 0; dollars &= dollars - 1, assigned &= assigned - 1) {
      if (assigned == 0) return nullptr;
      const int dollar = std::countr_zero(dollars), equals = std::countr_zero(assigned);
      const uint64_t between = signs.dollars >> dollar & ((uint64_t{1} << (equals > dollar ? equals - dollar : 0)) - 1);
      const char *const key = at + dollar + 1, *const key_end = at + equals;
      if (between != 1 || end_of_word(key, key_end) != key_end || key == key_end) return nullptr;
      take_word({key, static_cast<size_t>(key_end - key)}, behind_blanks(key_end + 1, line_end));
    }
    if (assigned != 0) return nullptr;
    for (uint64_t dollars = letters; dollars != 0; dollars &= dollars - 1) {
      const char* const key = at + std::countr_zero(dollars) + 1;
      if (!is_note_char(*key)) return nullptr;
      take_letter(*key, grammar::is_blank(key[2]) ? behind_blanks(key + 2, line_end) : key + 2);
    }
    return line_end;
  }

  /// What a key has for its value.
  void take(std::string_view key, const char* value) {
    if (key.size() == 1) return take_letter(key[0], value);
    take_word(key, value);
  }
  void take_letter(char key, const char* value) {
    switch (key | 0x20) {
      case 'a':
        found_.has_area = true;
        break;
      case 'w':
        found_.width = value;
        found_.width_um = length_from(value);
        break;
      case 'x':
        found_.x = value;
        break;
      case 'y':
        found_.y = value;
        break;
      default:
        break;
    }
  }
  void take_word(std::string_view key, const char* value) {
    if (is_key(key, "layer") || is_key(key, "lvl"))
      found_.layer = {value, static_cast<size_t>(end_of_word(value, end_) - value)};
    else if (key.size() == 2 && key[1] == '2' && (key[0] | 0x20) >= 'x')
      ((key[0] | 0x20) == 'x' ? found_.x2 : found_.y2) = value;
  }
  double length_from(const char* value) {
    double digits = 0;
    const char* const behind = parse_fixed_decimal(value, text_end_, digits);
    if (behind && (behind == text_end_ || !is_note_char(*behind))) return um_of(digits);
    return length_of({value, static_cast<size_t>(end_of_word(value, end_) - value)});
  }

  const char* const text_end_;
  const End end_;
  CardAnnotation& found_;
};

/// What a later line of a card tells.
void add(const CardAnnotation& more, CardAnnotation& to) {
  if (more.width) to.width = more.width, to.width_um = more.width_um;
  if (!more.layer.empty()) to.layer = more.layer;
  to.has_area |= more.has_area;
  for (const char* CardAnnotation::*const text :
       {&CardAnnotation::x, &CardAnnotation::y, &CardAnnotation::x2, &CardAnnotation::y2})
    if (more.*text) to.*text = more.*text;
}

/// Behind so many words at most, of which those that were passed are taken off.
const char* behind_words(const char* at, const char* line_end, int& words) {
  while (words > 0) {
    at = behind_blanks(at, line_end);
    if (at == line_end || *at == '\\') break;
    while (at != line_end && !grammar::is_blank(*at)) ++at;
    --words;
  }
  return at;
}

/// Where a card goes on whose line ends with two backslashes, behind no comment; null where it does not.
const char* behind_joined_line(const char* at, const char* line_end, const char* end) {
  const char* last = line_end;
  while (last != at && grammar::is_blank(last[-1])) --last;
  if (last - at < 2 || last[-1] != '\\' || last[-2] != '\\') return nullptr;
  if (std::find_if(at, last, [](char c) { return c == '$' || c == ';'; }) != last) return nullptr;
  return grammar::behind_backslashes(last - 2, end);
}

/// Of two values that stand somewhere before `end`.
std::optional<WrittenPlace> place_at(const char* x, const char* y, const char* end) {
  if (!x || !y) return std::nullopt;
  const auto word = [end](const char* at) {
    return std::string_view(at, static_cast<size_t>(end_of_word(at, end) - at));
  };
  return written_place(word(x), word(y));
}

}  // namespace

std::optional<WrittenPlace> CardAnnotation::place() const { return place_at(x, y, end); }

std::optional<WrittenPlace> CardAnnotation::second_place() const { return x2 || y2 ? place_at(x2, y2, end) : place(); }

const char* read_annotation(const char* at, const char* end, CardAnnotation& found) {
  if (at == end || end[-1] != '\n') return AnnotationReader(end, end, found).read(at);
  return AnnotationReader(end, AtNewline(), found).read(at);
}

CardAnnotation annotation_of_card(std::string_view text) {
  CardAnnotation all;
  all.end = text.data() + text.size();
  const char *at = text.data(), *const end = at + text.size();
  int names = 3;  // of the resistor and its nodes, in which a '$' may be
  while (at) {
    const char* const line_end = std::find(at, end, '\n');
    at = behind_words(at, line_end, names);
    CardAnnotation found;
    read_annotation(at, line_end, found);
    add(found, all);
    if (line_end == end) break;
    const char* const next = grammar::continuation(line_end, end);
    at = next ? next : behind_joined_line(at, line_end, end);
  }
  return all;
}

}  // namespace gridiron
