// SPDX-License-Identifier: Apache-2.0
#include "layout/via_array.hpp"

#include <fmt/format.h>

#include <type_traits>

namespace gridiron::layout {
namespace {

template <class T>
T length(Tokens& tokens, std::string_view what) {
  if constexpr (std::is_same_v<T, double>)
    return tokens.um(what);
  else
    return tokens.dbu(what);
}

template <class T>
std::array<T, 2> pair_of(Tokens& tokens, std::string_view what) {
  const T x = length<T>(tokens, what);
  return {x, length<T>(tokens, what)};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/// PATTERN: which cuts of an array there are, e.g. 2_F0_1_R278: two rows of 1111 0000, one of 0111 0111 1000.
class CutPattern {
 public:
  CutPattern(const Tokens& tokens, size_t offset, std::string_view text, int64_t rows, int64_t columns)
      : tokens_(tokens), offset_(offset), text_(text), columns_(columns) {
    if (text.ends_with("_MR") || text.ends_with("_MC")) text_.remove_suffix(3);  // masks of the cuts
    while (!text_.empty()) {
      const int64_t times = repetitions(part(), rows);
      const std::vector<bool> row = cuts_of_row(part());
      for (int64_t k = 0; k < times; ++k) has_cut_.insert(has_cut_.end(), row.begin(), row.end());
    }
    if (static_cast<int64_t>(has_cut_.size()) != rows * columns) fail(fmt::format("ROWCOL says {} rows", rows));
  }

  bool has_cut(int64_t row, int64_t column) const { return has_cut_[static_cast<size_t>(row * columns_ + column)]; }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    tokens_.fail(offset_, fmt::format("PATTERN does not fit the cuts: {}; it reads like 2_F0_1_F8", why));
  }
  /// What comes before the next underscore.
  std::string_view part() {
    const std::string_view some = text_.substr(0, text_.find('_'));
    text_.remove_prefix(std::min(text_.size(), some.size() + 1));
    return some;
  }
  int64_t repetitions(std::string_view hex, int64_t rows) const {
    int64_t times = 0;
    for (const char c : hex) {
      if (hex_digit(c) < 0) fail(fmt::format("{} is no hexadecimal number of rows", shown(hex)));
      times = 16 * times + hex_digit(c);
      if (times > rows) fail(fmt::format("ROWCOL says {} rows", rows));
    }
    return times;
  }
  std::vector<bool> cuts_of_row(std::string_view digits) const {
    std::vector<bool> row;
    for (size_t k = 0; k < digits.size(); ++k) {
      int times = 1;
      if (digits[k] == 'R' && k + 2 < digits.size()) {
        times = hex_digit(digits[k + 1]);
        k += 2;
      }
      const int bits = hex_digit(digits[k]);
      if (bits < 0 || times < 0) fail(fmt::format("{} is no row of hexadecimal digits", shown(digits)));
      for (int t = 0; t < times; ++t)
        for (int bit = 3; bit >= 0; --bit) row.push_back((bits >> bit & 1) != 0);
    }
    if (static_cast<int64_t>(row.size()) < columns_) fail(fmt::format("ROWCOL says {} columns", columns_));
    row.resize(static_cast<size_t>(columns_));
    return row;
  }

  const Tokens& tokens_;
  size_t offset_;
  std::string_view text_;
  int64_t columns_;
  std::vector<bool> has_cut_;
};

}  // namespace

template <class T>
bool ViaArray<T>::read(Tokens& tokens, std::string_view keyword) {
  if (keyword == "VIARULE") {
    rule = tokens.name("the name of a VIARULE");
  } else if (keyword == "CUTSIZE") {
    cut_size = pair_of<T>(tokens, "the size of a cut");
  } else if (keyword == "LAYERS") {
    layers_offset = tokens.offset();
    for (std::string_view& layer : layers) layer = tokens.name("the bottom, cut and top layer of a via");
  } else if (keyword == "CUTSPACING") {
    cut_spacing = pair_of<T>(tokens, "the space between cuts");
  } else if (keyword == "ENCLOSURE") {
    bottom_enclosure = pair_of<T>(tokens, "an enclosure of cuts");
    top_enclosure = pair_of<T>(tokens, "an enclosure of cuts");
  } else if (keyword == "ROWCOL") {
    rows = tokens.count("a number of rows");
    columns = tokens.count("a number of columns");
  } else if (keyword == "ORIGIN") {
    origin = pair_of<T>(tokens, "the origin of a via");
  } else if (keyword == "OFFSET") {
    bottom_offset = pair_of<T>(tokens, "the offset of a layer");
    top_offset = pair_of<T>(tokens, "the offset of a layer");
  } else if (keyword == "PATTERN") {
    pattern_offset = tokens.offset();
    pattern = tokens.name("a pattern of cuts");
  } else {
    return false;
  }
  return true;
}

template <class T>
auto ViaArray<T>::shapes(const Tokens& tokens, size_t offset, Expansion& expansion) const -> Shapes {
  if (layers[0].empty()) tokens.fail(offset, "this via of a VIARULE has no LAYERS; give its bottom, cut and top layer");
  if (!(cut_size[0] > 0 && cut_size[1] > 0))
    tokens.fail(offset, "this via of a VIARULE has no CUTSIZE above zero; give the size of its cuts");
  expansion.add(tokens, offset, columns, rows);
  const Pair step = {cut_size[0] + cut_spacing[0], cut_size[1] + cut_spacing[1]};
  if (!(step[0] > 0 && step[1] > 0))
    tokens.fail(offset, "the cuts of this via overlap; CUTSPACING is too far below zero");
  const Pair whole = {static_cast<T>(columns) * step[0] - cut_spacing[0],
                      static_cast<T>(rows) * step[1] - cut_spacing[1]};
  const Pair low = {origin[0] - whole[0] / 2, origin[1] - whole[1] / 2};
  Shapes made;
  const auto enclosed = [&](const Pair& by, const Pair& moved) {
    return Rectangle{low[0] - by[0] + moved[0], low[1] - by[1] + moved[1], low[0] + whole[0] + by[0] + moved[0],
                     low[1] + whole[1] + by[1] + moved[1]};
  };
  made.bottom = enclosed(bottom_enclosure, bottom_offset);
  made.top = enclosed(top_enclosure, top_offset);
  if (!(made.bottom[0] < made.bottom[2] && made.bottom[1] < made.bottom[3] && made.top[0] < made.top[2] &&
        made.top[1] < made.top[3]))
    tokens.fail(offset, "ENCLOSURE leaves no metal of this via; its values may not be that far below zero");
  std::vector<CutPattern> missing;
  if (!pattern.empty()) missing.emplace_back(tokens, pattern_offset, pattern, rows, columns);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      if (!missing.empty() && !missing[0].has_cut(row, column)) continue;
      const T x = low[0] + static_cast<T>(column) * step[0], y = low[1] + static_cast<T>(row) * step[1];
      made.cuts.push_back({x, y, x + cut_size[0], y + cut_size[1]});
    }
  return made;
}

template struct ViaArray<double>;
template struct ViaArray<int64_t>;

}  // namespace gridiron::layout
