// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/chart.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <utility>

#include "reports/pictures/canvas.hpp"
#include "reports/pictures/ticks.hpp"

namespace gridiron {
namespace {

// Distances in pixels.
constexpr int kChartWidth = 420, kChartHeight = 320, kChartLeft = 84, kChartTop = 96, kGap = 110, kChartRight = 40,
              kChartBottom = 60;
constexpr int kLegendLine = 18, kBetweenLabels = 10;
constexpr std::array<int, 4> kColours{30, 110, 165, 200};  // steps of the heat colours, well apart

/// Where there are more curves than that, their legend is beside the panels, and their colours are closer.
bool is_crowded(const Panel& panel) { return panel.series.size() > kColours.size(); }
int colour_of(int series, const Panel& panel) {
  constexpr int kFirst = 8, kLast = 205;
  if (!is_crowded(panel)) return kColours[static_cast<size_t>(series) % kColours.size()];
  return kFirst + (kLast - kFirst) * series / (static_cast<int>(panel.series.size()) - 1);
}

/// One axis: the position of a value, 0 at its start and 1 at its end.
class Axis {
 public:
  Axis(const Panel& panel, bool is_x) : is_logarithmic_(is_x ? panel.x_is_logarithmic : panel.y_is_logarithmic) {
    double low = INFINITY, high = -INFINITY;
    for (const Panel::Series& series : panel.series)
      for (const double value : is_x ? series.x : series.y)
        if (shows(value)) low = std::min(low, value), high = std::max(high, value);
    if (low > high) low = 1, high = 10;
    if (is_logarithmic_) {
      const double room = std::pow(std::max(high / low, 1.5), 0.06);
      low_ = low / room;
      high_ = high * room;
    } else {
      const double room = is_x ? 0.0 : 0.06 * std::max(high - low, 1e-300);
      low_ = low - room;
      high_ = high > low ? high + room : low + 1;
    }
  }

  bool shows(double value) const { return std::isfinite(value) && (!is_logarithmic_ || value > 0); }
  double share(double value) const {
    return is_logarithmic_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  }
  std::vector<Tick> marks(int count) const {
    return is_logarithmic_ ? logarithmic_ticks(low_, high_, count) : ticks(low_, high_, count);
  }

 private:
  bool is_logarithmic_;
  double low_ = 0, high_ = 1;
};

class ChartPicture {
 public:
  explicit ChartPicture(const Chart& chart)
      : chart_(chart),
        canvas_(width_for(static_cast<int>(chart.panels.size())) + legend_beside(),
                kChartTop + kChartHeight + kChartBottom) {}

  std::string png() {
    canvas_.text(kChartLeft, 30, chart_.title, title_face_);
    canvas_.text(canvas_.width() - kChartRight, 30, chart_.remark, text_face_, Canvas::Align::right, true);
    canvas_.text(kChartLeft, 51, chart_.facts, text_face_, Canvas::Align::left, true);
    int left = kChartLeft;
    for (const Panel& panel : chart_.panels) {
      draw(panel, left);
      left += kChartWidth + kGap;
    }
    return canvas_.png();
  }

 private:
  static int width_for(int panels) { return kChartLeft + panels * kChartWidth + (panels - 1) * kGap + kChartRight; }

  /// Width of a legend beside the panels, 0 if there is none. It is that of the first panel.
  int legend_beside() {
    return chart_.panels.empty() || !is_crowded(chart_.panels.front()) ? 0 : legend_width(chart_.panels.front()) + 18;
  }

  void draw(const Panel& panel, int left) {
    const Axis x(panel, true), y(panel, false);
    int last_end = INT_MIN;  // of the labels of x
    canvas_.fill(left, kChartTop, kChartWidth, kChartHeight, Canvas::kPlotBackground);
    for (const Tick& tick : x.marks(kChartWidth / 90)) {
      const int at = left + static_cast<int>(x.share(tick.value) * kChartWidth);
      canvas_.line(at + 0.5, kChartTop, at + 0.5, kChartTop + kChartHeight, Canvas::white());
      canvas_.fill(at, kChartTop + kChartHeight, 1, kTickLength, Canvas::grey());
      const int half = (text_face_.width(tick.label) + 1) / 2;
      if (at - half < last_end + kBetweenLabels) continue;
      last_end = at + half;
      canvas_.text(at, kChartTop + kChartHeight + 20, tick.label, text_face_, Canvas::Align::centre);
    }
    for (const Tick& tick : y.marks(kChartHeight / 50)) {
      const int at = kChartTop + kChartHeight - static_cast<int>(y.share(tick.value) * kChartHeight);
      canvas_.line(left, at + 0.5, left + kChartWidth, at + 0.5, Canvas::white());
      canvas_.fill(left - kTickLength, at, kTickLength, 1, Canvas::grey());
      canvas_.text(left - 10, at + 4, tick.label, text_face_, Canvas::Align::right);
    }
    canvas_.text(left + kChartWidth / 2, kChartTop + kChartHeight + 42, panel.x_label, text_face_,
                 Canvas::Align::centre, true);
    canvas_.text(left, kChartTop - 12, panel.y_label, text_face_, Canvas::Align::left, true);
    canvas_.outline(left - 1, kChartTop - 1, kChartWidth + 2, kChartHeight + 2, Canvas::grey());

    const Corner corner = emptiest(panel, x, y);
    int coloured = 0, row = 0;
    for (const Panel::Series& series : panel.series) {
      const uint8_t colour = series.is_reference ? Canvas::grey() : Canvas::heat(colour_of(coloured++, panel));
      draw(series, colour, left, x, y);
      if (!is_crowded(panel))
        legend(panel, series, colour, left, corner, row++);
      else if (&panel == &chart_.panels.front())
        legend_line(series, colour, canvas_.width() - kChartRight, kChartTop + 20 + kLegendLine * row++);
    }
  }

