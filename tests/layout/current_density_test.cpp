// SPDX-License-Identifier: Apache-2.0
// DCCURRENTDENSITY and ACCURRENTDENSITY of LEF, and the sizes of cuts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layout/cut_sizes.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<CurrentDensity> densities_of(const std::string& statements) {
  const Library library = library_of("LAYER m1\n  TYPE ROUTING ;\n" + statements + "\n  WIDTH 0.1 ;\nEND m1\n");
  EXPECT_EQ(library.layers[0].width_um, 0.1) << "not a width of a table";
  return library.layers[0].densities;
}

TEST(CurrentDensity, NumbersAndTables) {
  const auto densities = densities_of(
      "DCCURRENTDENSITY AVERAGE 2.8 ;\nACCURRENTDENSITY RMS 6.1 ;\n"
      "ACCURRENTDENSITY PEAK FREQUENCY 1 100 ; WIDTH 0.4 0.8 2 ; TABLEENTRIES 9 8 7 6 5 4 ;\n"
      "DCCURRENTDENSITY AVERAGE WIDTH 0.4 0.8 ; TABLEENTRIES 7.5 6.8 ;\nACCURRENTDENSITY AVERAGE 3 ;");
  ASSERT_EQ(densities.size(), 5u);
  EXPECT_EQ(densities[0].kind, EmKind::average);
  EXPECT_EQ(densities[0].statement, "DCCURRENTDENSITY");
  EXPECT_THAT(densities[0].limits, ElementsAre(DoubleEq(2.8e-3))) << "mA are A";
  EXPECT_THAT(densities[0].sizes, IsEmpty());
  EXPECT_EQ(densities[1].kind, EmKind::rms);
  EXPECT_EQ(densities[2].kind, EmKind::peak);
  EXPECT_THAT(densities[2].frequencies_hz, ElementsAre(1e6, 1e8)) << "MHz";
  EXPECT_THAT(densities[2].sizes, ElementsAre(0.4, 0.8, 2));
  EXPECT_THAT(densities[2].limits, ElementsAre(DoubleEq(9e-3), DoubleEq(8e-3), DoubleEq(7e-3), DoubleEq(6e-3),
                                               DoubleEq(5e-3), DoubleEq(4e-3)));
  EXPECT_THAT(densities[3].limits, ElementsAre(DoubleEq(7.5e-3), DoubleEq(6.8e-3)));
  EXPECT_EQ(densities[4].statement, "ACCURRENTDENSITY");
  for (const CurrentDensity& density : densities) EXPECT_EQ(density.fault, "");
}

/// Whoever asks for no rules reads such files, too.
TEST(CurrentDensity, WhatIsWrongIsKeptForThoseWhoUseIt) {
  const auto fault_of = [](const std::string& statement) {
    const auto densities = densities_of(statement);
    EXPECT_EQ(densities.size(), 1u);
    return densities[0].fault;
  };
  EXPECT_THAT(fault_of("DCCURRENTDENSITY AVERAGE -1 ;"), HasSubstr("t.lef:3:26: a current density is not above 0"));
  EXPECT_THAT(fault_of("DCCURRENTDENSITY RMS 1 ;"), HasSubstr("t.lef:3:18: expected AVERAGE, not"));
  EXPECT_THAT(fault_of("ACCURRENTDENSITY MEAN 1 ;"), HasSubstr("expected PEAK, AVERAGE or RMS"));
  EXPECT_THAT(fault_of("ACCURRENTDENSITY RMS FREQUENCY 2 1 ; TABLEENTRIES 1 1 ;"),
              HasSubstr("is not above the one before"));
  EXPECT_THAT(fault_of("ACCURRENTDENSITY RMS FREQUENCY 1 2 ; WIDTH 1 2 ; TABLEENTRIES 1 1 1 ;"),
              HasSubstr("3 current densities, where 4 are expected"));
  EXPECT_THAT(fault_of("DCCURRENTDENSITY AVERAGE WIDTH 1 2 ; 1 2 ;"), HasSubstr("TABLEENTRIES"));
  EXPECT_THAT(fault_of("DCCURRENTDENSITY AVERAGE CUTAREA 1 2 ; TABLEENTRIES 1 2 ;"),
              HasSubstr("t.lef:3:26: expected WIDTH, as this is a layer of wires"));
  const Library cuts = library_of(
      "LAYER via\n  TYPE CUT ;\nDCCURRENTDENSITY AVERAGE WIDTH 1 2 ; TABLEENTRIES 1 2 ;\n"
      "DCCURRENTDENSITY AVERAGE CUTAREA 1 2 ; TABLEENTRIES 1 2 ;\nEND via\n");
  ASSERT_EQ(cuts.layers[0].densities.size(), 2u);
  EXPECT_THAT(cuts.layers[0].densities[0].fault, HasSubstr("expected CUTAREA, as this is a layer of cuts"));
  EXPECT_EQ(cuts.layers[0].densities[1].fault, "");
  EXPECT_THAT(fault_of("DCCURRENTDENSITY AVERAGE ;"), HasSubstr("a current density"));
}

TEST(CutSizes, ByLayerClassAndArea) {
  Library library = library_with("");
  library.layers[1].cut_classes = {{"VA", 0.08, 0.08, 1}, {"VB", 0.08, 0.16, 2}};
  Chip chip;
  chip.dbu_per_um = 1000;
  const auto via = [&](std::vector<Box> cuts) {
    Via made;
    made.bottom = 0, made.cut = 1, made.top = 2, made.cuts = std::move(cuts);
    chip.vias.push_back(std::move(made));
  };
  via({{0, 0, 80, 80}, {100, 0, 180, 80}});
  via({{0, 0, 160, 80}});
  via({{0, 0, 80, 160}});  // turned
  via({{0, 0, 80, 80}, {100, 0, 180, 160}});
  via({{0, 0, 50, 50}});
  via({});
  const CutSizes sizes = cut_sizes(library, chip);
  ASSERT_EQ(sizes.of_via.size(), 6u);
  const auto of = [&](size_t k) { return sizes.sizes[sizes.of_via[k]]; };
  EXPECT_EQ(of(0).cut_class, 0);
  EXPECT_NEAR(of(0).um2, 0.0064, 1e-12);
  EXPECT_EQ(of(1).cut_class, 1);
  EXPECT_EQ(of(1).counts_for, 2);
  EXPECT_EQ(sizes.of_via[1], sizes.of_via[2]);
  EXPECT_EQ(of(3).um2, 0) << "of several sizes";
  EXPECT_EQ(of(3).layer, 1);
  EXPECT_EQ(of(4).cut_class, -1);
  EXPECT_EQ(of(4).counts_for, 1);
  EXPECT_EQ(sizes.of_via[5], -1);
}

}  // namespace
}  // namespace gridiron::layout::test
