// SPDX-License-Identifier: Apache-2.0
// DEF files with other widths of special wires and new straps.
#include "layout/def/edited_def.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "layout/library.hpp"
#include "tests/data.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string nets(const std::string& of_vdd, const std::string& of_vss) {
  return design("SPECIALNETS 2 ;\n- VDD ( * VDD ) + USE POWER\n" + of_vdd + "\n- VSS ( * VSS ) + USE GROUND\n" +
                of_vss + "\nEND SPECIALNETS\n");
}

const Library& library() {
  static const Library kLibrary = library_with(inverter_with_ground());
  return kLibrary;
}

std::string edited(const Chip& chip, const std::vector<WireWidth>& widths, const std::vector<NewStrap>& straps) {
  const auto path = gridiron::test::temporary("edited.def");
  write_edited_def(chip, library(), find_wire_places(chip, library()), widths, straps, path);
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::filesystem::remove(path);
  return text;
}

TEST(EditedDef, KnowsWhereWidthsStand) {
  const std::string text = nets(
      "+ ROUTED m1 200 + SHAPE STRIPE ( 0 4000 ) ( 9000 4000 ) ( 9000 8000 )\nNEW m2 100 ( 0 0 ) ( 0 900 ) "
      "RECT ( 0 0 10 10 )\n+ RECT m1 ( 0 0 ) ( 10 10 ) ;",
      "+ ROUTED m1 300 ( 0 1000 ) ( 9000 1000 ) ;");
  const Chip chip = chip_of(text, library());
  const WirePlaces places = find_wire_places(chip, library());
  ASSERT_EQ(places.nets.size(), 2u);
  const uint64_t first = text.find("200 +"), second = text.find("100 (");
  EXPECT_THAT(places.nets[0].width_at, ElementsAre(first, first, second, kNoWidth, kNoWidth));
  EXPECT_THAT(places.nets[1].width_at, ElementsAre(text.find("300 (")));
  EXPECT_EQ(places.nets[0].end_at, text.find(";\n- VSS"));
  EXPECT_EQ(chip.nets[0].boxes.size(), places.nets[0].width_at.size());
  EXPECT_TRUE(chip.nets[0].width_at.empty());
}

TEST(EditedDef, HasOtherWidthsAndStraps) {
  const std::string vdd = "+ ROUTED m1 200 + SHAPE STRIPE ( 0 4000 ) ( 9000 4000 )\nNEW m2 100 ( 0 0 ) ( 0 9000 )";
  const std::string vss = "+ ROUTED m1 300 ( 0 1000 ) ( 9000 1000 )";
  const Chip chip = chip_of(nets(vdd + " ;", vss + ";"), library());
  const WirePlaces places = find_wire_places(chip, library());
  const int32_t m2 = library().layer("m2");
  EXPECT_EQ(edited(chip, {}, {}), nets(vdd + " ;", vss + ";"));
  const std::string text = edited(chip, {{places.nets[1].width_at[0], 1500}, {places.nets[0].width_at[1], 80}},
                                  {{0, m2, 400, {5000, 0}, {5000, 9000}}, {1, m2, 200, {6000, 0}, {6000, 500}}});
  EXPECT_EQ(text, nets("+ ROUTED m1 200 + SHAPE STRIPE ( 0 4000 ) ( 9000 4000 )\nNEW m2 80 ( 0 0 ) ( 0 9000 ) \n"
                       "+ ROUTED m2 400 + SHAPE STRIPE ( 5000 0 ) ( 5000 9000 )\n;",
                       "+ ROUTED m1 1500 ( 0 1000 ) ( 9000 1000 )\n"
                       "+ ROUTED m2 200 + SHAPE STRIPE ( 6000 0 ) ( 6000 500 )\n;"));
  const Chip read = chip_of(text, library());
  EXPECT_EQ(read.nets[0].boxes[1].box, (Box{-40, 0, 40, 9000}));
  EXPECT_EQ(read.nets[0].boxes[2].box, (Box{4800, 0, 5200, 9000}));
  EXPECT_EQ(read.nets[0].boxes[2].layer, m2);
  EXPECT_EQ(read.nets[0].straps.size(), 2u);
  EXPECT_EQ(read.nets[1].boxes[0].box, (Box{0, 250, 9000, 1750}));
}

