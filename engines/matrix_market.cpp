// SPDX-License-Identifier: Apache-2.0
#include "engines/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "support/error_text.hpp"

namespace gridiron {
namespace {

/// Limit on rows without entries: each takes memory, and a matrix with that many is singular.
constexpr int64_t kRowsWithoutEntries = 1 << 20;

std::string whole_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw input_error("{}: cannot open; check the path", path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Iterates over the lines that are not comments.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : path_(path.string()), text_(whole_file(path)), rest_(text_) {}

  [[noreturn]] void fail(std::string_view what) const { throw input_error("{}:{}: {}", path_, line_, what); }

  std::string_view first() {
    take_line();
    return at_;
  }

  bool next() {
    while (!rest_.empty()) {
      take_line();
      skip_blanks();
      if (!at_.empty() && at_[0] != '%') return true;
    }
    return false;
  }

  template <class T>
  T number(const char* what) {
    skip_blanks();
    if (at_.starts_with('+')) at_.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(at_.data(), at_.data() + at_.size(), value);
    const bool is_finite = std::isfinite(static_cast<double>(value));
    if (error != std::errc{} || !is_finite || (end != at_.data() + at_.size() && !is_blank(*end)))
      fail(fmt::format("expected {}, not {:?}", what, at_.substr(0, 40)));
    at_.remove_prefix(end - at_.data());
    return value;
  }

  void end_of_line() {
    skip_blanks();
    if (!at_.empty()) fail(fmt::format("expected the end of the line, not {:?}", at_.substr(0, 40)));
  }

  size_t bytes_left() const { return rest_.size(); }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (!at_.empty() && is_blank(at_.front())) at_.remove_prefix(1);
  }
  void take_line() {
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    at_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
  }

