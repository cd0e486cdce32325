// SPDX-License-Identifier: Apache-2.0
#include "reports/tran_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/tran/tran_limits.hpp"
#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "reports/pictures/waveform_pictures.hpp"
#include "reports/tran_parts.hpp"
#include "tests/reports/json/schema_validator.hpp"
#include "tests/reports/pictures/decoded_png.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A pulse of 0.2 A on one node behind 1 Ω, with the names of a hostile deck.
struct Simulated {
  Circuit circuit;
  TranReport report;

  explicit Simulated(const std::string& node = "a") {
    circuit =
        read_netlist_text("* deck\nv1 p 0 1\nr1 p " + node + " 1\nc1 " + node + " 0 10p\ni1 " + node +
                          " 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\n.tran 0.5n 10n\n.print tran v(" + node + ")\n.end\n");
    start_at_time_zero(circuit);
    TranOptions options;
    options.engine = "cholmod";
    options.window_s = 5e-9;
    options.limits = {parse_limit("worst=250mV")};
    report = analyse_transient(circuit, options);
    report.worst.netlist_name = "deck";
    report.worst.input_path = "deck.sp";
  }
};

/// Two scenarios with hostile names, limits of all kinds, and segments.
struct Scenarios {
  Circuit circuit;
  TranReport report;

