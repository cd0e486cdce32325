// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "analysis/results/indices.hpp"
#include "analysis/results/ir_report.hpp"
#include "reports/json/json.hpp"
#include "support/visited.hpp"

namespace gridiron {

// JSON of what results visit (support/visited.hpp). `report` has the names of indices.

Json json_value(const IrReport& report, NodeIndex node);
Json json_value(const IrReport& report, NetIndex net);
Json json_value(const IrReport& report, LayerIndex layer);
Json json_value(const IrReport& report, const LayerPair& layers);
Json json_value(const IrReport& report, ElementIndex element);
Json json_value(const IrReport& report, SegmentIndex segment);
Json json_value(const IrReport& report, const ParamList& parameters);

// With more in JSON than they visit: the place of a node, the layers of a path, the name of an instance.
Json json_value(const IrReport& report, const HotSpot& spot);
Json json_value(const IrReport& report, const Path& path);
Json json_value(const IrReport& report, const SegmentEffect& effect);
Json json_value(const IrReport& report, const Explanation& explanation);
Json json_value(const IrReport& report, const DropShares& shares);
Json json_value(const IrReport& report, const PadGain& gain);
Json json_value(const IrReport& report, const PadGains& gains);
Json json_value(const IrReport& report, const BudgetNode& node);
Json json_value(const IrReport& report, const InstanceResult& instance);

/// An object of the fields.
template <Visited T>
Json json_value(const IrReport& report, const T& result);

template <class T>
Json json_value(const IrReport& report, const Known<T>& field) {
  return field.is_known ? json_value(report, field.value) : Json(nullptr);
}
template <class T>
Json json_value(const IrReport& report, const std::optional<T>& field) {
  return field ? json_value(report, *field) : Json(nullptr);
}
template <class T>
Json json_value(const IrReport& report, const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(json_value(report, value));
  return list;
}
template <class T>
Json json_value(const IrReport&, const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return number_or_null(value);
  else
    return value;
}

/// Gives the fields of a result to a JSON object; one that it has already keeps its place.
class JsonFields {
 public:
  JsonFields(const IrReport& report, Json& object) : report_(report), object_(object) {}

  template <class T>
  JsonFields& operator()(const FieldName& name, const T& value, std::string_view = {}) {
    if (!name.json.empty()) member(name.json) = json_value(report_, value);
    return *this;
  }
  template <class T>
  JsonFields& operator()(const FieldName& name, const Present<T>& value, std::string_view = {}) {
    return value.is_present ? (*this)(name, value.value) : *this;
  }

 private:
  Json& member(std::string_view name) { return object_[Json::json_pointer('/' + std::string(name))]; }

  const IrReport& report_;
  Json& object_;
};

/// `object` with the fields of a result.
template <Visited T>
Json with_fields(const IrReport& report, Json object, const T& result) {
  JsonFields fields(report, object);
  result.visit(fields);
  return object;
}

template <Visited T>
Json json_value(const IrReport& report, const T& result) {
  return with_fields(report, Json::object(), result);
}

// Of results without indices.
inline const IrReport& no_names() {
  static const IrReport kNone;
  return kNone;
}
Json json_of(const auto& result) { return json_value(no_names(), result); }
template <Visited T>
Json with_fields(Json object, const T& result) {
  return with_fields(no_names(), std::move(object), result);
}

}  // namespace gridiron