  std::string path_, text_;
  std::string_view rest_, at_;  ///< remaining lines, and the rest of the current one
  int64_t line_ = 0;
};

/// The words of `%%MatrixMarket matrix coordinate real symmetric` after the first two, in lower case.
std::array<std::string, 3> read_banner(Lines& lines) {
  std::string_view banner = lines.first();
  std::array<std::string, 5> words;
  for (std::string& word : words) {
    banner.remove_prefix(std::min(banner.find_first_not_of(" \t\r"), banner.size()));
    word = banner.substr(0, banner.find_first_of(" \t\r"));
    banner.remove_prefix(word.size());
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  if (words[0] != "%%matrixmarket" || words[1] != "matrix")
    lines.fail("is not a Matrix Market file; it must begin with '%%MatrixMarket matrix'");
  return {words[2], words[3], words[4]};
}

/// Checks that the rest of the file has at least `bytes_each` bytes for each of `count` items.
void expect_room(const Lines& lines, int64_t count, int64_t bytes_each) {
  if (count > static_cast<int64_t>(lines.bytes_left() + 1) / bytes_each)
    lines.fail(fmt::format("declares {} entries, more than the file holds; fetch or write it again", count));
}

struct Entry {
  int32_t row, column;
  double value;
};

std::vector<Entry> read_entries(Lines& lines, int64_t rows, int64_t count, bool is_symmetric) {
  std::vector<Entry> entries;
  entries.reserve(is_symmetric ? 2 * count : count);
  const auto index = [&](const char* what) {
    const auto i = lines.number<int64_t>(what);
    if (i < 1 || i > rows) lines.fail(fmt::format("{} {} is not from 1 to {}", what, i, rows));
    return static_cast<int32_t>(i - 1);
  };
  for (int64_t k = 0; k < count; ++k) {
    if (!lines.next()) lines.fail(fmt::format("ends after {} of {} entries; fetch or write it again", k, count));
    const int32_t row = index("row"), column = index("column");
    const double value = lines.number<double>("a finite value");
    lines.end_of_line();
    if (is_symmetric && column > row)
      lines.fail("an entry above the diagonal; a symmetric file holds the lower triangle only");
    entries.push_back({row, column, value});
    if (is_symmetric && column != row) entries.push_back({column, row, value});
  }
  if (lines.next()) lines.fail(fmt::format("more than the {} entries declared", count));
  return entries;
}

CsrMatrix assemble(const Lines& lines, int64_t rows, std::vector<Entry> entries) {
  std::ranges::stable_sort(
      entries, [](const Entry& p, const Entry& q) { return p.row != q.row ? p.row < q.row : p.column < q.column; });
  CsrMatrix matrix{.rows = rows, .row_ptr = std::vector<int64_t>(rows + 1), .col = {}, .value = {}};
  for (size_t k = 0; k < entries.size(); ++k) {
    const Entry& e = entries[k];
    if (k > 0 && entries[k - 1].row == e.row && entries[k - 1].column == e.column) {
      matrix.value.back() += e.value;
      if (!std::isfinite(matrix.value.back()))
        lines.fail(
            fmt::format("the values of entry ({}, {}), which is given several times, add up to more than a "
                        "double holds",
                        e.row + 1, e.column + 1));
      continue;
    }
    matrix.col.push_back(e.column);
    matrix.value.push_back(e.value);
    ++matrix.row_ptr[e.row + 1];
  }
  for (int64_t i = 0; i < rows; ++i) matrix.row_ptr[i + 1] += matrix.row_ptr[i];
  return matrix;
}

}  // namespace

MatrixMarketMatrix read_matrix_market(const std::filesystem::path& path) {
  Lines lines(path);
  const auto [format, field, symmetry] = read_banner(lines);
  if (format != "coordinate" || (field != "real" && field != "integer") ||
      (symmetry != "general" && symmetry != "symmetric"))
    lines.fail(fmt::format("is '{} {} {}'; expected coordinate, real or integer, general or symmetric", format, field,
                           symmetry));
  if (!lines.next()) lines.fail("ends before the line of rows, columns and entries");
  const auto rows = lines.number<int64_t>("the number of rows"),
             columns = lines.number<int64_t>("the number of columns"),
             count = lines.number<int64_t>("the number of entries");
  lines.end_of_line();
  if (rows != columns || rows < 0) lines.fail(fmt::format("is {} x {}; expected a square matrix", rows, columns));
  if (count < 0) lines.fail(fmt::format("declares {} entries", count));
  expect_room(lines, count, 6);  // "1 1 1\n"
  if (rows > INT32_MAX || rows > 2 * count + kRowsWithoutEntries)
    lines.fail(fmt::format("has {} rows and only {} entries; such a matrix is singular", rows, count));
  const bool is_symmetric = symmetry == "symmetric";
  return {assemble(lines, rows, read_entries(lines, rows, count, is_symmetric)), is_symmetric};
}

DenseColumns read_matrix_market_array(const std::filesystem::path& path) {
  Lines lines(path);
  const auto [format, field, symmetry] = read_banner(lines);
  if (format != "array" || (field != "real" && field != "integer") || symmetry != "general")
    lines.fail(fmt::format("is '{} {} {}'; expected array, real or integer, general", format, field, symmetry));
  if (!lines.next()) lines.fail("ends before the line of rows and columns");
  DenseColumns dense;
  dense.rows = lines.number<int64_t>("the number of rows");
  dense.columns = lines.number<int64_t>("the number of columns");
  lines.end_of_line();
  int64_t count = 0;
  if (dense.rows < 0 || dense.columns < 0 || __builtin_mul_overflow(dense.rows, dense.columns, &count))
    lines.fail(fmt::format("is {} x {}", dense.rows, dense.columns));
  expect_room(lines, count, 2);  // "1\n"
  dense.values.reserve(count);
  for (int64_t k = 0; k < count; ++k) {
    if (!lines.next()) lines.fail(fmt::format("ends after {} of {} values; fetch or write it again", k, count));
    dense.values.push_back(lines.number<double>("a finite value"));
    lines.end_of_line();
  }
  if (lines.next()) lines.fail(fmt::format("more than the {} values declared", count));
  return dense;
}

void write_matrix_market(OutputFile& file, const CsrMatrix& matrix, bool is_symmetric) {
  const auto is_written = [&](int64_t row, int64_t k) { return !is_symmetric || matrix.col[k] <= row; };
  int64_t count = 0;
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t k = matrix.row_ptr[row]; k < matrix.row_ptr[row + 1]; ++k) count += is_written(row, k);
  file.write(fmt::format("%%MatrixMarket matrix coordinate real {}\n{} {} {}\n", is_symmetric ? "symmetric" : "general",
                         matrix.rows, matrix.rows, count));
  fmt::memory_buffer line;
  for (int64_t row = 0; row < matrix.rows; ++row) {
    line.clear();
    for (int64_t k = matrix.row_ptr[row]; k < matrix.row_ptr[row + 1]; ++k)
      if (is_written(row, k))
        fmt::format_to(std::back_inserter(line), "{} {} {}\n", row + 1, matrix.col[k] + 1, matrix.value[k]);
    file.write({line.data(), line.size()});
  }
}

void write_matrix_market_array(OutputFile& file, int64_t rows, std::span<const double> values) {
  const int64_t columns = rows == 0 ? 0 : std::ssize(values) / rows;
  file.write(fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", rows, columns));
  for (const double value : values) file.write(fmt::format("{}\n", value));
}

}  // namespace gridiron
