// SPDX-License-Identifier: Apache-2.0
#include "reports/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/canvas.hpp"
#include "reports/escape.hpp"
#include "reports/lookup.hpp"
#include "reports/numbers.hpp"
#include "reports/png.hpp"
#include "reports/ticks.hpp"
#include "reports/utf8.hpp"

namespace gridiron {
namespace {

// Distances in pixels.
constexpr int kLeft = 76, kTop = 66, kRight = 118, kBottom = 54;
constexpr int kLeastWidth = 420, kLeastHeight = 200;
constexpr int kTickLength = 5, kBarGap = 22, kBarWidth = 18, kEdge = 16;
constexpr int kTextPixels = 12, kTitlePixels = 17;
constexpr double kRingRadius = 8;

/// Cut to what fits, with an ellipsis.
std::string fitted(std::string_view text, int width, Typeface& typeface) {
  if (typeface.width(text) <= width) return std::string(text);
  const int room = width - typeface.width("…");
  std::string_view rest = text;
  std::size_t keep = 0;
  while (true) {
    next_code_point(rest);
    const std::size_t end = text.size() - rest.size();
    if (rest.empty() || typeface.width(text.substr(0, end)) > room) break;
    keep = end;
  }
  return std::string(text.substr(0, keep)) + "…";
}

/// One picture under construction: a plot area with room for text around it.
class Picture {
 public:
  Picture(const IrResult& result, const HeatMap& map)
      : result_(result),
        map_(map),
        net_(result.nets[static_cast<std::size_t>(map.net)]),
        width_(map.frame.width),
        height_(map.frame.height),
        x_((std::max(kLeft + width_ + kRight, kLeastWidth) - width_ - kRight + kLeft) / 2),
        y_(kTop + std::max(0, kLeastHeight - kTop - kBottom - height_) / 2),
        canvas_(std::max(kLeft + width_ + kRight, kLeastWidth), std::max(kTop + height_ + kBottom, kLeastHeight)) {}

  std::string png() {
    draw_title();
    draw_plot();
    draw_axes();
    draw_bar();
    return canvas_.png();
  }

 private:
  void draw_title() {
    const std::string layer = map_.layer ? printable(layer_name(result_, *map_.layer)) : "worst of all layers";
    const std::string nodes = fmt::format("{} node{}", grouped(map_.nodes), map_.nodes == 1 ? "" : "s");
    const int room = canvas_.width() - x_ - kEdge;
    const std::string title =
        fmt::format("{} · {} · {}", printable(net_.name), layer, net_.is_ground ? "ground bounce" : "IR drop");
    canvas_.text(x_, 30, fitted(title, room - text_face_.width(nodes) - kBarGap, title_face_), title_face_);
    canvas_.text(canvas_.width() - kEdge, 30, nodes, text_face_, Canvas::Align::right, true);

    const auto worst = static_cast<std::size_t>(map_.worst_node);
    const double drop = result_.nodes.drop_v[worst];
    const std::string share =
        net_.supply_v > 0 ? fmt::format(" ({:.2f} % of supply)", percent_of_supply(net_, drop)) : "";
    const std::string facts = fmt::format("worst {}{} at {}", with_unit(drop, "V", "µ"), share,
                                          printable(node_name(result_, map_.worst_node)));
    canvas_.text(x_, 51, fitted(facts, width_ + kBarGap - kEdge, text_face_), text_face_, Canvas::Align::left, true);
  }

  void draw_plot() {
    canvas_.paste(x_, y_, width_, map_.pixels);
    canvas_.outline(x_ - 1, y_ - 1, width_ + 2, height_ + 2, Canvas::grey());
    const auto worst = static_cast<std::size_t>(map_.worst_node);
    const Frame& f = map_.frame;
    canvas_.ring(x_ + (result_.nodes.x_um[worst] - f.left_um) / f.um_per_pixel,
                 y_ + (f.top_um - result_.nodes.y_um[worst]) / f.um_per_pixel, kRingRadius);
  }

