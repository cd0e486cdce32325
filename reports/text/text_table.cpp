// SPDX-License-Identifier: Apache-2.0
#include "reports/text/text_table.hpp"

#include <algorithm>

#include "reports/text/utf8.hpp"

namespace gridiron {
namespace {

size_t width_of(std::string_view text) {
  size_t width = 0;
  for (; !text.empty(); ++width) next_code_point(text);
  return width;
}

}  // namespace

TextTable::TextTable(std::vector<std::string> headers) {
  for (std::string& header : headers) {
    right_.push_back(header.ends_with('>'));
    if (right_.back()) header.pop_back();
  }
  rows_.push_back(std::move(headers));
}

void TextTable::add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string TextTable::str() const {
  std::vector<size_t> width(right_.size());
  for (const auto& row : rows_)
    for (size_t c = 0; c < width.size(); ++c) width[c] = std::max(width[c], width_of(row[c]));

  std::string out;
  for (const auto& row : rows_) {
    for (size_t c = 0; c < width.size(); ++c) {
      const std::string pad(width[c] - width_of(row[c]), ' ');
      out += "  ";
      out += right_[c] ? pad + row[c] : row[c] + pad;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace gridiron
