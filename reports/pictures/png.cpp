// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/png.hpp"

#include <png.h>
#include <zlib.h>

#include <array>
#include <vector>

#include "support/error.hpp"

namespace gridiron {
namespace {

void append(png_structp png, png_bytep data, size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

[[noreturn]] void fail(png_structp, png_const_charp message) {
  throw ResourceError(std::string("cannot make a picture: ") + message);
}

/// libpng's two structures, released together.
struct Writer {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { png_destroy_write_struct(&png, &info); }
};

}  // namespace

std::string encode_png(const PaletteImage& image) {
  std::vector<png_color> palette;
  for (const Rgb& c : image.palette) palette.push_back({c.red, c.green, c.blue});

  std::string out;
  Writer writer;
  if (!writer.info) throw ResourceError("cannot make a picture: out of memory");
  png_set_write_fn(writer.png, &out, append, nullptr);
  // Neighbouring pixels are alike: run matching compresses nearly as well as a full search and is several times as
  // fast.
  png_set_compression_level(writer.png, 1);
  png_set_compression_strategy(writer.png, Z_RLE);
  png_set_filter(writer.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
               8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_PLTE(writer.png, writer.info, palette.data(), static_cast<int>(palette.size()));
  if (image.first_is_transparent) {
    std::array<png_byte, 1> alpha = {0};
    png_set_tRNS(writer.png, writer.info, alpha.data(), 1, nullptr);
  }
  png_write_info(writer.png, writer.info);
  for (int y = 0; y < image.height; ++y)
    png_write_row(writer.png, image.pixels.data() + static_cast<ptrdiff_t>(y) * image.width);
  png_write_end(writer.png, nullptr);
  return out;
}

}  // namespace gridiron
