// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/node_pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <chrono>
#include <string>

#include "netlist/names/node_place.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const InputError& e) {
    return spelled(e.what());
  }
  return "no error";
}

NodePattern::Parts parts_of(const std::string& regex, std::string_view name) {
  const NodePattern pattern(regex);
  NodePattern::Parts parts;
  EXPECT_TRUE(NodePattern::Matcher(pattern).match(name, parts)) << regex << " " << name;
  return parts;
}

bool matches(const std::string& regex, std::string_view name) {
  const NodePattern pattern(regex);
  NodePattern::Parts parts;
  return NodePattern::Matcher(pattern).match(name, parts);
}

TEST(NodePattern, TellsPartsOfNames) {
  const NodePattern::Parts all =
      parts_of(R"((?<net>\w+)_(?<layer>\d+)_0_(?<x>-?\d+)_(?<y>[-.\d]+))", "pw_2_0_-416_12.5");
  EXPECT_EQ(all.net, "pw");
  EXPECT_EQ(all.layer, "2");
  EXPECT_EQ(all.x, -416);
  EXPECT_EQ(all.y, 12.5);
  const NodePattern::Parts tile = parts_of(R"((?<x>\d+)_(?<y>\d+)_(?<layer>m\d))", "1000_2000_M1");
  EXPECT_EQ(tile.layer, "M1") << "names have no case";
  EXPECT_EQ(tile.x, 1000);
  EXPECT_TRUE(tile.net.empty());
  const NodePattern::Parts net = parts_of(R"(.*/(?<net>[^/]*))", "u12/u3/VDD");
  EXPECT_EQ(net.net, "VDD");
  EXPECT_FALSE(net.has_place());
  EXPECT_EQ(parts_of("a_(?P<layer>b)", "a_b").layer, "b") << "as Python spells groups";
  EXPECT_EQ(parts_of("(a|b)(?<layer>c)", "bc").layer, "c") << "other groups only group";
}

TEST(NodePattern, GroupsThatDoNotTakePartTellNothing) {
  const std::string regex = R"((?<net>[a-z]+)(_(?<layer>\d))?(:(?<x>\d+),(?<y>\d+))?)";
  EXPECT_TRUE(parts_of(regex, "vdd").layer.empty());
  EXPECT_FALSE(parts_of(regex, "vdd_1").has_place());
  EXPECT_EQ(parts_of(regex, "vdd:1,2").y, 2);
}

TEST(NodePattern, MatchesWholeNamesAsEcmaScriptDoes) {
  EXPECT_FALSE(matches("(?<net>a)", "ab"));
  EXPECT_FALSE(matches("(?<net>a)", "ba"));
  EXPECT_TRUE(matches("^(?<net>a)$", "a"));
  EXPECT_TRUE(matches(R"((?<net>a\u005fb))", "a_b"));
  EXPECT_TRUE(matches("(?<net>(?!n)[^]*)", "vdd"));
  EXPECT_FALSE(matches("(?<net>(?!n)[^]*)", "n1"));
  EXPECT_TRUE(matches(R"((?<net>.)_\k<net>)", "x_x"));
  EXPECT_TRUE(matches("(?<net>.+)", "\xe9\xff")) << "names are bytes in any encoding";
}

TEST(NodePattern, FaultsAreOneLineThatNamesThePattern) {
  const auto fault = [](const char* regex) { return error_of([&] { const NodePattern pattern(regex); }); };
  EXPECT_EQ(fault("(?<x>\\d+"), "node_pattern (?<x>\\d+: column 9: missing closing parenthesis");
  EXPECT_THAT(fault("(?<net>a)(?<z>b)"), HasSubstr("has a group 'z'; known are net, layer, x and y"));
  EXPECT_THAT(fault("(?<X>1)(?<y>2)"), HasSubstr("has a group 'X'"));
  EXPECT_THAT(fault("(?<x>1)"), HasSubstr("a group x and no y"));
  EXPECT_THAT(fault("(?<y>1)"), HasSubstr("a group y and no x"));
  EXPECT_THAT(fault("a(b)c"), HasSubstr("no group that says what it finds"));
  EXPECT_THAT(fault("(?<net>a)|(?<net>b)"), HasSubstr("node_pattern (?<net>a)|(?<net>b): column"));
  EXPECT_THAT(fault(""), HasSubstr("node_pattern is empty"));
  EXPECT_THAT(fault("(?<net>[[:foo:]])"), HasSubstr("column"));
  EXPECT_THAT(fault("(?<net>(a{60000}){60000})"), HasSubstr("too large"));
  EXPECT_THAT(fault(std::string(5000, '(').c_str()), HasSubstr("column"));
}