  void draw(const Panel::Series& series, uint8_t colour, int left, const Axis& x, const Axis& y) {
    std::vector<std::pair<double, double>> points;
    for (size_t i = 0; i < series.x.size(); ++i)
      if (x.shows(series.x[i]) && y.shows(series.y[i]))
        points.emplace_back(left + x.share(series.x[i]) * kChartWidth,
                            kChartTop + kChartHeight - y.share(series.y[i]) * kChartHeight);
    for (size_t i = 1; i < points.size(); ++i)
      canvas_.line(points[i - 1].first, points[i - 1].second, points[i].first, points[i].second, colour,
                   series.is_reference ? 1 : 2);
    constexpr size_t kMostMarkers = 200;  // more merge into a thick line
    if (!series.is_reference && points.size() <= kMostMarkers)
      for (const auto& [px, py] : points) canvas_.dot(px, py, points.size() > 40 ? 2 : 3.5, colour);
  }

  struct Corner {
    bool is_right, is_bottom;
  };

  int legend_width(const Panel& panel) {
    int width = 0;
    for (const Panel::Series& series : panel.series) width = std::max(width, text_face_.width(series.name));
    return width + 32;
  }

  /// The corner where a legend covers least of the curves.
  Corner emptiest(const Panel& panel, const Axis& x, const Axis& y) {
    constexpr int kSamples = 16;  // of a line between two points
    const double width = (legend_width(panel) + 20.0) / kChartWidth,
                 height = (12.0 + kLegendLine * panel.series.size()) / kChartHeight;
    std::array<int, 4> covered{};
    const auto cover = [&](double px, double py) {
      for (int corner = 0; corner < 4; ++corner)
        if ((corner & 1 ? px <= width : px >= 1 - width) && (corner & 2 ? py <= height : py >= 1 - height))
          ++covered[corner];
    };
    for (const Panel::Series& series : panel.series)
      for (size_t i = 0; i < series.x.size(); ++i) {
        const size_t next = std::min(i + 1, series.x.size() - 1);  // of the last point itself
        if (!x.shows(series.x[i]) || !y.shows(series.y[i]) || !x.shows(series.x[next]) || !y.shows(series.y[next]))
          continue;
        for (int k = 0; k <= kSamples; ++k) {
          const double t = static_cast<double>(k) / kSamples;
          cover(std::lerp(x.share(series.x[i]), x.share(series.x[next]), t),
                std::lerp(y.share(series.y[i]), y.share(series.y[next]), t));
        }
      }
    const auto best = std::ranges::min_element(covered) - covered.begin();
    return {(best & 1) == 0, (best & 2) != 0};
  }

  void legend(const Panel& panel, const Panel::Series& series, uint8_t colour, int left, Corner corner, int row) {
    const int rows = static_cast<int>(panel.series.size());
    const int y = corner.is_bottom ? kChartTop + kChartHeight - 12 - kLegendLine * (rows - 1 - row)
                                   : kChartTop + 20 + kLegendLine * row;
    legend_line(series, colour, corner.is_right ? left + kChartWidth - 12 : left + 12 + legend_width(panel), y);
  }

  void legend_line(const Panel::Series& series, uint8_t colour, int right, int y) {
    const int text_left = right - text_face_.width(series.name);
    canvas_.line(text_left - 32, y - 4, text_left - 8, y - 4, colour, series.is_reference ? 1 : 2);
    canvas_.text(right, y, series.name, text_face_, Canvas::Align::right);
  }

  const Chart& chart_;
  Typeface text_face_{kTextPixels}, title_face_{kTitlePixels};
  Canvas canvas_;
};

}  // namespace

std::string chart_png(const Chart& chart) { return ChartPicture(chart).png(); }

}  // namespace gridiron
