// SPDX-License-Identifier: Apache-2.0
// How wide wires may become beside obstructions, pins of signals and wires of other nets.
#include "layout/straps/widening_room.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

constexpr int32_t kM1 = 0, kM2 = 2;

const Library& library() {
  static const Library kLibrary = library_with(
      "LAYER m1\n  TYPE ROUTING ; SPACING 0.1 ;\nEND m1\nLAYER m2\n  TYPE ROUTING ;\n  SPACINGTABLE PARALLELRUNLENGTH "
      "0 1 WIDTH 0 0.1 0.1 WIDTH 0.5 0.1 0.2 ;\nEND m2\n"
      "MACRO BLOCK\n  CLASS BLOCK ;\n  ORIGIN 1 0 ;\n  SIZE 2 BY 2 ;\n  OBS\n    LAYER m1 ; RECT -1 0 1 1 ;\n  END\n"
      "  PIN A\n    DIRECTION INPUT ;\n    PORT\n      LAYER m1 ; RECT -0.5 1.2 0.5 1.3 ;\n    END\n  END A\n"
      "END BLOCK\n");
  return kLibrary;
}

Chip chip_with_nets(const std::string& vdd, const std::string& vss, const std::string& components = "") {
  return chip_of(design(components + "SPECIALNETS 2 ;\n- VDD + USE POWER\n" + vdd + " ;\n- VSS + USE GROUND\n" + vss +
                        " ;\nEND SPECIALNETS\n"),
                 library());
}

std::string wire(const std::string& layer, int width, const std::string& points, bool is_first = true) {
  return std::string(is_first ? "+ ROUTED " : "NEW ") + layer + " " + std::to_string(width) + " + SHAPE STRIPE " +
         points + "\n";
}

std::string block_at(int x, int y) {
  return "COMPONENTS 1 ;\n- b BLOCK + PLACED ( " + std::to_string(x) + " " + std::to_string(y) +
         " ) N ;\nEND COMPONENTS\n";
}

std::vector<double> factors(double m1, double m2) {
  std::vector<double> factor(library().layers.size(), 1.0);
  factor[kM1] = m1, factor[kM2] = m2;
  return factor;
}

WideningRoom::Room room_of_rail(const Chip& chip, double factor) {
  return WideningRoom(library(), chip, factors(factor, 1)).room(0, std::vector<size_t>{0}, 200, true);
}

TEST(WideningRoom, IsWhatObstructionsAndPinsOfSignalsLeave) {
  const std::string rail = wire("m1", 200, "( 500 5000 ) ( 9500 5000 )"),
                    far = wire("m1", 200, "( 500 100 ) ( 900 100 )");
  // Where the obstruction begins 250 above the rail, or the pin ends 250 below it, 100 are SPACING.
  const WideningRoom::Room below = room_of_rail(chip_with_nets(rail, far, block_at(3000, 4650 - 1000)), 3);
  EXPECT_EQ(below.by, StrapMetal::kSignalPin);  // it lies across the rail
  EXPECT_EQ(below.width, 200);
  const WideningRoom::Room obstruction = room_of_rail(chip_with_nets(rail, far, block_at(3000, 5350)), 3);
  EXPECT_EQ(obstruction.by, StrapMetal::kObstruction);
  EXPECT_EQ(obstruction.width, 200 + 2 * 150);
  const WideningRoom::Room pin = room_of_rail(chip_with_nets(rail, far, block_at(3000, 5000 - 350 - 1300)), 3);
  EXPECT_EQ(pin.by, StrapMetal::kSignalPin);
  EXPECT_EQ(pin.width, 200 + 2 * 150);
  const WideningRoom::Room free = room_of_rail(chip_with_nets(rail, far, block_at(3000, 8000)), 2.5);
  EXPECT_FALSE(free.by);
  EXPECT_EQ(free.width, 500);
  // The place of an obstruction that is at the least distance leaves none, nor does one that is nearer.
  for (const int gap : {100, 40, 0})
    EXPECT_EQ(room_of_rail(chip_with_nets(rail, far, block_at(3000, 5100 + gap)), 3).width, 200) << gap;
}

