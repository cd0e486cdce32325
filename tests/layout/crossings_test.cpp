// SPDX-License-Identifier: Apache-2.0
// Straps of one net that cross without a via.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <random>

#include "layout/crossings.hpp"
#include "layout/extract/axes.hpp"
#include "tests/data.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kVias =
    "VIAS 1 ;\n- v23 + RECT m2 ( -50 -50 ) ( 50 50 ) + RECT v2 ( -40 -40 ) ( 40 40 ) + RECT m3 ( -50 -50 ) ( 50 50 ) "
    ";\nEND VIAS\n";

/// "m1 m2 of 4: 900 950 1100 1050; …" per pair of layers.
std::vector<std::string> crossings_of(const std::string& wires) {
  const Library library = library_with(inverter());
  const Chip chip = chip_of(
      design(kVias + ("SPECIALNETS 1 ;\n- VDD ( * VDD ) + USE POWER\n+ ROUTED " + wires) + " ;\nEND SPECIALNETS\n"),
      library);
  std::vector<std::string> out;
  for (const Crossings& c : find_crossings(library, chip, chip.nets[0])) {
    std::string text = fmt::format("{} {} of {}:", library.layers[c.bottom].name, library.layers[c.top].name, c.all);
    for (const Box& b : c.without_via) text += fmt::format(" {} {} {} {};", b.x0, b.y0, b.x1, b.y1);
    out.push_back(text);
  }
  return out;
}

/// Two rails along x on m1, 100 wide, and two straps along y.
std::string rails_and_straps(const char* layer, const char* shape = "STRIPE") {
  std::string out =
      "m1 100 + SHAPE FOLLOWPIN ( 0 1000 ) ( 9000 1000 )\n"
      "NEW m1 100 + SHAPE FOLLOWPIN ( 0 4000 ) ( 5000 4000 ) ( 9000 4000 )\n";
  for (const int x : {1000, 7000})
    out += fmt::format("NEW {} 200 + SHAPE {} ( {} 0 ) ( {} 9000 )\n", layer, shape, x, x);
  return out;
}
std::string via(const char* name, int x, int y) {
  return fmt::format("NEW {} 0 + SHAPE STRIPE ( {} {} ) {}\n", name[1] == '1' ? "m1" : "m2", x, y, name);
}

TEST(Crossings, ACrossingWithoutAViaIsFound) {
  EXPECT_THAT(
      crossings_of(rails_and_straps("m2") + via("v12", 1000, 1000) + via("v12", 7000, 1000) + via("v12", 7000, 4000)),
      ElementsAre("m1 m2 of 4: 900 3950 1100 4050;"));
  EXPECT_THAT(crossings_of(rails_and_straps("m2") + via("v12", 1000, 1000) + via("v12", 1000, 4000) +
                           via("v12", 7000, 1000) + via("v12", 7000, 4000)),
              IsEmpty());
  EXPECT_THAT(crossings_of(rails_and_straps("m2")), IsEmpty()) << "nothing tells that vias were wanted";
}

TEST(Crossings, AViaNeedNotBeInTheMiddle) {
  const std::string others = via("v12", 1000, 1000) + via("v12", 7000, 1000) + via("v12", 7000, 4000);
  EXPECT_THAT(crossings_of(rails_and_straps("m2") + others + via("v12", 1060, 4010)), IsEmpty());
  EXPECT_THAT(crossings_of(rails_and_straps("m2") + others + via("v12", 1200, 4000)), SizeIs(1))
      << "its shapes only meet the crossing";
}

TEST(Crossings, OnlyStrapsRailsAndRingsCount) {
  const std::string some = via("v12", 1000, 1000);
  EXPECT_THAT(crossings_of(rails_and_straps("m2", "RING") + some), SizeIs(1));
  EXPECT_THAT(crossings_of(rails_and_straps("m2", "COREWIRE") + some), IsEmpty());
  EXPECT_THAT(crossings_of(rails_and_straps("m2") + some + "+ RECT m2 ( 4000 0 ) ( 4200 9000 )"),
              ElementsAre(testing::StartsWith("m1 m2 of 4:")));
}

/// The last strap ends a little above the upper rail's lower edge, where no cut of 80 fits.
TEST(Crossings, AViaMustFit) {
  const std::string short_strap = "NEW m2 200 + SHAPE STRIPE ( 8500 2000 ) ( 8500 ";
  std::string wires = rails_and_straps("m2");
  for (const int x : {1000, 7000})
    for (const int y : {1000, 4000}) wires += via("v12", x, y);
  EXPECT_THAT(crossings_of(wires + short_strap + "4020 )"), IsEmpty());
  EXPECT_THAT(crossings_of(wires + short_strap + "4040 )"), ElementsAre("m1 m2 of 5: 8400 3950 8600 4040;"));
}

/// From rails on m1 to straps on m3: the via between m2 and m3 is missing at one crossing.
TEST(Crossings, AStackOfViasMustBeWhole) {
  std::string wires = rails_and_straps("m3");
  for (const int x : {1000, 7000})
    for (const int y : {1000, 4000}) {
      wires += via("v12", x, y);
      if (x == 1000 || y == 1000) wires += via("v23", x, y);
    }
  EXPECT_THAT(crossings_of(wires), ElementsAre("m1 m3 of 4: 6900 3950 7100 4050;"));
}

