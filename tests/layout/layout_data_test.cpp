// SPDX-License-Identifier: Apache-2.0
// Real designs of two technologies, against what a search of their text finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/data.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;

/// Lines of a section that have one of these pieces of text.
int64_t lines(const Chip& chip, const std::string& section, const std::vector<std::string>& pieces) {
  const std::string_view text = chip.texts[0]->text();
  const size_t begin = text.find("\n" + section + " "), end = text.find("\nEND " + section);
  int64_t count = 0;
  for (size_t line = begin + 1; line < end; line = text.find('\n', line) + 1) {
    const std::string_view words = text.substr(line, text.find('\n', line) - line);
    count +=
        std::ranges::any_of(pieces, [words](const auto& piece) { return words.find(piece) != words.npos; }) ? 1 : 0;
  }
  return count;
}

struct Design {
  const char* name;
  const char* file;
  std::vector<std::string> lefs;
  int64_t components;
  size_t macros, pins;
};

void PrintTo(const Design& design, std::ostream* out) { *out << design.file; }

class LayoutData : public testing::TestWithParam<Design> {};

TEST_P(LayoutData, CountsAreThoseOfTheText) {
  const Design& design = GetParam();
  GRIDIRON_DATA_OR_SKIP(def, std::string("layout/") + design.file);
  std::vector<std::string> lefs;
  for (const std::string& lef : design.lefs) lefs.push_back(gridiron::test::data_file("layout/" + lef));
  const Library library = read_lef(lefs);
  EXPECT_EQ(library.macros.size(), design.macros);
  const Chip chip = read_def(def, library);
  EXPECT_EQ(chip.components.size(), design.components);
  EXPECT_EQ(chip.components.size(), lines(chip, "COMPONENTS", {"    - "}));
  EXPECT_EQ(std::ranges::count(chip.components.placed, 1),
            lines(chip, "COMPONENTS", {"+ PLACED", "+ FIXED", "+ COVER"}));
  EXPECT_EQ(std::ranges::count(chip.components.orientation, Orientation::FS), lines(chip, "COMPONENTS", {") FS ;"}));
  EXPECT_EQ(chip.pins.size(), design.pins);
  EXPECT_EQ(static_cast<int64_t>(chip.vias.size()), lines(chip, "VIAS", {"    - "}));
  std::vector<std::string> names;
  size_t boxes = 0, vias = 0;
  for (const SpecialNet& net : chip.nets) {
    names.push_back(net.name);
    EXPECT_EQ(net.use, net.name == "VDD" ? Use::power : Use::ground);
    boxes += net.boxes.size();
    vias += net.vias.size();
  }
  EXPECT_THAT(names, ElementsAre("VDD", "VSS"));
  EXPECT_EQ(static_cast<int64_t>(boxes), lines(chip, "SPECIALNETS", {"0 ) ( "}));
  EXPECT_EQ(static_cast<int64_t>(vias), lines(chip, "SPECIALNETS", {" ) via"}));
  EXPECT_EQ(static_cast<int64_t>(boxes + vias), lines(chip, "SPECIALNETS", {"ROUTED ", "NEW "}));
}

const std::vector<std::string> kNangate = {"nangate45/Nangate45.lef.gz", "nangate45/fakeram45_64x32.lef.gz"};
INSTANTIATE_TEST_SUITE_P(
    All, LayoutData,
    testing::Values(
        Design{"gcd", "nangate45/gcd.def.gz", kNangate, 624, 136, 0},
        Design{"aes", "nangate45/aes_bterms.def.gz", kNangate, 19835, 136, 2},
        Design{"disconnected", "nangate45/check_power_grid_disconnected.def.gz", kNangate, 547, 136, 0},
        Design{"ok_disconnected", "nangate45/check_power_grid_ok_disconnected.def.gz", kNangate, 547, 136, 0},
        Design{
            "sky130", "sky130/gcd_floorplan.def.gz", {"sky130/sky130hd.tlef.gz", "sky130/cells.lef.gz"}, 1143, 437, 0}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(LayoutData, ShapesOfGcd) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/nangate45/gcd.def.gz");
  const Library library = read_lef({gridiron::test::data_file("layout/nangate45/Nangate45.lef.gz")});
  const Chip chip = read_def(def, library);
  EXPECT_EQ(chip.name, "gcd");
  EXPECT_EQ(chip.die, (Box{0, 0, 200260, 201600}));
  EXPECT_EQ(chip.components.name[0], "_440_");
  EXPECT_EQ(library.macros[static_cast<size_t>(chip.components.macro[0])].name, "INV_X2");
  EXPECT_EQ(chip.components.place[0], (Point{105260, 92400}));
  const Via& via = chip.vias[0];
  EXPECT_EQ(via.name, "via1_960x340");
  EXPECT_EQ(library.rules[static_cast<size_t>(via.rule)].name, "Via1Array-0");
  EXPECT_THAT(via.cuts, ElementsAre(Box{-370, -70, -230, 70}, Box{-70, -70, 70, 70}, Box{230, -70, 370, 70}));
  EXPECT_THAT(via.bottom_boxes, ElementsAre(Box{-480, -170, 480, 170}));
  const PlacedVia& first = chip.nets[0].vias[0];
  EXPECT_EQ(chip.vias[static_cast<size_t>(first.via)].name, "via6_960x2800");
  EXPECT_EQ(first.place, (Point{136140, 106230}));
  const Layer& metal1 = library.layers[static_cast<size_t>(library.layer("metal1"))];
  EXPECT_EQ(metal1.ohm_per_square, 0.38);
  EXPECT_EQ(metal1.direction, Direction::horizontal);
  EXPECT_EQ(metal1.pitch_x_um, 0.14);
}

}  // namespace
}  // namespace gridiron::layout::test
