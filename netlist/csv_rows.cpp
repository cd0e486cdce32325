// SPDX-License-Identifier: Apache-2.0
#include "netlist/csv_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

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

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/// `power_w`, `current (mA)`, `I[uA]`; `W` and `milliamps` alone; `load %`. Words such as `v0` and `second` are names
/// of vectors.
bool names_other_unit(std::string_view header) {
  if (header.find('%') != header.npos) return true;
  std::string_view text = header;
  while (!text.empty() && !is_letter(text.back())) text.remove_suffix(1);
  const auto begin = std::find_if_not(text.rbegin(), text.rend(), is_letter).base();
  const std::string_view unit(begin, text.end());
  const bool is_alone = unit.size() == header.size(),
             is_after = begin != text.begin() && std::string_view("_ ([/").find(begin[-1]) != std::string_view::npos;
  if (unit.empty() || !(is_alone || is_after)) return false;
  for (const char* ampere : {"a", "amp", "amps", "ampere", "amperes"})
    if (same_name(unit, ampere)) return false;
  for (const char* word :
       {"power", "voltage", "percent", "watts", "milliamps", "microamps", "milliampere", "milliwatts"})
    if (same_name(unit, word)) return true;
  const std::optional<Quantity> quantity = measured_by(unit);
  if (!is_alone) return quantity.has_value();
  return quantity == Quantity::current || quantity == Quantity::voltage || quantity == Quantity::power;
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
