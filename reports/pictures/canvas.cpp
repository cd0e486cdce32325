// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/pictures/png.hpp"
#include "reports/text/utf8.hpp"

namespace gridiron {
namespace {

constexpr int kGreys = 256 - 1 - kHeatColours;
constexpr uint8_t kWhite = 1 + kHeatColours, kInk = 255;
constexpr Rgb kPlotBackgroundColour = {238, 241, 245}, kInkColour = {28, 33, 40};

using Palette = std::array<Rgb, 256>;

uint8_t mix(uint8_t from, uint8_t to, double share) {
  return static_cast<uint8_t>(std::lround(from + share * (to - from)));
}

Rgb mix(Rgb from, Rgb to, double share) {
  return {mix(from.red, to.red, share), mix(from.green, to.green, share), mix(from.blue, to.blue, share)};
}

Palette make_palette(const std::array<Rgb, kHeatColours>& colours) {
  Palette palette;
  palette[0] = kPlotBackgroundColour;
  std::ranges::copy(colours, palette.begin() + 1);
  for (int i = 0; i < kGreys; ++i) palette[kWhite + i] = mix({255, 255, 255}, kInkColour, double(i) / (kGreys - 1));
  return palette;
}

const Palette& palette_of(Canvas::Colours colours) {
  static const Palette heat = make_palette(heat_colours()), diverging = make_palette(diverging_colours());
  return colours == Canvas::Colours::heat ? heat : diverging;
}

uint8_t nearest(Rgb colour, const Palette& palette) {
  const auto distance = [&](Rgb c) {
    const int red = c.red - colour.red, green = c.green - colour.green, blue = c.blue - colour.blue;
    return red * red + green * green + blue * blue;
  };
  const auto best = std::ranges::min_element(palette, [&](Rgb a, Rgb b) { return distance(a) < distance(b); });
  return static_cast<uint8_t>(best - palette.begin());
}

}  // namespace

Canvas::Canvas(int width, int height, Colours colours)
    : width_(width), height_(height), colours_(colours), pixels_(static_cast<size_t>(width) * height, kWhite) {}

std::span<const Rgb> Canvas::palette(Colours colours) { return palette_of(colours); }
uint8_t Canvas::white() { return kWhite; }
uint8_t Canvas::grey() { return kWhite + kGreys / 2; }
uint8_t Canvas::ink() { return kInk; }

void Canvas::fill(int x, int y, int width, int height, uint8_t colour) {
  const int left = std::max(x, 0), right = std::min(x + width, width_);
  for (int row = std::max(y, 0); row < std::min(y + height, height_); ++row)
    if (left < right) std::fill_n(pixels_.begin() + static_cast<ptrdiff_t>(row) * width_ + left, right - left, colour);
}

void Canvas::outline(int x, int y, int width, int height, uint8_t colour) {
  fill(x, y, width, 1, colour);
  fill(x, y + height - 1, width, 1, colour);
  fill(x, y, 1, height, colour);
  fill(x + width - 1, y, 1, height, colour);
}

void Canvas::paste(int x, int y, int width, std::span<const uint8_t> pixels) {
  const int left = std::max(x, 0), right = std::min(x + width, width_);
  if (left >= right) return;
  const int rows = static_cast<int>(pixels.size()) / width;
  for (int row = std::max(y, 0); row < std::min(y + rows, height_); ++row)
    std::copy_n(pixels.begin() + static_cast<ptrdiff_t>(row - y) * width + (left - x), right - left,
                pixels_.begin() + static_cast<ptrdiff_t>(row) * width_ + left);
}

void Canvas::ring(double x, double y, double radius) {
  const auto reach = static_cast<int>(radius) + 4;
  const auto cover = [](double distance, double half_width) {
    return std::clamp(half_width + 0.5 - distance, 0.0, 1.0);
  };
  for (int row = static_cast<int>(y) - reach; row <= static_cast<int>(y) + reach; ++row)
    for (int column = static_cast<int>(x) - reach; column <= static_cast<int>(x) + reach; ++column) {
      const double off = std::abs(std::hypot(column + 0.5 - x, row + 0.5 - y) - radius);
      blend(column, row, kWhite, cover(off, 2.5));
      blend(column, row, kInk, cover(off, 1.0));
    }
}

void Canvas::line(double x0, double y0, double x1, double y1, uint8_t colour, double width, double strength) {
  if (!(std::isfinite(x0) && std::isfinite(y0) && std::isfinite(x1) && std::isfinite(y1))) return;
  const double dx = x1 - x0, dy = y1 - y0, squared = dx * dx + dy * dy, reach = width / 2 + 1;
  const auto first = [&](double a, double b) {
    return static_cast<int>(std::floor(std::clamp(std::min(a, b) - reach, 0.0, 1e9)));
  };
  const auto last = [&](double a, double b, int size) {
    return static_cast<int>(std::ceil(std::clamp(std::max(a, b) + reach, -1.0, size - 1.0)));
  };
  for (int row = first(y0, y1); row <= last(y0, y1, height_); ++row)
    for (int column = first(x0, x1); column <= last(x0, x1, width_); ++column) {
      const double px = column + 0.5 - x0, py = row + 0.5 - y0;
      const double along = squared > 0 ? std::clamp((px * dx + py * dy) / squared, 0.0, 1.0) : 0.0;
      const double off = std::hypot(px - along * dx, py - along * dy);
      blend(column, row, colour, strength * std::clamp(width / 2 + 0.5 - off, 0.0, 1.0));
    }
}

void Canvas::dot(double x, double y, double radius, uint8_t colour) { line(x, y, x, y, colour, 2 * radius); }

void Canvas::text(int x, int baseline, std::string_view utf8, Typeface& typeface, Align align, bool muted) {
  const int width = align == Align::left ? 0 : typeface.width(utf8);
  int pen = align == Align::right ? x - width : align == Align::centre ? x - width / 2 : x;
  while (!utf8.empty()) {
    const Typeface::Glyph& glyph = typeface.glyph(next_code_point(utf8).value_or(U'?'));
    for (int row = 0; row < glyph.height; ++row)
      for (int column = 0; column < glyph.width; ++column) {
        const uint8_t cover = glyph.coverage[row * glyph.width + column];
        if (cover > 0)
          blend(pen + glyph.left + column, baseline - glyph.above_baseline + row, kInk,
                cover / 255.0 * (muted ? 0.68 : 1));
      }
    pen += glyph.advance;
  }
}

void Canvas::blend(int x, int y, uint8_t colour, double cover) {
  if (cover <= 0 || x < 0 || y < 0 || x >= width_ || y >= height_) return;
  uint8_t& pixel = pixels_[static_cast<size_t>(y) * width_ + x];
  if (pixel == kWhite && colour == kInk) {
    pixel = static_cast<uint8_t>(kWhite + std::lround(cover * (kGreys - 1)));
    return;
  }
  const Palette& palette = palette_of(colours_);
  pixel = nearest(mix(palette[pixel], palette[colour], cover), palette);
}

std::string Canvas::png() const {
  return encode_png({.width = width_, .height = height_, .pixels = pixels_, .palette = palette(colours_)});
}

}  // namespace gridiron
