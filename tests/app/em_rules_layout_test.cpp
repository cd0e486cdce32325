// SPDX-License-Identifier: Apache-2.0
// `--em-rules` on layouts: the rules of sky130's technology LEF by hand, and OpenROAD's currents of gcd over widths.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

class EmRulesLayout : public test::Tool {
 protected:
  /// Ten inverters on a rail of met1, 0.48 µm wide, each draws 0.1 mA at 1 V. A via of one cut leads from the rail's
  /// left end to a piece of met2, 0.48 µm wide, with the source, of which 1 mA come.
  void write_ten_segments() const {
    std::string def =
        "VERSION 5.8 ;\nDIVIDERCHAR \"/\" ;\nBUSBITCHARS \"[]\" ;\nDESIGN ten ;\nUNITS DISTANCE MICRONS 1000 ;\n"
        "DIEAREA ( 0 0 ) ( 120000 10000 ) ;\nCOMPONENTS 10 ;\n";
    std::string powers = "instance,power_w\n";
    for (int k = 1; k <= 10; ++k) {
      def += fmt::format("- u{} sky130_fd_sc_hd__inv_1 + PLACED ( {} 0 ) N ;\n", k, 10000 * k);
      powers += fmt::format("u{},1e-4\n", k);
    }
    def +=
        "END COMPONENTS\nSPECIALNETS 1 ;\n- VDD ( * VPWR ) + USE POWER\n"
        "  + ROUTED met1 480 ( 1000 2720 ) ( 110000 2720 )\n  NEW met1 0 ( 1000 2720 ) M1M2_PR\n"
        "  NEW met2 480 ( 1000 2720 ) ( 1000 9000 ) ;\nEND SPECIALNETS\nEND DESIGN\n";
    write("ten.def", def);
    write("powers.csv", powers);
    write("source.loc", "1, 9, 0.2, 1\n");
  }
  /// The rows of em.csv, in its order.
  std::vector<std::vector<std::string>> rows(const std::string& path) const {
    std::istringstream table(slurp(folder_ / path));
    std::vector<std::vector<std::string>> rows;
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) rows.push_back(fields_of(line));
    return rows;
  }

  /// Of a file as OpenROAD writes it: A by the names of both ends.
  std::map<std::string, double> published_currents(const std::string& path) const {
    EXPECT_EQ(shell("zcat " + path + " > published.csv").code, 0);
    std::map<std::string, double> published;
    std::istringstream table(slurp(folder_ / "published.csv"));
    std::string line;
    std::getline(table, line);
    const auto end = [](const std::string& layer, const std::string& x, const std::string& y) {
      return fmt::format("Node_{}_{}_{}", layer, std::lround(2000 * std::stod(x)), std::lround(2000 * std::stod(y)));
    };
    while (std::getline(table, line)) {
      const auto f = fields_of(line);
      published[end(f[0], f[1], f[2]) + " " + end(f[3], f[4], f[5])] = std::stod(f[6]);
    }
    return published;
  }
};

TEST_F(EmRulesLayout, OfSky130AsByHand) {
  GRIDIRON_DATA_OR_SKIP(tlef, "layout/sky130/sky130hd.tlef.gz");
  const std::string folder = std::filesystem::path(tlef).parent_path().string();
  write_ten_segments();
  const std::string ir =
      "ir ten.def --quiet --lef " + tlef + " --lef " + folder + "/cells.lef.gz --layer-rc " + folder +
      "/sky130hd.rc --power powers.csv --nominal VDD=1 --net VDD --sources source.loc --em-rules lef ";
  Outcome outcome = gridiron(ir + "--em-cut-unit per-cut --limit em=100% --out r");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("344.8 % of via average a_per_cut of DCCURRENTDENSITY"));

  // 1 mA through one cut of `via`, 0.29 mA per cut: 3.448. Wires: DCCURRENTDENSITY 2.8 mA/µm on 0.48 µm is 1.344 mA,
  // of met1 as of met2; RMS 6.1 mA/µm is weaker. met1's pieces carry 1 mA before the first inverter, 0.9 mA after it, …
  std::vector<double> expected = {1.0 / 0.29};
  for (int k = 10; k >= 1; --k) expected.push_back(0.1 * k / (0.48 * 2.8));
  std::vector<double> met1, others;
  for (const auto& row : rows("r/em.csv")) {
    const double ratio = std::stod(row[11]);
    if (ratio < 1e-6) continue;  // ends of metal without current
    (row[1] == "met1" || row[1] == "met1-met2" ? met1 : others).push_back(ratio);
    if (row[1] == "met1") {
      EXPECT_EQ(row[4], "0.48");
      EXPECT_EQ(row[8], "met1 average a_per_um of DCCURRENTDENSITY");
      EXPECT_NEAR(std::stod(row[9]), 2.8e-3, 1e-12);
    }
  }
  // Pieces between the same two inverters have one ratio.
  met1.erase(std::unique(met1.begin(), met1.end(), [](double a, double b) { return std::abs(a - b) < 1e-6; }),
             met1.end());
  ASSERT_EQ(met1.size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(met1[k], expected[k], 2e-5 * expected[k]) << k;
  for (const double ratio : others) EXPECT_NEAR(ratio, 1.0 / (0.48 * 2.8), 2e-5) << "met2";

  outcome = gridiron(ir + "--em-cut-unit per-um2 --limit em=1e9% --out r");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(std::stod(rows("r/em.csv")[0][11]), 1.0 / (0.29 * 0.15 * 0.15), 1e-2) << "a cut of 0.15 µm";
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"), HasSubstr("taken as mA per µm² of cuts"));

  outcome = gridiron(ir + "--limit em=100%");
  EXPECT_EQ(outcome.code, 4) << "nobody tells the unit of cut layers";
  EXPECT_THAT(outcome.err, HasSubstr("cannot be judged"));

  // 90 → 105 °C, as the comments in the file have it: exp(0.9 / (2 k) (1/378.15 − 1/363.15)) = 0.565298.
  outcome = gridiron(ir + "--em-cut-unit per-cut --em-temperature 105 --em-rule-temperature 90 --out r");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(std::stod(rows("r/em.csv")[0][11]), 1.0 / 0.29 / 0.565298, 1e-4);
  write("rules.csv", "layer,kind,a_per_um\nmet7,average,1\n");
  outcome = gridiron(ir + "--em-rules rules.csv");
  EXPECT_EQ(outcome.code, 2);
}

