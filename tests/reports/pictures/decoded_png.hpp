// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <png.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gridiron::test {

/// A PNG file read back by libpng; width 0 if it cannot be read.
struct DecodedPng {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;

  explicit DecodedPng(const std::string& bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) return;
    image.format = PNG_FORMAT_RGBA;
    rgba.resize(PNG_IMAGE_SIZE(image));
    if (!png_image_finish_read(&image, nullptr, rgba.data(), 0, nullptr)) return;
    width = static_cast<int>(image.width);
    height = static_cast<int>(image.height);
  }

  std::array<int, 4> at(int x, int y) const {
    const size_t i = 4 * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x));
    return {rgba[i], rgba[i + 1], rgba[i + 2], rgba[i + 3]};
  }
};

}  // namespace gridiron::test
