// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/plot.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "reports/pictures/canvas.hpp"
#include "reports/pictures/ticks.hpp"
#include "reports/text/utf8.hpp"

namespace gridiron {
namespace {

// Distances in pixels.
constexpr int kPlotLeft = 76, kPlotTop = 66, kPlotRight = 118, kPlotBottom = 54;
constexpr int kLeastWidth = 420, kLeastHeight = 200;
constexpr int kBarGap = 22, kBarWidth = 18, kEdge = 16;
constexpr double kRingRadius = 8;

/// Truncated to fit, with an ellipsis.
std::string fitted(std::string_view text, int width, Typeface& typeface) {
  if (typeface.width(text) <= width) return std::string(text);
  const int room = width - typeface.width("…");
  std::string_view rest = text;
  size_t keep = 0;
  while (true) {
    next_code_point(rest);
    const size_t end = text.size() - rest.size();
    if (rest.empty() || typeface.width(text.substr(0, end)) > room) break;
    keep = end;
  }
  return std::string(text.substr(0, keep)) + "…";
}

/// One picture under construction: a plot area with room for text around it.
class Picture {
 public:
  explicit Picture(const Plot& plot)
      : plot_(plot),
        x_((std::max(kPlotLeft + plot.width + kPlotRight, kLeastWidth) - plot.width - kPlotRight + kPlotLeft) / 2),
        y_(kPlotTop + std::max(0, kLeastHeight - kPlotTop - kPlotBottom - plot.height) / 2),
        canvas_(std::max(kPlotLeft + plot.width + kPlotRight, kLeastWidth),
                std::max(kPlotTop + plot.height + kPlotBottom, kLeastHeight),
                plot.is_diverging ? Canvas::Colours::diverging : Canvas::Colours::heat) {}

  std::string png() {
    draw_title();
    draw_plot();
    draw_axes();
    draw_bar();
    return canvas_.png();
  }

 private:
  void draw_title() {
    const int room = canvas_.width() - x_ - kEdge - text_face_.width(plot_.remark) - kBarGap;
    canvas_.text(x_, 30, fitted(plot_.title, room, title_face_), title_face_);
    canvas_.text(canvas_.width() - kEdge, 30, plot_.remark, text_face_, Canvas::Align::right, true);
    canvas_.text(x_, 51, fitted(plot_.facts, plot_.width + kBarGap - kEdge, text_face_), text_face_,
                 Canvas::Align::left, true);
  }

  void draw_plot() {
    canvas_.paste(x_, y_, plot_.width, plot_.pixels);
    draw_lines();
    canvas_.outline(x_ - 1, y_ - 1, plot_.width + 2, plot_.height + 2, Canvas::grey());
    if (plot_.ring)
      canvas_.ring(x_ + (plot_.ring->x - plot_.left) / plot_.per_pixel,
                   y_ + (plot_.top - plot_.ring->y) / plot_.per_pixel, kRingRadius);
  }

  /// Each on a wider white one, to be visible on any colour.
  void draw_lines() {
    const auto draw = [&](const auto& lines, uint8_t colour, double width, double strength) {
      for (const auto& line : lines)
        for (size_t i = 1; i < line.size(); ++i)
          canvas_.line(x_ + (line[i - 1].x - plot_.left) / plot_.per_pixel,
                       y_ + (plot_.top - line[i - 1].y) / plot_.per_pixel,
                       x_ + (line[i].x - plot_.left) / plot_.per_pixel, y_ + (plot_.top - line[i].y) / plot_.per_pixel,
                       colour, width, strength);
    };
    draw(plot_.outlines, Canvas::white(), 2.5, 0.7);
    draw(plot_.outlines, Canvas::grey(), 1, 1);
    draw(plot_.lines, Canvas::white(), 2.5, 0.7);
    draw(plot_.lines, Canvas::ink(), 1, 1);
  }

  void draw_axes() {
    const int width = plot_.width, height = plot_.height;
    for (const Tick& tick : ticks(plot_.left, plot_.right(), std::max(1, width / 110))) {
      const int x = x_ + static_cast<int>((tick.value - plot_.left) / plot_.per_pixel);
      canvas_.fill(x, y_ + height + 1, 1, kTickLength, Canvas::grey());
      canvas_.text(x, y_ + height + 20, tick.label, text_face_, Canvas::Align::centre);
    }
    for (const Tick& tick : ticks(plot_.bottom(), plot_.top, std::max(1, height / 90))) {
      const int y = y_ + static_cast<int>((plot_.top - tick.value) / plot_.per_pixel);
      canvas_.fill(x_ - 1 - kTickLength, y, kTickLength, 1, Canvas::grey());
      canvas_.text(x_ - 10, y + 4, tick.label, text_face_, Canvas::Align::right);
    }
    canvas_.text(x_ + width / 2, y_ + height + 41, plot_.x_label, text_face_, Canvas::Align::centre, true);
    canvas_.text(x_ - 10, y_ - 10, plot_.y_label, text_face_, Canvas::Align::right, true);
  }

  void draw_bar() {
    const int x = x_ + plot_.width + kBarGap, height = plot_.height;
    for (int row = 0; row < height; ++row) {
      const int step = (height - 1 - row) * kHeatColours / height;
      canvas_.fill(x, y_ + row, kBarWidth, 1, Canvas::heat(step));
    }
    canvas_.outline(x - 1, y_ - 1, kBarWidth + 2, height + 2, Canvas::grey());
    const auto place = [&](double value) { return plot_.is_logarithmic ? std::log(value) : value; };
    const double low = place(plot_.low), high = place(plot_.high);
    const auto marks = plot_.is_logarithmic ? logarithmic_ticks : ticks;
    for (const Tick& tick : marks(plot_.low, plot_.high, std::max(2, height / 80))) {
      const double share = (place(tick.value) - low) / (high - low);
      const int y = y_ + height - 1 - static_cast<int>(std::lround(share * (height - 1)));
      canvas_.fill(x + kBarWidth + 1, y, kTickLength, 1, Canvas::grey());
      canvas_.text(x + kBarWidth + 10, y + 4, tick.label, text_face_);
    }
    canvas_.text(x + kBarWidth / 2, y_ - 10, plot_.unit, text_face_, Canvas::Align::centre, true);
  }

  const Plot& plot_;
  int x_, y_;  ///< top left corner of the plot area
  Canvas canvas_;
  Typeface text_face_{kTextPixels}, title_face_{kTitlePixels};
};

}  // namespace

std::string plot_png(const Plot& plot) { return Picture(plot).png(); }

}  // namespace gridiron
