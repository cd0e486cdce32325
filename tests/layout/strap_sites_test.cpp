// SPDX-License-Identifier: Apache-2.0
// Where a chip has room for new straps, what these keep from, and how they are joined.
#include "layout/straps/strap_sites.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "layout/extract.hpp"
#include "layout/layer_resistances.hpp"
#include "tests/data.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::HasSubstr;

const std::string kSpacings =
    "LAYER m2\n  TYPE ROUTING ; SPACING 0.1 ;\n  SPACINGTABLE PARALLELRUNLENGTH 0 1 WIDTH 0 0.1 0.1 WIDTH 0.3 0.1 0.2 "
    ";\nEND m2\n";

const Library& library() {
  static const Library kLibrary = library_with(
      kSpacings + inverter_with_ground() +
      "MACRO RAM\n  CLASS BLOCK ;\n  SIZE 3 BY 6 ;\n  OBS\n    LAYER OVERLAP ; RECT 0 0 3 6 ;\n    LAYER m1 SPACING "
      "0.1 ; "
      "RECT 0 0 3 6 ;\n    LAYER m2 ; RECT 0.5 1 2.5 5 ; RECT ITERATE 0 0 1 1 DO 1 BY 1 STEP 1 1 ;\n  END\nEND RAM\n");
  return kLibrary;
}

/// Rails on m1 every 3 µm, of VDD and VSS in turn, and a strap of either net on m2 with vias.
std::string rails(const std::string& vias = "v12", const std::string& components = "") {
  std::string vdd = "+ ROUTED m2 400 + SHAPE STRIPE ( 1000 500 ) ( 1000 18500 )\n",
              vss = "+ ROUTED m2 400 + SHAPE STRIPE ( 2000 500 ) ( 2000 18500 )\n";
  for (int row = 0; row < 6; ++row) {
    const int y = 1000 + 3000 * row;
    std::string& net = row % 2 == 0 ? vdd : vss;
    net += "NEW m1 200 + SHAPE FOLLOWPIN ( 500 " + std::to_string(y) + " ) ( 9500 " + std::to_string(y) + " )\n";
    if (!vias.empty())
      net += "NEW m1 0 + SHAPE STRIPE ( " + std::string(row % 2 == 0 ? "1000 " : "2000 ") + std::to_string(y) + " ) " +
             vias + "\n";
  }
  return design(components + "SPECIALNETS 2 ;\n- VDD ( * VDD ) + USE POWER\n" + vdd +
                " ;\n- VSS ( * VSS ) + USE GROUND\n" + vss + " ;\nEND SPECIALNETS\n");
}

/// A chip, and the straps that it has room for.
struct Ground {
  Chip chip;
  std::vector<StrapKind> kinds;
  StrapSites sites;
  std::vector<StrapSite> found;
  Ground(const std::string& text, double width_um, double pitch_um, std::vector<int32_t> nets = {0},
         const std::string& layer = "m2")
      : chip(with_vias(text)),
        kinds{strap_kind(library(), chip, lef_resistances(library()), layer, width_um, pitch_um)},
        sites(library(), chip, kinds, std::vector<double>(library().layers.size(), 1.0)),
        found(sites.find(nets)) {}
  static Chip with_vias(const std::string& text) {
    Chip chip = chip_of(text, library());
    add_library_vias(library(), chip);
    return chip;
  }
};

Dbu apart(const Box& a, const Box& b) { return distance(a, b); }

TEST(StrapSites, KeepTheirPitchFromAllStraps) {
  const Ground ground(rails(), 0.4, 0.8);
  // The first place that is 0.8 µm from the straps at 1 and 2 µm, and then one at every pitch within the rails.
  std::vector<Dbu> at;
  for (const StrapSite& site : ground.found) at.push_back(site.at);
  EXPECT_THAT(at, testing::ElementsAre(2800, 3600, 4400, 5200, 6000, 6800, 7600, 8400, 9200));
  for (const StrapSite& site : ground.found) {
    ASSERT_EQ(site.pieces.size(), 1u);
    EXPECT_EQ(box_of(site.pieces[0]), (Box{site.at - 200, 500, site.at + 200, 18500}));
    ASSERT_EQ(site.contacts.size(), 3u);  // the rails of its net
    EXPECT_EQ(site.contacts[1].place, (Point{site.at, 7000}));
    EXPECT_EQ(site.pieces[0].vias.size(), 3u);
  }
  EXPECT_TRUE(ground.sites.conflict(ground.found[0], ground.found[0]));
  EXPECT_FALSE(ground.sites.conflict(ground.found[0], ground.found[1]));
}

