// SPDX-License-Identifier: Apache-2.0
// Markers as viewers read them. app.hostile_names reads them with parsers of XML and lines.
#include "reports/tables/markers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

Marker marker(Marker::Kind kind, const std::string& net, const std::string& layer, const std::string& node) {
  return {kind, net, layer, node, 1, 2, 3.5, 4, 0.0521, 0.05};
}

std::string lyrdb(const std::vector<Marker>& markers) {
  const test::TemporaryDirectory directory;
  write_lyrdb({markers, {}}, "chip", directory.path() / "markers.lyrdb");
  return directory.read("markers.lyrdb");
}

std::string drc(const std::vector<Marker>& markers) {
  const test::TemporaryDirectory directory;
  write_drc({markers, {}}, directory.path() / "markers.drc");
  return directory.read("markers.drc");
}

TEST(Lyrdb, HasABoxInMicrometresAndATextPerMarker) {
  const std::string text = lyrdb({marker(Marker::Kind::over_limit, "VDD", "M1", "n1_m1_0_0")});
  EXPECT_THAT(text, testing::StartsWith("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<report-database>"));
  EXPECT_THAT(text, HasSubstr("<value>box: (1.0000,2.0000;3.5000,4.0000)</value>"));
  EXPECT_THAT(text, HasSubstr("<value>text: &#39;n1_m1_0_0: drop of 52.10 mV, limit 50.00 mV&#39;</value>"));
  EXPECT_THAT(text, HasSubstr("<category>&#39;Drop over limit&#39;.&#39;VDD&#39;.&#39;M1&#39;</category>"));
}

TEST(Lyrdb, EveryCategoryIsDeclaredOnce) {
  const std::string text =
      lyrdb({marker(Marker::Kind::over_limit, "VDD", "M1", "a"), marker(Marker::Kind::over_limit, "VDD", "M2", "b"),
             marker(Marker::Kind::over_limit, "VDD", "M1", "c"), marker(Marker::Kind::overvoltage, "", "", "d")});
  size_t count = 0;
  for (size_t at = text.find("<name>"); at != std::string::npos; at = text.find("<name>", at + 1)) ++count;
  EXPECT_EQ(count, 7u + 1u) << "2 kinds, 2 nets, 3 layers, and the cell";
  EXPECT_THAT(text, HasSubstr("<name>(no layer)</name>"));
}

TEST(Lyrdb, IsCompleteWithoutMarkers) { EXPECT_THAT(lyrdb({}), HasSubstr("</items>\n</report-database>\n")); }

TEST(Drc, IsWhatOpenRoadReads) {
  EXPECT_EQ(drc({marker(Marker::Kind::unconnected_shape, "VDD", "M1", "a")}),
            "violation type: Unconnected shape\n  srcs: net:VDD\n  comment: a: no path leads to a source\n"
            "  bbox = (1.0000, 2.0000) - (3.5000, 4.0000) on Layer M1\n");
  EXPECT_THAT(drc({marker(Marker::Kind::over_limit, "", "", "a")}), HasSubstr("  srcs:\n"));
  EXPECT_THAT(drc({marker(Marker::Kind::over_limit, "", "", "a")}), HasSubstr(" on Layer -\n"));
}

TEST(Markers, ShortsAreOfTwoNets) {
  Marker touching = marker(Marker::Kind::touching_nets, "VDD", "M1", "");
  touching.other_net = "VSS";
  EXPECT_EQ(drc({touching}),
            "violation type: Short\n  srcs: net:VDD net:VSS\n  comment: metal of VDD and VSS touches\n"
            "  bbox = (1.0000, 2.0000) - (3.5000, 4.0000) on Layer M1\n");
  EXPECT_THAT(lyrdb({touching}), HasSubstr("<category>&#39;Short&#39;.&#39;VDD&#39;.&#39;M1&#39;</category>"));
}

TEST(Lyrdb, TheTopCellIsThatOfTheLayout) {
  const test::TemporaryDirectory directory;
  write_lyrdb({.cell = "top<1>"}, "chip", directory.path() / "markers.lyrdb");
  EXPECT_THAT(directory.read("markers.lyrdb"),
              testing::AllOf(HasSubstr("<description>IR drop of chip</description>"),
                             HasSubstr("<top-cell>top&lt;1&gt;</top-cell>"), HasSubstr("<cell><name>top&lt;1&gt;<")));
}

TEST(Markers, TellOfHowManyTheyAreShown) {
  const test::TemporaryDirectory directory;
  const Markers markers{
      {marker(Marker::Kind::over_limit, "VDD", "M1", "a"), marker(Marker::Kind::over_limit, "VDD", "M1", "b")},
      {{Marker::Kind::over_limit, "VDD", "", 2, 12'345}, {Marker::Kind::unconnected_load, "", "", 0, 7}}};
  write_lyrdb(markers, "chip", directory.path() / "markers.lyrdb");
  const std::string text = directory.read("markers.lyrdb");
  EXPECT_THAT(text, HasSubstr("nodes whose drop exceeds a limit on the worst drop; 2 of 12 345 of net VDD are shown<"));
  EXPECT_THAT(text, HasSubstr("IR drop of chip; loads that no path connects to a source: 0 of 7 are shown<"))
      << "of a kind without markers";
  write_drc(markers, directory.path() / "markers.drc");
  EXPECT_THAT(directory.read("markers.drc"),
              HasSubstr("  comment: a: drop of 52.10 mV, limit 50.00 mV (2 of 12 345 of net VDD are shown)\n"));
}

TEST(Drc, ANameIsNoLine) {
  const std::string text = drc({marker(Marker::Kind::over_limit, "V\nviolation type: x", "M\r\n1", "a\nb")});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_THAT(text, HasSubstr("net:V\\x0aviolation type: x"));
}

}  // namespace
}  // namespace gridiron
