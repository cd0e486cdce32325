// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/typeface.hpp"

#include <ft2build.h>
#include FT_FREETYPE_H

#include "reports/page/assets.hpp"
#include "reports/text/utf8.hpp"
#include "support/error.hpp"

namespace gridiron {

struct Typeface::Face {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  ~Face() {
    if (face) FT_Done_Face(face);
    if (library) FT_Done_FreeType(library);
  }
};

Typeface::Typeface(int pixels) : face_(std::make_unique<Face>()) {
  const std::string_view font = assets::font();
  if (FT_Init_FreeType(&face_->library) != 0 ||
      FT_New_Memory_Face(face_->library, reinterpret_cast<const FT_Byte*>(font.data()),
                         static_cast<FT_Long>(font.size()), 0, &face_->face) != 0 ||
      FT_Set_Pixel_Sizes(face_->face, 0, static_cast<FT_UInt>(pixels)) != 0)
    throw ResourceError("cannot open the font for pictures: out of memory");
}

Typeface::~Typeface() = default;

const Typeface::Glyph& Typeface::glyph(char32_t character) {
  const auto [at, is_new] = glyphs_.try_emplace(character);
  Glyph& glyph = at->second;
  if (!is_new || FT_Load_Char(face_->face, character, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0) return glyph;
  const FT_GlyphSlot slot = face_->face->glyph;
  glyph.width = static_cast<int>(slot->bitmap.width);
  glyph.height = static_cast<int>(slot->bitmap.rows);
  glyph.left = slot->bitmap_left;
  glyph.above_baseline = slot->bitmap_top;
  glyph.advance = static_cast<int>((slot->advance.x + 32) / 64);
  for (int y = 0; y < glyph.height; ++y) {
    const unsigned char* row = slot->bitmap.buffer + y * slot->bitmap.pitch;
    glyph.coverage.insert(glyph.coverage.end(), row, row + glyph.width);
  }
  return glyph;
}

int Typeface::width(std::string_view utf8) {
  int width = 0;
  while (!utf8.empty()) width += glyph(next_code_point(utf8).value_or(U'?')).advance;
  return width;
}

}  // namespace gridiron
