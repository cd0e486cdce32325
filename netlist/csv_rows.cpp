// SPDX-License-Identifier: Apache-2.0
#include "netlist/csv_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "netlist/name_table.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

CsvRows::CsvRows(const SourceText& source)
    : source_(source), at_(source.text().data()), end_(at_ + source.text().size()), line_start_(at_) {
  if (source.text().starts_with("\xef\xbb\xbf")) at_ += 3;
}

namespace {

bool is_letter(char c) { return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || static_cast<unsigned char>(c) >= 0x80; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view other) { return same_name(word, other); });
}

/// `milliamps`, `kilowatt`, `volts`; but for amperes.
bool spells_other_unit(std::string_view word) {
  bool is_scaled = false;
  for (const std::string_view prefix : {"milli", "micro", "nano", "pico", "femto", "kilo", "mega"})
    if (!is_scaled && word.size() > prefix.size() && same_name(word.substr(0, prefix.size()), prefix)) {
      word.remove_prefix(prefix.size());
      is_scaled = true;
    }
  if (is_one_of(word, {"amp", "amps", "ampere", "amperes"})) return is_scaled;
  return is_one_of(word, {"watt", "watts", "volt", "volts"});
}

/// `mA`, `kW`, `V`, spelled as units are; `current_mA` is a word of it, `currentmA` ends with one.
bool is_other_unit(std::string_view word) {
  const std::optional<Quantity> quantity = measured_by(word);
  const char sign = word.back();
  if (quantity == Quantity::power) return sign == 'W';
  if (quantity == Quantity::voltage) return sign == 'V';
  return quantity == Quantity::current && sign == 'A' && word.size() > 1 &&
         !(word.front() >= 'A' && word.front() <= 'Z');
}
bool ends_with_unit(std::string_view word) {
  if (word.size() < 3) return false;
  const std::string_view unit = word.substr(word.size() - 2);
  const char before = word[word.size() - 3];
  return before >= 'a' && before <= 'z' && std::string_view("munpk").find(unit[0]) != std::string_view::npos &&
         (unit[1] == 'A' || unit[1] == 'W' || unit[1] == 'V');
}

/// The last word of a header, or the only one, where case does not matter.
bool ends_as_other_unit(std::string_view word, bool is_alone) {
  if (is_one_of(word, {"a", "amp", "amps", "ampere", "amperes"})) return false;
  if (is_one_of(word, {"power", "voltage", "percent"})) return true;
  const std::optional<Quantity> quantity = measured_by(word);
  if (!is_alone) return quantity.has_value();
  return quantity == Quantity::current || quantity == Quantity::voltage || quantity == Quantity::power;
}

/// `power_w`, `current (mA)`, `P(W)_typ`; `W` and `milliamps` alone; `load %`. Words such as `v0` and `second` are
/// names of vectors.
bool names_other_unit(std::string_view header) {
  if (header.find('%') != header.npos) return true;
  while (!header.empty() && !is_letter(header.back()) && !is_digit(header.back())) header.remove_suffix(1);
  for (std::size_t at = 0; at < header.size();) {
    const std::size_t begin = at;
    while (at < header.size() && (is_letter(header[at]) || is_digit(header[at]))) ++at;
    const std::string_view word = header.substr(begin, at - begin);
    if (word.empty()) {
      ++at;
      continue;
    }
    if (std::ranges::any_of(word, is_digit)) continue;
    if (spells_other_unit(word) || is_other_unit(word) || ends_with_unit(word)) return true;
    if (at == header.size() && ends_as_other_unit(word, begin == 0)) return true;
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
  throw InputError(
      fmt::format("{}: {}", source_.describe(static_cast<std::uint64_t>(where - source_.text().data())), what));
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
    fields_.push_back({{first, static_cast<std::size_t>(last - first)}, first});
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