  void draw_axes() {
    const Frame& f = map_.frame;
    for (const Tick& tick : ticks(f.left_um, f.right_um(), std::max(1, width_ / 110))) {
      const int x = x_ + static_cast<int>((tick.value - f.left_um) / f.um_per_pixel);
      canvas_.fill(x, y_ + height_ + 1, 1, kTickLength, Canvas::grey());
      canvas_.text(x, y_ + height_ + 20, tick.label, text_face_, Canvas::Align::centre);
    }
    for (const Tick& tick : ticks(f.bottom_um(), f.top_um, std::max(1, height_ / 90))) {
      const int y = y_ + static_cast<int>((f.top_um - tick.value) / f.um_per_pixel);
      canvas_.fill(x_ - 1 - kTickLength, y, kTickLength, 1, Canvas::grey());
      canvas_.text(x_ - 10, y + 4, tick.label, text_face_, Canvas::Align::right);
    }
    canvas_.text(x_ + width_ / 2, y_ + height_ + 41, "x, µm", text_face_, Canvas::Align::centre, true);
    canvas_.text(x_ - 10, y_ - 10, "y, µm", text_face_, Canvas::Align::right, true);
  }

  void draw_bar() {
    const int x = x_ + width_ + kBarGap;
    for (int row = 0; row < height_; ++row) {
      const int step = (height_ - 1 - row) * kHeatColours / height_;
      canvas_.fill(x, y_ + row, kBarWidth, 1, Canvas::heat(step));
    }
    canvas_.outline(x - 1, y_ - 1, kBarWidth + 2, height_ + 2, Canvas::grey());

    const Scale& scale = map_.scale;
    const double largest = std::max(std::abs(scale.low_v), std::abs(scale.high_v));
    const auto [unit, volts] = unit_for(largest);
    for (const Tick& tick : ticks(scale.low_v / volts, scale.high_v / volts, std::max(1, height_ / 80))) {
      const double share = (tick.value * volts - scale.low_v) / (scale.high_v - scale.low_v);
      const int y = y_ + height_ - 1 - static_cast<int>(std::lround(share * (height_ - 1)));
      canvas_.fill(x + kBarWidth + 1, y, kTickLength, 1, Canvas::grey());
      canvas_.text(x + kBarWidth + 10, y + 4, tick.label, text_face_);
    }
    canvas_.text(x + kBarWidth / 2, y_ - 10, unit, text_face_, Canvas::Align::centre, true);
  }

  /// Unit of the colour bar and its size in volts.
  static std::pair<const char*, double> unit_for(double largest_v) {
    if (largest_v >= 1) return {"V", 1};
    if (largest_v >= 1e-3) return {"mV", 1e-3};
    if (largest_v >= 1e-6) return {"µV", 1e-6};
    return {"nV", 1e-9};
  }

  const IrResult& result_;
  const HeatMap& map_;
  const NetResult& net_;
  int width_, height_;  ///< of the plot
  int x_, y_;           ///< its top left corner
  Canvas canvas_;
  Typeface text_face_{kTextPixels}, title_face_{kTitlePixels};
};

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

std::string map_picture(const IrResult& result, const HeatMap& map) { return Picture(result, map).png(); }

std::string map_overlay(const HeatMap& map) {
  return encode_png({.width = map.frame.width,
                     .height = map.frame.height,
                     .pixels = map.pixels,
                     .palette = Canvas::palette().first(1 + kHeatColours),
                     .first_is_transparent = true});
}

std::vector<std::string> map_file_names(const IrResult& result, const std::vector<HeatMap>& maps) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const HeatMap& map : maps) {
    const std::string stem = fmt::format("map_{}_{}", file_name_part(net_name(result, map.net)),
                                         map.layer ? file_name_part(layer_name(result, *map.layer)) : "all");
    std::string name = stem;
    for (int copy = 2; !taken.insert(lower_case(name)).second; ++copy) name = fmt::format("{}_{}", stem, copy);
    names.push_back(name + ".png");
  }
  return names;
}

}  // namespace gridiron
