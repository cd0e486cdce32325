// SPDX-License-Identifier: Apache-2.0
// Segments, hot spots, power and explanations in every format; hostile names in all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/results/em_limits.hpp"
#include "reports/report.hpp"
#include "reports/tables/csv_reader.hpp"
#include "reports/tables/insight_csv.hpp"
#include "reports/text/insight_text.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/data.hpp"
#include "tests/reports/json/schema_validator.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using test::Analysed;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kDeck =
    "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 2\nr2 n1_m2_2000_0 n1_m1_2000_0 1\ni1 n1_m2_2000_0 0 0.1\n.end\n";

IrOptions explained() {
  IrOptions options;
  options.why = {"worst"};
  options.em_limits = {{"m1", 0.09, 0.3, 0.3}, {"m1-m2", 0.2}};
  return options;
}

template <class Write>
std::string file_of(Write write, const IrReport& report) {
  const test::TemporaryDirectory directory;
  write(report, directory.path() / "file.csv");
  return directory.read("file.csv");
}

TEST(InsightReports, SegmentsCsv) {
  EXPECT_EQ(file_of(write_segments_csv, Analysed(kDeck).result),
            "resistor,net,layer,from,to,current_a,power_w\nr1,n1,m1,n1_m1_0_0,n1_m1_2000_0,0.1,0.02\n"
            "r2,n1,m1-m2,n1_m2_2000_0,n1_m1_2000_0,-0.1,0.01\n");
  EXPECT_THAT(file_of(write_segments_csv, Analysed(kDeck, explained()).result),
              testing::AllOf(HasSubstr("power_w,width_um,limit_a,ratio\n"), HasSubstr("0.02,0.3,0.09,1.11111111111\n"),
                             HasSubstr("0.01,,0.2,0.5\n")));
}

TEST(InsightReports, HotSpotsCsv) {
  const auto write = [](const IrReport& report, const OutputPath& path) { write_hot_spots_csv(report, path); };
  EXPECT_THAT(file_of(write, Analysed(kDeck).result),
              HasSubstr("node,net,layer,x_um,y_um,drop_v,bound_v,pad,pad_distance_um\nn1_m2_2000_0,n1,m2,1,0,0.3,"));
}

/// The file that OpenROAD wrote of this deck: the same rows in the same order, currents to its digits.
TEST(InsightReports, OpenRoadsEmFileRowByRow) {
  GRIDIRON_DATA_OR_SKIP(deck, "openroad/gcd_vss.sp");
  GRIDIRON_DATA_OR_SKIP(theirs, "openroad/gcd_vss.em.csv");
  const Circuit circuit = read_netlist(deck);
  const std::string ours = file_of(write_openroad_segments_csv, analyse_ir_drop(circuit, {}));
  std::ifstream file(theirs);
  std::istringstream lines(ours);
  std::string line, expected;
  int rows = 0;
  while (std::getline(file, expected)) {
    ASSERT_TRUE(std::getline(lines, line));
    const size_t at = expected.rfind(','), ours_at = line.rfind(',');
    ASSERT_EQ(line.substr(0, ours_at), expected.substr(0, at)) << "row " << rows;
    const double current = std::atof(expected.c_str() + at + 1), own = std::atof(line.c_str() + ours_at + 1);
    if (rows++ > 0 && current > 1e-9) {
      EXPECT_NEAR(own / current, 1, 1e-3) << line;
    }
  }
  EXPECT_FALSE(std::getline(lines, line)) << line;
  EXPECT_EQ(rows, 2140);
}

