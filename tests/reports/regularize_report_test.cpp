// SPDX-License-Identifier: Apache-2.0
// The output of `gridiron regularize`: arrays, plots, JSON, text.
#include "reports/regularize_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "reports/pictures/canvas.hpp"
#include "reports/pictures/table_picture.hpp"
#include "reports/pictures/ticks.hpp"
#include "reports/tables/npy.hpp"
#include "tests/reports/json/schema_validator.hpp"
#include "tests/reports/pictures/decoded_png.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using test::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Two layers of 4 × 2 cells, padded to 8 × 8: a strap along x in the upper row of the lower layer, a via, a pad, a
/// load.
RegularNet small_net(const std::string& name) {
  RegularNet net;
  net.name = name;
  net.layers = {"M1", "M2"};
  GridTables& t = net.tables;
  t.layers = 2;
  t.nx = t.ny = 8;
  t.used_nx = 4;
  t.used_ny = 2;
  t.x0_um = -5;
  t.y0_um = 10;
  t.pitch_x_um = t.pitch_y_um = 10;
  t.metal = {0, 1};
  for (auto* table : {&t.gh, &t.gv, &t.via, &t.gz, &t.iz}) table->assign(t.cells(), 0.0);
  t.gh[8] = 0.01;
  t.gh[9] = 1;
  t.gh[10] = 100;
  t.via[8] = 2;
  t.gz[64 + 8] = 5;
  t.iz[11] = -0.25;
  net.network = {.nodes = 5, .edges = 4, .wires_s = 101.01, .vias_s = 2, .pads_s = 5, .injection_a = -0.25};
  net.cells_with_nodes = 5;
  net.gh_s = 101.01;
  net.via_s = 2;
  net.gz_s = 5;
  net.iz_a = -0.25;
  return net;
}

RegularizeRun small_run(std::vector<RegularNet> nets) {
  RegularizeRun run;
  run.input_path = "decks/small.sp";
  run.input_bytes = 1234;
  run.tables.parameters = list_params(RegularizeParams{});
  run.tables.nodes = 20;
  run.tables.unknowns = 5;
  run.tables.nets = std::move(nets);
  return run;
}

TEST(Npy, IsReadBack) {
  const test::TemporaryDirectory directory;
  std::vector<double> values;
  for (int i = 0; i < 2 * 3 * 50000; ++i) values.push_back(0.1 * i - 7);
  write_npy(directory.path() / "a.npy", std::array<int64_t, 3>{2, 3, 50000}, values);
  const std::string bytes = directory.read("a.npy");

  ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const size_t length = static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  const size_t start = 10 + length;
  EXPECT_EQ(start % 64, 0u);
  EXPECT_EQ(bytes[start - 1], '\n');
  EXPECT_THAT(bytes.substr(10, length),
              testing::StartsWith("{'descr': '<f8', 'fortran_order': False, 'shape': (2,3,50000,), }"));
  ASSERT_EQ(bytes.size() - start, values.size() * sizeof(double));
  EXPECT_EQ(std::memcmp(bytes.data() + start, values.data(), values.size() * sizeof(double)), 0);
}

TEST(Npy, NumpyReadsIt) {
  if (std::system("python3 -c 'import numpy' >/dev/null 2>&1") != 0) GTEST_SKIP() << "python3-numpy is not installed";
  const test::TemporaryDirectory directory;
  const std::string path = (directory.path() / "a.npy").string();
  write_npy(path, std::array<int64_t, 1>{3}, std::vector{0.5, -1.0, 1e300});
  EXPECT_EQ(std::system(("python3 -c \"import numpy; a = numpy.load('" + path +
                         "'); assert a.shape == (3,) and list(a) == [0.5, -1.0, 1e300]\"")
                            .c_str()),
            0);
}

TEST(TablePicture, ShowsEntriesOnALogarithmicScaleAndTheRestGrey) {
  const RegularNet net = small_net("VDD");
  const test::DecodedPng png(table_picture(net, table_kinds()[0], 0));
  ASSERT_GT(png.width, 640);
  constexpr int kLeft = 76, kTop = 66;  // margins around the plot of 640 × 320 pixels
  const auto colour = [&](int column, int row) {
    return png.at(kLeft + 160 * column + 80, kTop + 160 * (1 - row) + 80);
  };
  const auto in_palette = [](uint8_t index) {
    const Rgb c = Canvas::palette()[index];
    return std::array<int, 4>{c.red, c.green, c.blue, 255};
  };
  EXPECT_EQ(colour(0, 1), in_palette(Canvas::heat(0)));
  EXPECT_EQ(colour(1, 1), in_palette(Canvas::heat(kHeatColours / 2))) << "halfway between 0.01 and 100";
  EXPECT_EQ(colour(2, 1), in_palette(Canvas::heat(kHeatColours - 1)));
  EXPECT_EQ(colour(3, 1), in_palette(Canvas::kPlotBackground));
  EXPECT_EQ(colour(0, 0), in_palette(Canvas::kPlotBackground));
}

