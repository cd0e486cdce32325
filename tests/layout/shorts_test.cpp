// SPDX-License-Identifier: Apache-2.0
// Metal of two nets that touches: by hand, and random shapes against a look at every pair.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <numeric>
#include <random>

#include "layout/extract.hpp"
#include "layout/extract/contacts.hpp"
#include "layout/shorts.hpp"
#include "tests/data.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A cell whose VSS has a wide shape below its VDD rail.
constexpr const char* kCell = R"(MACRO CELL
  CLASS CORE ; SIZE 2 BY 3 ;
  PIN VDD
    USE POWER ; PORT LAYER m1 ; RECT 0 2.9 2 3.1 ; END
  END VDD
  PIN VSS
    USE GROUND ; PORT LAYER m1 ; RECT 0 -0.1 2 0.1 ; RECT 0.5 0 1.5 2 ; END
  END VSS
END CELL
)";

/// The metal of every net of a design.
struct Metals {
  std::vector<Network> networks;
  std::vector<NetMetal> metals;

  Metals(const Library& library, const Chip& chip) : networks(chip.nets.size()) {
    for (size_t n = 0; n < networks.size(); ++n) {
      networks[n] = extract_metal(library, chip, static_cast<int32_t>(n));
      metals.push_back({static_cast<int32_t>(n), &networks[n]});
    }
  }
};

/// "VDD VSS m1 0 0 10 10" per short; nets are given by their wires and called VDD, VSS, VCC.
std::vector<std::string> shorts_of(const std::vector<std::string>& wires, const std::string& before = "") {
  const char* const names[] = {"VDD", "VSS", "VCC"};
  std::string nets = fmt::format("SPECIALNETS {} ;\n", wires.size());
  for (size_t n = 0; n < wires.size(); ++n)
    nets += fmt::format("- {0} ( * {0} ) + USE {1}\n{2} ;\n", names[n], n == 1 ? "GROUND" : "POWER", wires[n]);
  const Library library = library_with(kCell);
  const Chip chip = chip_of(design(before + nets + "END SPECIALNETS\n"), library);
  const Metals metals(library, chip);
  std::vector<std::string> out;
  for (const Short& s : find_shorts(library, metals.metals))
    out.push_back(fmt::format("{} {} {} {} {} {} {}", chip.nets[s.a].name, chip.nets[s.b].name,
                              library.layers[s.layer].name, s.box.x0, s.box.y0, s.box.x1, s.box.y1));
  return out;
}

TEST(Shorts, StrapsThatOverlap) {
  EXPECT_THAT(shorts_of({"+ ROUTED m2 400 + SHAPE STRIPE ( 1000 0 ) ( 1000 9000 )",
                         "+ ROUTED m2 400 + SHAPE STRIPE ( 1300 5000 ) ( 1300 12000 )"}),
              ElementsAre("VDD VSS m2 1100 5000 1200 9000"));
  EXPECT_THAT(shorts_of({"+ ROUTED m2 400 + SHAPE STRIPE ( 1000 0 ) ( 1000 9000 )",
                         "+ ROUTED m1 400 + SHAPE STRIPE ( 0 5000 ) ( 9000 5000 )"}),
              IsEmpty())
      << "they cross on two layers";
}

TEST(Shorts, EdgesThatMeetConductAndCornersDoNot) {
  const std::string strap = "+ ROUTED m1 200 + SHAPE STRIPE ( 0 1000 ) ( 5000 1000 )";
  EXPECT_THAT(shorts_of({strap, "+ ROUTED m1 200 + SHAPE STRIPE ( 2000 1200 ) ( 6000 1200 )"}),
              ElementsAre("VDD VSS m1 2000 1100 5000 1100"));
  EXPECT_THAT(shorts_of({strap, "+ ROUTED m1 200 + SHAPE STRIPE ( 5000 1050 ) ( 6000 1050 )"}),
              ElementsAre("VDD VSS m1 5000 950 5000 1100"));
  EXPECT_THAT(shorts_of({strap, "+ ROUTED m1 200 + SHAPE STRIPE ( 5000 1200 ) ( 6000 1200 )"}), IsEmpty());
  EXPECT_THAT(shorts_of({strap, "+ ROUTED m1 200 + SHAPE STRIPE ( 2000 1201 ) ( 6000 1201 )"}), IsEmpty());
}

