// SPDX-License-Identifier: Apache-2.0
// LAYER: what resistances depend on, current densities, and spacings of wires; antenna rules are passed over.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "layout/lef/lef_file.hpp"
#include "support/number_in.hpp"

namespace gridiron::layout {
namespace {

/// CUTCLASS name WIDTH w [LENGTH l] [CUTS n] [ORIENT …] ; … of a property.
void read_cut_classes(Tokens& tokens, Layer& layer) {
  while (tokens.accept("CUTCLASS")) {
    CutClass some;
    some.name = tokens.name("the name of a CUTCLASS");
    while (!tokens.accept(';')) {
      if (tokens.accept("WIDTH"))
        some.width_um = tokens.um("the width of a CUTCLASS");
      else if (tokens.accept("LENGTH"))
        some.length_um = tokens.um("the length of a CUTCLASS");
      else if (tokens.accept("CUTS"))
        some.cuts = static_cast<double>(tokens.count("the number of CUTS of a CUTCLASS"));
      else if (tokens.at_end())
        return;
      else
        tokens.take();
    }
    if (some.length_um == 0) some.length_um = some.width_um;
    layer.cut_classes.push_back(std::move(some));
  }
}

/// PROPERTY name value … ; where the value of a LEF58 property is a statement of a later LEF in quotation marks.
/// `is_plate`: of a capacitor, which is of TYPE ROUTING for readers that do not know it.
void read_properties(Tokens& tokens, Layer& layer, bool& is_plate) {
  while (!tokens.is(';')) {
    const std::string_view name = tokens.name("the name of a property");
    const size_t offset = tokens.offset();
    if (tokens.is(';')) tokens.fail_expected("the value of a property");
    std::string_view value = tokens.take();  // a string may go on over several lines
    if (value.size() < 2 || value[0] != '"') continue;
    if (!name.starts_with("LEF58_")) continue;
    value = value.substr(1, value.size() - 2);
    Tokens inner = tokens.part(offset + 1, offset + 1 + value.size());
    if (name == "LEF58_CUTCLASS") {
      read_cut_classes(inner, layer);
    } else if (name == "LEF58_BACKSIDE") {
      layer.backside = inner.is("BACKSIDE");
    } else if (name == "LEF58_TYPE" && inner.accept("TYPE")) {
      is_plate = inner.is("MIMCAP") || inner.is("STACKEDMIMCAP");
    }
  }
}

void read_resistance(Tokens& tokens, Layer& layer) {
  const size_t begin = tokens.offset();
  const bool is_per_square = tokens.accept("RPERSQ");
  if (tokens.is("PWL")) {  // by width: told where the resistance is needed and nothing else gives it
    layer.has_table = true;
    return;
  }
  const double ohm = tokens.number("a resistance");
  if (ohm < 0) tokens.fail(begin, fmt::format("the resistance of layer {} is below zero", layer.name));
  (is_per_square ? layer.ohm_per_square : layer.ohm_per_cut) = ohm;
}

void read_width(Tokens& tokens, Layer& layer) {
  const size_t begin = tokens.offset();
  layer.width_um = tokens.um("the width of a layer");
  if (layer.width_um <= 0) tokens.fail(begin, fmt::format("the width of layer {} is not above zero", layer.name));
}

void read_type(Tokens& tokens, Layer& layer) {
  const std::string_view type = tokens.name("the TYPE of a layer");
  layer.kind = type == "ROUTING" ? LayerKind::routing : type == "CUT" ? LayerKind::cut : LayerKind::other;
  if (tokens.accept("BACKSIDE")) layer.backside = true;
}

void read_direction(Tokens& tokens, Layer& layer) {
  const std::string_view direction = tokens.name("the DIRECTION of a layer");
  if (direction == "HORIZONTAL") layer.direction = Direction::horizontal;
  if (direction == "VERTICAL") layer.direction = Direction::vertical;
}

void read_pitch(Tokens& tokens, Layer& layer) {
  layer.pitch_x_um = layer.pitch_y_um = tokens.um("the PITCH of a layer");
  if (!tokens.is(';')) layer.pitch_y_um = tokens.um("the PITCH of a layer");
}

/// SPACING s, or SPACING s RANGE from to; those that hold for some wires only are passed over.
void read_spacing(Tokens& tokens, Layer& layer) {
  const double spacing_um = tokens.um("the spacing of a layer");
  if (tokens.is(';'))
    layer.spacings.push_back({0, spacing_um});
  else if (tokens.accept("RANGE"))
    layer.spacings.push_back({tokens.um("a width"), spacing_um});
}

/// SPACINGTABLE PARALLELRUNLENGTH or TWOWIDTHS: of each row WIDTH w s … the last spacing.
void read_spacing_table(Tokens& tokens, Layer& layer) {
  while (!tokens.is(';') && !tokens.at_end()) {
    if (!tokens.accept("WIDTH")) {
      tokens.take();
      continue;
    }
    LayerSpacing row{tokens.um("a width"), 0};
    for (std::optional<double> s; (s = number_in<double>(tokens.peek())); tokens.take()) row.spacing_um = *s;
    if (row.spacing_um > 0) layer.spacings.push_back(row);
  }
}

/// What a layer says that is defined again, in another file for instance, must not differ; it may add something.
void join(LefFile& lef, Layer& kept, const Layer& again) {
  const auto agree = [&](auto& value, const auto& other, auto unset, std::string_view what) {
    if (other == unset || value == other) return;
    if (value != unset)
      lef.tokens.fail(again.place.offset, fmt::format("layer {} has another {} here than at {}; give one technology",
                                                      again.name, what, lef.library.describe(kept.place)));
    value = other;
  };
  agree(kept.kind, again.kind, LayerKind::other, "TYPE");
  agree(kept.direction, again.direction, Direction::none, "DIRECTION");
  agree(kept.pitch_x_um, again.pitch_x_um, 0.0, "PITCH");
  agree(kept.pitch_y_um, again.pitch_y_um, 0.0, "PITCH");
  agree(kept.width_um, again.width_um, 0.0, "WIDTH");
  agree(kept.ohm_per_square, again.ohm_per_square, 0.0, "RESISTANCE");
  agree(kept.ohm_per_cut, again.ohm_per_cut, 0.0, "RESISTANCE");
  agree(kept.thickness_um, again.thickness_um, 0.0, "THICKNESS");
  kept.has_table |= again.has_table;
  kept.backside |= again.backside;
  if (kept.cut_classes.empty()) kept.cut_classes = again.cut_classes;
  if (kept.densities.empty()) kept.densities = again.densities;
  if (kept.spacings.empty()) kept.spacings = again.spacings;
}

}  // namespace

void LefFile::read_layer() {
  Layer layer;
  const size_t begin = tokens.offset();
  const std::string_view name = tokens.name("the name of a layer");
  layer.name = name;
  layer.place = place(begin);
  bool is_plate = false;
  bool in_table = false;  // ACCURRENTDENSITY RMS FREQUENCY … ; WIDTH … ; TABLEENTRIES … ; that cannot be read
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, fmt::format("LAYER {} has no END; is the file cut off?", name));
    const size_t at = tokens.offset();
    const std::string_view keyword = tokens.take();
    if (keyword == ";") continue;
    if (keyword == "ACCURRENTDENSITY" || keyword == "DCCURRENTDENSITY") {
      if (!read_current_density(keyword, at, layer) && keyword == "ACCURRENTDENSITY") {
        tokens.name("PEAK, AVERAGE or RMS");
        in_table = tokens.is("FREQUENCY");
      }
    } else if (keyword == "TABLEENTRIES") {
      in_table = false;
    } else if (keyword == "TYPE")
      read_type(tokens, layer);
    else if (keyword == "DIRECTION")
      read_direction(tokens, layer);
    else if (keyword == "PITCH")
      read_pitch(tokens, layer);
    else if (keyword == "WIDTH" && !in_table)
      read_width(tokens, layer);
    else if (keyword == "RESISTANCE")
      read_resistance(tokens, layer);
    else if (keyword == "SPACING" && layer.kind == LayerKind::routing)
      read_spacing(tokens, layer);
    else if (keyword == "SPACINGTABLE" && layer.kind == LayerKind::routing)
      read_spacing_table(tokens, layer);
    else if (keyword == "THICKNESS")
      layer.thickness_um = tokens.um("the THICKNESS of a layer");
    else if (keyword == "BACKSIDE")
      layer.backside = true;
    else if (keyword == "PROPERTY")
      read_properties(tokens, layer, is_plate);
    tokens.skip_statement("LAYER");
  }
  end_block("LAYER", name);
  if (is_plate) layer.kind = LayerKind::other;
  const auto [known, is_new] = library.layer_index.emplace(layer.name, static_cast<int32_t>(library.layers.size()));
  if (is_new)
    library.layers.push_back(std::move(layer));
  else
    join(*this, library.layers[static_cast<size_t>(known->second)], layer);
}

}  // namespace gridiron::layout