/// Straps on m3 above those on m2: what is missing between m2 and the rail is no matter of m3.
TEST(Crossings, WithAStrapBetweenTheyAreThoseWithIt) {
  std::string wires = rails_and_straps("m2") + "NEW m3 200 + SHAPE STRIPE ( 1000 0 ) ( 1000 9000 )\n";
  wires += via("v12", 1000, 1000) + via("v23", 1000, 1000) + via("v12", 7000, 1000) + via("v12", 7000, 4000);
  EXPECT_THAT(crossings_of(wires), ElementsAre("m1 m2 of 4: 900 3950 1100 4050;"));
}

/// Rails and straps at random places with and without vias near their crossings, against a look at each of them.
TEST(Crossings, AreWhatALookAtEachFindsOnAnyNumberOfThreads) {
  const Library library = library_with("");
  const int threads = omp_get_max_threads();
  std::mt19937 random(21);
  const auto at = [&](Dbu most) { return static_cast<Dbu>(random() % static_cast<unsigned>(most + 1)); };
  Chip chip;
  chip.dbu_per_um = 1000;
  Via kind;
  kind.bottom = library.layer("m1"), kind.cut = library.layer("v1"), kind.top = library.layer("m2");
  kind.bottom_boxes = {{-50, -30, 50, 30}}, kind.top_boxes = {{-30, -50, 30, 50}}, kind.cuts = {{-20, -20, 20, 20}};
  chip.vias.push_back(kind);
  for (int round = 0; round < 60; ++round) {
    SpecialNet net;
    std::vector<Box> rails, straps, expected;
    for (Dbu y = at(200); y < 20'000; y += 300 + at(600))
      rails.push_back({at(4000), y, 5000 + at(4000), y + 10 + at(100)});
    for (Dbu x = at(200); x < 9000; x += 300 + at(600))
      straps.push_back({x, at(8000), x + 10 + at(100), 12'000 + at(8000)});
    for (const Box& b : rails) net.straps.push_back({kind.bottom, b});
    for (const Box& b : straps) net.straps.push_back({kind.top, b});
    int64_t all = 0;
    for (const Box& rail : rails)
      for (const Box& strap : straps) {
        if (!meets(rail, strap)) continue;
        const Box both = common(rail, strap);
        if (both.width() == 0 || both.height() == 0) continue;
        ++all;
        Point place = centre(both);
        bool has_via = at(9) != 0;
        if (at(4) == 0) {  // somewhere near
          place = {place.x + at(200) - 100, place.y + at(200) - 100};
          const Box shapes{place.x - 50, place.y - 50, place.x + 50, place.y + 50};
          net.vias.push_back({0, place});
          has_via = shapes.x0 < both.x1 && both.x0 < shapes.x1 && shapes.y0 < both.y1 && both.y0 < shapes.y1;
        } else if (has_via) {
          net.vias.push_back({0, place});
        }
        if (!has_via && both.width() >= 40 && both.height() >= 40) expected.push_back(both);
      }
    std::ranges::sort(expected, {}, [](const Box& b) { return std::tuple(b.x0, b.y0, b.x1, b.y1); });
    for (const int n : {1, 4}) {
      omp_set_num_threads(n);
      const std::vector<Crossings> found = find_crossings(library, chip, net);
      omp_set_num_threads(threads);
      ASSERT_THAT(found, ElementsAre(Crossings{kind.bottom, kind.top, all, expected})) << "round " << round;
    }
  }
}

/// Power grids as tools make them have a via at each; those that are taken out of the file are found.
TEST(Crossings, RealDesignsHaveAllVias) {
  struct Files {
    const char* def;
    std::vector<const char*> lefs;
    int64_t crossings;  ///< of VDD, from the rails to the next straps
  };
  for (const Files& files :
       {Files{"nangate45/gcd.def.gz", {"nangate45/Nangate45.lef.gz"}, 58},
        Files{"nangate45/aes_bterms.def.gz", {"nangate45/Nangate45.lef.gz"}, 2365},
        Files{"sky130/gcd_floorplan.def.gz", {"sky130/sky130hd.tlef.gz", "sky130/cells.lef.gz"}, 480}}) {
    GRIDIRON_DATA_OR_SKIP(def, std::string("layout/") + files.def);
    std::vector<std::string> lefs;
    for (const char* lef : files.lefs) lefs.push_back(gridiron::test::data_file(std::string("layout/") + lef));
    const Library library = read_lef(lefs);
    const Chip chip = read_def(def, library);
    for (const SpecialNet& net : chip.nets) EXPECT_THAT(find_crossings(library, chip, net), IsEmpty()) << files.def;
    SpecialNet net = chip.nets[0];
    const int32_t rails = std::ranges::min_element(net.straps, {}, &LayerBox::layer)->layer;
    const auto from_rail = [&](const PlacedVia& v) { return chip.vias[v.via].bottom == rails; };
    const Point place = std::ranges::find_if(net.vias, from_rail)->place;
    std::erase_if(net.vias, [&](const PlacedVia& v) { return v.place == place && from_rail(v); });
    const std::vector<Crossings> found = find_crossings(library, chip, net);
    ASSERT_THAT(found, SizeIs(1)) << files.def;
    EXPECT_EQ(found[0].all, files.crossings);
    ASSERT_THAT(found[0].without_via, SizeIs(1));
    EXPECT_EQ(centre(found[0].without_via[0]), place);
  }
}

}  // namespace
}  // namespace gridiron::layout::test