TEST(TablePicture, SurvivesFlatGridsAndValuesThatAreNotFinite) {
  RegularNet net = small_net("a");
  GridTables& t = net.tables;
  t.pitch_y_um = 1e-12;
  EXPECT_GT(test::DecodedPng(table_picture(net, table_kinds()[0], 0)).height, 64);
  t.gh[8] = NAN;
  t.gh[9] = INFINITY;
  EXPECT_GT(test::DecodedPng(table_picture(net, table_kinds()[0], 0)).width, 0);
  t.gh.assign(t.gh.size(), 0.0);
  EXPECT_GT(test::DecodedPng(table_picture(net, table_kinds()[0], 0)).width, 0);
}

TEST(TablePicture, CellsNarrowerThanAPixelKeepTheirStrap) {
  RegularNet net = small_net("a");
  GridTables& t = net.tables;
  t.layers = 1;
  t.nx = t.ny = t.used_nx = t.used_ny = 2000;
  t.gv.assign(t.cells(), 0.0);
  for (int y = 0; y < 2000; ++y) t.gv[y * 2000 + 777] = 3;
  const test::DecodedPng png(table_picture(net, table_kinds()[1], 0));
  const int x = 76 + 777 * 640 / 2000;
  for (const int y : {70, 200, 333, 700}) EXPECT_NE(png.at(x, y), png.at(x + 4, y)) << y;
}

TEST(RegularizeReport, JsonIsInItsSchema) {
  RegularizeRun run = small_run({small_net("VDD"), small_net("odd \"name\"\xff")});
  run.files = {{"a.npy"}, {}};
  const std::string text = regularize_json(run);
  EXPECT_EQ(test::violations("gridiron.regularize-1", text), "");
  const json report = json::parse(text);
  EXPECT_EQ(report["schema"], "gridiron.regularize/1");
  EXPECT_EQ(report["nets"][0]["shape"], json::parse("[2, 8, 8]"));
  EXPECT_EQ(report["nets"][0]["columns"], 4);
  EXPECT_EQ(report["nets"][0]["cells"], 16);
  EXPECT_EQ(report["nets"][0]["network"]["pad_conductance_s"], 5.0);
  EXPECT_EQ(report["nets"][0]["tables"]["gh_s"], 101.01);
  EXPECT_EQ(report["nets"][0]["files"], json::parse(R"(["a.npy"])"));
  run.tables.nets[0].gh_s = NAN;
  EXPECT_EQ(test::violations("gridiron.regularize-1", regularize_json(run)), "");
}

TEST(RegularizeReport, TextShowsSumsSideBySide) {
  const std::string text = regularize_text(small_run({small_net("VDD"), small_net("\x1b[31m")}));
  EXPECT_THAT(text, HasSubstr("grid_scale=1 plane=layered"));
  EXPECT_THAT(text, HasSubstr("101.0 S"));
  EXPECT_THAT(text, HasSubstr("-250.0 mA"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(RegularizeReport, WritesTablesAndPicturesOfLayersWithEntries) {
  const test::TemporaryDirectory directory;
  const auto files = write_tables(small_run({small_net("VDD")}).tables, directory.path() / "a" / "b", {"npy", "png"});
  EXPECT_THAT(files, ElementsAre(ElementsAre("table_VDD_gh.npy", "table_VDD_gh_M1.png", "table_VDD_gv.npy",
                                             "table_VDD_via.npy", "table_VDD_via_M1.png", "table_VDD_gz.npy",
                                             "table_VDD_gz_M2.png", "table_VDD_iz.npy", "table_VDD_iz_M1.png")));
  for (const std::string& file : files[0]) EXPECT_TRUE(std::filesystem::exists(directory.path() / "a" / "b" / file));
}

TEST(RegularizeReport, HostileNamesStayInTheFolder) {
  RegularNet layers = small_net("VDD");
  layers.layers = {"../x", "gv"};
  const test::TemporaryDirectory directory;
  const auto files =
      write_tables(small_run({small_net("../../a"), small_net("vdd"), layers, small_net("VDD_gh")}).tables,
                   directory.path(), {"npy", "png"});
  size_t count = 0;
  for (const auto& of_net : files) {
    for (const std::string& file : of_net) {
      ++count;
      EXPECT_EQ(file.find('/'), std::string::npos) << file;
    }
  }
  const std::filesystem::directory_iterator written(directory.path());
  EXPECT_EQ(static_cast<size_t>(std::distance(begin(written), end(written))), count);
  EXPECT_THAT(files[2], Contains("table_VDD_gh_2.npy"));
}

TEST(LogarithmicTicks, ArePowersOfTenAndWhereThereIsRoomTwosAndFives) {
  const auto labels = [](double low, double high, int count) {
    std::vector<std::string> result;
    for (const Tick& tick : logarithmic_ticks(low, high, count)) result.push_back(tick.label);
    return result;
  };
  EXPECT_THAT(labels(0.003, 200, 8), ElementsAre("0.01", "0.1", "1", "10", "100"));
  EXPECT_THAT(labels(0.9, 11, 8), ElementsAre("1", "2", "5", "10"));
  EXPECT_THAT(labels(1e-9, 1, 4), ElementsAre("1e-09", "1e-06", "0.001", "1"));
  EXPECT_THAT(labels(2, 8, 3), ElementsAre("2", "4", "6", "8"));
}

}  // namespace
}  // namespace gridiron
