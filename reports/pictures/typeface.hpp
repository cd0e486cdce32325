// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace gridiron {

inline constexpr int kTextPixels = 12, kTitlePixels = 17;

/// DejaVu Sans at one size, rendered by FreeType from the embedded font, so that plots look the same on every machine.
/// Errors: ResourceError.
class Typeface {
 public:
  /// Coverage of each pixel of a character's bounding box: 0 … 255, rows from the top.
  struct Glyph {
    int width = 0, height = 0, left = 0, above_baseline = 0, advance = 0;
    std::vector<uint8_t> coverage;
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
