// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/source_text.hpp"
#include "netlist/values/quantity.hpp"

namespace gridiron {

/// The rows of a CSV file, one after the other. Rows that are empty or begin with # are comments. A field between
/// quotes may hold commas, and a quote as "". Internal to netlist/.
class CsvRows {
 public:
  struct Field {
    std::string_view text;  ///< without surrounding blanks and quotes
    const char* where;
  };
  struct Place {
    int64_t line, column;  ///< both from 1
  };

  explicit CsvRows(const SourceText& source);
  /// Of the lines of a text from `begin` to `end`.
  CsvRows(const SourceText& source, size_t begin, size_t end);

  /// Reads the fields of the next row; false at the end of the file. Errors: InputError for misplaced quotes.
  bool next();
  /// Of the current row, at least one.
  const std::vector<Field>& fields() const { return fields_; }

  /// Where the next row is looked for.
  size_t offset() const { return static_cast<size_t>(at_ - source_.text().data()); }
  /// Of rows from the top to the bottom.
  Place place(const char* where);

  /// Counts a number that was read so, if it has `a` before its unit.
  void note(Reading reading, const char* where, AttoNumbers& numbers);

  /// Refuses fields of a header that name another unit than ampere, such as `power_w`, `current (mA)` or `W`, since
  /// `values` are amperes. Errors: InputError.
  void require_amperes(std::string_view values) const;

  /// Errors: InputError that begins with file:line:column.
  [[noreturn]] void fail(const char* where, std::string_view what) const;

 private:
  bool read_field();
  void read_quoted();

  const SourceText& source_;
  const char* at_;
  const char* end_;
  const char* line_start_;
  int64_t line_ = 1;
  std::vector<Field> fields_;
  std::vector<std::unique_ptr<std::string>> unquoted_;  ///< unquoted texts of this row's quoted fields
};

}  // namespace gridiron
