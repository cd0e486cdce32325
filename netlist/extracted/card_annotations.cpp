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

/// Reads keys and values from left to right.
class AnnotationReader {
 public:
  explicit AnnotationReader(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  CardAnnotation read() {
    CardAnnotation found;
    std::string_view word_alone;
    while (at_ != end_) {
      if (!is_note_char(*at_)) {
        ++at_;
        continue;
      }
      const bool is_behind_sign = at_ != begin_ && at_[-1] == '$';
      const std::string_view key = word();
      if (takes_equals())
        read_value(key, found);
      else if (is_behind_sign && word_alone.empty() && is_layer_word(key))
        word_alone = key;
    }
    if (found.layer.empty()) found.layer = word_alone;
    return found;
  }

 private:
  void read_value(std::string_view key, CardAnnotation& found) {
    if (key.size() == 1) switch (key[0] | 0x20) {
        case 'a':
          found.has_area = true;
          break;
        case 'w':
          found.width_um = std::max(0.0, length().value_or(0));
          return;
        case 'x':
          found.x = word();
          return;
        case 'y':
          found.y = word();
          return;
        default:
          break;
      }
    const std::string_view value = word();
    if ((key.size() == 3 && same_name(key, "lvl")) || (key.size() == 5 && same_name(key, "layer"))) found.layer = value;
  }

  std::optional<double> length() {
    double digits = 0;
    const char* const behind = parse_fixed_decimal(at_, end_, digits);
    if (!behind || (behind != end_ && is_note_char(*behind))) return length_of(word());
    at_ = behind;
    return um_of(digits);
  }

  std::string_view word() {
    const char *const begin = at_, *const end = end_;
    const char* p = begin;
    while (p != end && is_note_char(*p)) ++p;
    at_ = p;
    return {begin, static_cast<size_t>(p - begin)};
  }

  /// With the blanks around it.
  bool takes_equals() {
    skip_blanks();
    if (at_ == end_ || *at_ != '=') return false;
    ++at_;
    skip_blanks();
    return true;
  }
  void skip_blanks() {
    while (at_ != end_ && grammar::is_blank(*at_)) ++at_;
  }

  static bool is_note_char(char c) { return kNoteChar[static_cast<unsigned char>(c)]; }

  const char* const begin_;
  const char* at_;
  const char* const end_;
};

}  // namespace

std::optional<double> CardAnnotation::x_um() const { return length_of(x); }

std::optional<double> CardAnnotation::y_um() const { return length_of(y); }

CardAnnotation read_annotation(std::string_view text) { return AnnotationReader(text).read(); }

}  // namespace gridiron
