// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/strap_layers.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "layout/extract/axes.hpp"
#include "layout/extract/bands.hpp"
#include "layout/extract/pieces.hpp"

namespace gridiron::layout {
namespace {

/// Wires along x, or after a change of axes along y, in pieces that do not overlap.
std::vector<Box> united(std::vector<Box> boxes, Axes axes) {
  for (Box& box : boxes) box = axes(box);
  const Bands bands(boxes);
  std::vector<Box> out;
  for (int64_t band = 0; band < bands.size(); ++band)
    for (const Box& piece : cut(bands.boxes(band)).box) out.push_back(axes(piece));
  return out;
}

std::vector<Box> both(std::vector<Box> some, const std::vector<Box>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

Box around(const Box& a, const Box& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

}  // namespace

std::vector<StrapLayer> strap_layers(const Library& library, const SpecialNet& net) {
  std::vector<std::vector<Box>> horizontal(library.layers.size()), vertical(library.layers.size());
  for (const LayerBox& strap : net.straps) {
    if (library.layers[strap.layer].kind != LayerKind::routing) continue;
    if (strap.box.width() > strap.box.height()) horizontal[strap.layer].push_back(strap.box);
    if (strap.box.width() < strap.box.height()) vertical[strap.layer].push_back(strap.box);
  }
  std::vector<StrapLayer> layers;
  for (int32_t l = 0; l < std::ssize(library.layers); ++l) {
    if (horizontal[l].empty() && vertical[l].empty()) continue;
    std::vector<Box> along_x = united(std::move(horizontal[l]), Axes{false});
    std::vector<Box> along_y = united(std::move(vertical[l]), Axes{true});
    BoxTree of_vertical(along_y), of_all(both(along_x, along_y));
    layers.push_back({l, std::move(along_x), std::move(along_y), std::move(of_vertical), std::move(of_all)});
  }
  return layers;
}

ViaStacks::ViaStacks(const Library& library, const Chip& chip, const SpecialNet& net) : kinds_(chip.vias.size() * 8) {
  int32_t routing = 0;
  for (const Layer& layer : library.layers) {
    step_of_layer_.push_back(std::min(routing, 63));
    routing += layer.kind == LayerKind::routing ? 1 : 0;
  }
  std::vector<uint8_t> seen(kinds_.size(), 0);
  for (const PlacedVia& placed : net.vias) {
    const size_t index = static_cast<size_t>(placed.via) * 8 + static_cast<size_t>(placed.orientation);
    if (std::exchange(seen[index], uint8_t{1})) continue;
    const Via& via = chip.vias[placed.via];
    if (via.bottom < 0 || via.top < 0 || via.cuts.empty()) continue;
    Kind kind{steps(via.bottom, via.top), via.cuts[0], via.cuts[0]};
    for (const Box& box : via.cuts) kind.cuts = around(kind.cuts, box);
    kind.all = kind.cuts;
    for (const std::vector<Box>* boxes : {&via.bottom_boxes, &via.top_boxes})
      for (const Box& box : *boxes) kind.all = around(kind.all, box);
    for (const LayerPolygon& polygon : via.polygons) kind.all = around(kind.all, bounds(polygon.corners));
    kind.cuts = turned(kind.cuts, placed.orientation);
    kind.all = turned(kind.all, placed.orientation);
    used_ |= kind.steps;
    kinds_[index] = kind;
  }
}

uint64_t ViaStacks::steps(int32_t bottom, int32_t top) const {
  const int32_t low = step_of_layer_[std::min(bottom, top)], high = step_of_layer_[std::max(bottom, top)];
  return (uint64_t{1} << high) - (uint64_t{1} << low);
}

Box ViaStacks::box(const PlacedVia& via) const {
  const Box& all = kind(via)->all;
  const Point at = via.place;
  return {all.x0 + at.x, all.y0 + at.y, all.x1 + at.x, all.y1 + at.y};
}

bool ViaStacks::fit(uint64_t steps, const Box& box) const {
  for (const std::optional<Kind>& kind : kinds_)
    if (kind && kind->cuts.width() <= box.width() && kind->cuts.height() <= box.height()) steps &= ~kind->steps;
  return steps == 0;
}

}  // namespace gridiron::layout