TEST_F(EmRulesLayout, UnknownLayersOfATechnologyAreErrors) {
  GRIDIRON_DATA_OR_SKIP(tlef, "layout/sky130/sky130hd.tlef.gz");
  const std::string folder = std::filesystem::path(tlef).parent_path().string();
  write_ten_segments();
  write("rules.csv", "layer,kind,a_per_um\nmet1,average,1\nmet7,average,1\n");
  const Outcome outcome =
      gridiron("ir ten.def --quiet --lef " + tlef + " --lef " + folder + "/cells.lef.gz --layer-rc " + folder +
               "/sky130hd.rc --power powers.csv --nominal VDD=1 --net VDD --sources source.loc --em-rules rules.csv");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("rules.csv:3:1: the technology has no layer \"met7\"; it has"));
}

/// The currents that OpenROAD prints for gcd, over widths: of its deck those of a table, of its layout those of straps,
/// rails and pins. As instances' currents are given with four digits, small differences of them are known to 1 nA only,
/// except in the deck of VSS.
TEST_F(EmRulesLayout, GcdHasOpenRoadsCurrentsOverWidths) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/nangate45/gcd.def.gz");
  const auto folder = std::filesystem::path(def).parent_path();
  write("rules.csv", "layer,kind,a_per_um\nmetal1,average,1\nmetal4,average,1\nmetal7,average,1\n");
  write("layers.csv", "layer,width_um,thickness_um\nmetal1,0.17,\nmetal4,0.48,\nmetal7,1.4,\n");
  for (const std::string net : {"vdd", "vss"}) {
    const std::string name = net == "vdd" ? "VDD" : "VSS";
    const std::map<std::string, double> published =
        published_currents((folder / ("gcd_" + net + ".em.csv.gz")).string());
    const auto compare = [&](const std::string& command, double least_a, const auto& check_width) {
      const Outcome outcome = gridiron(command + " --quiet --em-rules rules.csv --out r");
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      size_t compared = 0;
      for (const auto& row : rows("r/em.csv")) {
        const auto found = published.find(row[2] + " " + row[3]);
        if (found == published.end() || found->second < 1e-9) continue;
        const double width = std::stod(row[4]);
        check_width(row[1], width);
        EXPECT_NEAR(std::stod(row[10]), found->second / width, std::max(1e-3 * found->second, least_a) / width)
            << row[2] << ' ' << row[3];
        ++compared;
      }
      EXPECT_GT(compared, 1000u) << net;
    };
    const std::map<std::string, double> widths = {{"metal1", 0.17}, {"metal4", 0.48}, {"metal7", 1.4}};
    compare("ir " + (folder / ("gcd_" + net + ".sp.gz")).string() + " --em-layers layers.csv", net == "vss" ? 0 : 1e-9,
            [&](const std::string& layer, double width) { EXPECT_EQ(width, widths.at(layer)); });
    size_t rails = 0;
    compare("ir " + def + " --lef " + (folder / "Nangate45.lef.gz").string() + " --power " +
                (folder / "gcd_power.csv").string() + " --nominal VDD=1.1 --sources " +
                (folder / ("Vsrc_gcd_" + net + ".loc")).string() + " --net " + name,
            1e-9, [&](const std::string& layer, double width) {
              if (layer != "metal1") {
                EXPECT_EQ(width, widths.at(layer));
              }
              rails += width == 0.17;
            });
    EXPECT_GT(rails, 300u) << "the others are as wide as pins";
  }
}

}  // namespace
}  // namespace gridiron
