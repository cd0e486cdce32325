// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace gridiron {

/// DejaVu Sans at one size, drawn by FreeType from the font inside the program, so that pictures look the same on every
/// machine. Errors: ResourceError.
class Typeface {
 public:
  /// How strongly a character covers each pixel of a small box: 0 … 255, rows from the top.
  struct Glyph {
    int width = 0, height = 0, left = 0, above_baseline = 0, advance = 0;
    std::vector<std::uint8_t> coverage;
  };

  explicit Typeface(int pixels);
  ~Typeface();

  const Glyph& glyph(char32_t character);
  int width(std::string_view utf8);

 private:
  struct Face;
  std::unique_ptr<Face> face_;
  std::map<char32_t, Glyph> glyphs_;
};

}  // namespace gridiron
