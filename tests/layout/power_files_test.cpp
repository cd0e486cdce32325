// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "layout/layer_resistances.hpp"
#include "layout/powers.hpp"
#include "layout/sources.hpp"
#include "tests/layout/layout_texts.hpp"
#include "tests/paths.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A file with this text, until the end of the test.
class TextFile {
 public:
  explicit TextFile(const std::string& text) : path_(gridiron::test::temporary("power_files.txt")) {
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  operator std::string() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

const Chip& three() {
  static const Chip kChip = chip_with(
      "COMPONENTS 3 ;\n- u1 INV + PLACED ( 0 0 ) N ;\n- a/b\\[0\\] INV + PLACED ( 0 0 ) N ;\n- u3 INV + PLACED ( 0 0 ) "
      "N "
      ";\nEND COMPONENTS\n");
  return kChip;
}

std::vector<double> watts(const Powers& powers) {
  std::vector<double> out;
  for (int i = 0; i < 3; ++i) out.push_back(powers.is_known(i) ? powers.amperes(i, 1) : -1);
  return out;
}

std::vector<double> watts_of(const std::string& text) {
  Powers powers(three());
  powers.read(TextFile(text));
  return watts(powers);
}

std::string error_in(const std::string& text) {
  return error_of([&] { watts_of(text); });
}

TEST(Powers, ATableNamesWhatItGives) {
  EXPECT_THAT(watts_of("instance,power_w\nu1,1e-6\nu3,2u\n"), ElementsAre(1e-6, -1, 2e-6));
  EXPECT_THAT(watts_of("instance,current_a\na/b[0],3e-6\n"), ElementsAre(-1, 3e-6, -1));
  EXPECT_THAT(watts_of("instance,power_w\nu3,1\nu1,2\nu1,3\na/b[0],4\nu2,5\n"), ElementsAre(3, 4, 1));
  EXPECT_THAT(error_in("u1,1e-6\n"), HasSubstr(":1:1: expected a header instance,power_w or instance,current_a"));
  EXPECT_THAT(error_in("instance,power_w\nu1,much\n"), HasSubstr(":2:4: expected a finite number of watts"));
  EXPECT_THAT(error_in("instance,power_w\nu1,1A\n"), HasSubstr("expected a finite number of watts"));
  EXPECT_THAT(error_in("instance,power_w\nu1,1,2\n"), HasSubstr(":2:1: expected two fields"));
}

TEST(Powers, AmperesDoNotDependOnTheVoltage) {
  Powers powers(three());
  powers.read(TextFile("instance,current_a\nu1,3e-6\n"));
  EXPECT_EQ(powers.amperes(0, 1.1), 3e-6);
  EXPECT_FALSE(powers.has_watts());
  powers.read(TextFile("instance,power_w\nu1,1.1e-6\n"));
  EXPECT_DOUBLE_EQ(powers.amperes(0, 1.1), 1e-6) << "the later file replaces the earlier one";
  EXPECT_TRUE(powers.has_watts());
}

constexpr const char* kReport = R"(   Internal  Switching    Leakage      Total
      Power      Power      Power      Power (Watts)
--------------------------------------------
   3.87e-07   1.36e-07   1.18e-12   5.24e-07 u1
   5.11e-06   0.00e+00   8.44e-12   5.11e-06 a/b[0]
)";

TEST(Powers, AReportOfOpenStaHasLinesOfInstances) {
  EXPECT_THAT(watts_of(kReport), ElementsAre(5.24e-7, 5.11e-6, -1));
  EXPECT_THAT(watts_of(std::string(kReport) + " 1e-7 1e-7 1e-7 3e-7 u3\r\n"), ElementsAre(5.24e-7, 5.11e-6, 3e-7));
  EXPECT_THAT(error_in("Sequential  5.11e-06   0.00e+00   8.44e-12   5.11e-06  90.7%\n"),
              HasSubstr("no power of an instance in this file; write it by report_power -instances"));
  std::string milliwatts = kReport;
  milliwatts.replace(milliwatts.find("Watts"), 5, "mW");
  EXPECT_THAT(error_in(milliwatts), HasSubstr(":2:1: powers in mW; write the report in watts"));
  EXPECT_THAT(error_in(" NaN NaN NaN NaN u1\n"), HasSubstr(":1:1: the power of u1 is no number"));
}

TEST(Powers, AReportOfOpenStaMayBeJson) {
  EXPECT_THAT(
      watts_of("[\n{\n  \"name\": \"u1\",\n  \"internal\": 5.11e-06,\n  \"switching\": 0.00e+00,\n  \"leakage\": "
               "8.44e-12,\n  \"total\": 5.12e-06\n}\n,\n{\"name\": \"a/b\\[0\\]\", \"total\": 1}\n]\n"),
      ElementsAre(5.12e-6, 1, -1));
  EXPECT_THAT(error_in("{\n \"Sequential\": {\n \"internal\": 4.69e-06,\n \"total\": 4.69e-06 }}\n"),
              HasSubstr("no power of an instance in this file"));
  EXPECT_THAT(error_in("[{\"name\": \"u1\", \"total\": 1e-6]"), HasSubstr("expected ',' in JSON"));
  EXPECT_THAT(error_in("[{\"name\": \"u1"), HasSubstr("no end of a string in JSON"));
  EXPECT_THAT(error_in("[{\"name\": \"u1\", \"total\": much}]"), HasSubstr("\"much\" is no value in JSON"));
  EXPECT_THAT(error_in(std::string(100'000, '[')), HasSubstr("too many brackets"));
}

TEST(Powers, NamesThatTheChipDoesNotHaveAreCounted) {
  Powers powers(three());
  const TextFile file("instance,power_w\nu1,1\nx1,1\nx2,1\nx3,1\nx4,1\n");
  powers.read(file);
  EXPECT_EQ(powers.unknown(), 4);
  EXPECT_THAT(powers.first_unknown(), ElementsAre("x1", "x2", "x3"));
  EXPECT_THAT(powers.unknown_place(), HasSubstr(":3:1"));
}

/// Threads read a file in pieces of 1 MiB.
TEST(Powers, AFileOfSeveralPiecesIsReadInItsOrder) {
  std::string text = "instance,power_w\n";
  constexpr int kRows = 150'000;  // of some 25 bytes
  for (int i = 0; i < kRows; ++i) text += fmt::format("no_such_instance_{:06},1u\n", i);
  ASSERT_GT(text.size(), size_t{3} << 20);
  Powers powers(three());
  powers.read(TextFile(text + "u1,1\nu1,2\nu3,3"));
  EXPECT_EQ(powers.unknown(), kRows);
  EXPECT_THAT(powers.first_unknown(), ElementsAre("no_such_instance_000000", "no_such_instance_000001", testing::_));
  EXPECT_THAT(powers.unknown_place(), HasSubstr(":2:1"));
  EXPECT_EQ(powers.repeated(), 1);
  EXPECT_THAT(powers.repeated_place(), HasSubstr(fmt::format(":{}:1", kRows + 3)));
  EXPECT_THAT(watts(powers), ElementsAre(2, -1, 3));

  const size_t early = text.find('\n', text.size() / 3) + 1, late = text.find('\n', text.size() - 1000) + 1;
  text.insert(late, "u1,late\n");
  text.insert(early, "u1,early\n");
  EXPECT_THAT(error_in(text), HasSubstr("not \"early\""));

  std::string report = kReport;
  for (int i = 0; i < kRows; ++i) report += "   1e-07   1e-07   1e-12   2e-07 u1\n";
  Powers of_report(three());
  of_report.read(TextFile(report + "   1e-07   1e-07   1e-12   3e-07 u3\n"));
  EXPECT_EQ(of_report.repeated(), kRows);
  EXPECT_THAT(watts(of_report), ElementsAre(2e-7, 5.11e-6, 3e-7));
}

TEST(Powers, ACellGivesAllItsComponentsTheSame) {
  const Library library = library_with(inverter());
  Powers powers(three());
  powers.read_by_cell(TextFile("cell,power_w\nINV,2e-6\nNAND,1e-6\n"), library);
  powers.read(TextFile("instance,power_w\nu3,5e-6\n"));
  powers.set_watts("u1", 7e-6);
  EXPECT_THAT(watts(powers), ElementsAre(7e-6, 2e-6, 5e-6));
  EXPECT_THAT(powers.first_unknown(), ElementsAre("NAND"));
  EXPECT_THAT(error_of([&] { powers.read_by_cell(TextFile("cell,current_a\nINV,1\n"), library); }),
              HasSubstr("expected a header cell,power_w"));
}

TEST(Powers, NumbersWithoutAFileAreLikeThoseOfOne) {
  const Library library = library_with(inverter());
  Powers powers(three());
  powers.set_watts_by_cell({{"INV", 2e-6}, {"NAND", 1e-6}}, library);
  powers.set_watts("a/b\\[0\\]", 3e-6);
  powers.set_watts("u9", 1);
  EXPECT_THAT(watts(powers), ElementsAre(2e-6, 3e-6, 2e-6));
  EXPECT_THAT(powers.first_unknown(), ElementsAre("NAND", "u9"));
  EXPECT_EQ(powers.unknown_place(), "");
  EXPECT_THAT(error_of([&] { powers.set_watts("u1", std::nan("")); }),
              HasSubstr("power u1: expected a finite number of watts, not nan"));
  EXPECT_THAT(error_of([&] {
                powers.set_watts_by_cell({{"INV", INFINITY}}, library);
              }),
              HasSubstr("power_by_cell INV: expected a finite number of watts, not inf"));
}

struct Resistances {
  Library library = library_with("");
  LayerResistances of = lef_resistances(library);

  void read(const std::string& text, const LayerRcOptions& options = {}) {
    read_layer_rc(TextFile(text), library, of, options);
  }
  double square(const char* layer) const { return of.ohm_per_square[library.layer(layer)]; }
  double cut(const char* layer) const { return of.ohm_per_cut[library.layer(layer)]; }
};

/// Of a wire 0.1 µm wide, 1e-3 kΩ per µm are 0.1 Ω per square.
TEST(LayerRc, SetLayerRcIsPerLengthOfTheDefaultWidth) {
  Resistances r;
  r.read(
      "# comment\nset_layer_rc -layer m1 -resistance 1e-3 -capacitance 0.1\nset_layer_rc -via v1 \\\n -resistance "
      "2e-3\n"
      "set_wire_rc -signal -layer m2; set_layer_rc -layer {m3} -resistance 0\n");
  EXPECT_DOUBLE_EQ(r.square("m1"), 0.1);
  EXPECT_DOUBLE_EQ(r.cut("v1"), 2);
  EXPECT_DOUBLE_EQ(r.square("m2"), 0.25) << "LEF's";
  EXPECT_DOUBLE_EQ(r.square("m3"), 0) << "zero does not replace what LEF has";
  r.read("set_layer_rc -layer m1 -resistance 1\n", {.ohm_per_unit = 1, .corner = ""});
  EXPECT_DOUBLE_EQ(r.square("m1"), 0.1);
}

TEST(LayerRc, CsvIsInOhms) {
  Resistances r;
  r.read("layer,ohm_per_square\nm1,0.7\nm3,50m\nvia,ohm_per_cut\nv2,6\n");
  EXPECT_DOUBLE_EQ(r.square("m1"), 0.7);
  EXPECT_DOUBLE_EQ(r.square("m3"), 0.05);
  EXPECT_DOUBLE_EQ(r.cut("v2"), 6);
}

TEST(LayerRc, CornersAreChosen) {
  const std::string text =
      "set_layer_rc -layer m1 -resistance 1e-3 -corner slow\nset_layer_rc -layer m1 -resistance 2e-3 -corner fast\n";
  Resistances r;
  EXPECT_THAT(error_of([&] { r.read(text); }), HasSubstr(":2:49: resistances of corners slow and fast; keep those"));
  r.read(text, {.corner = "slow"});
  EXPECT_DOUBLE_EQ(r.square("m1"), 0.1);
}

TEST(LayerRc, ErrorsNamePlaceAndLayer) {
  const auto error = [](const std::string& text) { return error_of([&] { Resistances().read(text); }); };
  EXPECT_THAT(error("\nset_layer_rc -layer m9 -resistance 1\n"),
              HasSubstr(":2:21: LEF has no routing layer m9; it has m1, m2, m3"));
  EXPECT_THAT(error("set_layer_rc -via m1 -resistance 1\n"), HasSubstr("LEF has no cut layer m1; it has v1, v2"));
  EXPECT_THAT(error("set_layer_rc -resistance 1\n"), HasSubstr("set_layer_rc needs -layer or -via"));
  EXPECT_THAT(error("set_layer_rc -layer m1 -ohm 1\n"), HasSubstr("set_layer_rc has no option \"-ohm\""));
  EXPECT_THAT(error("set_layer_rc -layer m1 -resistance -1\n"), HasSubstr("expected a resistance, not \"-1\""));
  EXPECT_THAT(error("set_layer_rc -layer m1 -resistance\n"), HasSubstr("no value after -resistance"));
  EXPECT_THAT(
      error("set_layer_rc -via v1 -resistance 1\nforeach l {m1 m2} {\n  set_layer_rc -layer $l -resistance 1\n}\n"),
      HasSubstr(":3:3: set_layer_rc inside of \"foreach\", which is not carried out"));
  EXPECT_THAT(error("m1,0.5V\n"), HasSubstr(":1:4: expected ohms"));
  EXPECT_THAT(error("x,1\n"), HasSubstr("LEF has no layer x"));
  EXPECT_THAT(error("m1,1,2\n"), HasSubstr("expected two fields"));
  EXPECT_THAT(error("layer,ohm_per_square\n"), HasSubstr("no resistance in this file"));
}

TEST(LayerRc, ACommandIsALineOfAFile) {
  Resistances of_file, of_command;
  of_file.read("set_layer_rc -layer m1 -resistance 3e-3\nset_layer_rc -via v1 -resistance 2e-3\n");
  set_layer_rc({"m1", false, 3e-3}, of_command.library, of_command.of);
  set_layer_rc({"v1", true, 2e-3}, of_command.library, of_command.of);
  set_layer_rc({"m2", false, 0}, of_command.library, of_command.of);
  EXPECT_EQ(of_command.of.ohm_per_square, of_file.of.ohm_per_square);
  EXPECT_EQ(of_command.of.ohm_per_cut, of_file.of.ohm_per_cut);
  const auto error = [&](const LayerRc& rc) {
    return error_of([&] { set_layer_rc(rc, of_command.library, of_command.of); });
  };
  EXPECT_THAT(error({"m9", false, 1}), HasSubstr("layer m9: LEF has no routing layer m9; it has m1, m2, m3"));
  EXPECT_THAT(error({"m1", true, 1}), HasSubstr("via m1: LEF has no cut layer m1; it has v1, v2"));
  EXPECT_THAT(error({"m1", false, -1}), HasSubstr("resistance -1: must be 0 or more"));
  EXPECT_THAT(error({"m1", false, std::nan("")}), HasSubstr("resistance nan: must be 0 or more"));
}

TEST(SourceFile, SquaresAreCutToDatabaseUnits) {
  const SourceFile file = read_source_file(TextFile("50, 50,20,1.1\n# x\n10,20,0,1.1V\n50,50,20,1.1\n"), 2000);
  EXPECT_EQ(file.volts, 1.1);
  EXPECT_THAT(file.boxes, ElementsAre(Box{20000, 40000, 20000, 40000}, Box{80000, 80000, 120000, 120000}));
}

TEST(SourceFile, ErrorsNameThePlace) {
  const auto error = [](const std::string& text) { return error_of([&] { read_source_file(TextFile(text), 2000); }); };
  EXPECT_THAT(error("50,50,20\n"), HasSubstr(":1:1: expected four values"));
  EXPECT_THAT(error("50,50,20,1.1\n50,50,20,1.2\n"), HasSubstr(":2:10: sources of one net differ in volts: 1.2 here"));
  EXPECT_THAT(error("50,50,x,1.1\n"), HasSubstr(":1:7: expected um"));
  EXPECT_THAT(error("50,50,-1,1.1\n"), HasSubstr("an edge of -1 um"));
  EXPECT_THAT(error("1e9,50,20,1.1\n"), HasSubstr("expected um"));
  EXPECT_THAT(error("50,50,20,1A\n"), HasSubstr("expected volts"));
  EXPECT_THAT(error("# nothing\n"), HasSubstr("no source in this file"));
}

}  // namespace
}  // namespace gridiron::layout::test
