// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/csv_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>

#include "netlist/names/name_table.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

CsvRows::CsvRows(const SourceText& source)
    : CsvRows(source, source.text().size() - without_byte_order_mark(source.text()).size(), source.text().size()) {}

CsvRows::CsvRows(const SourceText& source, size_t begin, size_t end)
    : source_(source),
      at_(source.text().data() + begin),
      end_(source.text().data() + end),
      line_start_(source.text().data()) {}

namespace {

bool is_letter(char c) { return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || static_cast<unsigned char>(c) >= 0x80; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view other) { return same_name(word, other); });
}
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return is_one_of(word, std::span(words.begin(), words.size()));
}

constexpr std::array<std::string_view, 5> kAmperes = {"a", "amp", "amps", "ampere", "amperes"};
constexpr std::array<std::string_view, 7> kPrefixes = {"milli", "micro", "nano", "pico", "femto", "kilo", "mega"};

/// `milliamps`, `milliA`, `kilowatt`, `volts`; but for amperes.
bool spells_other_unit(std::string_view word) {
  const auto prefix = std::ranges::find_if(
      kPrefixes, [&](std::string_view p) { return word.size() > p.size() && same_name(word.substr(0, p.size()), p); });
  const bool is_scaled = prefix != kPrefixes.end();
  if (is_scaled) word.remove_prefix(prefix->size());
  if (is_one_of(word, kAmperes)) return is_scaled;
  return is_one_of(word, {"watt", "watts", "volt", "volts"}) || (is_scaled && is_one_of(word, {"w", "v"}));
}

/// `mA`, `kW`, `uV`, spelled as units are; also as the end of `currentmA` and `ImA`. A letter alone may be a name.
bool is_scaled_unit(std::string_view word) {
  if (word.size() < 2) return false;
  const std::string_view unit = word.substr(word.size() - 2);
  const bool is_unit = std::string_view("munpk").find(unit[0]) != std::string_view::npos &&
                       std::string_view("AWV").find(unit[1]) != std::string_view::npos;
  if (word.size() == 2) return is_unit;
  const char before = word[word.size() - 3];
  if (is_unit) return (before >= 'a' && before <= 'z') || word.size() == 3;
  const std::optional<Quantity> quantity = measured_by(word);  // µA
  return static_cast<unsigned char>(word.front()) >= 0x80 &&
         (quantity == Quantity::current || quantity == Quantity::voltage || quantity == Quantity::power);
}

bool is_unit_of_electricity(std::string_view word) {
  const std::optional<Quantity> quantity = measured_by(word);
  return quantity == Quantity::current || quantity == Quantity::voltage || quantity == Quantity::power;
}

/// A word of a header, and what stands around it.
struct HeaderWord {
  std::string_view text;
  char before = 0, after = 0;  ///< 0 at the ends of the header
};

std::vector<HeaderWord> words_of(std::string_view header) {
  std::vector<HeaderWord> words;
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c); };
  for (size_t at = 0; at < header.size(); ++at) {
    if (!is_part(header[at])) continue;
    const size_t begin = at;
    while (at < header.size() && is_part(header[at])) ++at;
    words.push_back({header.substr(begin, at - begin), begin > 0 ? header[begin - 1] : '\0',
                     at < header.size() ? header[at] : '\0'});
  }
  return words;
}

