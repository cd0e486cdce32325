// SPDX-License-Identifier: Apache-2.0
// report.json against its schema, and its numbers against the result.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "reports/report.hpp"
#include "tests/paths.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using nlohmann::json;

const std::filesystem::path kSchema = test::tests_dir() / ".." / "reports" / "schema" / "gridiron.ir-1.schema.json";

json schema() {
  std::ifstream file(kSchema);
  return json::parse(file);
}

/// The part of JSON Schema that ours uses; adds one line per violation.
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
      for (std::size_t i = 0; i < value.size(); ++i) check(schema["items"], value[i], at + "/" + std::to_string(i));
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

std::string violations(const std::string& report) {
  const json root = schema();
  Validator validator(root);
  validator.check(root, json::parse(report), "");
  return validator.complaints();
}

std::unique_ptr<test::Sample> hostile_sample() {
  auto sample = std::make_unique<test::Sample>();
  const std::int32_t net = sample->add_net("\"VDD\\\"</script>", 1, 0);
  sample->add_node("bytes\xff\xfe", net, -1, NAN, NAN, 0.9, 0.1);
  sample->summarise();
  sample->result.solve.relative_residual = NAN;
  sample->result.certificate.max_error_v = INFINITY;
  return sample;
}

TEST(JsonReport, FollowsItsSchema) {
  EXPECT_EQ(violations(json_report(test::small_sample()->result)), "");
  EXPECT_EQ(violations(json_report(hostile_sample()->result)), "");
  EXPECT_EQ(violations(json_report(test::Sample().result)), "");
}

TEST(JsonReport, SchemaCheckFindsWhatIsWrong) {
  json report = json::parse(json_report(test::small_sample()->result));
  report["nets"][0]["worst_drop_v"] = "much";
  report.erase("solve");
  report["surprise"] = 1;
  const std::string found = violations(report.dump());
  EXPECT_NE(found.find("/nets/0/worst_drop_v has the wrong type"), std::string::npos);
  EXPECT_NE(found.find("lacks \"solve\""), std::string::npos);
  EXPECT_NE(found.find("unknown member surprise"), std::string::npos);
}

TEST(JsonReport, FollowsItsSchemaByPythonsValidator) {
  if (std::system("python3 -c 'import jsonschema' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3-jsonschema is not installed";
  const test::TemporaryDirectory directory;
  std::ofstream(directory.path() / "report.json") << json_report(test::small_sample()->result);
  std::ofstream(directory.path() / "hostile.json") << json_report(hostile_sample()->result);
  std::ofstream(directory.path() / "check.py") << "import json, sys\n"
                                                  "from jsonschema import Draft202012Validator as Validator\n"
                                                  "schema, *reports = [json.load(open(p)) for p in sys.argv[1:]]\n"
                                                  "Validator.check_schema(schema)\n"
                                                  "for report in reports: Validator(schema).validate(report)\n";
  const std::string folder = directory.path().string();
  const std::string command = "python3 '" + folder + "/check.py' '" + kSchema.string() + "' '" + folder +
                              "/report.json' '" + folder + "/hostile.json'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(JsonReport, KeepsEveryDigit) {
  const json report = json::parse(json_report(test::small_sample()->result));
  EXPECT_EQ(report["nets"][0]["worst_drop_v"].get<double>(), 0.0432109876543);
  EXPECT_EQ(report["nets"][0]["worst_node"], "n1_0_0");
  EXPECT_EQ(report["nets"][0]["worst_nodes"][1]["node"], "n1_10_0");
  EXPECT_EQ(report["nets"][0]["layers"][2]["name"], "M9");
  EXPECT_EQ(report["certificate"]["max_error_v"].get<double>(), 3.25e-9);
  EXPECT_EQ(report["engine"]["parameters"]["ordering"], "amd");
  EXPECT_EQ(report["pads"]["worst"]["name"], "V1");
  EXPECT_EQ(report["input"]["nodes"], 10);
}

TEST(JsonReport, HasOpenRoadsMetrics) {
  const json metrics = json::parse(json_report(test::small_sample()->result))["metrics"];
  EXPECT_EQ(metrics.size(), 8u);
  EXPECT_EQ(metrics["design_powergrid__drop__worst__net:VDD__corner:default"].get<double>(), 0.0432109876543);
  EXPECT_EQ(metrics["design_powergrid__voltage__worst__net:VDD__corner:default"].get<double>(), 1.8 - 0.0432109876543);
  EXPECT_EQ(metrics["design_powergrid__drop__average__net:GND__corner:default"].get<double>(), 0.01);
}

TEST(JsonReport, HasNullForWhatIsUnknown) {
  const json report = json::parse(json_report(hostile_sample()->result));
  EXPECT_TRUE(report["solve"]["relative_residual"].is_null());
  EXPECT_TRUE(report["certificate"]["max_error_v"].is_null());
  EXPECT_TRUE(report["nets"][0]["supply_v"].is_null());
  EXPECT_TRUE(report["nets"][0]["worst_nodes"][0]["x_um"].is_null());
  EXPECT_EQ(report["nets"][0]["name"], "\"VDD\\\"</script>");
}

TEST(JsonReport, HasNoBoundWithoutACertificate) {
  const auto sample = test::small_sample();
  sample->result.certificate.valid = false;
  EXPECT_TRUE(json::parse(json_report(sample->result))["certificate"]["max_error_v"].is_null());
}

}  // namespace
}  // namespace gridiron
