// SPDX-License-Identifier: Apache-2.0
#include "layout/straps/widening_room.hpp"

#include <algorithm>
#include <cmath>

#include "layout/extract/axes.hpp"

namespace gridiron::layout {
namespace {

std::vector<bool> widened_layers(const std::vector<double>& factor) {
  std::vector<bool> layers;
  for (const double f : factor) layers.push_back(f > 1);
  return layers;
}

/// How much a wire of this width grows on each side until it is as wide as that.
Dbu growth(Dbu from, Dbu to) { return (to - from + 1) / 2; }

Box grown_across(const Box& box, bool is_along_x, Dbu by) {
  return is_along_x ? Box{box.x0, box.y0 - by, box.x1, box.y1 + by} : Box{box.x0 - by, box.y0, box.x1 + by, box.y1};
}

Dbu growth_to(double factor, Dbu width) { return static_cast<Dbu>(std::ceil((factor - 1) / 2 * width)); }

bool is_long(const Box& box) { return box.width() >= box.height(); }

}  // namespace

WideningRoom::WideningRoom(const Library& library, const Chip& chip, const std::vector<double>& factor,
                           const Widened& widened)
    : chip_(chip),
      factor_(factor),
      metal_(library, chip, widened_layers(factor)),
      wires_(library.layers.size()),
      trees_(library.layers.size()) {
  for (int32_t n = 0; n < std::ssize(chip.nets); ++n)
    for (size_t b = 0; b < chip.nets[n].boxes.size(); ++b) {
      const LayerBox& wire = chip.nets[n].boxes[b];
      if (factor_[wire.layer] <= 1) continue;
      const Dbu width = least_side(wire.box);
      const auto wider = widened.find({n, b});
      const Dbu least = wider == widened.end() ? 0 : growth_to(wider->second, width);
      wires_[wire.layer].push_back({wire.box, n, least, std::max(least, growth_to(factor_[wire.layer], width))});
    }
  for (int32_t l = 0; l < std::ssize(wires_); ++l) {
    std::vector<Box> boxes;
    for (const Wire& wire : wires_[l]) boxes.push_back(grown_across(wire.box, is_long(wire.box), wire.most));
    trees_[l].emplace(std::move(boxes));
  }
}

/// f(wire) of what is not of the net, meets the box, and may be nearer than it should be, of what does not grow, too.
template <class F>
void WideningRoom::for_each_near(int32_t layer, int32_t net, const Box& box, F&& f) const {
  const Box near = widened(box, metal_.largest_spacing(layer));
  metal_.tree(layer).any_meeting(near, [&](int32_t i) {
    const StrapMetal::Shape& shape = metal_.shapes(layer)[i];
    if (shape.net != net) f(Wire{shape.box, shape.net, 0, 0});
    return false;
  });
  trees_[layer]->any_meeting(near, [&](int32_t i) {
    if (wires_[layer][i].net != net) f(wires_[layer][i]);
    return false;
  });
}

WideningRoom::Room WideningRoom::room(int32_t net, std::span<const size_t> wires, Dbu width, bool is_along_x) const {
  if (wires.empty()) return {width, {}};
  const int32_t layer = chip_.nets[net].boxes[wires.front()].layer;
  const auto even = [width](int64_t w) { return std::max(width, static_cast<Dbu>(w / 2 * 2)); };
  Room room{even(std::llround(std::floor(factor_[layer] * width + 1e-6))), {}};
  for (const size_t w : wires) {
    const Box& wire = chip_.nets[net].boxes[w].box;
    const bool is_across = (is_along_x ? wire.height() : wire.width()) == width;
    const auto wide = [&](Dbu by) { return is_across ? grown_across(wire, is_along_x, by) : widened(wire, by); };
    const auto is_clear = [&](Dbu to, const Wire& other) {
      const Dbu by = growth(width, to), by_other = std::clamp(by, other.least, other.most);
      const Box box = wide(by), beside = grown_across(other.box, is_long(other.box), by_other);
      const Dbu gap = distance(box, beside);
      return gap > 0 && gap >= metal_.spacing(layer, std::max(least_side(box), least_side(beside)));
    };
    for_each_near(layer, net, wide(growth(width, room.width)), [&](const Wire& other) {
      if (is_clear(room.width, other)) return;
      Dbu low = width, high = room.width;  // clear, unless it is today's, and not
      while (high - low > 1) {
        const Dbu half = low + (high - low) / 2;
        (is_clear(half, other) ? low : high) = half;
      }
      room = {even(low), other.net};
    });
  }
  return room;
}

}  // namespace gridiron::layout