TEST(Shorts, APinOfAnInstanceBelowAStrapOfTheOtherNet) {
  const std::string cell = "COMPONENTS 1 ;\n- u1 CELL + PLACED ( 1000 1000 ) N ;\nEND COMPONENTS\n";
  EXPECT_THAT(shorts_of({"+ ROUTED m1 200 + SHAPE STRIPE ( 0 2000 ) ( 9000 2000 )", ""}, cell),
              ElementsAre("VDD VSS m1 1500 1900 2500 2100"));
  EXPECT_THAT(shorts_of({"+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 4000 ) ( 9000 4000 )",
                         "+ ROUTED m1 200 + SHAPE FOLLOWPIN ( 0 1000 ) ( 9000 1000 )"},
                        cell),
              IsEmpty());
}

TEST(Shorts, TheEnclosureOfAViaAndAPinOfTheBlock) {
  EXPECT_THAT(shorts_of({"+ ROUTED m1 200 + SHAPE STRIPE ( 0 1000 ) ( 9000 1000 )",
                         "+ ROUTED m2 100 + SHAPE STRIPE ( 3000 0 ) ( 3000 4000 )\n"
                         "NEW m1 0 + SHAPE STRIPE ( 3000 1120 ) v12"}),
              ElementsAre("VDD VSS m1 2900 1070 3100 1100"));
  EXPECT_THAT(shorts_of({"+ ROUTED m1 200 + SHAPE STRIPE ( 0 1000 ) ( 9000 1000 )", ""},
                        "PINS 1 ;\n- VSS + NET VSS + SPECIAL + DIRECTION INOUT + USE GROUND + LAYER m1 ( -100 -50 ) ( "
                        "100 50 ) + FIXED ( 5000 1000 ) N ;\nEND PINS\n"),
              ElementsAre("VDD VSS m1 4900 950 5100 1050"));
}

/// Pieces that hang together are one short, and each pair of nets and layer has its own.
TEST(Shorts, WhatHangsTogetherIsOne) {
  const std::string comb =
      "+ ROUTED m1 200 + SHAPE STRIPE ( 0 1000 ) ( 9000 1000 )\n"
      "+ RECT m1 ( 500 1000 ) ( 600 3000 ) + RECT m1 ( 900 1000 ) ( 1000 3000 )";
  EXPECT_THAT(shorts_of({comb, "+ ROUTED m1 300 + SHAPE STRIPE ( 0 1100 ) ( 9000 1100 )"}),
              ElementsAre("VDD VSS m1 0 950 9000 1250"));
  EXPECT_THAT(
      shorts_of({comb, "+ RECT m1 ( 0 2000 ) ( 9000 2100 )",
                 "+ RECT m1 ( 550 2500 ) ( 560 9000 ) + RECT m2 ( 0 0 ) ( 10 10 )"}),
      ElementsAre("VDD VSS m1 500 2000 600 2100", "VDD VSS m1 900 2000 1000 2100", "VDD VCC m1 550 2500 560 3000"));
  EXPECT_THAT(shorts_of({"+ RECT m2 ( 0 0 ) ( 9 9 )", comb,
                         "+ RECT m1 ( 0 2000 ) ( 520 2100 )\n"
                         "+ RECT m2 ( 5 5 ) ( 20 20 )"}),
              ElementsAre("VDD VCC m2 5 5 9 9", "VSS VCC m1 500 2000 520 2100"));
}

/// The bounding boxes of both overlap anyway.
TEST(Shorts, PolygonsCountByTheirEdges) {
  const std::string triangle = "+ POLYGON m2 ( 0 0 ) ( 1000 0 ) ( 0 1000 )";
  const auto box = [&](int x, int y) {
    return shorts_of({triangle, fmt::format("+ RECT m2 ( {} {} ) ( 1200 1200 )", x, y)});
  };
  EXPECT_THAT(box(600, 600), IsEmpty());
  EXPECT_THAT(box(500, 500), IsEmpty()) << "its corner is on the edge";
  EXPECT_THAT(box(499, 500), ElementsAre("VDD VSS m2 499 500 1000 1000"));
  EXPECT_THAT(shorts_of({triangle, "+ POLYGON m2 ( 1000 200 ) ( 1000 1000 ) ( 200 1000 )"}), IsEmpty());
  EXPECT_THAT(shorts_of({triangle, "+ POLYGON m2 ( 1000 0 ) ( 1000 1000 ) ( 0 1000 )"}), SizeIs(1))
      << "they share an edge of 45 degrees";
  EXPECT_THAT(shorts_of({triangle, "+ POLYGON m2 ( 1000 0 ) ( 2000 0 ) ( 2000 1000 )"}), IsEmpty());
}

