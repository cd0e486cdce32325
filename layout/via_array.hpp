// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "layout/expansion.hpp"
#include "layout/tokens.hpp"

namespace gridiron::layout {

/// A via as parameters of a rule (VIARULE in a VIA of LEF or DEF), in µm (T: double) or database units (int64_t).
template <class T>
struct ViaArray {
  using Pair = std::array<T, 2>;           ///< x, y
  using Rectangle = std::array<T, 4>;      ///< x0, y0, x1, y1
  std::string_view rule;                   ///< empty: the via has no such parameters
  std::array<std::string_view, 3> layers;  ///< bottom, cut, top; empty until given
  size_t layers_offset = 0;
  Pair cut_size{}, cut_spacing{};
  Pair bottom_enclosure{}, top_enclosure{};
  Pair origin{}, bottom_offset{}, top_offset{};
  int64_t rows = 1, columns = 1;
  std::string_view pattern;  ///< empty: no cut is missing
  size_t pattern_offset = 0;

  /// Reads one parameter, whose keyword was just taken; false if it is none.
  bool read(Tokens& tokens, std::string_view keyword);

  struct Shapes {
    std::vector<Rectangle> cuts;  ///< row by row from the lower left
    Rectangle bottom, top;
  };
  /// `offset`: where the via begins, for errors (InputError).
  Shapes shapes(const Tokens& tokens, size_t offset, Expansion& expansion) const;
};

}  // namespace gridiron::layout
