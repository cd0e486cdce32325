// SPDX-License-Identifier: Apache-2.0
#include "reports/insight_json.hpp"
#include "reports/name_or_null.hpp"

#include "analysis/insight/explain.hpp"
#include "analysis/results/segments.hpp"
#include "reports/json.hpp"
#include "reports/lookup.hpp"

namespace gridiron {
namespace {

using Json = nlohmann::ordered_json;

Json json_segment(const IrReport& result, std::int64_t resistor) {
  if (resistor < 0) return nullptr;
  const Elements& resistors = result.circuit->resistors;
  return {{"resistor", result.circuit->element_name(kResistor, resistor)},
          {"layer", name_or_null(layer_text(result.layer_names, layers_of(result, resistor)))},
          {"from", node_name(result, resistors.a[resistor])},
          {"to", node_name(result, resistors.b[resistor])},
          {"current_a", number_or_null(result.segments.current_a[resistor])},
          {"power_w", number_or_null(result.segments.power_w[resistor])}};
}

Json json_hot_spot(const IrReport& result, const HotSpot& spot) {
  Json row = json_node(result, spot.node);
  row["bound_v"] = result.certificate.valid ? number_or_null(result.certificate.max_error_v) : Json(nullptr);
  row["pad"] = spot.pad == kGround ? Json(nullptr) : Json(node_name(result, spot.pad));
  row["pad_distance_um"] = spot.pad == kGround ? Json(nullptr) : number_or_null(spot.pad_distance_um);
  return row;
}

Json json_path(const IrReport& result, const Path& path) {
  Json parts = Json::array();
  for (const LayerPart& part : parts_of(result, path))
    parts.push_back({{"layer", name_or_null(layer_text(result.layer_names, part.layers))},
                     {"segments", part.steps},
                     {"resistance_ohm", number_or_null(part.ohm)},
                     {"drop_v", number_or_null(part.drop_v)}});
  Json steps = Json::array();
  for (const PathStep& step : path.steps)
    steps.push_back(
        {{"resistor", step.resistor < 0 ? Json(nullptr) : Json(result.circuit->element_name(kResistor, step.resistor))},
         {"from", node_name(result, step.from)},
         {"to", node_name(result, step.to)},
         {"resistance_ohm", number_or_null(step.ohm)},
         {"drop_v", number_or_null(step.drop_v)},
         {"current_a", number_or_null(step.current_a)}});
  return {{"pad", path.pad == kGround ? Json(nullptr) : Json(node_name(result, path.pad))},
          {"resistance_ohm", number_or_null(path.ohm)},
          {"layers", std::move(parts)},
          {"steps", std::move(steps)}};
}

Json json_explanation(const IrReport& result, const Explanation& e) {
  Json segments = Json::array();
  for (const SegmentEffect& effect : e.segments) {
    Json row = json_segment(result, effect.resistor);
    row["sensitivity_v"] = number_or_null(effect.sensitivity_v);
    segments.push_back(std::move(row));
  }
  Json loads = Json::array();
  for (const LoadEffect& load : e.loads)
    loads.push_back({{"source", result.circuit->element_name(kCurrentSource, load.source)},
                     {"current_a", number_or_null(load.current_a)},
                     {"resistance_ohm", number_or_null(load.ohm)},
                     {"drop_v", number_or_null(load.drop_v)}});
  Json row = json_node(result, e.node);
  row["vector"] = e.vector;
  row["effective_resistance_ohm"] = number_or_null(e.effective_ohm);
  row["path"] = json_path(result, e.path);
  row["segments"] = std::move(segments);
  row["loads"] = std::move(loads);
  row["other_loads"] = {{"count", e.other_loads}, {"drop_v", number_or_null(e.other_loads_v)}};
  row["unequal_sources_v"] = number_or_null(e.unequal_sources_v);
  row["widening"] = {{"by", number_or_null(e.widened_by)},
                     {"predicted_gain_v", number_or_null(e.predicted_gain_v)},
                     {"gain_v", number_or_null(e.gain_v)},
                     {"gain_bound_v", number_or_null(e.gain_bound_v)}};
  return row;
}

}  // namespace

Json json_segments(const IrReport& result) {
  Json layers = Json::array();
  std::int64_t count = 0;
  for (const SegmentLayerResult& layer : result.segment_layers) {
    count += layer.segments;
    layers.push_back({{"net", name_or_null(net_name(result, layer.net))},
                      {"layer", name_or_null(layer_text(result.layer_names, layer.layers))},
                      {"segments", layer.segments},
                      {"largest", json_segment(result, layer.worst)},
                      {"largest_current_a", number_or_null(layer.largest_current_a)},
                      {"average_current_a", number_or_null(layer.average_current_a)},
                      {"power_w", number_or_null(layer.power_w)}});
  }
  return {{"count", count}, {"layers", std::move(layers)}};
}

void append_em_limits(const IrReport& result, Json& limits) {
  for (const EmLimitResult& limit : result.em_limits)
    limits.push_back({{"quantity", current_name(limit.quantity)},
                      {"net", limit.net},
                      {"limit_v", nullptr},
                      {"value_v", nullptr},
                      {"bound_v", nullptr},
                      {"exceeded", limit.exceeded},
                      {"undecided", limit.undecided},
                      {"layer", limit.layer},
                      {"limit_a", number_or_null(limit.limit_a)},
                      {"value_a", number_or_null(limit.value_a)},
                      {"bound_a", number_or_null(limit.bound_a)},
                      {"ratio", number_or_null(limit.ratio())},
                      {"a_per_um", limit.a_per_um > 0 ? Json(limit.a_per_um) : Json(nullptr)},
                      {"width_um", limit.width_um > 0 ? Json(limit.width_um) : Json(nullptr)},
                      {"segments", limit.segments},
                      {"failed", limit.failed},
                      {"resistor", result.circuit->element_name(kResistor, limit.worst)}});
}

Json json_power(const PowerBalance& power) {
  return {{"sources_w", number_or_null(power.sources_w)},
          {"loads_w", number_or_null(power.loads_w)},
          {"dissipated_w", number_or_null(power.dissipated_w)}};
}

Json json_where(const IrReport& result) {
  Json spots = Json::array(), explanations = Json::array();
  for (const HotSpot& spot : result.hot_spots) spots.push_back(json_hot_spot(result, spot));
  for (const Explanation& e : result.explanations) explanations.push_back(json_explanation(result, e));
  return {{"hot_spot_distance_um",
           result.hot_spot_distance_um > 0 ? number_or_null(result.hot_spot_distance_um) : Json(nullptr)},
          {"hot_spots_in_all", result.hot_spots_in_all},
          {"hot_spots", std::move(spots)},
          {"explanations", std::move(explanations)}};
}

}  // namespace gridiron