/// A rail of each net with its pins, like two combs, the fingers of one between those of the other.
Network comb(std::mt19937& random, Dbu rail, bool is_below) {
  Network n;
  for (Dbu row = 0; row < 40; ++row) {
    const Dbu y = row * 3000 + rail;
    n.piece_box.push_back({0, y, 200'000, y + 200});
    for (int k = 0; k < 400; ++k) {
      const auto x = static_cast<Dbu>(random() % 200'000), height = static_cast<Dbu>(random() % 1500);
      n.piece_box.push_back({x, is_below ? y - height : y, x + 90, is_below ? y : y + height});
    }
  }
  n.piece_layer.assign(n.piece_box.size(), 0);
  return n;
}

TEST(Shorts, AreTheSameOnAnyNumberOfThreads) {
  std::mt19937 random(5);
  const Library library = library_with("");
  const std::vector<Network> combs = {comb(random, 0, false), comb(random, 1600, true), comb(random, 2500, true)};
  const std::vector<NetMetal> nets = {{0, &combs[0]}, {1, &combs[1]}, {2, &combs[2]}};
  const int threads = omp_get_max_threads();
  std::vector<std::vector<Short>> results;
  for (const int n : {1, 2, 4}) {
    omp_set_num_threads(n);
    results.push_back(find_shorts(library, nets));
  }
  omp_set_num_threads(threads);
  EXPECT_GT(results[0].size(), 100U);
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

bool is_less(const Box& a, const Box& b) { return std::tie(a.x0, a.y0, a.x1, a.y1) < std::tie(b.x0, b.y0, b.x1, b.y1); }

/// Boxes that touch become one, until none do.
std::vector<Box> grouped(const std::vector<Box>& boxes) {
  std::vector<size_t> group(boxes.size());
  std::iota(group.begin(), group.end(), 0);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = 0; i < boxes.size(); ++i)
      for (size_t j = 0; j < boxes.size(); ++j)
        if (group[j] < group[i] && meets(boxes[i], boxes[j])) group[i] = group[j], has_changed = true;
  }
  std::vector<Box> out;
  for (size_t g = 0; g < boxes.size(); ++g) {
    if (group[g] != g) continue;
    Box all = boxes[g];
    for (size_t i = 0; i < boxes.size(); ++i)
      if (group[i] == g)
        all = {std::min(all.x0, boxes[i].x0), std::min(all.y0, boxes[i].y0), std::max(all.x1, boxes[i].x1),
               std::max(all.y1, boxes[i].y1)};
    out.push_back(all);
  }
  std::ranges::sort(out, is_less);
  return out;
}

TEST(Shorts, RandomBoxesAreAsALookAtEveryPairFindsThem) {
  const Library library = library_with("");
  std::mt19937 random(11);
  const auto at = [&](Dbu most) { return static_cast<Dbu>(random() % static_cast<unsigned>(most + 1)); };
  int64_t found = 0;
  for (int round = 0; round < 600; ++round) {
    const Dbu extent = 10 + at(80);
    std::vector<Network> nets(2);
    for (Network& n : nets) {
      for (Dbu i = at(20); i >= 0; --i) {
        const Dbu x = at(extent), y = at(extent), width = 1 + at(extent / 5), height = 1 + at(extent / 8);
        n.piece_box.push_back(round % 2 ? Box{x, y, x + width, y + height} : Box{x, y, x + height, y + width});
      }
      n.piece_layer.assign(n.piece_box.size(), round % 3 ? 0 : 2);  // along x and along y
    }
    std::vector<Box> common_boxes;
    for (const Box& a : nets[0].piece_box)
      for (const Box& b : nets[1].piece_box) {
        const Box both = common(a, b);
        if (meets(a, b) && (both.x0 < both.x1 || both.y0 < both.y1)) common_boxes.push_back(both);
      }
    std::vector<Box> ours;
    for (const Short& s : find_shorts(library, std::vector<NetMetal>{{4, &nets[0]}, {7, &nets[1]}})) {
      EXPECT_EQ(std::tuple(s.a, s.b, s.layer), std::tuple(4, 7, nets[0].piece_layer[0]));
      ours.push_back(s.box);
    }
    found += std::ssize(ours);
    ASSERT_EQ(ours, grouped(common_boxes)) << "round " << round;
  }
  EXPECT_GT(found, 500);
}

/// A box with its corners cut at 45 degrees, or not.
std::vector<Point> octagon(std::mt19937& random) {
  const auto at = [&](Dbu most) { return static_cast<Dbu>(random() % static_cast<unsigned>(most + 1)); };
  const Dbu x0 = at(12), y0 = at(12), x1 = x0 + 1 + at(8), y1 = y0 + 1 + at(8), most = std::min(x1 - x0, y1 - y0) / 2;
  const Dbu a = at(most), b = at(most), c = at(most), d = at(most);
  std::vector<Point> out;
  for (const Point p : {Point{x0 + a, y0}, Point{x1 - b, y0}, Point{x1, y0 + b}, Point{x1, y1 - c}, Point{x1 - c, y1},
                        Point{x0 + d, y1}, Point{x0, y1 - d}, Point{x0, y0 + a}})
    if (out.empty() || (out.back() != p && out.front() != p)) out.push_back(p);
  return out;
}

/// A place, four times as large, is in a shape whose corners are counterclockwise, or on its edge.
bool is_in(const std::vector<Point>& corners, Point quarters) {
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point a = corners[i], b = corners[(i + 1) % corners.size()];
    if ((b.x - a.x) * (quarters.y - 4 * a.y) - (b.y - a.y) * (quarters.x - 4 * a.x) < 0) return false;
  }
  return true;
}

/// Lines along the axes and at 45 degrees through whole places cut the plane into triangles and edges: two shapes
/// conduct if they have the middle of one of these in common.
TEST(Shorts, PolygonsConductWhereTheyHaveMoreThanAPointInCommon) {
  const std::vector<Point> middles = {{2, 1}, {1, 2}, {3, 2}, {2, 3}, {0, 2}, {2, 0}, {1, 1}, {3, 3}, {1, 3}, {3, 1}};
  std::mt19937 random(12);
  int all = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::vector<Point> a = octagon(random), b = octagon(random);
    bool expected = false;
    for (Dbu x = 0; x < 24; ++x)
      for (Dbu y = 0; y < 24; ++y)
        for (const Point m : middles) {
          const Point p{4 * x + m.x, 4 * y + m.y};
          expected = expected || (is_in(a, p) && is_in(b, p));
        }
    ASSERT_EQ(conduct(a, b), expected) << "round " << round;
    ASSERT_EQ(conduct(b, a), expected) << "round " << round;
    all += expected ? 1 : 0;
  }
  EXPECT_GT(all, 1000);
  EXPECT_LT(all, 3000);
}

