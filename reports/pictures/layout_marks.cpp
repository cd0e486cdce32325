// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/layout_marks.hpp"

#include <algorithm>

#include "reports/lookup.hpp"

namespace gridiron {
namespace {

constexpr int64_t kMostMarks = 5000;                  ///< of a kind in a map: more could not be told apart
constexpr double kRoomForACross = 8, kHalfCross = 4;  ///< pixels

class LayoutMarks {
 public:
  LayoutMarks(const Frame& frame, double per_um, Plot& plot) : frame_(frame), per_um_(per_um), plot_(plot) {}

  void outline(const Placement::Box& box) {
    if (is_outside(box)) return;
    plot_.outlines.push_back(corners(inside(box)));
  }

  /// Its outline, and a cross if there is room, or where it is but a point.
  void cross(Placement::Box box) {
    if (is_outside(box)) return;
    const double least = kHalfCross * frame_.um_per_pixel;
    const bool is_point = box.left_um == box.right_um && box.bottom_um == box.top_um;
    if (is_point) box = {box.left_um - least, box.bottom_um - least, box.right_um + least, box.top_um + least};
    box = inside(box);
    if (!is_point) plot_.lines.push_back(corners(box));
    const double room = std::min(box.right_um - box.left_um, box.top_um - box.bottom_um) / frame_.um_per_pixel;
    if (!is_point && room < kRoomForACross) return;
    plot_.lines.push_back({at(box.left_um, box.bottom_um), at(box.right_um, box.top_um)});
    plot_.lines.push_back({at(box.left_um, box.top_um), at(box.right_um, box.bottom_um)});
  }

 private:
  bool is_outside(const Placement::Box& box) const {
    return box.right_um < frame_.left_um || box.left_um > frame_.right_um() || box.top_um < frame_.bottom_um() ||
           box.bottom_um > frame_.top_um;
  }
  Placement::Box inside(const Placement::Box& box) const {
    return {std::max(box.left_um, frame_.left_um), std::max(box.bottom_um, frame_.bottom_um()),
            std::min(box.right_um, frame_.right_um()), std::min(box.top_um, frame_.top_um)};
  }
  Plot::Position at(double x_um, double y_um) const { return {x_um * per_um_, y_um * per_um_}; }
  std::vector<Plot::Position> corners(const Placement::Box& box) const {
    return {at(box.left_um, box.bottom_um), at(box.right_um, box.bottom_um), at(box.right_um, box.top_um),
            at(box.left_um, box.top_um), at(box.left_um, box.bottom_um)};
  }

  const Frame& frame_;
  double per_um_;
  Plot& plot_;
};

}  // namespace

int64_t draw_layout_marks(const IrReport& result, const HeatMap& map, double per_um, Plot& plot) {
  const Placement* placement = result.circuit ? result.circuit->placement.get() : nullptr;
  if (!placement) return 0;
  LayoutMarks marks(map.frame, per_um, plot);
  const auto macros = std::min(std::ssize(placement->macros), ptrdiff_t{kMostMarks});
  for (ptrdiff_t k = 0; k < macros; ++k) marks.outline(placement->macros[k].box);
  int64_t count = 0;
  for (const Placement::Open& open : placement->opens) {
    if (placement->nets[open.net].name != result.nets[map.net].name) continue;
    if (map.layer && placement->layers[open.layer].name != layer_name(result, *map.layer)) continue;
    if (++count <= kMostMarks) marks.cross(open.box);
  }
  return count;
}

}  // namespace gridiron
