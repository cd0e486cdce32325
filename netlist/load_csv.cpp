// SPDX-License-Identifier: Apache-2.0
#include "netlist/load_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "netlist/name_table.hpp"
#include "netlist/source_text.hpp"
#include "netlist/spice_number.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

struct Field {
  std::string_view text;  ///< without surrounding blanks and quotes
  const char* where;
};

class CsvLoads {
 public:
  explicit CsvLoads(const SourceText& source)
      : source_(source), at_(source.text().data()), end_(at_ + source.text().size()), line_start_(at_) {
    table_.path = source.path();
    if (source.text().starts_with("\xef\xbb\xbf")) at_ += 3;
  }

  LoadTable read() {
    bool is_first = true;
    while (next_row()) {
      const bool is_header = is_first && reads_as_header();
      is_first = false;
      if (!is_header) add_row();
    }
    if (table_.names.empty())
      throw InputError(fmt::format(
          "{}: no load in this file; give a row per current source: its name, then its amperes", source_.path()));
    transpose();
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(const char* where, std::string_view what) const {
    throw InputError(
        fmt::format("{}: {}", source_.describe(static_cast<std::uint64_t>(where - source_.text().data())), what));
  }

  /// Reads the fields of the next row that is neither empty nor a comment.
  bool next_row() {
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
  bool read_field() {
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

  void read_quoted() {
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

  bool reads_as_header() const {
    const std::string_view name = fields_[0].text;
    for (const char* word : {"", "name", "names", "source", "sources", "instance", "instances"})
      if (same_name(name, word)) return true;
    const char initial = static_cast<char>(name[0] | 0x20);
    return initial != 'i' && initial != 'x' &&
           std::none_of(fields_.begin() + 1, fields_.end(), [](const Field& f) { return spice_number(f.text); });
  }

  void add_row() {
    const Field& name = fields_[0];
    if (name.text.empty()) fail(name.where, "a row without a name; begin it with the name of a current source");
    const auto values = static_cast<std::int64_t>(fields_.size()) - 1;
    if (values == 0) fail(name.where, fmt::format("no value after {:?}; a row reads like i1,1m,2m", name.text));
    if (table_.names.empty()) table_.vectors = values;
    if (values != table_.vectors)
      fail(name.where, fmt::format("{} values for {:?}, but {} in the first row; give every source one value per load "
                                   "vector",
                                   values, name.text, table_.vectors));
    const std::int32_t id = seen_.intern(name.text);
    if (id != static_cast<std::int32_t>(table_.names.size()))
      fail(name.where, fmt::format("{:?} is named twice; keep one of its rows", name.text));
    table_.names.emplace_back(name.text);
    table_.rows.push_back(row_at(name.where));
    for (std::size_t f = 1; f < fields_.size(); ++f) {
      const std::optional<double> value = spice_number(fields_[f].text);
      if (!value || !std::isfinite(*value))
        fail(fields_[f].where,
             fmt::format("expected a finite number of amperes, like 1.5m, not {:?}", fields_[f].text));
      by_rows_.push_back(*value);
    }
  }

  /// Of rows from the top to the bottom.
  LoadTable::Row row_at(const char* where) {
    for (const char* end = line_start_; (end = std::find(end, where, '\n')) != where;) {
      line_start_ = ++end;
      ++line_;
    }
    return {line_, where - line_start_ + 1};
  }

  void transpose() {
    const std::size_t n = table_.names.size(), k = static_cast<std::size_t>(table_.vectors);
    table_.amperes.resize(n * k);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < k; ++j) table_.amperes[j * n + i] = by_rows_[i * k + j];
  }

  const SourceText& source_;
  const char* at_;
  const char* end_;
  const char* line_start_;
  std::int64_t line_ = 1;
  std::vector<Field> fields_;
  std::vector<std::unique_ptr<std::string>> unquoted_;  ///< unquoted texts of this row's quoted fields
  NameTable seen_;
  std::vector<double> by_rows_;
  LoadTable table_;
};

}  // namespace

LoadTable read_load_csv(const std::string& path) { return CsvLoads(*SourceText::open(path)).read(); }

}  // namespace gridiron