void expect_same_shapes(const SpecialNet& a, const SpecialNet& b, const std::vector<size_t>& but) {
  ASSERT_EQ(a.boxes.size(), b.boxes.size());
  for (size_t i = 0; i < a.boxes.size(); ++i) {
    EXPECT_EQ(a.boxes[i].layer, b.boxes[i].layer);
    const bool is_same = std::ranges::find(but, i) == but.end();
    EXPECT_TRUE(!is_same || a.boxes[i].box == b.boxes[i].box) << i;
  }
  ASSERT_EQ(a.vias.size(), b.vias.size());
  for (size_t i = 0; i < a.vias.size(); ++i) {
    EXPECT_EQ(a.vias[i].via, b.vias[i].via);
    EXPECT_EQ(a.vias[i].place, b.vias[i].place);
    EXPECT_EQ(a.vias[i].orientation, b.vias[i].orientation);
  }
  EXPECT_EQ(a.polygons.size(), b.polygons.size());
  EXPECT_EQ(a.name, b.name);
}

TEST(EditedDef, WidensTwoStrapsOfNangate) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/nangate45/gcd.def.gz");
  GRIDIRON_DATA_OR_SKIP(lef, "layout/nangate45/Nangate45.lef.gz");
  const Library nangate = read_lef({lef});
  const Chip chip = read_def(def, nangate);
  const WirePlaces places = find_wire_places(chip, nangate);
  ASSERT_EQ(places.nets.size(), chip.nets.size());
  for (size_t n = 0; n < chip.nets.size(); ++n) EXPECT_EQ(places.nets[n].width_at.size(), chip.nets[n].boxes.size());

  const SpecialNet& vdd = chip.nets[static_cast<size_t>(chip.net("VDD"))];
  const WirePlaces::Net& vdd_places = places.nets[static_cast<size_t>(chip.net("VDD"))];
  const int32_t metal7 = nangate.layer("metal7"), metal4 = nangate.layer("metal4");
  std::vector<size_t> wide;
  for (const int32_t layer : {metal4, metal7})
    wide.push_back(static_cast<size_t>(std::ranges::find(vdd.boxes, layer, &LayerBox::layer) - vdd.boxes.begin()));
  ASSERT_LT(wide[1], vdd.boxes.size());
  const std::vector<WireWidth> widths{{vdd_places.width_at[wide[0]], 2000}, {vdd_places.width_at[wide[1]], 6000}};
  const PlacedVia via{vdd.vias[0].via, {30000, 40000}, Orientation::FS};
  const int32_t of_via = chip.vias[static_cast<size_t>(via.via)].bottom;
  const std::vector<NewStrap> straps{{chip.net("VSS"), of_via, 960, {30000, 20000}, {30000, 90000}, {via}}};
  const auto path = gridiron::test::temporary("edited.def.zst");
  write_edited_def(chip, nangate, places, widths, straps, path);
  const Chip read = read_def(path.string(), nangate);
  std::filesystem::remove(path);

  EXPECT_EQ(read.components.size(), chip.components.size());
  EXPECT_EQ(read.pins.size(), chip.pins.size());
  const SpecialNet& after = read.nets[static_cast<size_t>(chip.net("VDD"))];
  expect_same_shapes(vdd, after, wide);
  const auto width = [](const Box& box) { return std::min(box.width(), box.height()); };
  const auto length = [](const Box& box) { return std::max(box.width(), box.height()); };
  EXPECT_EQ(width(after.boxes[wide[0]].box), 2000);
  EXPECT_EQ(width(after.boxes[wide[1]].box), 6000);
  for (const size_t i : wide) {
    EXPECT_EQ(length(after.boxes[i].box), length(vdd.boxes[i].box));
    EXPECT_NE(width(vdd.boxes[i].box), width(after.boxes[i].box));
  }

  SpecialNet vss = read.nets[static_cast<size_t>(chip.net("VSS"))];
  ASSERT_FALSE(vss.boxes.empty());
  EXPECT_EQ(vss.boxes.back().box, (Box{29520, 20000, 30480, 90000}));
  EXPECT_EQ(vss.straps.back().box, vss.boxes.back().box);
  EXPECT_EQ(vss.vias.back().via, via.via);
  EXPECT_EQ(vss.vias.back().place, via.place);
  EXPECT_EQ(vss.vias.back().orientation, via.orientation);
  vss.boxes.pop_back();
  vss.vias.pop_back();
  expect_same_shapes(chip.nets[static_cast<size_t>(chip.net("VSS"))], vss, {});
}

}  // namespace
}  // namespace gridiron::layout::test
