// SPDX-License-Identifier: Apache-2.0
// VIAS and STYLES: what wires refer to.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "layout/def/def_file.hpp"
#include "layout/via_array.hpp"

namespace gridiron::layout {
namespace {

struct DefViaShape {
  int32_t layer;
  std::vector<Point> corners;  ///< two of a RECT
  bool is_polygon;
};

void assign_layers(DefFile& def, size_t offset, std::vector<int32_t> layers, Via& via) {
  ViaLayers roles;
  if (!assign_via_layers(def.library, std::move(layers), roles))
    def.tokens.fail(offset, fmt::format("via {} is not on two layers with a cut layer between them", via.name));
  via.bottom = roles.bottom, via.cut = roles.cut, via.top = roles.top;
}

void add_shapes(DefFile& def, size_t offset, std::vector<DefViaShape> shapes, Via& via) {
  std::vector<int32_t> layers;
  layers.reserve(shapes.size());
  for (const DefViaShape& shape : shapes) layers.push_back(shape.layer);
  assign_layers(def, offset, std::move(layers), via);
  for (DefViaShape& shape : shapes) {
    if (shape.layer == via.cut)
      via.cuts.push_back(bounds(shape.corners));
    else if (shape.is_polygon)
      via.polygons.push_back({shape.layer, std::move(shape.corners)});
    else
      (shape.layer == via.bottom ? via.bottom_boxes : via.top_boxes).push_back(bounds(shape.corners));
  }
}

void add_array(DefFile& def, size_t offset, const ViaArray<int64_t>& array, Via& via) {
  const auto shapes = array.shapes(def.tokens, offset, def.shapes);
  std::vector<int32_t> layers;
  for (const std::string_view name : array.layers) {
    layers.push_back(def.library.layer(name));
    if (layers.back() < 0)
      def.tokens.fail(array.layers_offset,
                      fmt::format("no LEF file has a LAYER {}; give that of the technology", shown(name)));
  }
  const auto box = [&](const std::array<int64_t, 4>& r) {
    const auto at = [&](int64_t coordinate) { return in_range(def.tokens, offset, coordinate); };
    return Box{at(r[0]), at(r[1]), at(r[2]), at(r[3])};
  };
  assign_layers(def, offset, layers, via);
  via.bottom = layers[0], via.cut = layers[1], via.top = layers[2];
  via.bottom_boxes = {box(shapes.bottom)};
  via.top_boxes = {box(shapes.top)};
  for (const auto& cut : shapes.cuts) via.cuts.push_back(box(cut));
  via.rule = def.library.rule(array.rule);
}

void read_via(DefFile& def) {
  Tokens& tokens = def.tokens;
  Via via;
  const size_t begin = tokens.offset();
  via.name = plain_name(tokens.name("the name of a via"));
  ViaArray<int64_t> array;
  std::vector<DefViaShape> shapes;
  while (!tokens.accept(';')) {
    if (!tokens.accept('+')) tokens.fail_expected(fmt::format("'+' or ';' in via {}", via.name));
    const size_t where = tokens.offset();
    const std::string_view keyword = tokens.take();
    if (keyword == "RECT" || keyword == "POLYGON") {
      const int32_t layer = take_layer(tokens, def.library);
      if (tokens.accept('+')) tokens.expect("MASK", "VIAS"), tokens.count("the number of a mask");
      const bool is_polygon = keyword == "POLYGON";
      if (is_polygon) {
        shapes.push_back({layer, take_points(tokens, 3, "a POLYGON"), true});
      } else {
        const Box box = take_box(tokens, "a RECT of a via");
        shapes.push_back({layer, {{box.x0, box.y0}, {box.x1, box.y1}}, false});
      }
    } else if (keyword == "PATTERNNAME" || keyword == "PROPERTY") {
      skip_option(tokens, "VIAS");
    } else if (!array.read(tokens, keyword)) {
      tokens.seek(where);
      tokens.fail_unknown(fmt::format("via {}", via.name));
    }
  }
  if (!array.rule.empty() && !shapes.empty())
    tokens.fail(begin, fmt::format("via {} has both a VIARULE and shapes; give one of them", via.name));
  if (array.rule.empty())
    add_shapes(def, begin, std::move(shapes), via);
  else
    add_array(def, begin, array, via);
  if (!def.vias.add(via.name, static_cast<int32_t>(def.chip.vias.size()), via))
    tokens.fail(begin, fmt::format("via {} is defined twice in this file; keep one of them", via.name));
  def.chip.vias.push_back(std::move(via));
}

}  // namespace

void DefFile::read_vias() {
  while (tokens.accept('-')) read_via(*this);
}

void DefFile::read_styles() {
  constexpr int64_t kMostStyles = 10'000;
  while (tokens.accept('-')) {
    tokens.expect("STYLE", "STYLES");
    const size_t where = tokens.offset();
    const Dbu number = tokens.dbu("the number of a style");
    if (number < 0 || number >= kMostStyles)
      tokens.fail(where, fmt::format("styles are numbered from 0 to {}", kMostStyles - 1));
    if (styles.size() <= static_cast<size_t>(number)) styles.resize(static_cast<size_t>(number) + 1);
    const size_t begin = tokens.offset();
    styles[static_cast<size_t>(number)] = take_points(tokens, 2, "a STYLE");
    if (styles[static_cast<size_t>(number)].size() > 8) tokens.fail(begin, "a STYLE has eight points at most");
    tokens.expect(";", "STYLES");
  }
}

}  // namespace gridiron::layout
