// SPDX-License-Identifier: Apache-2.0
// Maps: the right colour at the right location, for every kind of geometry.
#include "reports/pictures/heat_map.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>

#include "reports/pictures/canvas.hpp"
#include "reports/pictures/colormap.hpp"
#include "reports/pictures/picture.hpp"
#include "reports/pictures/ticks.hpp"
#include "reports/report.hpp"
#include "tests/reports/pictures/decoded_png.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

int colour_at(const HeatMap& map, double x_um, double y_um) {
  return map.pixels[static_cast<size_t>(map.frame.row(y_um)) * map.frame.width + map.frame.column(x_um)];
}

/// `step` × `step` nodes on a square grid of 1 µm pitch whose drop grows with x.
std::unique_ptr<test::Sample> ramp(int side) {
  auto sample = std::make_unique<test::Sample>();
  const int32_t net = sample->add_net("VDD", 1, 1), layer = sample->add_layer("M1");
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const double drop = static_cast<double>(x) / (side - 1);
      sample->add_node(std::to_string(x) + "_" + std::to_string(y), net, layer, x, y, 1 - drop, drop);
    }
  return sample;
}

TEST(HeatMaps, OnePerNetAndLayerAndOneOfAll) {
  const auto sample = test::small_sample();
  const std::vector<HeatMap> maps = heat_maps(sample->result);
  EXPECT_THAT(map_file_names(sample->result, maps),
              ElementsAre("map_VDD_M1.png", "map_VDD_M4.png", "map_VDD_M9.png", "map_VDD_all.png", "map_GND_M1.png",
                          "map_GND_all.png"));
  for (const HeatMap& map : maps) {
    EXPECT_EQ(map.frame.width, maps.front().frame.width);
    EXPECT_EQ(map.scale.high_v, map.net == 0 ? 0.0432109876543 : 0.012);
  }
  EXPECT_EQ(maps[3].worst_node, 1);
  EXPECT_EQ(maps[3].nodes, 5);  // "plain" has no coordinates
  EXPECT_EQ(maps[1].worst_node, 4);
}

TEST(HeatMaps, ShowTheRampAndItsDirection) {
  const auto sample = ramp(40);
  const HeatMap map = heat_maps(sample->result).front();
  EXPECT_EQ(colour_at(map, 0, 20), 1);
  EXPECT_EQ(colour_at(map, 39, 20), kHeatColours);
  EXPECT_NEAR(colour_at(map, 19.5, 5), kHeatColours / 2, 4);
  for (int x = 1; x < 40; ++x) EXPECT_GT(colour_at(map, x, 7), colour_at(map, x - 1, 7)) << x;
  // The space between nodes takes the colour of the nearest.
  EXPECT_EQ(colour_at(map, 10.3, 10.3), colour_at(map, 10, 10));
  EXPECT_EQ(colour_at(map, 10.7, 10.3), colour_at(map, 11, 10));
  EXPECT_EQ(std::count(map.pixels.begin(), map.pixels.end(), 0), 0);
}

/// As in a layout without powers.
TEST(HeatMaps, WhereNothingDropsTheColourIsThatOfNoDrop) {
  test::Sample sample;
  const int32_t net = sample.add_net("VDD", 1, 1), layer = sample.add_layer("M1");
  sample.add_node("a", net, layer, 0, 0, 1, 0);
  sample.add_node("b", net, layer, 0, 100, 1, 0);
  const HeatMap map = heat_maps(sample.result).front();
  EXPECT_EQ(map.scale.low_v, 0);
  EXPECT_GT(map.scale.high_v, 0);
  EXPECT_EQ(colour_at(map, 0, 100), 1);
  for (NodeId n : {1, 2}) sample.result.nodes.drop_v[n] = 0.2;
  const HeatMap dropped = heat_maps(sample.result).front();
  EXPECT_EQ(dropped.scale.high_v, 0.2);
  EXPECT_EQ(colour_at(dropped, 0, 100), kHeatColours);
}