TEST(Shorts, RealDesignsHaveNone) {
  struct Files {
    const char* def;
    std::vector<const char*> lefs;
  };
  for (const Files& files :
       {Files{"nangate45/gcd.def.gz", {"nangate45/Nangate45.lef.gz"}},
        Files{"nangate45/aes_bterms.def.gz", {"nangate45/Nangate45.lef.gz"}},
        Files{"sky130/gcd_floorplan.def.gz", {"sky130/sky130hd.tlef.gz", "sky130/cells.lef.gz"}}}) {
    GRIDIRON_DATA_OR_SKIP(def, std::string("layout/") + files.def);
    std::vector<std::string> lefs;
    for (const char* lef : files.lefs) lefs.push_back(gridiron::test::data_file(std::string("layout/") + lef));
    const Library library = read_lef(lefs);
    Chip chip = read_def(def, library);
    ASSERT_THAT(chip.nets, SizeIs(2));
    const auto shorts = [&] { return find_shorts(library, Metals(library, chip).metals); };
    EXPECT_THAT(shorts(), IsEmpty()) << files.def;
    chip.nets[1].boxes.push_back(chip.nets[0].boxes.front());
    EXPECT_THAT(shorts(), testing::Not(IsEmpty())) << files.def;
  }
}

}  // namespace
}  // namespace gridiron::layout::test
