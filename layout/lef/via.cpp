// SPDX-License-Identifier: Apache-2.0
// VIA and VIARULE.
#include <fmt/format.h>

#include <utility>

#include "layout/lef/lef_file.hpp"
#include "layout/via_array.hpp"

namespace gridiron::layout {
namespace {

bool same_shapes(const FixedVia& a, const FixedVia& b) {
  return std::ranges::equal(a.shapes, b.shapes, [](const ShapeUm& x, const ShapeUm& y) {
    return x.layer == y.layer && x.is_polygon == y.is_polygon && x.xy == y.xy;
  });
}

/// The shapes of a via that a rule describes.
void add_array(LefFile& lef, const ViaArray<double>& array, FixedVia& via) {
  const auto shapes = array.shapes(lef.tokens, via.place.offset, lef.expansion);
  std::array<int32_t, 3> layers{};
  for (size_t k = 0; k < layers.size(); ++k) {
    layers[k] = lef.library.layer(array.layers[k]);
    if (layers[k] < 0)
      lef.tokens.fail(array.layers_offset,
                      fmt::format("no LAYER {} before this line; give the LEF file of the technology "
                                  "first",
                                  shown(array.layers[k])));
  }
  const auto add = [&](int32_t layer, const std::array<double, 4>& box) {
    via.shapes.push_back({layer, {box.begin(), box.end()}, false});
  };
  add(layers[0], shapes.bottom);
  for (const auto& cut : shapes.cuts) add(layers[1], cut);
  add(layers[2], shapes.top);
  via.rule = lef.library.rule(array.rule);
}

/// One statement of a VIA, whose keyword was just taken and begins at `begin`. `layer`: of the shapes that follow.
void read_statement_of_via(LefFile& lef, std::string_view keyword, size_t begin, FixedVia& via, ViaArray<double>& array,
                           int32_t& layer) {
  Tokens& tokens = lef.tokens;
  if (keyword == "LAYER") {
    layer = lef.layer_name();
    tokens.expect(";", "VIA");
  } else if (keyword == "RECT" || keyword == "POLYGON") {
    if (layer < 0) tokens.fail(begin, fmt::format("{} before a LAYER; name its layer first", keyword));
    lef.skip_mask();
    const bool is_polygon = keyword == "POLYGON";
    via.shapes.push_back({layer, is_polygon ? lef.polygon() : lef.rectangle(), is_polygon});
    tokens.expect(";", "VIA");
  } else if (keyword == "RESISTANCE") {
    via.ohm = tokens.number("the resistance of a via");
    if (via.ohm < 0) tokens.fail(begin, "the resistance of a via is below zero");
    tokens.expect(";", "VIA");
  } else if (array.read(tokens, keyword)) {
    tokens.expect(";", "VIA");
  } else if (keyword == "PROPERTY" || keyword == "FOREIGN") {
    tokens.skip_statement("VIA");
  } else if (keyword != "TOPOFSTACKONLY" && keyword != "DEFAULT" && keyword != "GENERATED" && keyword != ";") {
    tokens.seek(begin);
    tokens.fail_unknown(fmt::format("VIA {}", via.name));
  }
}

}  // namespace

void LefFile::read_via() {
  FixedVia via;
  const size_t begin = tokens.offset();
  const std::string_view name = tokens.name("the name of a VIA");
  via.name = plain_name(name);
  via.place = place(begin);
  ViaArray<double> array;
  int32_t layer = -1;
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, fmt::format("VIA {} has no END; is the file cut off?", name));
    const size_t where = tokens.offset();
    read_statement_of_via(*this, tokens.take(), where, via, array, layer);
  }
  end_block("VIA", name);
  if (!array.rule.empty()) add_array(*this, array, via);
  const auto [known, is_new] = library.via_index.emplace(via.name, static_cast<int32_t>(library.vias.size()));
  if (is_new)
    library.vias.push_back(std::move(via));
  else if (const FixedVia& kept = library.vias[static_cast<size_t>(known->second)]; !same_shapes(kept, via))
    tokens.fail(begin, fmt::format("VIA {} has other shapes here than at {}; give one technology", via.name,
                                   library.describe(kept.place)));
}

void LefFile::read_via_rule() {
  ViaRule rule;
  const size_t begin = tokens.offset();
  const std::string_view name = tokens.name("the name of a VIARULE");
  rule.name = plain_name(name);
  rule.place = place(begin);
  const bool generates = tokens.accept("GENERATE");
  tokens.accept("DEFAULT");
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, fmt::format("VIARULE {} has no END; is the file cut off?", name));
    if (tokens.accept("LAYER")) {
      rule.layers.push_back(layer_name());
      tokens.expect(";", "VIARULE");
    } else if (tokens.accept("RESISTANCE")) {
      rule.ohm_per_cut = tokens.number("a resistance per cut");
      tokens.expect(";", "VIARULE");
    } else {
      tokens.skip_statement("VIARULE");
    }
  }
  end_block("VIARULE", name);
  if (!generates) return;
  const auto [known, is_new] = library.rule_index.emplace(rule.name, static_cast<int32_t>(library.rules.size()));
  if (is_new)
    library.rules.push_back(std::move(rule));
  else if (const ViaRule& kept = library.rules[static_cast<size_t>(known->second)];
           kept.layers != rule.layers || kept.ohm_per_cut != rule.ohm_per_cut)
    tokens.fail(begin, fmt::format("VIARULE {} says something else here than at {}; give one technology", rule.name,
                                   library.describe(kept.place)));
}

}  // namespace gridiron::layout