TEST(HeatMaps, HaveYUpwards) {
  test::Sample sample;
  const int32_t net = sample.add_net("VDD", 1, 1), layer = sample.add_layer("M1");
  sample.add_node("low", net, layer, 0, 0, 1, 0);
  sample.add_node("high", net, layer, 0, 100, 0.5, 0.5);
  const HeatMap map = heat_maps(sample.result).front();
  EXPECT_LT(map.frame.row(100), map.frame.row(0));
  EXPECT_EQ(colour_at(map, 0, 100), kHeatColours);
  EXPECT_EQ(colour_at(map, 0, 0), 1);
}

TEST(HeatMaps, KeepTheWorstOfNodesThatShareAPixel) {
  test::Sample sample;
  const int32_t net = sample.add_net("VDD", 1, 1), layer = sample.add_layer("M1");
  sample.add_node("corner", net, layer, 0, 0, 1, 0);
  sample.add_node("corner2", net, layer, 1e6, 1e6, 1, 0);
  for (int i = 0; i < 50; ++i) {
    const double drop = i == 20 ? 0.9 : 0.1;
    sample.add_node(fmt::format("n{}", i), net, layer, 5e5 + i, 5e5, 1 - drop, drop);
  }
  const std::vector<HeatMap> maps = heat_maps(sample.result);
  for (const HeatMap& map : maps) EXPECT_EQ(colour_at(map, 5e5, 5e5), kHeatColours);
}

TEST(HeatMaps, HaveAsMuchBelowZeroAsAbove) {
  test::Sample sample;
  const int32_t net = sample.add_net("VDD", 1, 1), layer = sample.add_layer("M1");
  for (const auto& [x, value] : {std::pair(0, -3e6), {10, 0.0}, {20, 1e6}})
    sample.add_node("n", net, layer, x, 0, 1, value);
  const HeatMap map = heat_maps(sample.result, ScaleKind::around_zero).front();
  EXPECT_EQ(map.scale.low_v, -3e6);
  EXPECT_EQ(map.scale.high_v, 3e6);
  EXPECT_EQ(colour_at(map, 0, 0), 1);
  EXPECT_NEAR(colour_at(map, 10, 0), 0.5 * (1 + kHeatColours), 1);
  EXPECT_NEAR(colour_at(map, 20, 0), 1 + kHeatColours * 2 / 3, 1);
  const Rgb blue = diverging_colours().front();
  EXPECT_EQ(test::DecodedPng(map_overlay(map)).at(map.frame.column(0), map.frame.row(0)),
            (std::array<int, 4>{blue.red, blue.green, blue.blue, 255}));
}

TEST(HeatMaps, LeaveEmptyWhatIsFarFromEveryNode) {
  const auto sample = ramp(30);
  sample->add_node("far", 0, 0, 300, 300, 1, 0);
  const HeatMap map = heat_maps(sample->result).front();
  EXPECT_EQ(colour_at(map, 150, 150), 0);
  EXPECT_NE(colour_at(map, 300, 300), 0);
  EXPECT_NE(colour_at(map, 15, 15), 0);
}

TEST(HeatMaps, FillToTheNearestNodeExactly) {
  test::Sample sample;
  const int32_t net = sample.add_net("VDD", 1, 1), layer = sample.add_layer("M1");
  std::vector<std::pair<int, int>> cells;
  for (int i = 0; i < 400; ++i) {
    const double x = (i * 7919) % 1000, y = (i * 104729) % 997;
    sample.add_node(fmt::format("n{}", i), net, layer, x, y, 1, i);
  }
  const HeatMap map = heat_maps(sample.result).front();
  std::vector<int> best(map.pixels.size(), 0);  // worst colour per pixel, by brute force below
  for (size_t n = 1; n < sample.result.nodes.state.size(); ++n)
    cells.emplace_back(map.frame.column(sample.result.nodes.x_um[n]), map.frame.row(sample.result.nodes.y_um[n]));
  int checked = 0;
  for (int y = 0; y < map.frame.height; y += 7)
    for (int x = 0; x < map.frame.width; x += 5) {
      const uint8_t got = map.pixels[static_cast<size_t>(y) * map.frame.width + x];
      int least = 1 << 30;
      for (const auto& [cx, cy] : cells) least = std::min(least, (cx - x) * (cx - x) + (cy - y) * (cy - y));
      if (got == 0) {
        EXPECT_GT(least, 3 * 3) << x << ", " << y;
        continue;
      }
      bool one_of_the_nearest = false;
      for (const auto& [cx, cy] : cells)
        if ((cx - x) * (cx - x) + (cy - y) * (cy - y) == least)
          one_of_the_nearest |= map.pixels[static_cast<size_t>(cy) * map.frame.width + cx] == got;
      EXPECT_TRUE(one_of_the_nearest) << x << ", " << y;
      ++checked;
    }
  EXPECT_GT(checked, 5000);
}

