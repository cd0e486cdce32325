// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "analysis/results/ir_report.hpp"
#include "reports/tables/row_writer.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// One line: fields one after the other, commas between them; that of a number that is not finite is empty.
class CsvLine {
 public:
  explicit CsvLine(std::string& out, int digits = kUsualDigits) : out_(out), digits_(digits) {}
  ~CsvLine() { out_ += '\n'; }
  CsvLine(const CsvLine&) = delete;
  CsvLine& operator=(const CsvLine&) = delete;

  CsvLine& text(std::string_view field) {
    separate();
    append_csv_field(out_, field);
    return *this;
  }
  CsvLine& count(int64_t field) {
    separate();
    out_ += std::to_string(field);
    return *this;
  }
  CsvLine& number(double field) {
    separate();
    append_number(out_, field);
    return *this;
  }
  /// Volts, amperes or watts with the digits of the table.
  CsvLine& volts(double field) {
    separate();
    append_volts(out_, field, digits_);
    return *this;
  }
  CsvLine& fixed(double field, int decimals) {
    separate();
    if (std::isfinite(field)) fmt::format_to(std::back_inserter(out_), "{:.{}f}", field + 0.0, decimals);
    return *this;
  }
  /// 1.234e-05
  CsvLine& scientific(double field, int decimals) {
    separate();
    if (std::isfinite(field)) fmt::format_to(std::back_inserter(out_), "{:.{}e}", field, decimals);
    return *this;
  }
  CsvLine& place(const NodeTable& nodes, NodeId node) {
    if (!nodes.has_place(node)) return text("").text("");
    return number(nodes.x_um[node]).number(nodes.y_um[node]);
  }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }

  std::string& out_;
  int digits_;
  bool first_ = true;
};

/// The header, with a column more where rows of nodes tell when they are worst.
inline std::string with_worst_time(std::string header, std::span<const double> time_s) {
  return time_s.empty() ? header : header + ",worst_time_s";
}

/// A file of `rows` lines after the header; format_row(row, CsvLine) fills one, whose volts have so many digits.
void write_table(const OutputPath& path, std::string_view header, size_t rows, auto&& format_row,
                 int digits = kUsualDigits) {
  OutputFile file(path);
  file.write(header);
  file.write("\n");
  write_rows(file, static_cast<int64_t>(rows),
             [&](int64_t row, std::string& out) { format_row(static_cast<size_t>(row), CsvLine(out, digits)); });
  file.commit();
}

}  // namespace gridiron