/// `power_w`, `current (mA)`, `P(W)_typ`, `milli amps`; `W`, `power` and `milliamps` alone; `load %`. Not `v0`,
/// `vec_W`, `low_power`, `0.9 V` and `util 80%`, which are names of vectors.
bool names_other_unit(std::string_view header) {
  const size_t percent = header.find('%');
  if (percent != header.npos && (percent == 0 || !is_digit(header[percent - 1]))) return true;
  const std::vector<HeaderWord> words = words_of(header);
  bool is_of_quantity = false, is_after_number = false;
  for (size_t k = 0; k < words.size(); ++k) {
    const auto [word, before, after] = words[k];
    if (std::ranges::any_of(word, is_digit)) {
      is_after_number = true;
      continue;
    }
    const bool is_alone = words.size() == 1, is_last = k + 1 == words.size(),
               is_bracketed = std::string_view("([{/").find(before) != std::string_view::npos && before != 0;
    const bool is_value = is_after_number && !is_bracketed;  // 0.9 V
    is_after_number = false;
    if (is_one_of(word, kPrefixes) && !is_last && is_one_of(words[k + 1].text, kAmperes)) return true;
    if (is_value) continue;
    if (spells_other_unit(word) || is_scaled_unit(word)) return true;
    if (is_alone && is_one_of(word, {"power", "pwr", "voltage", "percent"})) return true;
    const bool is_plain_ampere = is_one_of(word, kAmperes);
    if ((is_alone || is_bracketed || (is_last && (is_of_quantity || word.size() > 1))) && !is_plain_ampere &&
        is_unit_of_electricity(word))
      return true;
    is_of_quantity |=
        is_one_of(word, {"power", "pwr", "p", "voltage", "current", "i", "load", "loads", "least", "most"});
  }
  return false;
}

}  // namespace

void CsvRows::require_amperes(std::string_view values) const {
  for (const Field& field : fields_)
    if (names_other_unit(field.text))
      fail(field.where, fmt::format("{:?}: {} are amperes; convert them, and name the column without another unit",
                                    field.text, values));
}

void CsvRows::fail(const char* where, std::string_view what) const {
  throw input_error("{}: {}", source_.describe(static_cast<uint64_t>(where - source_.text().data())), what);
}

bool CsvRows::next() {
  while (at_ != end_) {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    if (at_ == end_) return false;
    if (*at_ == '#') at_ = std::find(at_, end_, '\n');
    if (at_ == end_) return false;
    if (*at_ == '\n') {
      ++at_;
      continue;
    }
    fields_.clear();
    unquoted_.clear();
    while (read_field()) {
    }
    return true;
  }
  return false;
}

/// Reads one field and the comma after it; false at the end of the row.
bool CsvRows::read_field() {
  while (at_ != end_ && is_blank(*at_)) ++at_;
  if (at_ != end_ && *at_ == '"') {
    read_quoted();
  } else {
    const char* const first = at_;
    while (at_ != end_ && *at_ != ',' && *at_ != '\n' && *at_ != '"') ++at_;
    if (at_ != end_ && *at_ == '"') fail(at_, "a quote within a field; put quotes around the whole field");
    const char* last = at_;
    while (last != first && is_blank(last[-1])) --last;
    fields_.push_back({{first, static_cast<size_t>(last - first)}, first});
  }
  if (at_ == end_) return false;
  return *at_++ == ',';
}

void CsvRows::read_quoted() {
  const char* const start = at_++;
  std::string text;
  for (;; ++at_) {
    if (at_ == end_ || *at_ == '\n') fail(start, "a quoted field without its closing quote on the same line");
    if (*at_ == '"' && (at_ + 1 == end_ || at_[1] != '"')) break;
    if (*at_ == '"') ++at_;
    text += *at_;
  }
  ++at_;
  while (at_ != end_ && is_blank(*at_)) ++at_;
  if (at_ != end_ && *at_ != ',' && *at_ != '\n') fail(at_, "expected a comma after the closing quote");
  unquoted_.push_back(std::make_unique<std::string>(std::move(text)));
  fields_.push_back({*unquoted_.back(), start});
}

void CsvRows::note(Reading reading, const char* where, AttoNumbers& numbers) {
  if (reading != Reading::atto || numbers.count++ > 0) return;
  const Place at = place(where);
  numbers.place = fmt::format("{}:{}:{}", source_.path(), at.line, at.column);
}

CsvRows::Place CsvRows::place(const char* where) {
  for (const char* end = line_start_; (end = std::find(end, where, '\n')) != where;) {
    line_start_ = ++end;
    ++line_;
  }
  return {line_, where - line_start_ + 1};
}

}  // namespace gridiron
