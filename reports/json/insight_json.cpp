// SPDX-License-Identifier: Apache-2.0
#include "reports/json/insight_json.hpp"

#include "analysis/insight/explain.hpp"
#include "analysis/results/segments.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/lookup.hpp"

namespace gridiron {
namespace {

void add_section_fields(Json& row, const SegmentSection& section) {
  const auto unless_0 = [](double value) { return value > 0 ? Json(value) : Json(nullptr); };
  row["width_um"] = unless_0(section.width_um);
  row["cuts"] = unless_0(section.cuts);
  row["a_per_um"] = number_or_null(section.a_per_um);
  row["a_per_um2"] = number_or_null(section.a_per_um2);
}

}  // namespace

Json json_value(const IrReport& result, NodeIndex node) { return node_name(result, node.index); }

Json json_value(const IrReport& result, NetIndex net) { return name_or_null(net_name(result, net.index)); }

Json json_value(const IrReport& result, LayerIndex layer) { return name_or_null(layer_name(result, layer.index)); }

Json json_value(const IrReport& result, const LayerPair& layers) {
  return name_or_null(layer_text(result.layer_names, layers));
}

Json json_value(const IrReport& result, ElementIndex element) {
  return result.circuit->element_name(element.kind, element.index);
}

Json json_value(const IrReport& result, SegmentIndex segment) {
  const int64_t resistor = segment.index;
  if (resistor < 0) return nullptr;
  const Elements& resistors = result.circuit->resistors;
  Json row = {{"resistor", result.circuit->element_name(kResistor, resistor)},
              {"layer", json_value(result, layers_of(result, resistor))},
              {"from", node_name(result, resistors.a[resistor])},
              {"to", node_name(result, resistors.b[resistor])},
              {"current_a", number_or_null(result.segments.current_a[resistor])},
              {"power_w", number_or_null(result.segments.power_w[resistor])}};
  if (result.circuit->placement) add_section_fields(row, section_of(result, resistor));
  return row;
}

Json json_value(const IrReport& result, const HotSpot& spot) {
  Json row = json_node(result, spot.node);
  row["bound_v"] = number_or_null(result.certificate.bound_v());
  return with_fields(result, std::move(row), spot);
}

Json json_value(const IrReport& result, const Path& path) {
  Json in_order = {
      {"pad", nullptr}, {"resistance_ohm", nullptr}, {"layers", json_value(result, parts_of(result, path))}};
  return with_fields(result, std::move(in_order), path);
}

Json json_value(const IrReport& result, const SegmentEffect& effect) {
  return with_fields(result, json_value(result, SegmentIndex{effect.resistor}), effect);
}

Json json_value(const IrReport& result, const Explanation& explanation) {
  return with_fields(result, json_node(result, explanation.node), explanation);
}

Json json_value(const IrReport& result, const DropShares& shares) {
  return with_fields(result, json_node(result, shares.node), shares);
}

Json json_value(const IrReport& result, const PadGain& gain) {
  return with_fields(result, json_node(result, gain.node), gain);
}

Json json_value(const IrReport& result, const PadGains& gains) {
  return with_fields(result, json_node(result, gains.node), gains);
}

Json json_segments(const IrReport& result) {
  int64_t count = 0;
  for (const SegmentLayerResult& layer : result.segment_layers) count += layer.segments;
  Json segments = {{"count", count}, {"layers", json_value(result, result.segment_layers)}};
  if (!result.circuit || !result.circuit->placement) return segments;
  const std::vector<int64_t> densest = densest_segments(result);
  for (size_t k = 0; k < densest.size(); ++k)
    segments["layers"][k]["densest"] = json_value(result, SegmentIndex{densest[k]});
  return segments;
}

Json json_where(const IrReport& result) {
  const double apart_um = result.hot_spot_distance_um;
  return {{"hot_spot_distance_um", apart_um > 0 ? number_or_null(apart_um) : Json(nullptr)},
          {"hot_spots_in_all", result.hot_spots_in_all},
          {"hot_spots", json_value(result, result.hot_spots)},
          {"explanations", json_value(result, result.explanations)},
          {"drop_shares", json_value(result, result.drop_shares)},
          {"pad_gains", json_value(result, result.pad_gains)}};
}

}  // namespace gridiron