TEST(HeatMaps, SparseLayersDoNotCoverDenseOnes) {
  const auto sample = ramp(40);
  const int32_t top = sample->add_layer("M9");
  sample->add_node("top", 0, top, 10, 10, 0, 1);  // a bad node on a high layer above a good one
  const std::vector<HeatMap> maps = heat_maps(sample->result);
  ASSERT_THAT(maps, SizeIs(3));
  const HeatMap& all = maps[2];
  EXPECT_EQ(colour_at(all, 10, 10), kHeatColours);
  EXPECT_EQ(colour_at(all, 14, 10), colour_at(maps[0], 14, 10));
}

/// `nets` nets of two nodes each on its own layer, drops growing from net to net.
std::unique_ptr<test::Sample> many_nets(int nets) {
  auto sample = std::make_unique<test::Sample>();
  const int32_t layer = sample->add_layer("M1");
  for (int i = 0; i < nets; ++i) {
    const int32_t net = sample->add_net("n" + std::to_string(i), 1, 1);
    for (int k = 0; k < 2; ++k)
      sample->add_node("n" + std::to_string(i) + "_" + std::to_string(k), net, layer, k, i, 1 - 1e-6 * i, 1e-6 * i);
  }
  sample->summarise();
  return sample;
}

TEST(HeatMaps, OfThousandsOfNetsOnlyTheWorst) {
  const auto sample = many_nets(8000);
  const std::vector<HeatMap> maps = heat_maps(sample->result);
  ASSERT_EQ(maps.size(), kMostHeatMaps) << "two per net";
  EXPECT_EQ(maps.front().net, 7900);
  EXPECT_EQ(maps.back().net, 7999);
  EXPECT_EQ(left_out_maps(sample->result),
            "heat maps are drawn of 100 of 8000 nets only, those with the largest drops");
  EXPECT_EQ(left_out_maps(many_nets(100)->result), "");
  EXPECT_EQ(heat_maps(many_nets(100)->result).size(), 200u);
}

TEST(HeatMaps, SkipNetsWithoutPlaces) {
  test::Sample sample;
  const int32_t net = sample.add_net("VDD", 1, 1);
  sample.add_node("a", net, -1, NAN, NAN, 1, 0);
  sample.add_node("b", net, -1, 3, NAN, 1, 0);
  EXPECT_THAT(heat_maps(sample.result), SizeIs(0));
  EXPECT_THAT(heat_maps(test::Sample().result), SizeIs(0));
}

TEST(HeatMaps, UnknownLayersAppearAmongAllLayers) {
  test::Sample sample;
  sample.add_node("a", sample.add_net("VDD", 1, 1), -1, 5, 5, 0.5, 0.5);
  const std::vector<HeatMap> maps = heat_maps(sample.result);
  ASSERT_THAT(maps, SizeIs(1));
  EXPECT_FALSE(maps[0].layer.has_value());
  EXPECT_EQ(colour_at(maps[0], 5, 5), kHeatColours);
}

TEST(HeatMaps, DoNotDependOnTheNumberOfThreads) {
  const auto sample = test::chip_sample(60000, 3);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::vector<HeatMap> one = heat_maps(sample->result);
  omp_set_num_threads(3);
  const std::vector<HeatMap> three = heat_maps(sample->result);
  omp_set_num_threads(threads);
  ASSERT_EQ(one.size(), three.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].pixels, three[i].pixels);
    EXPECT_EQ(one[i].worst_node, three[i].worst_node);
  }
}

