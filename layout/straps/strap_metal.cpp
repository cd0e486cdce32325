// SPDX-License-Identifier: Apache-2.0
#include "layout/straps/strap_metal.hpp"

#include <algorithm>
#include <cmath>

#include "layout/extract.hpp"

namespace gridiron::layout {

Dbu distance(const Box& a, const Box& b) {
  const Dbu x = std::max(a.x0, b.x0) - std::min(a.x1, b.x1), y = std::max(a.y0, b.y0) - std::min(a.y1, b.y1);
  return std::max(x, y);
}

StrapMetal::StrapMetal(const Library& library, const Chip& chip, const std::vector<double>& factor)
    : library_(library), chip_(chip), layers_(library.layers.size()) {
  add_nets(factor);
  add_shapes(&Macro::obstructions, kObstruction);
  plant_trees();
}

StrapMetal::StrapMetal(const Library& library, const Chip& chip, const std::vector<bool>& layers)
    : library_(library), chip_(chip), layers_(library.layers.size()) {
  add_nets(std::vector<double>(layers_.size(), 1.0));
  add_shapes(&Macro::obstructions, kObstruction);
  add_shapes(&Macro::signal_shapes, kSignalPin);
  for (size_t l = 0; l < layers_.size(); ++l)
    if (!layers[l]) layers_[l].shapes.clear();
  plant_trees();
}

void StrapMetal::plant_trees() {
  for (int32_t l = 0; l < std::ssize(layers_); ++l) {
    std::vector<Box> boxes;
    for (const Shape& shape : layers_[l].shapes) boxes.push_back(shape.box);
    layers_[l].tree.emplace(std::move(boxes));
    for (const LayerSpacing& s : library_.layers[l].spacings)
      layers_[l].largest_spacing = std::max(layers_[l].largest_spacing, to_dbu(s.spacing_um, chip_.dbu_per_um));
  }
}

void StrapMetal::add_nets(const std::vector<double>& factor) {
  for (int32_t n = 0; n < std::ssize(chip_.nets); ++n) {
    const SpecialNet& net = chip_.nets[n];
    if (!net.has_shapes()) continue;
    const Network metal = extract_metal(library_, chip_, n);
    for (int64_t p = 0; p < std::ssize(metal.piece_box); ++p)
      layers_[metal.piece_layer[p]].shapes.push_back({metal.piece_box[p], n});
    for (const LayerBox& wire : net.boxes) {
      if (!(factor[wire.layer] > 1)) continue;
      const double more = (factor[wire.layer] - 1) / 2 * least_side(wire.box);
      layers_[wire.layer].shapes.push_back({widened(wire.box, static_cast<Dbu>(std::ceil(more))), n});
    }
  }
}

void StrapMetal::add_shapes(std::vector<ShapeUm> Macro::*shapes, int32_t net) {
  const Components& all = chip_.components;
  for (int64_t c = 0; c < all.size(); ++c) {
    const Macro& macro = library_.macros[all.macro[c]];
    if (!all.placed[c] || (macro.*shapes).empty()) continue;
    const Dbu width = to_dbu(macro.width_um, chip_.dbu_per_um), height = to_dbu(macro.height_um, chip_.dbu_per_um);
    for (const ShapeUm& shape : macro.*shapes) {
      std::vector<Point> corners;
      for (size_t k = 0; k + 1 < shape.xy.size(); k += 2)
        corners.push_back({to_dbu(shape.xy[k], chip_.dbu_per_um), to_dbu(shape.xy[k + 1], chip_.dbu_per_um)});
      layers_[shape.layer].shapes.push_back(
          {placed(bounds(corners), width, height, all.place[c], all.orientation[c]), net});
    }
  }
}

Dbu StrapMetal::spacing(int32_t layer, Dbu width) const {
  return to_dbu(library_.layers[layer].spacing_um(width / chip_.dbu_per_um), chip_.dbu_per_um);
}

bool StrapMetal::is_clear(int32_t layer, const Box& box, int32_t net, bool heeds_obstructions) const {
  const OfLayer& of = layers_[layer];
  return !of.tree->any_meeting(widened(box, of.largest_spacing), [&](int32_t i) {
    const Shape& other = of.shapes[i];
    if (other.net == net || (other.net < 0 && !heeds_obstructions)) return false;
    const Dbu gap = distance(box, other.box);
    return gap <= 0 || gap < spacing(layer, std::max(least_side(box), least_side(other.box)));
  });
}

}  // namespace gridiron::layout