TEST(NodePattern, APlaceIsTwoNumbers) {
  const auto fault = [](const char* regex, const char* name) { return error_of([&] { matches(regex, name); }); };
  EXPECT_EQ(fault("(?<x>.*)_(?<y>.*)", "a_1"),
            "node_pattern (?<x>.*)_(?<y>.*): group x of node a_1 is 'a', which is no number");
  for (const char* name : {"1_", "1_0x2", "1_1e400", "1_nan", "1_inf", "1_2 ", "1_1k"})
    EXPECT_THAT(fault("(?<x>1)_(?<y>.*)", name), HasSubstr("group y of node")) << name;
}

TEST(NodePattern, WhatTakesExponentialTimeIsRefused) {
  const std::string name(200, 'a');
  const auto start = std::chrono::steady_clock::now();
  for (const char* regex :
       {"(?<net>(a+)+)[bc]", "(?<net>(a|aa)+)[bc]", "(?<net>(a*)*)[bc]", "(?<net>(.*)*(.*)*(.*)*)[bc]"})
    EXPECT_THAT(error_of([&] { matches(regex, name); }),
                HasSubstr(std::string("node_pattern ") + regex + ": matching node aaa"))
        << regex;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_TRUE(matches("(?<net>(a|b)*)", std::string(1000, 'a')));
  EXPECT_TRUE(matches(R"((?<net>.*)_(?<layer>.*)_(?<x>\d+)_(?<y>\d+))", name + "_b_c_d_e_1_2"));
}

constexpr const char* kTiles =
    "* t\nv1 vdd 0 1\nr1 vdd 1000_2000_M2 1\nr2 1000_2000_M2 1000_2000_M1 1\nr3 1000_2000_M1 3000_2000_M1 1\n.end\n";
const std::string kTile = R"((?<x>\d+)_(?<y>\d+)_(?<layer>M\d+))";

TEST(PlacesByPattern, ReplaceAllConventions) {
  const Circuit c = read_netlist_text(kTiles);
  const NodePlaces p = place_nodes(c, {}, kTile);
  EXPECT_THAT(p.layers, ElementsAre("M1", "M2"));
  EXPECT_EQ(p.placed, 3);
  EXPECT_EQ(p.matched, 3);
  const NodeId node = c.nodes.find("3000_2000_m1");
  EXPECT_EQ(p.x_um[node], 3);
  EXPECT_EQ(p.layers[p.layer[node]], "M1");
  EXPECT_EQ(p.dbu_per_um, 1000);
  EXPECT_TRUE(p.dbu_is_guess);
  EXPECT_EQ(place_nodes(c, 2000.0, kTile).x_um[node], 1.5);
  EXPECT_FALSE(place_nodes(c, 2000.0, kTile).dbu_is_guess);

  const Circuit ibm = read_netlist_text("r1 n1_5_6 n2_5_6 1\nr2 n2_5_6 x_1 1\n");
  const NodePlaces nets = place_nodes(ibm, {}, R"((?<net>n\d)_.*)");
  EXPECT_THAT(nets.nets, ElementsAre("n1", "n2"));
  EXPECT_EQ(nets.placed, 0);
  EXPECT_EQ(nets.dbu_per_um, 0);
  EXPECT_TRUE(std::isnan(nets.x_um[1])) << "the pattern says nothing of places";
}

TEST(PlacesByPattern, ThatMatchNoNodeAreRefused) {
  const Circuit c = read_netlist_text(kTiles);
  EXPECT_THAT(error_of([&] { place_nodes(c, {}, "(?<net>nothing)"); }),
              HasSubstr("no node has a name that it matches, the first one is vdd"));
}

TEST(PlacesByPattern, AreTheSameOnAnyNumberOfThreads) {
  std::string deck = "* t\n";
  for (int i = 0; i < 100'000; ++i) deck += "r" + std::to_string(i) + " a" + std::to_string(i) + "_1_2 b_3_4 1\n";
  const Circuit c = read_netlist_text(deck);
  const int threads = omp_get_max_threads();
  std::vector<NodePlaces> all;
  std::vector<std::string> errors;
  for (const int count : {1, 4}) {
    omp_set_num_threads(count);
    all.push_back(place_nodes(c, {}, R"((?<layer>\w\d?)\d*_(?<x>\d)_(?<y>\d))"));
    errors.push_back(error_of([&] { place_nodes(c, {}, R"((?<x>\w\d*7\d*)_(?<y>\d).*)"); }));
  }
  omp_set_num_threads(threads);
  EXPECT_EQ(all[0].layers, all[1].layers);
  EXPECT_EQ(all[0].layer, all[1].layer);
  EXPECT_EQ(all[0].matched, 100'001);
  EXPECT_EQ(errors[0], errors[1]);
  EXPECT_THAT(errors[0], HasSubstr("group x of node a7_1_2"));
}

}  // namespace
}  // namespace gridiron
