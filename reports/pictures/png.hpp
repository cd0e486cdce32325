// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reports/pictures/colormap.hpp"

namespace gridiron {

/// A picture of at most 256 colours, one byte per pixel, rows from the top.
struct PaletteImage {
  int width = 0, height = 0;
  std::span<const uint8_t> pixels;  ///< width × height indices into palette
  std::span<const Rgb> palette;
  bool first_is_transparent = false;  ///< palette[0] is transparent
};

/// The bytes of a PNG file, lightly compressed. Errors: ResourceError.
std::string encode_png(const PaletteImage& image);

}  // namespace gridiron
