// SPDX-License-Identifier: Apache-2.0
#include "layout/straps/strap_vias.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "layout/def/via_names.hpp"
#include "layout/extract/axes.hpp"
#include "layout/straps/strap_metal.hpp"
#include "support/error.hpp"

namespace gridiron::layout {
namespace {

Box around_all(std::span<const Box> boxes) {
  Box all = boxes.front();
  for (const Box& box : boxes)
    all = {std::min(all.x0, box.x0), std::min(all.y0, box.y0), std::max(all.x1, box.x1), std::max(all.y1, box.y1)};
  return all;
}

bool is_within(const Box& inner, const Box& outer) {
  return inner.x0 >= outer.x0 && inner.x1 <= outer.x1 && inner.y0 >= outer.y0 && inner.y1 <= outer.y1;
}

}  // namespace

int32_t routing_layer_above(const Library& library, int32_t layer) {
  for (int32_t l = layer + 1; l < std::ssize(library.layers); ++l)
    if (library.layers[l].kind == LayerKind::routing) return l;
  return -1;
}

void add_library_vias(const Library& library, Chip& chip) {
  NameIndex known;
  for (size_t v = 0; v < chip.vias.size(); ++v) known.emplace(chip.vias[v].name, static_cast<int32_t>(v));
  for (int32_t v = 0; v < std::ssize(library.vias); ++v) {
    if (position(known, library.vias[v].name) >= 0) continue;
    try {
      chip.vias.push_back(ViaNames::in_database_units(library, v, chip.dbu_per_um));
    } catch (const InputError&) {
      continue;  // it cannot be placed by DEF either
    }
  }
}

StrapVias::StrapVias(const Library& library, const Chip& chip) : library_(library), by_bottom_(library.layers.size()) {
  NameIndex of_library;
  std::map<std::pair<int32_t, Orientation>, std::vector<uint8_t>> used;
  for (size_t n = 0; n < chip.nets.size(); ++n)
    for (const PlacedVia& via : chip.nets[n].vias) {
      std::vector<uint8_t>& nets = used[{via.via, via.orientation}];
      nets.resize(chip.nets.size());
      nets[n] = 1;
    }
  const auto add = [&](int32_t v, Orientation orientation, std::vector<uint8_t> nets) {
    const Via& via = chip.vias[v];
    if (via.bottom < 0 || via.top != routing_layer_above(library, via.bottom) || via.cuts.empty()) return;
    nets.resize(chip.nets.size());
    by_bottom_[via.bottom].push_back({v, orientation, turned(around_all(via.cuts), orientation), std::ssize(via.cuts),
                                      std::move(nets), library.via(via.name) < 0});
  };
  for (const auto& [kind, nets] : used) add(kind.first, kind.second, nets);
  for (int32_t v = 0; v < std::ssize(chip.vias); ++v)
    if (!used.contains({v, Orientation::N})) add(v, Orientation::N, {});
}

std::vector<PlacedVia> StrapVias::stack(int32_t net, int32_t bottom, int32_t top, const Box& crossing) const {
  std::vector<PlacedVia> vias;
  const Point at = centre(crossing);
  for (int32_t layer = bottom; layer < top; layer = routing_layer_above(library_, layer)) {
    const Kind* best = nullptr;
    const auto rank = [&](const Kind& k) { return std::tuple(k.is_used_by[net] != 0, k.is_of_chip, k.count); };
    for (const Kind& kind : by_bottom_[layer])
      if (is_within(moved(kind.cuts, at), crossing) && (!best || rank(kind) > rank(*best))) best = &kind;
    if (!best) return {};
    vias.push_back({best->via, at, best->orientation});
  }
  return vias;
}

bool StrapVias::reaches(int32_t bottom, int32_t top) const {
  for (int32_t layer = bottom; layer < top; layer = routing_layer_above(library_, layer))
    if (by_bottom_[layer].empty()) return false;
  return true;
}

}  // namespace gridiron::layout
