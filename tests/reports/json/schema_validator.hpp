// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/paths.hpp"

namespace gridiron::test {

using nlohmann::json;

/// Path of a shipped schema: "gridiron.ir-1".
inline std::filesystem::path schema_path(const std::string& name) {
  return tests_dir() / ".." / "reports" / "schema" / (name + ".schema.json");
}

/// The subset of JSON Schema used by ours; adds one line per violation.
class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  void check(const json& schema, const json& value, const std::string& at) {
    if (schema.contains("$ref")) {
      const std::string ref = schema["$ref"];
      check(root_.at(json::json_pointer(ref.substr(1))), value, at);
    }
    if (schema.contains("const") && value != schema["const"]) complain(at, "is not the constant");
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      complain(at, "is none of the allowed values");
    if (schema.contains("type") && !has_type(schema["type"], value)) complain(at, "has the wrong type");
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"]) complain(at, "is too small");
    if (value.is_object()) check_object(schema, value, at);
    if (value.is_array() && schema.contains("items"))
      for (size_t i = 0; i < value.size(); ++i) check(schema["items"], value[i], at + "/" + std::to_string(i));
  }

  const std::string& complaints() const { return complaints_; }

 private:
  void check_object(const json& schema, const json& value, const std::string& at) {
    for (const json& key : schema.value("required", json::array()))
      if (!value.contains(key.get<std::string>())) complain(at, "lacks " + key.dump());
    const json properties = schema.value("properties", json::object());
    for (const auto& [key, member] : value.items()) {
      if (properties.contains(key))
        check(properties[key], member, at + "/" + key);
      else if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
        check(schema["additionalProperties"], member, at + "/" + key);
      else if (schema.value("additionalProperties", json(true)) == false)
        complain(at, "has an unknown member " + key);
    }
  }

  static bool has_type(const json& type, const json& value) {
    if (type.is_array()) {
      for (const json& one : type)
        if (has_type(one, value)) return true;
      return false;
    }
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return value.type_name() == type;
  }

  void complain(const std::string& at, const std::string& what) { complaints_ += at + " " + what + "\n"; }

  const json& root_;
  std::string complaints_;
};

/// One line per violation of the schema by a report; empty if there is none.
inline std::string violations(const std::string& schema_name, const std::string& report) {
  std::ifstream file(schema_path(schema_name));
  const json root = json::parse(file);
  Validator validator(root);
  validator.check(root, json::parse(report), "");
  return validator.complaints();
}

}  // namespace gridiron::test
