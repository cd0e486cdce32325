// SPDX-License-Identifier: Apache-2.0
// Maps of 1 µm pixels: by hand, and beside those of the ICCAD-2023 contest.
#include "analysis/results/drop_map.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/error.hpp"
#include "tests/analysis/analysed.hpp"
#include "tests/data.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using test::Analysed;

/// A file with this text, as long as it lives.
class GoldenFile {
 public:
  explicit GoldenFile(const std::string& text) : path_(test::temporary("golden.csv")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~GoldenFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Two rails along x, 2 µm apart and 4 µm long, fed from one end by 1 Ω and 2 Ω; 1 A at the other end drops 1 V and 2 V
/// evenly. A strap far above lies on m2.
const char* const kTwoRails =
    "* t\n"
    "v1 n_m2_0_0 0 10\n"
    "r1 n_m2_0_0 n_m1_0_0 0\n"
    "r2 n_m1_0_0 n_m1_8000_0 1\n"
    "i1 n_m1_8000_0 0 1\n"
    "r3 n_m2_0_0 n_m1_0_4000 0\n"
    "r4 n_m1_0_4000 n_m1_8000_4000 2\n"
    "i2 n_m1_8000_4000 0 1\n";

TEST(DropMap, WorstIsTheWorstNodeOfEachPixel) {
  const Analysed two(std::string(kTwoRails) + "r5 n_m1_8000_0 n_m1_9000_0 1\ni3 n_m1_9000_0 0 0.5\n");
  const DropMap map = drop_map(two.result, 0, MapMode::worst);
  EXPECT_EQ(map.nx, 5);
  EXPECT_EQ(map.ny, 3);
  EXPECT_EQ(two.result.layer_names[static_cast<size_t>(map.layer)], "m1");
  EXPECT_DOUBLE_EQ(map(4, 0), 2.0) << "1.5 A through 1 Ω and 0.5 A through another, in the same pixel";
  EXPECT_DOUBLE_EQ(map(4, 2), 2.0);
  EXPECT_EQ(map(0, 0), 0);
  EXPECT_EQ(map(2, 1), 0) << "no node here";
}

TEST(DropMap, InterpolationIsLinearAlongRailsAndBetweenTwo) {
  const Analysed two(kTwoRails);
  const DropMap map = drop_map(two.result, 0, MapMode::interpolated);
  ASSERT_EQ(map.nx * map.ny, 15);
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 3; ++y) EXPECT_NEAR(map(x, y), 0.25 * x * (1 + 0.5 * y), 1e-12) << x << ", " << y;
}

TEST(DropMap, BeyondTheNodesTheNearestCounts) {
  const Analysed two(kTwoRails);
  const DropMap map = drop_map(two.result, 0, MapMode::interpolated, std::pair<int64_t, int64_t>(8, 6));
  EXPECT_NEAR(map(7, 0), 1, 1e-12);
  EXPECT_NEAR(map(7, 5), 2, 1e-12);
  EXPECT_NEAR(map(2, 5), 1, 1e-12);
}

/// Rails that carry a cubic of y: natural splines follow it between rails but for what the free ends cost, and rails
/// may lead along y.
TEST(DropMap, SplinesFollowASmoothDrop) {
  for (const bool along_x : {true, false}) {
    const auto node = [&](int along, int across) {
      return along_x ? fmt::format("n_m1_{}_{}", along * 2000, across * 2000)
                     : fmt::format("n_m1_{}_{}", across * 2000, along * 2000);
    };
    const auto drop = [](double w) { return 1 + 0.02 * w * w - 0.0006 * w * w * w; };
    std::string deck = "* t\nv1 n_m9_0_0 0 100\n";
    for (int w = 0; w <= 20; w += 2)
      deck += fmt::format("r{0} n_m9_0_0 {1} {2:.12f}\ni{0} {1} 0 1\nrr{0} {1} {3} 1\n", w, node(0, w), drop(w),
                          node(4, w));
    const Analysed smooth(deck);
    const DropMap map = drop_map(smooth.result, 0, MapMode::interpolated);
    for (int w = 7; w <= 13; ++w)
      EXPECT_NEAR(along_x ? map(2, w) : map(w, 2), drop(w), 2e-4) << w << (along_x ? " along x" : " along y");
  }
}

class GoldenMaps : public testing::TestWithParam<const char*> {};

TEST_P(GoldenMaps, InterpolatedMapsAreThoseOfTheContest) {
  GRIDIRON_DATA_OR_SKIP(deck, std::string("iccad23/") + GetParam() + "/netlist.sp.gz");
  GRIDIRON_DATA_OR_SKIP(map_file, std::string("iccad23/") + GetParam() + "/ir_drop_map.csv.gz");
  const Circuit circuit = read_netlist(deck);
  const IrReport report = analyse_ir_drop(circuit, {});
  const GoldenMap golden = read_golden_map(map_file);
  const DropMap map = drop_map(report, 0, MapMode::interpolated);
  EXPECT_EQ(map.nx, golden.nx);
  EXPECT_EQ(map.ny, golden.ny);
  const MapScore score = score_map(report, golden);
  EXPECT_LE(score.mean_error_v, 3e-5);
  EXPECT_LE(score.largest_error_v, 5e-4);
  EXPECT_GE(score.f1, 0.9);
}
INSTANTIATE_TEST_SUITE_P(Iccad, GoldenMaps, testing::Values("testcase1", "testcase11", "map27"));

TEST(GoldenMap, ScoresByHand) {
  const Analysed two(kTwoRails);
  const GoldenFile file("0,0,0\n0,0,0\n0,0,0\n0,0,0\n0,2.0,1.7\r\n");
  const MapScore score = score_map(two.result, read_golden_map(file.path()));
  EXPECT_EQ(score.nx, 5);
  EXPECT_EQ(score.ny, 3);
  // Ours: rows x = 0 … 4 of 0.25 x (1, 1.5, 2); the golden map holds 2 and 1.7 in the last one.
  EXPECT_NEAR(score.mean_error_v, (0.25 * 4.5 * (1 + 2 + 3) + 1 + 0.5 + 0.3) / 15, 1e-9);
  EXPECT_NEAR(score.largest_error_v, 1.5, 1e-9);
  EXPECT_EQ(score.f1, 0) << "above 1.8 V we have (4, 2), they have (4, 1)";
}

TEST(GoldenMap, CountsFromTheOriginWhateverLiesBelow) {
  const Analysed plain(kTwoRails), stub(std::string(kTwoRails) + "r9 n_m1_0_0 n_m1_-4000_-2000 1\n");
  const auto size = std::pair<int64_t, int64_t>(5, 3);
  const DropMap map = drop_map(stub.result, 0, MapMode::worst, size);
  EXPECT_EQ(map.left_um, 0);
  EXPECT_EQ(map.bottom_um, 0);
  EXPECT_EQ(map.drop_v, drop_map(plain.result, 0, MapMode::worst, size).drop_v);
  EXPECT_EQ(drop_map(stub.result, 0, MapMode::worst).left_um, -2) << "all nodes, unless a size is given";
}

TEST(GoldenMap, SaysWhatIsWrongWithAFile) {
  const auto message = [](const std::string& text) -> std::string {
    const GoldenFile file(text);
    try {
      read_golden_map(file.path());
    } catch (const InputError& e) {
      return e.message();
    }
    return "";
  };
  EXPECT_THAT(message("1,2\n1,x\n"), HasSubstr("golden.csv:2:3: expected a drop in volts"));
  EXPECT_THAT(message("1,2\n1,nan\n"), HasSubstr(":2:3: expected a drop in volts"));
  EXPECT_THAT(message("1,2\n1\n"), HasSubstr("this line has 1 value, those before have 2"));
  EXPECT_THAT(message("1,2\n1;2\n"), HasSubstr(":2:2: expected a comma or the end of the line"));
  EXPECT_THAT(message("1,2\n1,"), HasSubstr("expected a value after the last comma"));
  EXPECT_THAT(message(""), HasSubstr("the map is empty"));
}

TEST(DropMap, RefusesMapsThatAreTooLarge) {
  const Analysed wide(
      "* t\nv1 n_m1_0_0 0 1\nr1 n_m1_0_0 n_m1_900000000_900000000 1\ni1 n_m1_900000000_900000000 0 1m\n");
  EXPECT_THROW(drop_map(wide.result, 0, MapMode::worst), InputError);
  const Analysed nowhere("* t\nv1 a 0 1\nr1 a b 1\ni1 b 0 1m\n");
  EXPECT_THROW(drop_map(nowhere.result, 0, MapMode::worst), InputError);
  EXPECT_THAT(nets_with_places(nowhere.result), ElementsAre());
}

}  // namespace
}  // namespace gridiron
