// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/pictures/colormap.hpp"
#include "reports/pictures/typeface.hpp"

namespace gridiron {

/// A drawing area of palette colours. Pixel (0, 0) is at the top left; drawing is clipped at the edges.
class Canvas {
 public:
  enum class Align { left, centre, right };

  /// Of the drop, or of its change.
  enum class Colours { heat, diverging };

  Canvas(int width, int height, Colours colours = Colours::heat);

  /// The palette: plot background, the heat or diverging colours, then greys from white to ink.
  static std::span<const Rgb> palette(Colours colours = Colours::heat);
  static constexpr uint8_t kPlotBackground = 0;
  static uint8_t heat(int step) { return static_cast<uint8_t>(1 + step); }
  static uint8_t white();
  static uint8_t grey();  ///< for unobtrusive lines
  static uint8_t ink();

  void fill(int x, int y, int width, int height, uint8_t colour);
  void outline(int x, int y, int width, int height, uint8_t colour);
  /// Rows of `width` palette indices, from the top.
  void paste(int x, int y, int width, std::span<const uint8_t> pixels);
  /// A dark ring between two white ones, visible on any colour.
  void ring(double x, double y, double radius);
  /// An antialiased straight line, `width` pixels wide; integer coordinates are pixel centres.
  void line(double x0, double y0, double x1, double y1, uint8_t colour, double width = 1, double strength = 1);
  void dot(double x, double y, double radius, uint8_t colour);
  /// `baseline` is the y of the text baseline.
  void text(int x, int baseline, std::string_view utf8, Typeface& typeface, Align align = Align::left,
            bool muted = false);

  int width() const { return width_; }
  int height() const { return height_; }
  std::string png() const;

 private:
  void blend(int x, int y, uint8_t colour, double cover);

  int width_, height_;
  Colours colours_;
  std::vector<uint8_t> pixels_;
};

}  // namespace gridiron
