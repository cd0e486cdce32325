// SPDX-License-Identifier: Apache-2.0
// report.html: one complete file, safe against anything in a netlist, and of bounded size.
#include "reports/page/html.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "reports/report.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/reports/pictures/decoded_png.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::string page_of(const IrReport& result) {
  const test::TemporaryDirectory directory;
  write_reports(result, directory.path(), {"html"});
  return directory.read("report.html");
}

json data_of(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const size_t begin = page.find(open) + open.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) out += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return out;
}

TEST(HtmlReport, HoldsEverythingItNeeds) {
  const std::string page = page_of(test::small_sample()->result);
  EXPECT_THAT(page, ::testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("<title>sample · IR drop</title>"));
  EXPECT_THAT(page, HasSubstr("Chart.js"));
  EXPECT_THAT(page, HasSubstr(".leaflet-container"));
  EXPECT_THAT(page, HasSubstr("CRS"));
  EXPECT_THAT(page, HasSubstr("</html>"));
  EXPECT_THAT(page, Not(HasSubstr("{{"))) << "a place of the template is left open";
}

TEST(HtmlReport, FetchesNothing) {
  const std::string page = page_of(test::small_sample()->result);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<script src")));
  EXPECT_THAT(page, Not(HasSubstr("<link")));
}

TEST(HtmlReport, ShowsTheResultOfTheRun) {
  const json data = data_of(page_of(test::small_sample()->result));
  EXPECT_EQ(data["report"]["schema"], "gridiron.ir/1");
  EXPECT_EQ(data["report"]["nets"][0]["worst_drop_v"].get<double>(), 0.0432109876543);
  EXPECT_EQ(data["worst_nodes"][0]["node"], "n1_0_0");
  EXPECT_EQ(data["pads"][0]["name"], "V1");
  EXPECT_EQ(data["instances"][0]["name"], "iu1");
  EXPECT_EQ(data["histograms"][0]["net"], "VDD");
  int64_t counted = 0;
  for (const int64_t n : data["histograms"][0]["counts"]) counted += n;
  EXPECT_EQ(counted, 6);
  EXPECT_EQ(data["maps"].size(), 6u);
}

TEST(HtmlReport, MapsArePicturesWithCorners) {
  const json data = data_of(page_of(test::small_sample()->result));
  for (const json& map : data["maps"]) {
    const test::DecodedPng picture(from_base64(map["image"]));
    EXPECT_GT(picture.width, 100);
    const double aspect = (map["right_um"].get<double>() - map["left_um"].get<double>()) /
                          (map["top_um"].get<double>() - map["bottom_um"].get<double>());
    EXPECT_NEAR(aspect, static_cast<double>(picture.width) / picture.height, 1e-9);
  }
}

TEST(HtmlReport, HostileNamesStayText) {
  test::Sample sample;
  const std::string attack = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\u2028{{data}}\"'&";
  sample.result.netlist_name = attack;
  sample.result.input_path = attack;
  sample.add_node(attack, sample.add_net(attack, 1, 1), sample.add_layer(attack), 1, 1, 0.5, 0.5);
  sample.add_node("bad\xff", 0, 0, 2, 2, 0.5, 0.5);
  sample.result.findings = {{Finding::Severity::error, "code", attack, attack}};
  sample.summarise();
  const std::string page = page_of(sample.result);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, Not(HasSubstr("\u2028")));
  EXPECT_EQ(count_of(page, "</script>"), count_of(page_of(test::small_sample()->result), "</script>"));
  const json data = data_of(page);
  EXPECT_EQ(data["name"], attack);
  EXPECT_EQ(data["report"]["nets"][0]["name"], attack);
  EXPECT_EQ(data["worst_nodes"][0]["node"], attack);
}

TEST(HtmlReport, WorksWithoutGeometryNetsOrCertificate) {
  test::Sample plain;
  plain.add_node("a", plain.add_net("VDD", 1, 1), -1, NAN, NAN, 0.5, 0.5);
  plain.summarise();
  EXPECT_EQ(data_of(page_of(plain.result))["maps"].size(), 0u);
  EXPECT_EQ(data_of(page_of(test::Sample().result))["report"]["nets"].size(), 0u);
}

TEST(HtmlReport, AHistogramHasStepsThatItsNodesFill) {
  test::Sample sample;
  const int32_t alike = sample.add_net("ALIKE", 1, 1), few = sample.add_net("FEW", 1, 1);
  for (int k = 0; k < 40; ++k)
    sample.add_node("a" + std::to_string(k), alike, -1, NAN, NAN, 0.9, 0.1 + 1e-16 * (k % 2));
  for (int k = 0; k < 9; ++k) sample.add_node("f" + std::to_string(k), few, -1, NAN, NAN, 0.9, 0.0625 * k);
  sample.summarise();
  const json histograms = data_of(page_of(sample.result))["histograms"];
  ASSERT_EQ(histograms.size(), 2u);
  EXPECT_EQ(histograms[0]["counts"], json({40}));
  EXPECT_EQ(histograms[0]["low_v"], histograms[0]["high_v"]);
  EXPECT_EQ(histograms[1]["counts"], json({2, 1, 1, 2, 1, 2}));
}