  Scenarios() {
    circuit = read_netlist_text(
        "* deck\nv1 n1_0_0 0 1\nr1 n1_0_0 n1_1000_0 1\nc1 n1_1000_0 0 10p\ni1 n1_1000_0 0 0\n.tran 0.5n 10n\n"
        ".print tran v(n1_1000_0)\n.end\n");
    TranOptions options;
    options.engine = "cholmod";
    options.limits = {parse_tran_limit("rms=1mV"), parse_tran_limit("VDD:overshoot=1%")};
    options.em_average = {{"n1", 1.0}};
    options.em_peak = {{"n1", 1e-3}};
    WaveformTable table;
    table.time_s = {0, 2e-9, 4e-9};
    table.template_a = {0, 0.1, 0};
    table.sources = {"i1"};
    table.scenarios = 2;
    table.scenario_names = {"calm", "=cmd|<script>alert(1)</script>,\""};
    table.shape = {{0}, false};
    table.delay_s = {{0}, false};
    table.scale = {{1, 3}, true};
    options.waveforms = table;
    report = analyse_transient(circuit, options);
    report.worst.netlist_name = "deck</title><script>alert(2)</script>";
    report.worst.input_path = "deck.sp";
  }
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(TranReport, FollowsItsSchema) {
  EXPECT_EQ(test::violations("gridiron.tran-2", tran_json(Simulated().report)), "");
  EXPECT_EQ(test::violations("gridiron.tran-2", tran_json(Simulated("</script>\xff").report)), "");
}

TEST(TranReport, NumbersOfTheJson) {
  const Simulated run;
  const auto json = nlohmann::json::parse(tran_json(run.report));
  EXPECT_EQ(json["simulation"]["steps"], 20);
  EXPECT_EQ(json["time_s"].size(), 21u);
  EXPECT_EQ(json["probes"][0]["node"], "a");
  EXPECT_EQ(json["probes"][0]["voltage_v"][0].size(), 21u);
  EXPECT_NEAR(json["nets"][0]["worst_drop_v"].get<double>(), 0.3, 1e-3);
  EXPECT_EQ(json["limit_exceeded"], true);
  EXPECT_EQ(json["windows"].size(), 2u);
  EXPECT_NEAR(json["pads"]["largest"][0]["peak_a"].get<double>(), 0.3, 1e-3);
}

TEST(TranReport, TextTellsWhenAndHowSure) {
  const std::string text = tran_text(Simulated().report);
  EXPECT_THAT(text, HasSubstr("trapezoidal to 10.00 ns, 20 steps of 500.0 ps"));
  EXPECT_THAT(text, HasSubstr("Limits: EXCEEDED"));
  EXPECT_THAT(text, HasSubstr("Windows"));
  EXPECT_THAT(text, HasSubstr("estimate"));
}

TEST(TranReport, AMissedToleranceIsTold) {
  Simulated run;
  EXPECT_EQ(tran_text(run.report).find("NOT REACHED"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(tran_json(run.report))["accuracy"]["tolerance_met"], true);
  run.report.accuracy.tolerance_v = 1e-20;
  run.report.accuracy.is_met = false;
  EXPECT_THAT(tran_text(run.report), HasSubstr("TOLERANCE NOT REACHED: asked for"));
  EXPECT_EQ(test::violations("gridiron.tran-2", tran_json(run.report)), "");
  const auto accuracy = nlohmann::json::parse(tran_json(run.report))["accuracy"];
  EXPECT_EQ(accuracy["tolerance_met"], false);
  EXPECT_EQ(accuracy["tolerance_v"], 1e-20);
}

TEST(TranReport, WaveformsInIbmsForm) {
  const test::TemporaryDirectory directory;
  write_ibm_output(Simulated().report, directory.path() / "x.output");
  const std::string text = text_of(directory.path() / "x.output");
  EXPECT_EQ(text.substr(0, 35), "\nNode: a\n\n 0.000e+00 9.000000e-01\n ");
  EXPECT_THAT(text, HasSubstr("\n 1.000e-08 "));
  EXPECT_TRUE(text.ends_with("END: a\n"));
}

TEST(TranReport, NgspiceLoadsTheRawFile) {
  if (std::system("ngspice --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "ngspice is not installed";
  const test::TemporaryDirectory directory;
  const Simulated run;
  write_spice_raw(run.report, directory.path() / "x.raw");
  std::ofstream(directory.path() / "x.cir")
      << "* read\n.control\nload x.raw\nset numdgt=9\nprint time v(a)\nquit\n.endc\n.end\n";
  const std::string command = "cd '" + directory.path().string() + "' && ngspice -b x.cir >x.txt 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string printed = text_of(directory.path() / "x.txt");
  EXPECT_THAT(printed, HasSubstr("9.000000000e-01"));
  EXPECT_THAT(printed, HasSubstr("20\t1.000000000e-08"));
}

TEST(TranReport, NgspiceLoadsNamesWithBlanksFromTheRawFile) {
  const test::TemporaryDirectory directory;
  Scenarios run;
  run.report.by_scenario[0].name = "all clocked";
  run.report.by_scenario[1].name = "all(clocked";
  write_spice_raw(run.report, directory.path() / "x.raw");
  const std::string text = text_of(directory.path() / "x.raw");
  EXPECT_THAT(text, HasSubstr("\t1\tv(n1_1000_0@all_clocked)\tvoltage\n\t2\tv(n1_1000_0@all_clocked_2)\tvoltage\n"));
  if (std::system("ngspice --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "ngspice is not installed";
  std::ofstream(directory.path() / "x.cir") << "* read\n.control\nload x.raw\ndisplay\n"
                                               "quit\n.endc\n.end\n";
  const std::string command = "cd '" + directory.path().string() + "' && ngspice -b x.cir >x.txt 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string printed = text_of(directory.path() / "x.txt");
  EXPECT_THAT(printed, HasSubstr("v(n1_1000_0@all_clocked): voltage, real, 21 long"));
  EXPECT_THAT(printed, HasSubstr("v(n1_1000_0@all_clocked_2): voltage, real, 21 long"));
}

TEST(TranReport, EveryFileIsWritten) {
  const test::TemporaryDirectory directory;
  const std::set<std::string, std::less<>> all(std::begin(kTranFormats), std::end(kTranFormats));
  const Simulated run("@cmd");
  write_tran_reports(run.report, directory.path(), all);
  for (const char* name : {"summary.txt", "nodes.csv", "layers.csv", "sources.csv", "hotspots.csv", "instances.csv",
                           "windows.csv", "waveforms.csv", "deck.output", "deck.raw", "report.json", "waveforms.png",
                           "report.html", "markers.lyrdb", "markers.drc"})
    EXPECT_TRUE(std::filesystem::exists(directory.path() / name)) << name;
  for (const char* name : {"scenarios.csv", "segments.csv"})
    EXPECT_FALSE(std::filesystem::exists(directory.path() / name)) << name;
  EXPECT_THAT(text_of(directory.path() / "nodes.csv"), HasSubstr("'@cmd"));
  EXPECT_THAT(text_of(directory.path() / "waveforms.csv"), HasSubstr("time_s,worst drop of p,'@cmd\n0,0.1,0.9\n"));
}

/// Each node at its own worst moment, as in nodes.csv.
TEST(TranReport, LayersHotSpotsAndMetrics) {
  const test::TemporaryDirectory directory;
  const Scenarios run;
  write_tran_reports(run.report, directory.path(), {"csv"});
  const IrReport& worst = run.report.worst;
  ASSERT_EQ(worst.hot_spots.size(), 1u);
  const NodeId node = worst.hot_spots[0].node;
  const std::string time = fmt::format("{:.12g}", run.report.worst_time_s[node]);
  EXPECT_THAT(text_of(directory.path() / "hotspots.csv"),
              AllOf(StartsWith("node,net,layer,x_um,y_um,drop_v,bound_v,pad,pad_distance_um,worst_time_s\n"),
                    HasSubstr("," + time + "\n")));
  EXPECT_THAT(text_of(directory.path() / "layers.csv"),
              AllOf(StartsWith("net,layer,nodes,worst_drop_v,average_drop_v,least_drop_v,worst_node,x_um,y_um,"
                               "worst_time_s\n"),
                    HasSubstr("," + time + "\n")));
  EXPECT_THAT(text_of(directory.path() / "sources.csv"), StartsWith("name,node,net,layer,x_um,y_um,peak_current_a,"));
  const auto json = nlohmann::json::parse(tran_json(run.report));
  EXPECT_EQ(json["where"]["hot_spots"][0]["worst_time_s"], run.report.worst_time_s[node]);
  EXPECT_EQ(json["metrics"]["design_powergrid__drop__worst__net:" + worst.nets[0].name + "__corner:default"],
            json["nets"][0]["worst_drop_v"]);
}

TEST(TranReport, ScenariosLimitsAndSegments) {
  const Scenarios run;
  const std::string text = tran_json(run.report);
  EXPECT_EQ(test::violations("gridiron.tran-2", text), "");
  const auto json = nlohmann::json::parse(text);
  ASSERT_EQ(json["scenarios"].size(), 2u);
  EXPECT_NEAR(json["scenarios"][0]["nets"][0]["worst_drop_v"].get<double>(), 0.1, 2e-3);
  EXPECT_NEAR(json["scenarios"][1]["nets"][0]["worst_drop_v"].get<double>(), 0.3, 6e-3);
  EXPECT_EQ(json["nets"][0]["worst_scenario"], 1);
  EXPECT_EQ(json["worst_moment"]["scenario"], 1);
  ASSERT_EQ(json["limits"].size(), 4u);
  const std::pair<const char*, bool> expected[] = {
      {"rms", true}, {"overshoot", false}, {"average current", false}, {"peak current", true}};
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(json["limits"][k]["quantity"], expected[k].first);
    EXPECT_EQ(json["limits"][k]["exceeded"], expected[k].second) << expected[k].first;
  }
  EXPECT_NEAR(json["limits"][3]["value_a"].get<double>(), 0.3, 6e-3);
  EXPECT_EQ(json["segments"]["count"], 1);
  const std::string summary = tran_text(run.report);
  EXPECT_THAT(summary, HasSubstr("Scenarios, worst first"));
  EXPECT_THAT(summary, HasSubstr("peak current"));
}

/// The data of a page.
nlohmann::json data_of(const std::string& page) {
  const size_t begin = page.find('>', page.find("id=\"data\"")) + 1;
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(TranReport, ThePageHasHotSpotsAndSegmentsBeyondLimits) {
  const test::TemporaryDirectory directory;
  write_tran_html(Scenarios().report, directory.path() / "report.html");
  const nlohmann::json data = data_of(text_of(directory.path() / "report.html"));
  ASSERT_EQ(data["report"]["where"]["hot_spots"].size(), 1u);
  EXPECT_GT(data["report"]["where"]["hot_spots"][0]["worst_time_s"], 0.0);
  ASSERT_EQ(data["over_em_limits"].size(), 1u) << "that of the peak; the average is within its limit";
  const nlohmann::json& over = data["over_em_limits"][0];
  EXPECT_EQ(over["quantity"], "peak");
  EXPECT_NEAR(over["current_a"].get<double>(), 0.3, 6e-3);
  EXPECT_EQ(over["limit_a"], 1e-3);
  EXPECT_EQ(over["ends_um"].size(), 4u);
  EXPECT_EQ(data["report"]["certificate"]["missed_share"], 0.0);
}

/// A chain of resistors on each of two nets, all of whose nodes are recorded.
struct Chains {
  Circuit circuit;
  TranReport report;

  Chains() {
    std::string deck = "* deck\nvp p0 0 1\nvq q0 0 2\n", print = ".print tran";
    for (const char net : {'p', 'q'})
      for (int k = 1; k <= (net == 'p' ? 14 : 2); ++k) {
        deck += fmt::format("r{0}{1} {0}{2} {0}{1} 1\n", net, k, k - 1);
        print += fmt::format(" v({}{})", net, k);
      }
    circuit = read_netlist_text(deck + "i1 p14 0 pulse(0 1m 1n 1n 1n 2n 9n)\ni2 q2 0 1m\n.tran 0.5n 5n\n" + print +
                                "\n.end\n");
    start_at_time_zero(circuit);
    report = analyse_transient(circuit, {});
    report.worst.netlist_name = "deck";
  }
};

TEST(TranReport, APictureOfTheRecordedNodesOfEveryNet) {
  const test::TemporaryDirectory directory;
  const Chains run;
  const std::vector<std::string> names = write_waveform_pictures(run.report, directory.path());
  EXPECT_THAT(names,
              testing::ElementsAre("waveforms.png", "waveforms_p0.png", "waveforms_p0_2.png", "waveforms_q0.png"));
  const auto colours = [&](const std::string& name) {
    const test::DecodedPng picture(text_of(directory.path() / name));
    std::map<std::array<int, 4>, int> count;
    for (int x = picture.width * 2 / 3; x < picture.width; ++x)
      for (int y = 0; y < picture.height; ++y) ++count[picture.at(x, y)];
    return std::ranges::count_if(count, [](const auto& of) {
      const auto [red, green, blue, alpha] = of.first;
      return of.second > 20 && std::max({red, green, blue}) - std::min({red, green, blue}) > 20;
    });
  };
  EXPECT_GE(colours("waveforms_p0.png"), 8);
  EXPECT_EQ(left_out_waveforms(run.report), "");
  TranReport many = run.report;
  many.probes.assign(3000, run.report.probes.front());
  EXPECT_EQ(left_out_waveforms(many),
            "1 408 waveforms are in no picture, as there would be 376; waveforms.csv has all");
  EXPECT_EQ(write_waveform_pictures(run.report, directory.path()).size(), 4u);
}

TEST(TranReport, HostileNamesStayDataInFilesOfScenarios) {
  const test::TemporaryDirectory directory;
  write_tran_reports(Scenarios().report, directory.path(), {"csv", "html"});
  EXPECT_THAT(text_of(directory.path() / "scenarios.csv"), HasSubstr("\"'=cmd|<script>alert(1)</script>,\"\"\""));
  EXPECT_THAT(text_of(directory.path() / "segments.csv"), HasSubstr("r1,VDD,n1,n1_0_0,n1_1000_0,"));
  EXPECT_THAT(text_of(directory.path() / "waveforms.csv"), HasSubstr("n1_1000_0@calm"));
  const std::string page = text_of(directory.path() / "report.html");
  EXPECT_THAT(page,
              HasSubstr("<title>deck&lt;/title&gt;&lt;script&gt;alert(2)&lt;/script&gt; · dynamic IR drop</title>"));
  EXPECT_EQ(page.find("<script>alert("), page.npos);
  EXPECT_THAT(page, HasSubstr("\"views\":[\"worst over time\",\"worst moment\"]"));
}

}  // namespace
}  // namespace gridiron
