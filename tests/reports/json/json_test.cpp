// SPDX-License-Identifier: Apache-2.0
// report.json against its schema, and its numbers against the result.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "reports/report.hpp"
#include "tests/paths.hpp"
#include "tests/reports/json/schema_validator.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using nlohmann::json;

const std::filesystem::path kSchema = test::schema_path("gridiron.ir-1");

std::string violations(const std::string& report) { return test::violations("gridiron.ir-1", report); }

std::unique_ptr<test::Sample> hostile_sample() {
  auto sample = std::make_unique<test::Sample>();
  const int32_t net = sample->add_net("\"VDD\\\"</script>", 1, 0);
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

TEST(JsonReport, TellsThePartsOfAHybridSolve) {
  const auto sample = test::small_sample();
  sample->result.solve.history = {1, 0.5, NAN};
  const json other = json::parse(json_report(sample->result))["solve"];
  EXPECT_TRUE(other["hybrid"].is_null());
  EXPECT_EQ(other["bytes_per_unknown"].get<double>(), 4096 / 5.0);
  EXPECT_EQ(other["history"], json({1.0, 0.5, nullptr}));

  sample->result.solve.hybrid = {
      .original_grid_s = 0.25, .regular_grid_s = 0.125, .transfers_s = 0.5, .regular_grid_bytes = 1096};
  const std::string report = json_report(sample->result);
  EXPECT_EQ(violations(report), "");
  EXPECT_EQ(json::parse(report)["solve"]["hybrid"], json({{"original_grid_s", 0.25},
                                                          {"regular_grid_s", 0.125},
                                                          {"transfers_s", 0.5},
                                                          {"original_grid_bytes", 3000},
                                                          {"regular_grid_bytes", 1096}}));
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