TEST(HeatMaps, HalvingKeepsPlacesAndTheWorst) {
  const auto sample = ramp(40);
  HeatMap map = heat_maps(sample->result).front();
  const Frame before = map.frame;
  halve(map);
  EXPECT_EQ(map.frame.width, (before.width + 1) / 2);
  EXPECT_EQ(colour_at(map, 39, 20), kHeatColours);
  EXPECT_NEAR(colour_at(map, 19.5, 5), kHeatColours / 2, 6);
}

/// Degenerate geometries.
class OddGeometry : public ::testing::TestWithParam<std::pair<const char*, std::vector<std::pair<double, double>>>> {};

TEST_P(OddGeometry, StillGivesAReadablePicture) {
  test::Sample sample;
  const int32_t net = sample.add_net("VDD", 1, 1), layer = sample.add_layer("M1");
  int i = 0;
  for (const auto& [x, y] : GetParam().second) sample.add_node(fmt::format("n{}", ++i), net, layer, x, y, 0.99, 0.01);
  const std::vector<HeatMap> maps = heat_maps(sample.result);
  ASSERT_THAT(maps, SizeIs(2));
  const test::DecodedPng picture(map_picture(sample.result, maps[0]));
  EXPECT_GE(picture.width, 400);
  EXPECT_GE(picture.height, 200);
  EXPECT_LE(picture.width, 1000);
  EXPECT_LE(picture.height, 1000);
  for (const auto& [x, y] : GetParam().second) EXPECT_EQ(colour_at(maps[0], x, y), kHeatColours);
}

using Points = std::vector<std::pair<double, double>>;
INSTANTIATE_TEST_SUITE_P(All, OddGeometry,
                         ::testing::Values(std::pair{"one node", Points{{7, 7}}},
                                           std::pair{"one place", Points{{7, 7}, {7, 7}, {7, 7}}},
                                           std::pair{"a row", Points{{0, 5}, {100, 5}, {500, 5}}},
                                           std::pair{"a column", Points{{5, -300}, {5, 0}, {5, 1000}}},
                                           std::pair{"large numbers", Points{{1e9, 1e9}, {1e9 + 1, 1e9 + 1}}},
                                           std::pair{"small numbers", Points{{1e-6, 1e-6}, {2e-6, 3e-6}}}));

TEST(MapPicture, HasThePlotWithItsColoursWhereTheyBelong) {
  const auto sample = ramp(40);
  const HeatMap map = heat_maps(sample->result).front();
  const std::string png = map_picture(sample->result, map);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const test::DecodedPng picture(png);
  ASSERT_GT(picture.width, map.frame.width);
  ASSERT_GT(picture.height, map.frame.height);

  EXPECT_THAT(picture.at(1, 1), ElementsAre(255, 255, 255, 255));
  // A row of pixels across the plot, below the ring around the worst node: it starts with the colour of the least drop.
  const Rgb least = heat_colours().front(), worst = heat_colours().back();
  const std::array<int, 4> least_pixel = {least.red, least.green, least.blue, 255};
  const std::array<int, 4> worst_pixel = {worst.red, worst.green, worst.blue, 255};
  const int y = picture.height / 3;
  int first = 0, last = picture.width - 1;
  while (first < picture.width && picture.at(first, y) != least_pixel) ++first;
  while (last > 0 && picture.at(last, y) != worst_pixel) --last;
  EXPECT_GT(first, 50);
  EXPECT_GT(last - first, map.frame.width * 9 / 10);
  EXPECT_LT(last - first, map.frame.width);
}

