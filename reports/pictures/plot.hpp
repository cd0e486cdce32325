// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridiron {

/// A colour map with title, axes and colour bar.
struct Plot {
  std::string title;
  std::string remark;  ///< to the right of the title, in grey
  std::string facts;   ///< below the title, in grey
  std::string x_label, y_label;

  double left = 0, top = 0, per_pixel = 1;  ///< the plot's position, in units of the axes
  int width = 0, height = 0;                ///< pixels
  std::span<const uint8_t> pixels;          ///< width × height palette indices of Canvas, rows from the top

  double low = 0, high = 1;     ///< ends of the colour scale, in `unit`
  bool is_logarithmic = false;  ///< equal colour steps are equal factors; low > 0
  std::string unit;
  bool is_diverging = false;  ///< colours of changes, zero in the middle

  struct Position {
    double x, y;
  };
  std::optional<Position> ring;                   ///< around a point of interest
  std::vector<std::vector<Position>> lines{};     ///< drawn over the colours,
  std::vector<std::vector<Position>> outlines{};  ///< and these in grey below them

  double right() const { return left + width * per_pixel; }
  double bottom() const { return top - height * per_pixel; }
};

inline constexpr double kLongSideOfPlot = 640;  ///< pixels, where the shape of the data decides on the other side

/// The bytes of a PNG. Errors: ResourceError.
std::string plot_png(const Plot& plot);

}  // namespace gridiron
