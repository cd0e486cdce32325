// SPDX-License-Identifier: Apache-2.0
#include "layout/cut_sizes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gridiron::layout {
namespace {

/// Resistors tell their sizes by numbers of 16 bits.
constexpr size_t kMostSizes = std::numeric_limits<uint16_t>::max();

/// The shorter one first.
std::pair<Dbu, Dbu> sides(const Box& cut) { return std::minmax({cut.width(), cut.height()}); }

CutSize size_of(const Library& library, int32_t layer, const Box& cut, double dbu_per_um) {
  CutSize size{layer, cut_class_of(library.layers[layer], cut, dbu_per_um),
               cut.width() / dbu_per_um * (cut.height() / dbu_per_um), 1};
  if (size.cut_class >= 0) size.counts_for = library.layers[layer].cut_classes[size.cut_class].cuts;
  return size;
}

}  // namespace

int32_t cut_class_of(const Layer& layer, const Box& cut, double dbu_per_um) {
  for (size_t k = 0; k < layer.cut_classes.size(); ++k) {
    const CutClass& c = layer.cut_classes[k];
    const Dbu width = to_dbu(c.width_um, dbu_per_um);
    const Dbu length = c.length_um > 0 ? to_dbu(c.length_um, dbu_per_um) : 0;
    const auto fits = [&](Dbu across, Dbu along) { return across == width && (length == 0 || along == length); };
    if (fits(cut.width(), cut.height()) || fits(cut.height(), cut.width())) return static_cast<int32_t>(k);
  }
  return -1;
}

CutSizes cut_sizes(const Library& library, const Chip& chip) {
  CutSizes all;
  for (size_t layer = 0; layer < library.layers.size(); ++layer) all.sizes.push_back({static_cast<int32_t>(layer)});
  for (const Via& via : chip.vias) {
    all.of_via.push_back(via.cuts.empty() ? -1 : via.cut);
    if (all.of_via.back() < 0) continue;
    if (!std::ranges::all_of(via.cuts, [&](const Box& cut) { return sides(cut) == sides(via.cuts[0]); })) continue;
    const CutSize size = size_of(library, via.cut, via.cuts[0], chip.dbu_per_um);
    const auto known = std::ranges::find_if(all.sizes, [&](const CutSize& other) {
      return other.layer == size.layer && other.cut_class == size.cut_class && other.um2 == size.um2;
    });
    if (known == all.sizes.end() && all.sizes.size() >= kMostSizes) continue;
    all.of_via.back() = static_cast<int32_t>(known - all.sizes.begin());
    if (known == all.sizes.end()) all.sizes.push_back(size);
  }
  return all;
}

}  // namespace gridiron::layout