TEST(WideningRoom, IsSharedByNetsThatBothMayBeWidened) {
  // 600 apart, of which 200 are SPACING of what is wider than 500: each may grow by 200.
  const std::string vdd = wire("m2", 400, "( 1000 500 ) ( 1000 9500 )");
  const Chip equal = chip_with_nets(vdd, wire("m2", 400, "( 2000 500 ) ( 2000 9500 )"));
  const WideningRoom both(library(), equal, factors(1, 3));
  EXPECT_EQ(both.room(0, std::vector<size_t>{0}, 400, false).width, 800);
  EXPECT_EQ(both.room(0, std::vector<size_t>{0}, 400, false).by, 1);
  EXPECT_EQ(both.room(1, std::vector<size_t>{0}, 400, false).width, 800);
  EXPECT_EQ(both.room(1, std::vector<size_t>{0}, 400, false).by, 0);
  // A wire of 100 grows by 100 at most, which leaves 350 of 450 to the other one.
  const Chip unequal = chip_with_nets(vdd, wire("m2", 100, "( 1900 500 ) ( 1900 9500 )"));
  const WideningRoom one(library(), unequal, factors(1, 3));
  EXPECT_EQ(one.room(0, std::vector<size_t>{0}, 400, false).width, 400 + 2 * 350);
  EXPECT_EQ(one.room(1, std::vector<size_t>{0}, 100, false).width, 300);
}

TEST(WideningRoom, IsWhatWiresLeaveThatAreWiderAlready) {
  // Each may grow by 200, so that one which has grown by 250 leaves 150, and gets no more itself.
  const std::string vdd = wire("m2", 400, "( 1000 500 ) ( 1000 9500 )");
  const Chip equal = chip_with_nets(vdd, wire("m2", 400, "( 2000 500 ) ( 2000 9500 )"));
  const WideningRoom after(library(), equal, factors(1, 3), {{{1, 0}, 900.0 / 400}});
  EXPECT_EQ(after.room(0, std::vector<size_t>{0}, 400, false).width, 700);
  EXPECT_EQ(after.room(1, std::vector<size_t>{0}, 400, false).width, 800);
  // It is as wide as it is, whatever it may become.
  const WideningRoom less(library(), equal, factors(1, 1.9), {{{1, 0}, 900.0 / 400}});
  EXPECT_EQ(less.room(0, std::vector<size_t>{0}, 400, false).width, 700);
}

TEST(WideningRoom, IsThatOfAllSegmentsOfAWire) {
  const Chip chip = chip_with_nets(wire("m2", 400, "( 1000 500 ) ( 1000 9500 ) ( 5000 9500 )"),
                                   wire("m2", 400, "( 3000 500 ) ( 3000 9000 )"));
  const WideningRoom room(library(), chip, factors(1, 2));
  EXPECT_EQ(room.room(0, std::vector<size_t>{0}, 400, false).width, 800);
  EXPECT_EQ(room.room(0, std::vector<size_t>{0, 1}, 400, false).width, 600);  // 9300 − 9000 less 200 of SPACING
}

TEST(WideningRoom, KeepsSpacingOfAllWiresAtOnce) {
  std::mt19937 random(7);
  const auto any = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  for (int trial = 0; trial < 100; ++trial) {
    std::string nets[2];
    std::vector<int> widths[2];
    for (int x = 500, n = 0; x < 9000; x += any(450, 1500), n = any(0, 1)) {
      const int width = 2 * any(25, 120);
      nets[n] +=
          wire("m2", width, "( " + std::to_string(x) + " 500 ) ( " + std::to_string(x) + " 9500 )", nets[n].empty());
      widths[n].push_back(width);
    }
    if (nets[1].empty()) continue;
    const Chip chip = chip_with_nets(nets[0], nets[1]);
    const WideningRoom room(library(), chip, factors(1, 4));
    std::vector<Box> grown[2];
    for (int32_t n = 0; n < 2; ++n)
      for (size_t b = 0; b < widths[n].size(); ++b) {
        const Dbu by = (room.room(n, std::vector<size_t>{b}, widths[n][b], false).width - widths[n][b]) / 2;
        const Box& box = chip.nets[n].boxes[b].box;
        grown[n].push_back({box.x0 - by, box.y0, box.x1 + by, box.y1});
      }
    for (const Box& a : grown[0])
      for (const Box& b : grown[1]) {
        const Dbu gap = std::max(a.x0, b.x0) - std::min(a.x1, b.x1), widest = std::max(a.width(), b.width());
        EXPECT_GE(gap, widest >= 500 ? 200 : 100) << trial;
      }
  }
}

}  // namespace
}  // namespace gridiron::layout::test