TEST(MapPicture, IsLightWhereThereIsNothing) {
  const auto sample = ramp(30);
  sample->add_node("far", 0, 0, 300, 300, 1, 0);
  const HeatMap map = heat_maps(sample->result).front();
  const test::DecodedPng picture(map_picture(sample->result, map));
  const Rgb background = Canvas::palette()[Canvas::kPlotBackground];
  EXPECT_GT(to_oklab(background).l, 0.94);
  int empty = 0;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      empty += picture.at(x, y) == std::array<int, 4>{background.red, background.green, background.blue, 255};
  EXPECT_EQ(empty, std::count(map.pixels.begin(), map.pixels.end(), 0));
}

TEST(MapPicture, SurvivesHostileNames) {
  for (const std::string& name :
       {std::string("\x1b[31m\xff\xfe"), std::string(5000, 'W'), std::string("<b>&\"'"), std::string("電源")}) {
    test::Sample sample;
    sample.add_node(name, sample.add_net(name, 1, 1), sample.add_layer(name), 1, 1, 0.5, 0.5);
    const std::vector<HeatMap> maps = heat_maps(sample.result);
    EXPECT_GT(test::DecodedPng(map_picture(sample.result, maps[0])).width, 0);
  }
}

TEST(MapOverlay, IsTransparentWhereThereIsNothing) {
  const auto sample = ramp(30);
  sample->add_node("far", 0, 0, 300, 300, 1, 0);
  const HeatMap map = heat_maps(sample->result).front();
  const test::DecodedPng picture(map_overlay(map));
  ASSERT_EQ(picture.width, map.frame.width);
  ASSERT_EQ(picture.height, map.frame.height);
  for (int y = 0; y < picture.height; y += 3)
    for (int x = 0; x < picture.width; x += 3) {
      const int colour = map.pixels[static_cast<size_t>(y) * map.frame.width + x];
      ASSERT_EQ(picture.at(x, y)[3], colour == 0 ? 0 : 255);
      if (colour == 0) continue;
      ASSERT_EQ(picture.at(x, y)[0], heat_colours()[static_cast<size_t>(colour - 1)].red);
    }
}

TEST(MapFileNames, StayInTheDirectoryAndDoNotCollide) {
  test::Sample sample;
  const int32_t m1 = sample.add_layer("../m1"), all = sample.add_layer("all"), capital = sample.add_layer("ALL");
  const int32_t net = sample.add_net("../../x", 1, 1), twin = sample.add_net("..*..?x", 1, 1);
  for (const int32_t layer : {m1, all, capital}) {
    sample.add_node(fmt::format("a{}", layer), net, layer, layer, 1, 0.5, 0.5);
    sample.add_node(fmt::format("b{}", layer), twin, layer, layer, 1, 0.5, 0.5);
  }
  EXPECT_THAT(map_file_names(sample.result, heat_maps(sample.result)),
              ElementsAre("map__._.._x__._m1.png", "map__._.._x_all.png", "map__._.._x_ALL_2.png",
                          "map__._.._x_all_3.png", "map__._.._x__._m1_2.png", "map__._.._x_all_4.png",
                          "map__._.._x_ALL_5.png", "map__._.._x_all_6.png"));
  const test::TemporaryDirectory directory;
  const auto written = write_reports(sample.result, directory.path(), {"png"});
  EXPECT_THAT(written, SizeIs(8));
  for (const auto& path : written) {
    EXPECT_EQ(path.parent_path(), directory.path());
    EXPECT_TRUE(std::filesystem::exists(path));
  }
}

std::vector<std::string> labels(double low, double high, int count) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks(low, high, count)) result.push_back(tick.label);
  return result;
}

TEST(Ticks, AreRoundNumbers) {
  EXPECT_THAT(labels(0, 4000, 4), ElementsAre("0", "1000", "2000", "3000", "4000"));
  EXPECT_THAT(labels(-0.31, 0.32, 3), ElementsAre("-0.2", "0.0", "0.2"));
  EXPECT_THAT(labels(41.2, 43.9, 5), ElementsAre("41.5", "42.0", "42.5", "43.0", "43.5"));
  EXPECT_THAT(labels(1e9, 1e9 + 1, 2), ElementsAre("1000000000.0", "1000000000.5", "1000000001.0"));
}

}  // namespace
}  // namespace gridiron