TEST(StrapSites, StayClearOfObstructionsAndOtherMetal) {
  const std::string components =
      "COMPONENTS 1 ;\n- ram RAM + FIXED ( 4000 8000 ) N ;\nEND COMPONENTS\n";  // m2: 4500 … 6500, 9000 … 13000
  const Ground ground(rails("v12", components), 0.4, 0.8, {0, 1});
  const Box obstruction{4500, 9000, 6500, 13000};
  ASSERT_FALSE(ground.found.empty());
  bool is_cut = false;
  for (const StrapSite& site : ground.found)
    for (const NewStrap& piece : site.pieces) {
      EXPECT_GE(apart(box_of(piece), obstruction), 400) << site.at;
      for (const SpecialNet& net : ground.chip.nets)
        for (const LayerBox& wire : net.boxes)
          if (wire.layer == library().layer("m2")) {
            EXPECT_GE(apart(box_of(piece), wire.box), 400);
          }
      is_cut |= piece.to.y == 8600;
    }
  EXPECT_TRUE(is_cut);
  // Of two nets at one place only one may have its strap.
  ASSERT_EQ(ground.found[0].at, ground.found[1].at);
  EXPECT_TRUE(ground.sites.conflict(ground.found[0], ground.found[1]));
}

TEST(StrapSites, AreExtractedAsTheirDefFileIs) {
  const Ground ground(rails(), 0.4, 0.8, {0, 1});
  std::vector<const StrapSite*> some{&ground.found[1], &ground.found[4]};
  const std::vector<NewStrap> straps = ground.sites.straps(some);
  const Chip more = with_straps(ground.chip, straps);
  const auto path = gridiron::test::temporary("straps.def");
  write_edited_def(ground.chip, library(), find_wire_places(ground.chip, library()), {}, straps, path);
  const Chip read = read_def(path.string(), library());
  std::filesystem::remove(path);
  const LayerResistances ohm = lef_resistances(library());
  for (int32_t net = 0; net < 2; ++net) {
    const Network a = extract(library(), more, net, ohm), b = extract(library(), read, net, ohm);
    EXPECT_EQ(a.node_place, b.node_place);
    EXPECT_EQ(a.from, b.from);
    EXPECT_EQ(a.ohm, b.ohm);
    EXPECT_GT(a.resistors(), extract(library(), ground.chip, net, ohm).resistors());
  }
}

TEST(StrapSites, AreJoinedByViasOfTheLibraryWhereTheNetHasNone) {
  const Ground ground(rails(""), 0.4, 0.8);
  ASSERT_FALSE(ground.found.empty());
  EXPECT_EQ(ground.chip.vias[ground.found[0].pieces[0].vias[0].via].name, "v12");
}

std::string refusal(const std::string& layer, double width_um, double pitch_um) {
  const Chip chip = Ground::with_vias(rails());
  try {
    strap_kind(library(), chip, lef_resistances(library()), layer, width_um, pitch_um);
  } catch (const InputError& e) {
    return e.message();
  }
  return "";
}

TEST(StrapSites, RefuseWhatNoStrapCanBeOf) {
  EXPECT_EQ(refusal("m2", 0.4, 0.6), "");
  EXPECT_THAT(refusal("m9", 0.4, 0.8), HasSubstr("no such layer"));
  EXPECT_THAT(refusal("v1", 0.4, 0.8), HasSubstr("layer of cuts"));
  EXPECT_THAT(refusal("m3", 0.4, 0.8), HasSubstr("no resistance"));
  EXPECT_THAT(refusal("m2", 0.05, 0.8), HasSubstr("below the layer's, 0.1 um"));
  EXPECT_THAT(refusal("m2", 0.405, 0.8), HasSubstr("even number of database units"));
  EXPECT_THAT(refusal("m2", 0.402, 0.8), HasSubstr("manufacturing grid"));
  EXPECT_THAT(refusal("m2", 0.4, 0.55), HasSubstr("the least pitch is 0.6 um"));
  EXPECT_THAT(refusal("m2", 0.4, 0.801), HasSubstr("manufacturing grid"));
}

TEST(StrapSites, NeedAViaToSomeWireOfTheNet) {
  Chip chip = chip_of(rails(""), library());  // without the vias of the library
  const StrapKind kind = strap_kind(library(), chip, lef_resistances(library()), "m2", 0.4, 0.8);
  const StrapSites sites(library(), chip, {&kind, 1}, std::vector<double>(library().layers.size(), 1.0));
  EXPECT_THROW(sites.require_reach(0), InputError);
  EXPECT_TRUE(sites.find(std::vector<int32_t>{0}).empty());
}

TEST(StrapSites, WiresThatAreToBeWidenedCountAsWide) {
  const Chip chip = Ground::with_vias(rails());
  const StrapKind kind = strap_kind(library(), chip, lef_resistances(library()), "m2", 0.4, 0.8);
  std::vector<double> factor(library().layers.size(), 1.0);
  factor[kind.layer] = 2;
  const StrapSites sites(library(), chip, {&kind, 1}, factor);
  EXPECT_EQ(sites.find(std::vector<int32_t>{0}).front().at, 3000);
}

}  // namespace
}  // namespace gridiron::layout::test
