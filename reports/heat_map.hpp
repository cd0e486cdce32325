// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/ir/ir_report.hpp"

namespace gridiron {

/// The rectangle of the chip that every map of a run shows, and the pixels it is shown with.
struct Frame {
  double left_um = 0, top_um = 0, um_per_pixel = 1;
  int width = 0, height = 0;

  double right_um() const { return left_um + width * um_per_pixel; }
  double bottom_um() const { return top_um - height * um_per_pixel; }
  int column(double x_um) const;
  int row(double y_um) const;  ///< 0 at the top
};

/// The drops that the ends of the colour scale stand for.
struct Scale {
  double low_v = 0, high_v = 0;
};

/// The drop over the chip of one net, on one layer or the worst of all layers, as colours.
struct HeatMap {
  std::int32_t net = 0;
  std::optional<std::int32_t> layer;  ///< none: all layers, those of unknown layer included
  Frame frame;
  Scale scale;  ///< the same for all maps of a net
  std::int64_t nodes = 0;
  NodeId worst_node = kGround;
  std::vector<std::uint8_t> pixels;  ///< 0 where there is no node near, else 1 + index into heat_colours()
};

/// Every net's layers and then all layers together; a net without placed nodes has none. Where several nodes share a
/// pixel the worst counts, and the space between nodes takes the colour of the nearest one within about two pitches.
/// The longer side has at most 640 pixels, fewer when there are hundreds of maps. Does not depend on the number of
/// threads.
std::vector<HeatMap> heat_maps(const IrReport& result);

/// Half as many pixels in each direction; of four pixels the worst counts.
void halve(HeatMap& map);

}  // namespace gridiron
