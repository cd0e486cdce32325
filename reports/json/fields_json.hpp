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

nlohmann::ordered_json json_value(const IrReport& report, NodeIndex node);
nlohmann::ordered_json json_value(const IrReport& report, NetIndex net);
nlohmann::ordered_json json_value(const IrReport& report, LayerIndex layer);
nlohmann::ordered_json json_value(const IrReport& report, const LayerPair& layers);
nlohmann::ordered_json json_value(const IrReport& report, ElementIndex element);
nlohmann::ordered_json json_value(const IrReport& report, SegmentIndex segment);
nlohmann::ordered_json json_value(const IrReport& report, const ParamList& parameters);

// With more in JSON than they visit: the place of a node, the layers of a path, the name of an instance.
nlohmann::ordered_json json_value(const IrReport& report, const HotSpot& spot);
nlohmann::ordered_json json_value(const IrReport& report, const Path& path);
nlohmann::ordered_json json_value(const IrReport& report, const SegmentEffect& effect);
nlohmann::ordered_json json_value(const IrReport& report, const Explanation& explanation);
nlohmann::ordered_json json_value(const IrReport& report, const BudgetNode& node);
nlohmann::ordered_json json_value(const IrReport& report, const InstanceResult& instance);

/// An object of the fields.
template <Visited T>
nlohmann::ordered_json json_value(const IrReport& report, const T& result);

template <class T>
nlohmann::ordered_json json_value(const IrReport& report, const Known<T>& field) {
  return field.is_known ? json_value(report, field.value) : nlohmann::ordered_json(nullptr);
}
template <class T>
nlohmann::ordered_json json_value(const IrReport& report, const std::optional<T>& field) {
  return field ? json_value(report, *field) : nlohmann::ordered_json(nullptr);
}
template <class T>
nlohmann::ordered_json json_value(const IrReport& report, const std::vector<T>& values) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const T& value : values) list.push_back(json_value(report, value));
  return list;
}
template <class T>
nlohmann::ordered_json json_value(const IrReport&, const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return number_or_null(value);
  else
    return value;
}

/// Gives the fields of a result to a JSON object; one that it has already keeps its place.
class JsonFields {
 public:
  JsonFields(const IrReport& report, nlohmann::ordered_json& object) : report_(report), object_(object) {}

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
  nlohmann::ordered_json& member(std::string_view name) {
    return object_[nlohmann::ordered_json::json_pointer('/' + std::string(name))];
  }

  const IrReport& report_;
  nlohmann::ordered_json& object_;
};

/// `object` with the fields of a result.
template <Visited T>
nlohmann::ordered_json with_fields(const IrReport& report, nlohmann::ordered_json object, const T& result) {
  JsonFields fields(report, object);
  result.visit(fields);
  return object;
}

template <Visited T>
nlohmann::ordered_json json_value(const IrReport& report, const T& result) {
  return with_fields(report, nlohmann::ordered_json::object(), result);
}

// Of results without indices.
inline const IrReport& no_names() {
  static const IrReport kNone;
  return kNone;
}
template <class T>
nlohmann::ordered_json json_of(const T& result) {
  return json_value(no_names(), result);
}
template <Visited T>
nlohmann::ordered_json with_fields(nlohmann::ordered_json object, const T& result) {
  return with_fields(no_names(), std::move(object), result);
}

}  // namespace gridiron
