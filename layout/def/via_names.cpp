// SPDX-License-Identifier: Apache-2.0
#include "layout/def/via_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "layout/tokens.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron::layout {
namespace {

bool assign_layers_of(const Library& library, const FixedVia& via, ViaLayers& roles) {
  std::vector<int32_t> layers;
  for (const ShapeUm& shape : via.shapes) layers.push_back(shape.layer);
  return assign_via_layers(library, std::move(layers), roles);
}

std::vector<Point> corners_of(const ShapeUm& shape, double dbu_per_um) {
  std::vector<Point> corners;
  for (size_t k = 0; k + 1 < shape.xy.size(); k += 2)
    corners.push_back({to_dbu(shape.xy[k], dbu_per_um), to_dbu(shape.xy[k + 1], dbu_per_um)});
  return corners;
}

Via converted(const Library& library, const FixedVia& fixed, double dbu_per_um) {
  ViaLayers layers;
  if (!assign_layers_of(library, fixed, layers))
    throw InputError("it is not on two layers with a cut layer between them");
  Via via{fixed.name, layers.bottom, layers.cut, layers.top, {}, {}, {}, {}, fixed.rule, fixed.ohm};
  for (const ShapeUm& shape : fixed.shapes) {
    const std::vector<Point> corners = corners_of(shape, dbu_per_um);
    if (shape.is_polygon && shape.layer != via.cut) {
      via.polygons.push_back({shape.layer, corners});
      continue;
    }
    auto& boxes = shape.layer == via.cut ? via.cuts : shape.layer == via.bottom ? via.bottom_boxes : via.top_boxes;
    boxes.push_back(bounds(corners));
    if (boxes.back().width() == 0 || boxes.back().height() == 0) throw InputError("a shape of it has no area");
  }
  return via;
}

}  // namespace

bool assign_via_layers(const Library& library, std::vector<int32_t> layers, ViaLayers& roles) {
  std::ranges::sort(layers);
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  for (const int32_t layer : layers) {
    int32_t* role = library.layers[static_cast<size_t>(layer)].kind == LayerKind::cut ? &roles.cut
                    : roles.bottom < 0                                                ? &roles.bottom
                                                                                      : &roles.top;
    if (*role >= 0) return false;
    *role = layer;
  }
  return true;
}

ViaNames::ViaNames(const Library& library) : library_(library) {
  for (const FixedVia& via : library.vias) assign_layers_of(library, via, of_library_.emplace_back());
}

ViaNames::Known ViaNames::find(std::string_view word) const {
  const std::string plain = word.find('\\') == std::string_view::npos ? std::string() : plain_name(word);
  const std::string_view name = plain.empty() ? word : plain;
  if (const int32_t own = position(own_, name); own >= 0)
    return {own, of_own_[static_cast<size_t>(own)].bottom, of_own_[static_cast<size_t>(own)].top, true};
  if (const int32_t via = library_.via(name); via >= 0)
    return {-1 - via, of_library_[static_cast<size_t>(via)].bottom, of_library_[static_cast<size_t>(via)].top, true};
  return {};
}

bool ViaNames::add(const std::string& name, int32_t index, const Via& via) {
  of_own_.push_back({via.bottom, via.cut, via.top});
  return own_.emplace(name, index).second;
}

Via ViaNames::in_database_units(const Library& library, int32_t index, double dbu_per_um) {
  const FixedVia& fixed = library.vias[static_cast<size_t>(index)];
  try {
    return converted(library, fixed, dbu_per_um);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: VIA {}: {}", library.describe(fixed.place), fixed.name, error.message()));
  }
}

void ViaNames::resolve(const Library& library, Chip& chip) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  std::vector<int32_t> index(library.vias.size(), -1);
  for (const SpecialNet& net : chip.nets)
    parallel_each(std::ssize(net.vias), [&](int64_t v) {
      if (const int32_t via = net.vias[v].via; via < 0)
        if (const std::atomic_ref is_used(index[static_cast<size_t>(-1 - via)]); is_used.load(kRelaxed) < 0)
          is_used.store(0, kRelaxed);
    });
  for (size_t k = 0; k < index.size(); ++k) {
    if (index[k] < 0) continue;
    index[k] = static_cast<int32_t>(chip.vias.size());
    chip.vias.push_back(in_database_units(library, static_cast<int32_t>(k), chip.dbu_per_um));
  }
  for (SpecialNet& net : chip.nets)
    parallel_each(std::ssize(net.vias), [&](int64_t v) {
      if (int32_t& via = net.vias[v].via; via < 0) via = index[static_cast<size_t>(-1 - via)];
    });
}

}  // namespace gridiron::layout
