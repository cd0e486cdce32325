// SPDX-License-Identifier: Apache-2.0
// Straps beside each other, and in their chip.
#include <algorithm>
#include <cstdlib>

#include "layout/extract/axes.hpp"
#include "layout/straps/strap_sites.hpp"

namespace gridiron::layout {
namespace {

Box around(const Box& a, const Box& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

bool is_along_x(const NewStrap& strap) { return strap.from.y == strap.to.y; }

void add_shapes(const Chip& chip, const PlacedVia& placed, std::vector<LayerBox>& out) {
  const Via& via = chip.vias[placed.via];
  for (const int32_t layer : {via.bottom, via.top})
    for (const Box& box : layer == via.bottom ? via.bottom_boxes : via.top_boxes)
      out.push_back({layer, moved(turned(box, placed.orientation), placed.place)});
}

}  // namespace

Box box_of(const NewStrap& strap) {
  const Dbu half = strap.width / 2;
  return is_along_x(strap) ? Box{strap.from.x, strap.from.y - half, strap.to.x, strap.from.y + half}
                           : Box{strap.from.x - half, strap.from.y, strap.from.x + half, strap.to.y};
}

std::vector<LayerBox> StrapSites::shapes(const StrapSite& site) const {
  std::vector<LayerBox> out;
  for (const NewStrap& piece : site.pieces) {
    out.push_back({piece.layer, box_of(piece)});
    for (const PlacedVia& via : piece.vias) add_shapes(chip_, via, out);
  }
  return out;
}

bool StrapSites::conflict(const StrapSite& a, const StrapSite& b) const {
  const StrapKind &of_a = kinds_[a.kind], &of_b = kinds_[b.kind];
  if (of_a.layer == of_b.layer)
    return std::abs(int64_t{a.at} - b.at) <
           (int64_t{of_a.width} + of_b.width) / 2 + std::max(of_a.clearance(), of_b.clearance());
  if (a.net == b.net) return false;
  const std::vector<LayerBox> of = shapes(a), others = shapes(b);
  Box all = others.front().box;
  for (const LayerBox& other : others) all = around(all, other.box);
  for (const LayerBox& one : of) {
    const Box near = widened(one.box, metal_.largest_spacing(one.layer));
    if (!meets(near, all)) continue;
    for (const LayerBox& other : others) {
      if (other.layer != one.layer || !meets(near, other.box)) continue;
      const Dbu gap = distance(one.box, other.box);
      if (gap <= 0 || gap < metal_.spacing(one.layer, std::max(least_side(one.box), least_side(other.box))))
        return true;
    }
  }
  return false;
}

std::vector<NewStrap> StrapSites::straps(std::span<const StrapSite* const> sites) const {
  std::vector<NewStrap> straps;
  for (const StrapSite* site : sites) straps.insert(straps.end(), site->pieces.begin(), site->pieces.end());
  const auto is_alone = [&](const Box& crossing, int32_t net, int32_t low, int32_t high) {
    const auto is_between = [&](int32_t layer, const Box& box) {
      return layer > low && layer < high && meets(box, crossing);
    };
    return std::ranges::none_of(chip_.nets[net].straps,
                                [&](const LayerBox& s) { return is_between(s.layer, s.box); }) &&
           std::ranges::none_of(straps, [&](const NewStrap& s) { return is_between(s.layer, box_of(s)); });
  };
  for (size_t i = 0; i < straps.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      NewStrap& strap = straps[i];
      if (straps[k].net != strap.net || straps[k].layer == strap.layer) continue;
      if (distance(box_of(strap), box_of(straps[k])) >= 0) continue;
      const Box crossing = common(box_of(strap), box_of(straps[k]));
      const int32_t low = std::min(strap.layer, straps[k].layer), high = std::max(strap.layer, straps[k].layer);
      if (is_along_x(strap) == is_along_x(straps[k]) || !is_alone(crossing, strap.net, low, high)) continue;
      const std::vector<PlacedVia> stack = vias_.stack(strap.net, low, high, crossing);
      if (std::ranges::all_of(stack, [&](const PlacedVia& via) { return is_clear(via, strap.net, low, high); }))
        strap.vias.insert(strap.vias.end(), stack.begin(), stack.end());
    }
  return straps;
}

Chip with_straps(const Chip& chip, std::span<const NewStrap> straps) {
  Chip more = chip;
  for (const NewStrap& strap : straps) {
    SpecialNet& net = more.nets[strap.net];
    net.boxes.push_back({strap.layer, box_of(strap)});
    net.straps.push_back(net.boxes.back());
    net.vias.insert(net.vias.end(), strap.vias.begin(), strap.vias.end());
  }
  return more;
}

}  // namespace gridiron::layout
