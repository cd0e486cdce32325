// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// The rectangle of the chip shown by every map of a run, and its size in pixels.
struct Frame {
  double left_um = 0, top_um = 0, um_per_pixel = 1;
  int width = 0, height = 0;

  double right_um() const { return left_um + width * um_per_pixel; }
  double bottom_um() const { return top_um - height * um_per_pixel; }
  int column(double x_um) const;
  int row(double y_um) const;  ///< 0 at the top
};

/// The drops at the ends of the colour scale. Around zero it has diverging_colours(), of as much below as above.
struct Scale {
  double low_v = 0, high_v = 0;
  bool is_around_zero = false;
};
enum class ScaleKind : uint8_t { of_drops, around_zero };

/// The drop over the chip of one net, on one layer or the worst of all layers, as colours.
struct HeatMap {
  int32_t net = 0;
  std::optional<int32_t> layer;  ///< none: all layers, including unknown ones
  Frame frame;
  Scale scale;  ///< the same for all maps of a net
  int64_t nodes = 0;
  NodeId worst_node = kGround;
  std::vector<uint8_t> pixels;  ///< 0 where no node is near, otherwise 1 + index into the colours
};

/// Of this size, um, around a place; the longer side takes so many pixels.
Frame frame_around(double x_um, double y_um, double width_um, double height_um, int long_side);

inline constexpr int kLongSide = 640;        ///< pixels of the longer side of a map
inline constexpr double kFlattestFrame = 6;  ///< aspect ratio of a map of a single row of nodes

/// Maps of a run at most, unless its worst net alone has more.
inline constexpr size_t kMostHeatMaps = 200;

/// The pixel for a drop: 1 + index into the colours.
uint8_t colour_of(const Scale& scale, double drop_v);

/// Every net's layers and then all layers together; none for a net whose nodes have no coordinates. If that would be
/// more than kMostHeatMaps, only the nets with the largest drops have maps. Where several nodes share a pixel the worst
/// one is shown, and the space between nodes takes the colour of the nearest one within about two pitches; a layer
/// whose wires can be told apart shows those. The longer side has at most 640 pixels, fewer if there are hundreds of
/// maps. Independent of the number of threads.
std::vector<HeatMap> heat_maps(const IrReport& result, ScaleKind kind = ScaleKind::of_drops);

/// One line on the nets that heat_maps() leaves out; empty if there are none.
std::string left_out_maps(const IrReport& result);

/// Halves the number of pixels in each direction; of four pixels the worst is kept.
void halve(HeatMap& map);

}  // namespace gridiron
