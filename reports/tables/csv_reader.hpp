// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gridiron {

/// Reads a CSV text (RFC 4180) record by record.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : rest_(text) {}

  /// The next record; false at the end. Fields stay valid until the next call.
  bool next();
  const std::vector<std::string>& fields() const { return fields_; }
  /// Where the record began, counted from 1.
  int64_t line() const { return line_; }
  /// Whether the record ended within quotes, at the end of the text.
  bool is_cut_off() const { return is_cut_off_; }

 private:
  std::string_view rest_;
  std::vector<std::string> fields_;
  int64_t line_ = 0, next_line_ = 1;
  bool is_cut_off_ = false;
};

/// A name as append_csv_field() wrote it: without the apostrophe that keeps spreadsheets from running it.
std::string_view csv_name(std::string_view field);

}  // namespace gridiron
