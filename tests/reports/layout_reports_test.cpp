// SPDX-License-Identifier: Apache-2.0
// What reports show of a layout: sections of segments, opens, macros. Without a layout nothing of it is there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/results/markers.hpp"
#include "reports/pictures/picture.hpp"
#include "reports/report.hpp"
#include "reports/tables/insight_csv.hpp"
#include "reports/tables/markers.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/reports/json/schema_validator.hpp"
#include "tests/reports/pictures/decoded_png.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using test::Analysed;
using testing::HasSubstr;
using testing::Not;

const std::string kDeck =
    "* t\nv1 Node_m1_0_0 0 1\nr0 Node_m1_0_0 Node_m1_2000_0 1\nr1 Node_m1_2000_0 Node_m2_2000_0 1\n"
    "r2 Node_m2_2000_0 Node_m2_2000_4000 1\nr3 Node_m2_2000_4000 ITermNode_m2_2000_4000 1m\n"
    "i0 ITermNode_m2_2000_4000 0 0.1\n.end\n";

using Open = Placement::Open;

std::shared_ptr<Placement> placement() {
  return std::make_shared<Placement>(Placement{.nets = {{.name = "Node_m1_0_0", .last_sink = 1}},
                                               .layers = {{"m1", 0.5}, {"m2"}},
                                               .width = {250, 0, 2000, 0},
                                               .cuts = {0, 4, 0, 0},
                                               .opens = {{Open::Kind::shape, 0, 0, {0.1, 0.2, 0.3, 2}, "", ""},
                                                         {Open::Kind::terminal, 0, 1, {1, 1, 1, 1}, "u1", "VDD"},
                                                         {Open::Kind::pin, 0, 1, {0, 1, 0.5, 1.5}, "", "VPWR"}},
                                               .macros = {{"ram", "RAM", {0.2, 0.4, 0.9, 1.8}}},
                                               .texts = {},
                                               .dbu_per_um = 1000});
}

/// The deck as if it came from a layout. Nets are known once it is analysed.
struct Placed : Analysed {
  Placed() : Analysed(kDeck) {
    const auto told = placement();
    told->nets[0].name = result.nets.at(0).name;
    circuit.placement = told;
  }
};

std::string segments_csv(const IrReport& report) {
  const test::TemporaryDirectory directory;
  write_segments_csv(report, directory.path() / "file.csv");
  return directory.read("file.csv");
}

TEST(LayoutReports, SegmentsHaveSections) {
  const std::string csv = segments_csv(Placed().result);
  EXPECT_THAT(csv, HasSubstr("power_w,width_um,cuts,a_per_um,a_per_um2\n"));
  EXPECT_THAT(csv, HasSubstr(",0.25,,0.4,0.8\n")) << "0.1 A in a wire 0.25 um wide and 0.5 um thick";
  EXPECT_THAT(csv, HasSubstr(",,4,,\n")) << "a via of four cuts";
  EXPECT_THAT(csv, HasSubstr(",2,,0.05,\n")) << "the thickness is not known";
  EXPECT_THAT(csv, HasSubstr(",,,,\n")) << "the link of a terminal";
}

TEST(LayoutReports, JsonTellsSectionsAndOpens) {
  const json report = json::parse(json_report(Placed().result));
  const json& m1 = report["segments"]["layers"][0];
  EXPECT_EQ(m1["densest"]["resistor"], "r0");
  EXPECT_NEAR(m1["densest"]["a_per_um"].get<double>(), 0.4, 1e-6);
  EXPECT_EQ(m1["largest"]["cuts"], nullptr);
  const json& opens = report["opens"];
  EXPECT_EQ(opens["count"], 3);
  EXPECT_EQ(opens["shapes"], 1);
  EXPECT_EQ(opens["listed"][1]["name"], "u1/VDD");
  EXPECT_EQ(opens["listed"][1]["layer"], "m2");
  EXPECT_EQ(opens["listed"][0]["top_um"], 2);
  EXPECT_EQ(test::violations("gridiron.ir-1", report.dump()), "");
  EXPECT_FALSE(json::parse(json_report(Analysed(kDeck).result)).contains("opens"));
}

TEST(LayoutReports, AListOfOpensIsCut) {
  Placed run;
  const auto told = std::make_shared<Placement>(*run.circuit.placement);
  told->opens.resize(2500, told->opens[0]);
  run.circuit.placement = told;
  const json opens = json::parse(json_report(run.result))["opens"];
  EXPECT_EQ(opens["count"], 2500);
  EXPECT_EQ(opens["listed"].size(), 1000u);
}

TEST(LayoutReports, OpensAreMarked) {
  const Placed run;
  const test::TemporaryDirectory directory;
  write_drc(markers_of(run.result), directory.path() / "markers.drc");
  const std::string drc = directory.read("markers.drc");
  EXPECT_THAT(drc, HasSubstr("violation type: Open shape\n"));
  EXPECT_THAT(drc, HasSubstr("  bbox = (0.1000, 0.2000) - (0.3000, 2.0000) on Layer m1\n"));
  EXPECT_THAT(drc, HasSubstr("  comment: u1/VDD: not connected to the highest layer of the net\n"));
  EXPECT_THAT(drc, HasSubstr("  comment: VPWR: not connected"));
  write_drc(markers_of(*run.result.design), directory.path() / "check.drc");
  EXPECT_THAT(directory.read("check.drc"), HasSubstr("violation type: Open pin\n"));
  write_drc(markers_of(Analysed(kDeck).result), directory.path() / "deck.drc");
  EXPECT_THAT(directory.read("deck.drc"), Not(HasSubstr("Open ")));
}

/// Pixels of a map with marks that are not those of the same map without them.
TEST(LayoutReports, MapsShowOpensAndMacros) {
  const Placed run;
  const Analysed plain(kDeck);
  const std::vector<HeatMap> maps = heat_maps(run.result), plain_maps = heat_maps(plain.result);
  ASSERT_EQ(maps.size(), 3u);
  ASSERT_EQ(plain_maps.size(), 3u);
  for (size_t k = 0; k < maps.size(); ++k) {
    const test::DecodedPng with(map_picture(run.result, maps[k])), without(map_picture(plain.result, plain_maps[k]));
    ASSERT_EQ(with.rgba.size(), without.rgba.size());
    int64_t changed = 0;
    for (size_t i = 0; i < with.rgba.size(); i += 4)
      changed += !std::equal(&with.rgba[i], &with.rgba[i] + 4, &without.rgba[i]);
    EXPECT_GT(changed, 200) << k;
  }
}

TEST(LayoutReports, AveragesOfOpenRoadAreWithoutTerminals) {
  const auto average_of = [](const IrReport& report) {
    const std::string text = text_summary(report);
    return text.substr(text.find("Average IR drop  : ") + 19, 8);
  };
  EXPECT_EQ(average_of(Analysed(kDeck).result), "1.80e-01") << "0, 0.1, 0.2, 0.3 and 0.3001 V";
  EXPECT_EQ(average_of(Placed().result), "1.50e-01") << "without the last one";
}

}  // namespace
}  // namespace gridiron