TEST(InsightReports, JsonFollowsTheSchema) {
  const Analysed run(kDeck, explained());
  const std::string text = json_report(run.result);
  EXPECT_EQ(test::violations("gridiron.ir-1", text), "");
  const json report = json::parse(text);
  EXPECT_NEAR(report["power"]["sources_w"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(report["segments"]["count"], 2);
  EXPECT_EQ(report["segments"]["layers"][0]["largest"]["resistor"], "r1");
  const json& limit = report["limits"][0];
  EXPECT_EQ(limit["quantity"], "current");
  EXPECT_EQ(limit["exceeded"], true);
  EXPECT_TRUE(limit["value_v"].is_null());
  EXPECT_NEAR(limit["value_a"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(report["limit_exceeded"], true);
  EXPECT_EQ(report["where"]["hot_spots"][0]["node"], "n1_m2_2000_0");
  const json& why = report["where"]["explanations"][0];
  EXPECT_NEAR(why["effective_resistance_ohm"].get<double>(), 3, 1e-12);
  EXPECT_EQ(why["path"]["steps"].size(), 2u);
  EXPECT_NEAR(why["widening"]["gain_v"].get<double>(), 0.05, 1e-12);
}

TEST(InsightReports, Text) {
  const Analysed run(kDeck, explained());
  const std::string text = text_summary(run.result);
  EXPECT_THAT(text, HasSubstr("  current   n1 m1     100.0 mA  90.00 mA  1 of 1 segment  EXCEEDED\n"));
  EXPECT_THAT(text, HasSubstr("\nPower        sources deliver 100.0 mW: loads take 70.00 mW, resistors 30.00 mW\n"));
  EXPECT_THAT(text, HasSubstr("\nWhy n1_m2_2000_0 drops by 300.0 mV (3.000 Ohm between it and the sources)\n"));
  EXPECT_THAT(text, HasSubstr("  Widening these 2 segments by 20 % gains 50.00 mV (another solve; 60.00 mV predicted"));
  EXPECT_THAT(
      openroad_em_block(run.result),
      HasSubstr("Net                : n1\nCorner             : default\nMaximum current    : 1.00e-01 A\nAverage "
                "current    : 1.00e-01 A\nNumber of resistors: 2\n"));
}

TEST(InsightReports, WhereADropFalls) {
  IrOptions options;
  options.limits = parse_limits(std::vector<std::string>{"100mV"});
  const Analysed run(kDeck, options);
  EXPECT_THAT(text_summary(run.result), HasSubstr("\nWhere the 300.0 mV at n1_m2_2000_0 (n1) fall\n"
                                                  "  part   segments      drop    of it  certified to\n"
                                                  "  m1            1  200.0 mV  66.67 %"));
  const std::string text = json_report(run.result);
  EXPECT_EQ(test::violations("gridiron.ir-1", text), "");
  const json report = json::parse(text), of = report["where"]["drop_shares"][0];
  EXPECT_EQ(of["node"], "n1_m2_2000_0");
  EXPECT_EQ(of["shares"][0]["part"], "layer");
  EXPECT_EQ(of["shares"][0]["layer"], "m1");
  EXPECT_EQ(of["shares"][1]["part"], "vias");
  EXPECT_EQ(of["shares"][1]["layer"], "m1-m2");
  EXPECT_NEAR(of["shares"][1]["drop_v"].get<double>(), 0.1, 1e-12);
  EXPECT_TRUE(report["where"]["explanations"].empty());
}

/// Names that HTML, spreadsheets, shells and Tcl would run, in nodes and elements.
TEST(InsightReports, HostileNamesStayText) {
  const std::string script = "<script>alert</script>", shell = "a$`id`[exec_id]", formula = "@cmd!A1|x";
  const std::string deck = "* t\nv" + script + " " + script + " 0 1\nr" + script + " " + script + " " + formula +
                           " 2\nr" + shell + " " + formula + " " + shell + " 1\ni&x " + shell + " 0 0.1\n.end\n";
  IrOptions options;
  options.why = {"worst"};
  const Analysed run(deck, options);
  const test::TemporaryDirectory directory;
  write_reports(run.result, directory.path(), {"text", "csv", "json", "html", "solution"});
  const std::string page = directory.read("report.html");
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const std::string text = directory.read("report.json");
  EXPECT_EQ(test::violations("gridiron.ir-1", text), "");
  const json report = json::parse(text);
  EXPECT_EQ(report["where"]["explanations"][0]["path"]["steps"][1]["resistor"], "r" + script);
  EXPECT_EQ(report["where"]["hot_spots"][0]["node"], shell);
  EXPECT_EQ(report["where"]["explanations"][0]["path"]["steps"][1]["from"], formula);
  EXPECT_EQ(report["where"]["explanations"][0]["loads"][0]["source"], "i&x");

  const std::string segments = directory.read("segments.csv");
  EXPECT_THAT(segments, Not(HasSubstr(",@cmd"))) << "a spreadsheet would run it";
  CsvReader csv(segments);
  ASSERT_TRUE(csv.next() && csv.next());
  EXPECT_EQ(csv.fields()[0], "r" + script);
  EXPECT_EQ(csv_name(csv.fields()[4]), formula);
  const std::string spots = directory.read("hotspots.csv");
  EXPECT_THAT(spots, HasSubstr("\n" + shell + ","));
}

TEST(InsightReports, ControlCharactersDoNotReachTheTerminal) {
  test::Sample sample;
  const int32_t net = sample.add_net("VDD\x1b[2J", 1, 1);
  const NodeId node = sample.add_node("n\x1b[31m\n", net, -1, 1, 1, 0.5, 0.5);
  sample.summarise();
  sample.result.hot_spots = {{node, net, 0.5}};
  const std::string text = hot_spot_lines(sample.result);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("n\\x1b[31m\\x0a"));
}

TEST(InsightReports, EveryNetThatExceedsALimitHasItsHotSpotsInTheText) {
  test::Sample sample;
  const int32_t vdd = sample.add_net("VDD", 1, 1), gnd = sample.add_net("GND", 0, 1), io = sample.add_net("IO", 3, 3);
  const auto add = [&](const std::string& name, int32_t net, double drop) {
    sample.result.hot_spots.push_back({sample.add_node(name, net, -1, 1, 1, 1 - drop, drop), net, drop});
  };
  for (int k = 0; k < 10; ++k) add("v" + std::to_string(k), vdd, 0.5 - 0.01 * k);
  for (int k = 0; k < 10; ++k) add("g" + std::to_string(k), gnd, 0.3 - 0.01 * k);
  for (int k = 0; k < 10; ++k) add("o" + std::to_string(k), io, 0.1 - 0.001 * k);
  sample.summarise();
  sample.result.hot_spots_in_all = 30;
  const auto limit = [](const char* net, bool exceeded) {
    LimitResult of;
    of.quantity = "worst", of.net = net, of.exceeded = exceeded;
    return of;
  };
  sample.result.limits = {limit("VDD", true), limit("GND", true), limit("IO", false)};
  const std::string text = hot_spot_lines(sample.result);
  EXPECT_THAT(text, HasSubstr("Hot spots, 10 of 30"));
  for (const char* shown : {" v0 ", " v4 ", " g0 ", " g4 "}) EXPECT_THAT(text, HasSubstr(shown));
  for (const char* other : {" v5 ", " g5 ", " o0 "}) EXPECT_THAT(text, Not(HasSubstr(other)));
}

TEST(CsvReader, ReadsWhatTheWriterWrites) {
  CsvReader csv("a,\"b,\"\"c\"\"\nd\",\n'=x,,e\r\n\"cut");
  ASSERT_TRUE(csv.next());
  EXPECT_THAT(csv.fields(), ElementsAre("a", "b,\"c\"\nd", ""));
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.line(), 3);
  EXPECT_THAT(csv.fields(), ElementsAre("'=x", "", "e"));
  EXPECT_EQ(csv_name("'=x"), "=x");
  EXPECT_EQ(csv_name("'x"), "'x");
  ASSERT_TRUE(csv.next());
  EXPECT_TRUE(csv.is_cut_off());
  EXPECT_FALSE(csv.next());
}

}  // namespace
}  // namespace gridiron