TEST(HtmlReport, LoadVectorsStandByTheNetThatNeedsAttention) {
  const auto sample = test::small_sample();
  IrReport& result = sample->result;
  const auto vector = [](double vdd, double gnd) {
    VectorResult of;
    of.nets = {{vdd, vdd / 2, 1}, {gnd, gnd / 2, 6}};
    of.bound_v = 0.01;
    of.bounded = true;
    return of;
  };
  result.vectors = {vector(0.04, 0.004), vector(0.03, 0.02), vector(0.095, 0)};
  const auto rows_of = [&] { return data_of(page_of(result))["vectors"]; };
  const auto limit = [](const char* net, double limit_v) {
    LimitResult of;
    of.quantity = "worst", of.net = net, of.limit_v = limit_v;
    return of;
  };
  result.limits = {limit("VDD", 0.1), limit("GND", 0.012)};
  json vectors = rows_of();
  EXPECT_EQ(vectors["count"], 3);
  EXPECT_EQ(vectors["exceeded"], 1);
  const json& rows = vectors["rows"];
  EXPECT_EQ(rows[0]["vector"], 1);
  EXPECT_EQ(rows[0]["net"], "GND");
  EXPECT_EQ(rows[0]["node"], "n3_0_0");
  EXPECT_EQ(rows[0]["verdict"], "exceeded");
  EXPECT_EQ(rows[1]["vector"], 2);
  EXPECT_EQ(rows[1]["drop_v"], 0.095);
  EXPECT_EQ(rows[1]["verdict"], "undecided");
  EXPECT_EQ(rows[2]["verdict"], "undecided") << "of GND, by the bound";
  result.limits.clear();
  vectors = rows_of();
  EXPECT_EQ(vectors["rows"][0]["vector"], 2);
  EXPECT_EQ(vectors["rows"][0]["verdict"], "no limit");
}

TEST(HtmlReport, HasThePlacesOfPadsBeyondItsTable) {
  const auto sample = test::small_sample();
  sample->result.pads.assign(310, {"pad", "", 1, 0, 1.1, 1e-3});
  sample->result.pads.back().node = 8;  // without a place
  const json data = data_of(page_of(sample->result));
  EXPECT_EQ(data["pads"].size(), 300u);
  ASSERT_EQ(data["more_pads"].size(), 9u);
  EXPECT_EQ(data["more_pads"][0], json({0, 0.0, 0.0}));
}

TEST(HtmlReport, SegmentsAboveALimitOfCurrentHaveTheirEnds) {
  const test::Analysed run(
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_20000_0 2\nr2 n1_m1_20000_0 n1_m1_40000_0 1\n"
      "i1 n1_m1_20000_0 0 60m\ni2 n1_m1_40000_0 0 5m\n.end\n");
  IrReport result = run.result;
  EmLimitResult limit;
  limit.net = result.nets[0].name, limit.layer = "m1", limit.limit_a = 0.01, limit.exceeded = true;
  result.em_limits = {limit};
  const json over = data_of(page_of(result))["over_em_limits"];
  ASSERT_EQ(over.size(), 1u);
  EXPECT_EQ(over[0]["name"], "r1");
  EXPECT_NEAR(over[0]["ratio"].get<double>(), 6.5, 1e-9);
  EXPECT_EQ(over[0]["ends_um"], json({0.0, 0.0, 10.0, 0.0}));
}

TEST(HtmlReport, IsAtMostFiveMegabytes) {
  const auto sample = test::chip_sample(40000, 12);
  sample->add_loads("* Sink for " + std::string(40, 'u') + "\ni1 a 0 1m\n");
  std::mt19937 random(3);
  for (double& drop : sample->result.nodes.drop_v)
    drop = static_cast<double>(random()) * 1e-11;  // cannot be compressed
  for (int i = 0; i < 20000; ++i) {
    sample->result.instances.push_back({1, 2, 0.01, 0.01, 0.02, 1e-3, 0});
    sample->result.pads.push_back({fmt::format("pad{}", i), "", 1, 0, 1.1, 1e-3});
    sample->result.findings.push_back({Finding::Severity::info, "note", "Something about " + std::to_string(i), ""});
  }
  const std::string page = page_of(sample->result);
  EXPECT_LT(page.size(), 5'000'000u);
  EXPECT_EQ(data_of(page)["maps"].size(), 26u);
}

TEST(HtmlReport, MakesMapsCoarserWhenThereAreTooMany) {
  const auto sample = test::small_sample();
  HeatMap noise = heat_maps(sample->result).front();
  std::mt19937 random(5);
  for (uint8_t& pixel : noise.pixels) pixel = static_cast<uint8_t>(random() % 225);
  const std::vector<HeatMap> maps(40, noise);
  const test::TemporaryDirectory directory;
  write_html(sample->result, maps, {}, directory.path() / "report.html");
  const std::string page = directory.read("report.html");
  EXPECT_LT(page.size(), 5'000'000u);
  const json data = data_of(page);
  ASSERT_EQ(data["maps"].size(), 40u);
  const test::DecodedPng picture(from_base64(data["maps"][39]["image"]));
  EXPECT_LT(picture.width, noise.frame.width);
  EXPECT_GE(picture.width, noise.frame.width / 8);
  EXPECT_EQ(data["maps"][39]["left_um"].get<double>(), noise.frame.left_um);
  EXPECT_NEAR(data["maps"][39]["right_um"].get<double>(), noise.frame.right_um(), 8 * noise.frame.um_per_pixel);
}

}  // namespace
}  // namespace gridiron
