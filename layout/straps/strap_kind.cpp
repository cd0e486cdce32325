// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "layout/straps/strap_sites.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron::layout {
namespace {

constexpr double kSameDbu = 1e-3;

bool is_whole(double number) { return std::abs(number - std::round(number)) < kSameDbu; }

int32_t routing_layer(const Library& library, const std::string& name) {
  const auto found = std::ranges::find_if(library.layers, [&](const Layer& l) { return same_name(l.name, name); });
  const int32_t layer = found == library.layers.end() ? -1 : static_cast<int32_t>(found - library.layers.begin());
  if (layer >= 0 && library.layers[layer].kind == LayerKind::routing) return layer;
  std::vector<std::string> names;
  for (const Layer& l : library.layers)
    if (l.kind == LayerKind::routing) names.push_back(l.name);
  const bool is_cut = layer >= 0 && library.layers[layer].kind == LayerKind::cut;
  throw field_error("add_straps", "{}: {}; straps go on a routing layer, as {}", name,
                    is_cut ? "it is a layer of cuts" : "LEF has no such layer", names_near(name, names));
}

void require_width(const Library& library, const Chip& chip, const Layer& layer, double width_um) {
  if (width_um < layer.width_um - kSameDbu / chip.dbu_per_um)
    throw field_error("add_straps", "{}: a width of {} um is below the layer's, {} um", layer.name, width_um,
                      layer.width_um);
  if (!is_whole(width_um * chip.dbu_per_um / 2))
    throw field_error("add_straps", "{}: a width of {} um is no even number of database units, of which a um has {}",
                      layer.name, width_um, chip.dbu_per_um);
  if (library.grid_um > 0 && !is_whole(width_um / library.grid_um))
    throw field_error("add_straps", "{}: a width of {} um is no multiple of the manufacturing grid, {} um", layer.name,
                      width_um, library.grid_um);
}

void require_pitch(const Library& library, const Chip& chip, const Layer& layer, double width_um, double pitch_um) {
  const double spacing_um = layer.spacing_um(width_um);
  if (pitch_um < width_um + spacing_um - kSameDbu / chip.dbu_per_um || !(pitch_um > width_um))
    throw field_error("add_straps",
                      "{}: a pitch of {} um leaves {:.6g} um between straps of {} um, and the layer's "
                      "spacing is {} um; the least pitch is {:.6g} um",
                      layer.name, pitch_um, pitch_um - width_um, width_um, spacing_um, width_um + spacing_um);
  if (!is_whole(pitch_um * chip.dbu_per_um) || (library.grid_um > 0 && !is_whole(pitch_um / library.grid_um)))
    throw field_error("add_straps", "{}: a pitch of {} um is no multiple of the {}, {:.6g} um", layer.name, pitch_um,
                      library.grid_um > 0 ? "manufacturing grid" : "database unit",
                      library.grid_um > 0 ? library.grid_um : 1 / chip.dbu_per_um);
}

}  // namespace

StrapKind strap_kind(const Library& library, const Chip& chip, const LayerResistances& resistances,
                     const std::string& layer_name, double width_um, double pitch_um) {
  const int32_t l = routing_layer(library, layer_name);
  const Layer& layer = library.layers[l];
  if (layer.direction == Direction::none)
    throw field_error("add_straps", "{}: LEF gives this layer no DIRECTION, in which straps could go", layer.name);
  if (!(resistances.ohm_per_square[l] > 0))
    throw field_error("add_straps", "{}: this layer has no resistance; give it in LEF or by {}", layer.name,
                      field("layer_rc"));
  require_width(library, chip, layer, width_um);
  require_pitch(library, chip, layer, width_um, pitch_um);
  return {l, to_dbu(width_um, chip.dbu_per_um), to_dbu(pitch_um, chip.dbu_per_um),
          layer.direction == Direction::horizontal};
}

}  // namespace gridiron::layout
