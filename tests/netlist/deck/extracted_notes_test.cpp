// SPDX-License-Identifier: Apache-2.0
// What extraction writes into comments: DSPF's `*|`, and `$` behind resistors.

#include "netlist/extracted/extracted_notes.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "netlist/extracted/card_annotations.hpp"
#include "netlist/extracted/dspf_comment.hpp"
#include "netlist/names/node_place.hpp"
#include "netlist/names/sink_comment.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// With and without a newline behind the line.
DspfComment read_dspf_comment(const std::string_view line) {
  static std::string text;
  for (const char* end : {"\nR1 a b 1 $lvl=9\n", ""}) {
    text = std::string(line) + end;
    DspfComment comment;
    EXPECT_EQ(gridiron::read_dspf_comment(text.data(), text.data() + text.size(), comment), text.data() + line.size());
    if (*end == '\0') return comment;
  }
  return {};
}

/// "1,2 3,4um": of both nodes, with um where the place has units of its own.
std::string place_of(const CardAnnotation& note) {
  std::string text;
  for (const auto& place : {note.place(), note.second_place()})
    text += place ? fmt::format("{:g},{:g}{} ", place->x, place->y, place->is_in_um ? "um" : "") : "none ";
  return text;
}

CardAnnotation read_annotation(const std::string_view line) {
  static std::string text;
  CardAnnotation alone;
  EXPECT_EQ(gridiron::read_annotation(line.data(), line.data() + line.size(), alone), line.data() + line.size());
  text = std::string(line) + "\n+ $w=7 $lvl=7 $a=7 $x=7 $y=7\n";
  CardAnnotation note;
  EXPECT_EQ(gridiron::read_annotation(text.data(), text.data() + text.size(), note), text.data() + line.size());
  EXPECT_TRUE(note.width_um == alone.width_um || (std::isnan(note.width_um) && std::isnan(alone.width_um))) << line;
  EXPECT_EQ(note.layer, alone.layer) << line;
  EXPECT_EQ(note.has_area, alone.has_area) << line;
  note.end = text.data() + line.size(), alone.end = line.data() + line.size();
  EXPECT_EQ(place_of(note), place_of(alone)) << line;
  return note;
}

struct Note {
  const char* text;
  double width;
  const char* layer;
};

TEST(ExtractedNotes, AnnotationsOfCards) {
  for (const Note& n : {
           Note{"$w=0.1 $l=2.5 $lvl=3", 0.1, "3"},
           Note{"$W=0.1u $L=2.5U $LAYER=M3", 0.1, "M3"},
           Note{"$w=1e-07 $l=2.5e-6", 0.1, ""},
           Note{"$[rm1] $w = 100n $SUB=vss", 0.1, ""},
           Note{"$.MODEL=rm1 $w=0.1 $D=2", 0.1, ""},
           Note{"$lvl=7 $a=0.0049", 0, "7"},
           Note{"$metal2", 0, "metal2"},
           Note{"$M3 $w=0.1", 0.1, "M3"},
           Note{"$w=0.1 $M3\r", 0.1, "M3"},
           Note{"$via1 $layer=metal1", 0, "metal1"},
           Note{"$spare2 $m2x", 0, ""},
           Note{"$w", 0, ""},
           Note{"$w=.5 $lvl=3", 0.5, "3"},
           Note{"$w=0.5x $w=0.25k", 250e6, ""},
           Note{"$w=5e-1$lvl=4", 0.5, "4"},
           Note{"$w=5e-1$M4", 0.5, ""},
           Note{"$w=0.00002 $lvl", 20, ""},
           Note{"$w=0 $lvl=3", 0, "3"},
           Note{"$a=w=0.5", 0, ""},
           Note{"$a=b=w=0.5", 0, ""},
           Note{"$w,=5 $v1", 0, "v1"},
           Note{"$lvl= $m2 = 4 $via3", 0, "via3"},
           Note{"$", 0, ""},
           Note{"$tc1=0.1 $width=3", 0, ""},
           Note{"$w=0.5 ; $w=2 $lvl=3", 0.5, ""},
           Note{"$w=0.5;$lvl=3", 0.5, ""},
           Note{"$w=0.33 um wide, x = 5, layer=M4 $lvl=3", 0.33, "3"},
       }) {
    const CardAnnotation found = read_annotation(n.text);
    EXPECT_NEAR(found.width_um, n.width, 1e-12) << n.text;
    EXPECT_EQ(found.layer, n.layer) << n.text;
  }
  EXPECT_TRUE(read_annotation("$A=0.01 $lvl=12").has_area);
  EXPECT_FALSE(read_annotation("$area=0.01").has_area);
}

/// What somebody wrote for people, though it has words of annotations.
TEST(ExtractedNotes, ProseIsNoAnnotation) {
  for (const char* text :
       {"$ R=1 at w = 0.33 um", "$ w=0.1 l=2.5 layer=M3", "$ $w=0.5 $lvl=3", "$ m2 is full", "$m2 is full", "$M3 w=0.5",
        "$m2 lvl=3 and w=0.5", "$see a=5, x=3 y=4 w=2 lvl=3", "$-w=3", "$rev2 of w=0.5", "$(w=0.5)", "$=0.5 w=3"}) {
    const CardAnnotation found = read_annotation(text);
    EXPECT_EQ(found.width, nullptr) << text;
    EXPECT_EQ(found.layer, "") << text;
    EXPECT_FALSE(found.has_area) << text;
    EXPECT_EQ(place_of(found), "none none ") << text;
  }
}

TEST(ExtractedNotes, AWidthThatIsNoneIsKnownAsSuch) {
  for (const char* text : {"$w=x $l=-1", "$w=1.5.2 $lvl=3", "$w=0.1x", "$w=", "$w= $lvl=3", "$w = = 5", "$w= lvl=3",
                           "$w=0.5 $w=wide", "$w=1e999", "$w=5V"})
    EXPECT_TRUE(std::isnan(read_annotation(text).width_um)) << text;
  EXPECT_EQ(read_annotation("$w=-0.5").width_um, -0.5);
}

TEST(ExtractedNotes, PlacesOfAnnotations) {
  for (const auto& [text, places] : std::vector<std::pair<const char*, const char*>>{
           {"$X=0 $Y=2.5", "0,2.5 0,2.5 "},
           {"$l=1", "none none "},
           {"$X=-1.25 $Y=1e3", "-1.25,1000 -1.25,1000 "},
           {"$x=1 $y=2 $x2=3 $Y2=4", "1,2 3,4 "},
           {"$x=1 $y=2 $x2=3", "1,2 none "},
           {"$X=5u $Y=2.5um", "5,2.5um 5,2.5um "},
           {"$X=0 $Y=250n", "0,0.25um 0,0.25um "},
           {"$X=1 $Y=250n", "none none "},
           {"$X=1e-5 $Y=0.00015", "1e-05,0.00015 1e-05,0.00015 "},
           {"$X=left $Y=", "none none "},
           {"$X=1", "none none "},
           {"$X=1 $Y=2V", "none none "},
       })
    EXPECT_EQ(place_of(read_annotation(text)), places) << text;
}

TEST(ExtractedNotes, CommentsOfDspf) {
  using Kind = DspfComment::Kind;
  struct Line {
    const char* text;
    Kind kind;
    size_t nodes;
  };
  for (const Line& l : {
           Line{"*|DSPF 1.5", Kind::none, 0},
           Line{"*|NET VDD 12.5PF", Kind::none, 0},
           Line{"*|NET", Kind::malformed, 0},
           Line{"*|GROUND_NET VSS", Kind::none, 0},
           Line{"*|DIVIDER /", Kind::none, 0},
           Line{"*|DELIMITER :", Kind::none, 0},
           Line{"*|S (VDD:1 10.5 2)", Kind::nodes, 1},
           Line{"*|S (VDD:1 10.5 2) // $llx=1 $lvl=4", Kind::nodes, 1},
           Line{"*|S (VDD:1)", Kind::nodes, 1},
           Line{"*|S (a 1 2) (b 3 4)", Kind::nodes, 2},
           Line{"*|S VDD:1 10.5 2", Kind::malformed, 0},
           Line{"*|S (VDD:1 10.5", Kind::malformed, 0},
           Line{"*|S (VDD:1 x y)", Kind::malformed, 0},
           Line{"*|S (VDD:1 10.5)", Kind::malformed, 0},
           Line{"*|S (VDD:1 1e-5 2E+0)", Kind::nodes, 1},
           Line{"*|S (VDD:1 10.5u 0)", Kind::nodes, 1},
           Line{"*|S (VDD:1 10.5u 3)", Kind::malformed, 0},
           Line{"*|S (VDD:1 10.5pF 3pF)", Kind::malformed, 0},
           Line{"*|S", Kind::malformed, 0},
           Line{"*|S ()", Kind::malformed, 0},
           Line{"*|P (VDD X 0.1PF 0 5)", Kind::nodes, 1},
           Line{"*|P (VDD X 0)", Kind::nodes, 1},
           Line{"*|P (VDD)", Kind::malformed, 0},
           Line{"*|I (XI1/M2:VDD XI1/M2 VDD I 0.1PF 3 4)", Kind::nodes, 1},
           Line{"*|i (XI1:VDD XI1 VDD I 0)\r", Kind::nodes, 1},
           Line{"*|I (XI1:VDD XI1 VDD)", Kind::malformed, 0},
           Line{"*|", Kind::none, 0},
       }) {
    const DspfComment found = read_dspf_comment(l.text);
    EXPECT_EQ(found.kind, l.kind) << l.text;
    if (l.kind == Kind::nodes) {
      EXPECT_EQ(found.nodes.size(), l.nodes) << l.text;
    }
  }
  const DspfComment pin = read_dspf_comment("*|I (XI1/M2:VDD XI1/M2 VDD I 0.1PF 3 4) // $lvl=2");
  EXPECT_EQ(pin.nodes[0].name, "XI1/M2:VDD");
  EXPECT_EQ(pin.nodes[0].instance, "XI1/M2");
  EXPECT_EQ(pin.nodes[0].pin, "VDD");
  EXPECT_EQ(pin.nodes[0].y, 4);
  EXPECT_EQ(pin.layer, "2");
  EXPECT_TRUE(std::isnan(read_dspf_comment("*|S (a)").nodes[0].x));
  EXPECT_EQ(read_dspf_comment("*|S (a 1e-5 2)").nodes[0].x, 1e-5) << "um, as all of DSPF's";
  EXPECT_NEAR(read_dspf_comment("*|P (a X 0 1.5mm 20u)").nodes[0].x, 1500, 1e-9);
}

const std::string kGrid =
    "*|DSPF 1.5\n*|DIVIDER /\n.subckt chip VDD\n*|GROUND_NET 0\n*|NET VDD 1PF\n*|P (VDD X 0 0 0)\n"
    "*|I (XI1:VDD XI1 VDD I 0 30 20)\n*|S (VDD:1 10 0)\n*|S (vdd:2 10.5 20) $lvl=10\n*|S (VDD:9 1 1)\n"
    "R1 VDD VDD:1 1.5 $l=10 $w=0.4 $lvl=10\nR2 VDD:1 VDD:2 2 $l=20 $w=0.2 $lvl=10\nR3 VDD:2 VDD:3 4 $lvl=v5 $a=0.01\n"
    "R4 VDD:3 XI1:VDD 2 $w=0.1 $lvl=2 $X=12 $Y=13\nR5 VDD:3 VDD:4 1\n+ $w=1\nI1 XI1:VDD 0 1m\n.ends\n";

Circuit read(const std::string& deck, const std::string& top = "chip") {
  ReadOptions options;
  options.top = top;
  return read_netlist_text(deck, "<text>", options);
}

TEST(ExtractedNotes, PlacesLayersWidthsAndPins) {
  const Circuit circuit = read(kGrid + ".end\n");
  ASSERT_THAT(circuit.findings, SizeIs(1)) << circuit.findings.back().message;
  EXPECT_EQ(circuit.findings[0].code, "dialect");
  ASSERT_TRUE(circuit.placement);
  const Placement& placement = *circuit.placement;
  std::vector<double> widths;
  for (int64_t i = 0; i < circuit.resistors.size(); ++i) widths.push_back(placement.width_um(i));
  EXPECT_THAT(widths, ElementsAre(0.4, 0.2, 0, 0.1, 1)) << "of the last one the second line of its card tells";
  const NodePlaces places = place_nodes(circuit);
  EXPECT_THAT(places.layers, ElementsAre("2", "10"));
  EXPECT_EQ(places.dbu_per_um, 1);
  EXPECT_EQ(places.placed, 5);
  const auto expect = [&](const char* node, double x, double y, int32_t layer) {
    const NodeId n = circuit.nodes.find(node);
    ASSERT_GT(n, 0) << node;
    EXPECT_EQ(places.x_um[n], x) << node;
    EXPECT_EQ(places.y_um[n], y) << node;
    EXPECT_EQ(places.layer[n], layer) << node;
  };
  expect("VDD", 0, 0, 1);
  expect("VDD:1", 10, 0, 1);
  expect("VDD:2", 10.5, 20, 1);
  expect("VDD:3", 12, 13, 0);
  expect("XI1:VDD", 30, 20, 0);
  EXPECT_EQ(circuit.nodes.find("VDD:9"), -1) << "no node comes from a comment";
  EXPECT_EQ(place_nodes(circuit, 1000).x_um[circuit.nodes.find("VDD:1")], 0.01);
  EXPECT_EQ(sink_name(circuit, 0).text(), "XI1/VDD");
}

/// The layers of the nodes n:0, n:1 … of a deck, "-" where there is none.
std::string layers_of_nodes(const std::string& deck) {
  const Circuit circuit = read("* t\nv1 n:0 0 1\n" + deck + ".end\n", "");
  const NodePlaces places = place_nodes(circuit);
  std::string text;
  for (int i = 0; circuit.nodes.find("n:" + std::to_string(i)) >= 0; ++i) {
    const int32_t layer = places.layer[circuit.nodes.find("n:" + std::to_string(i))];
    text += (i == 0 ? "" : " ") + (layer < 0 ? "-" : places.layers[layer]);
  }
  return text;
}

TEST(ExtractedNotes, ALayerIsThatOfWiresThenOfVias) {
  EXPECT_EQ(layers_of_nodes("r1 n:0 n:1 1 $w=1 $lvl=3\nr2 n:1 n:2 1 $a=0.01 $lvl=12\n"), "3 3 12");
  EXPECT_EQ(layers_of_nodes("r2 n:1 n:2 1 $a=0.01 $lvl=12\nr1 n:0 n:1 1 $w=1 $lvl=3\n"), "3 3 12");
  EXPECT_EQ(layers_of_nodes("r1 n:0 n:1 1 $layer=via1\nr2 n:1 n:2 1 $layer=metal2\n"), "via1 metal2 metal2");
  EXPECT_EQ(layers_of_nodes("r1 n:0 n:1 1 $metal2\nr2 n:1 n:2 1 $via2\nr3 n:2 n:3 1 $w=2 $lvl=metal3\n"),
            "metal2 metal2 metal3 metal3");
  EXPECT_EQ(layers_of_nodes("r1 n:0 n:1 1 $ m2 here\nr2 n:1 n:2 1 $spare\n"), "- - -");
}

TEST(ExtractedNotes, ATableNamesLayers) {
  const std::string cards = "*|S (n:0 1 2) // $lvl=5\nr1 n:0 n:1 1 $w=1 $lvl=4\nr2 n:1 n:2 1 $a=1 $lvl=12\n";
  for (const char* table : {"*|LAYER_MAP\n*0 SUBSTRATE\n* 4 M4\n* 5 M5 gds 35\n*12 V4\r\n* other\n*4 X\n",
                            "* LAYER_MAP\n*4 M4\n*5 M5\n*12 V4\n", "*|Layer_map 4 M4\n*|5 M5\n*|12 V4\n",
                            "*|LAYER_MAP 4 M4\n*|LAYER_MAP 5 M5\n*|LAYER_MAP 12 V4\n"}) {
    EXPECT_EQ(layers_of_nodes(table + cards), "M5 M4 V4") << table;
    EXPECT_EQ(layers_of_nodes(cards + table), "M5 M4 V4") << table;
  }
  EXPECT_EQ(layers_of_nodes("*|LAYER_MAPPING\n*4 M4\n" + cards), "5 4 12");
  const Circuit empty = read("* t\n*|LAYER_MAP\n* four M4\nv1 a 0 1\nr1 a 0 1\n.end\n", "");
  ASSERT_EQ(empty.findings.size(), 1u);
  EXPECT_EQ(empty.findings[0].code, "comment-not-understood");
  EXPECT_EQ(empty.findings[0].place, "<text>:2:1");
}

TEST(ExtractedNotes, ASourceIsCalledAfterThePinsOfAnInstance) {
  const std::string pins = "* t\n*|I (u1:VDD u1 VDD B 0)\n*|I (u1:VSS u1 VSS B 0)\n*|I (u2:VSS u2 VSS B 0)\n";
  const std::string grid = "v1 u1:VDD 0 1\nv2 u1:VSS 0 0\nr1 u1:VSS u2:VSS 1\nr2 u1:VSS q 1\n";
  for (const auto& [card, name] : std::vector<std::pair<std::string, std::string>>{{"i1 u1:VDD 0 1m\n", "u1/VDD"},
                                                                                   {"i1 0 u1:VSS 1m\n", "u1/VSS"},
                                                                                   {"i1 u1:VDD u1:VSS 1m\n", "u1"},
                                                                                   {"i1 u1:VDD q 1m\n", "u1/VDD"},
                                                                                   {"i1 u1:VDD u2:VSS 1m\n", ""},
                                                                                   {"i1 q 0 1m\n", ""}})
    EXPECT_EQ(pin_name(read(pins + grid + card + ".end\n", ""), 0).text(), name) << card;
}

TEST(ExtractedNotes, NamesMayStandInQuotes) {
  EXPECT_EQ(layers_of_nodes("r1 \"n:0\" n:1 1 $w=1 $lvl=3\nr2 n:1 \"n:2\" 2\n*|S (\"n:2\" 1 2) // $lvl=4\n"), "3 3 4");
  EXPECT_EQ(layers_of_nodes("r1 n:0 n:1 R=1 $w=1 $lvl=3\n"), "3 3") << "a card that is not plain";
  const Circuit circuit = read(
      "* t\nv1 \"a#1\" 0 1\nx1 \"A#1\" b s\n.subckt s \"p\" q\nr1 p \"q\" 1\n.ends\ni1 b \"0\" 1m\nc1 b \"0\" "
      "1p\n.end\n",
      "");
  EXPECT_EQ(circuit.node_count(), 3);
  EXPECT_EQ(circuit.current_sources.b.at(0), kGround);
  for (const char* card : {"r1 \"a 0 1\n", "r1 \"\" 0 1\n", "r1 \"a b\" 0 1\n", "r1 a 0 \"1\"\n"})
    EXPECT_THROW(read(std::string("* t\n") + card + ".end\n", ""), InputError) << card;
}

TEST(ExtractedNotes, WhatIsMalformedIsTold) {
  const Circuit circuit = read("* t\n*|S (a 1 2\n*|I (a b)\n*|UNKNOWN x\n* |S (\nv1 a 0 1\nr1 a 0 1\n.end\n", "");
  ASSERT_EQ(circuit.findings.size(), 2u);
  EXPECT_EQ(circuit.findings[0].code, "comment-not-understood");
  EXPECT_EQ(circuit.findings[0].place, "<text>:2:1");
  EXPECT_EQ(circuit.findings[1].place, "<text>:3:1");
  EXPECT_FALSE(circuit.placement);
}

std::filesystem::path folder_of(const std::string& test) {
  const std::filesystem::path folder = test::temporary("extracted_notes_" + test);
  std::filesystem::create_directories(folder);
  return folder;
}

/// Widths in µm by name, and the layer of the first node of each where there is one.
std::string notes_of_resistors(const std::string& deck, const ReadOptions& options = {}) {
  const Circuit circuit = read_netlist_text(deck, "<text>", options);
  const NodePlaces places = place_nodes(circuit);
  std::string text;
  for (int64_t i = 0; i < circuit.resistors.size(); ++i) {
    const int32_t layer = places.layer[circuit.resistors.a[i]];
    text += circuit.element_name(kResistor, i) + "=" + fmt::format("{:g}", circuit.placement->width_um(i)) +
            (layer < 0 ? "" : "@" + places.layers[layer]) + " ";
  }
  return text;
}

/// Codes and places of the findings but for `dialect`, and what the last one says.
std::string findings_of(const Circuit& circuit) {
  std::string all;
  for (const ReadFinding& f : circuit.findings)
    if (f.code != "dialect") all += f.code + " " + f.place + ": " + f.message + "\n";
  return all;
}

TEST(ExtractedNotes, WidthsAndPlacesThatAreNoneAreTold) {
  using testing::HasSubstr;
  const auto findings = [](const std::string& cards) {
    return findings_of(read("* t\nv1 a 0 1\n" + cards + ".end\n", ""));
  };
  EXPECT_EQ(findings("r1 a b 1 $w=0 $lvl=3\nr2 b 0 1 $w=199999 $X=1 $Y=2\n"), "");
  for (const char* width : {"0.1x", "-0.5", "200000", "wide", "1e-9n", "5V"})
    EXPECT_THAT(findings("r1 a b 1 $w=1\nr2 b 0 1 $lvl=3 $w=" + std::string(width) + "\n"),
                HasSubstr("comment-not-understood <text>:4:20: the width behind this resistor"))
        << width;
  const std::string three = findings("r1 a b 1 tc1=0 $w=1..2\nr2 b c 1 $w=x\nr3 c 0 1 $w=-1\n");
  EXPECT_THAT(three, HasSubstr("<text>:3:19: "));
  EXPECT_THAT(three, HasSubstr("(3 of them) and is not used"));
  EXPECT_THAT(findings("x1 a b s\nx2 b 0 s\n.subckt s p q\nr1 p q 1 $w=x\n.ends\n"),
              testing::AllOf(HasSubstr("<text>:6:13: "), testing::Not(HasSubstr("of them"))))
      << "one card";
  EXPECT_THAT(findings("r1 a b 1 $X=1\nr2 b 0 1 $X=1 $Y=here\n"),
              HasSubstr("<text>:3:13: the place behind this resistor is none, such as $X=1.5 $Y=2 in um or $X=1.5u "
                        "$Y=2u, (2 of them)"));
}

TEST(ExtractedNotes, ThePlaceThatIsReadFirstCounts) {
  const std::string end = "v1 a 0 1\nr1 a b 1\nr2 b 0 1\n.end\n";
  const auto place = [](const Circuit& circuit, const char* node) {
    const NodePlaces places = place_nodes(circuit);
    const NodeId n = circuit.nodes.find(node);
    return std::pair(places.x_um[n], places.layer[n] < 0 ? "-" : places.layers[places.layer[n]]);
  };
  const Circuit same = read("* t\n*|S (a 1 2)\n*|P (a X 0 1.001 2)\n*|S (a 1 2) $lvl=3\n" + end, "");
  EXPECT_EQ(findings_of(same), "");
  const Circuit other = read("* t\n*|S (a 1 2)\n*|S (a 5 2)\n*|S (b 1 1) $lvl=3\n*|S (b 1 1) $lvl=4\n" + end, "");
  EXPECT_EQ(findings_of(other),
            "comments-contradict <text>:3:6: this comment tells another place or layer of node a than one that is read "
            "before (2 of them); the first one counts\n");
  EXPECT_EQ(place(other, "a").first, 1);
  EXPECT_EQ(place(other, "b").second, "3");
  const std::filesystem::path folder = folder_of("include");
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  write("inner.sp", "*|S (b 7 7)\n");
  write("first.sp", "*|S (a 1 1)\n.include inner.sp\n*|S (b 8 8)\n");
  const Circuit of_files = read_netlist(write("deck.sp", "* t\n.include first.sp\n*|S (a 3 3)\n*|S (b 3 3)\n" + end));
  EXPECT_EQ(place(of_files, "a").first, 1);
  EXPECT_EQ(place(of_files, "b").first, 7);
  EXPECT_THAT(findings_of(of_files),
              testing::AllOf(testing::HasSubstr("first.sp:3:6: "), testing::HasSubstr("(3 of them)")));
}

TEST(ExtractedNotes, DatabaseUnitsCountForNumbersAlone) {
  const std::string deck =
      "* t\n*|S (a 2000 1000)\n*|S (b 2u 1u)\nv1 a 0 1\nr1 a b 1 $w=0.5\nr2 b c 1\nr3 c d 1 $X=4000 $Y=0 $X2=3u "
      "$Y2=0\nr4 d 0 1\n.end\n";
  for (const auto& [dbu, expected] :
       std::vector<std::pair<double, std::vector<double>>>{{1, {2000, 2, 4000, 3}}, {1000, {2, 2, 4, 3}}}) {
    const Circuit circuit = read(deck, "");
    const NodePlaces places = place_nodes(circuit, dbu == 1 ? std::nullopt : std::optional(dbu));
    std::vector<double> x;
    for (const char* node : {"a", "b", "c", "d"}) x.push_back(places.x_um[circuit.nodes.find(node)]);
    EXPECT_EQ(x, expected) << dbu;
    EXPECT_EQ(circuit.placement->width_um(0), 0.5) << "always um";
  }
}

/// The same annotation and name behind a card that is read in few steps and behind others.
TEST(ExtractedNotes, OneMeaningInAllDialectsAndPlaces) {
  for (size_t d = 0; d < kDialects; ++d)
    for (const char* behind : {"$w=0.5", "$w=0.5 $N_5", "$[rm] $w=0.5", "$M3 $w=0.5", "$w = 0.5 $ text", "$W=0.5u"})
      for (const char* value : {"1", "{1}", "1 m=1", "R=1", "R={1}", "1 tc1=0", "\n+ 1", "1\n+ m=1", "'1'"}) {
        ReadOptions options;
        options.dialect = static_cast<Dialect>(d);
        const std::string card = fmt::format("r1 b a {} {}\n", value, behind);
        const bool has_layer = std::string_view(behind).starts_with("$M3");
        EXPECT_EQ(notes_of_resistors("* t\nv1 a 0 1\n" + card + ".end\n", options),
                  has_layer ? "r1=0.5@M3 " : "r1=0.5 ")
            << name_of(options.dialect) << " " << card;
      }
  ReadOptions pspice;
  pspice.dialect = Dialect::pspice;
  const std::string nodes =
      "* t\nv1 $N_1 0 1 $X=1\nr1 $N_1 $N_2 {1} $w=0.5 $N_5\nx1 $N_2 s $X=1 $Y=2\ne1 $N_3 0 $N_1 0 2 "
      "$w=1\nr2 $N_3 0 1 $N_5\ni1 $N_3 0 1m $N_5\nc1 $N_3 0 1p m=1 $[cm]\n.subckt s p\nr3 p 0 "
      "1 m=2 $w=0.25\n.ends\n.end\n";
  const Circuit circuit = read_netlist_text(nodes, "<text>", pspice);
  EXPECT_EQ(findings_of(circuit), "");
  EXPECT_EQ(circuit.nodes.find("$N_5"), -1);
  EXPECT_EQ(circuit.placement->width_um(0), 0.5);
  EXPECT_EQ(circuit.placement->width_um(2), 0.25);
}

TEST(ExtractedNotes, InsideOfSubcircuitsTheyAreOfOtherNodes) {
  const Circuit circuit = read("* t\nv1 VDD 0 1\nr1 VDD VDD:1 1\nr2 VDD:1 0 1\nx1 VDD chip\n" + kGrid + ".end\n", "");
  for (const Placement::NodePlace& place : circuit.placement->node_places) EXPECT_TRUE(std::isnan(place.x_um));
  EXPECT_THAT(findings_of(circuit),
              testing::HasSubstr("places-in-subcircuits <text>:11:6: this place in a subcircuit"));
  EXPECT_THAT(findings_of(circuit), testing::HasSubstr("(6 of them)"));
  const std::string unused = "* t\nv1 VDD 0 1\nr1 VDD VDD:1 1\nr2 VDD:1 0 1\n" + kGrid + ".end\n";
  EXPECT_THAT(findings_of(read(unused, "")), testing::Not(testing::HasSubstr("places-in-subcircuits")));
}

/// Places of a cell are none on the chip, in whatever file it stands; widths are those of each instance.
TEST(ExtractedNotes, PlacesOfSubcircuitsAreNotUsed) {
  const std::filesystem::path folder = folder_of("subcircuit");
  std::ofstream(folder / "body.inc") << "*|S (b 1 1) $lvl=9\nr1 p b 1 $w=0.5 $X=1 $Y=1\nr2 b q 1\n";
  std::ofstream(folder / "deck.sp") << "* t\nv1 a 0 1\nx1 a b s\nx2 a b s\nr9 b 0 1\n.subckt s p q\n.include "
                                       "body.inc\n.ends\n.end\n";
  const Circuit circuit = read_netlist((folder / "deck.sp").string());
  const NodePlaces places = place_nodes(circuit);
  EXPECT_EQ(places.placed, 0);
  EXPECT_EQ(places.layer[circuit.nodes.find("b")], -1);
  EXPECT_EQ(circuit.placement->width_um(1), 0.5);
  EXPECT_EQ(circuit.placement->width_um(3), 0.5);
  EXPECT_THAT(findings_of(circuit), testing::HasSubstr("body.inc:1:6: this place in a subcircuit"));
  std::ofstream(folder / "deck.sp") << "* t\nv1 p 0 1\nr9 b 0 1\n.subckt s p q\n.include body.inc\n.ends\n.end\n";
  ReadOptions top;
  top.top = "s";
  EXPECT_EQ(place_nodes(read_netlist((folder / "deck.sp").string(), top)).placed, 2);
}

TEST(ExtractedNotes, AnnotationsAreThoseOfTheirCard) {
  const std::string begin = "* t\nv1 a 0 1\n", end = "r9 z 0 1 $w=9 $lvl=9\n.end\n";
  for (const auto& [cards, notes] : std::vector<std::pair<std::string, std::string>>{
           {"R1 b a 1 $L=1.5 $W=0.5 $LAYER=M3\n", "R1=0.5@M3"},
           {"r1 b a 1 $w=0.5 $lvl=3 $w=0.25 $lvl=4\n", "r1=0.25@4"},
           {"r1 b a 1 $w=0.5 $layer=M3 $lvl=\n", "r1=0.5"},
           {"r1 b a 1 $w=1.5.2 $lvl=3\n", "r1=0@3"},
           {"r1 b a 1 $w=0.5 $lvl=3\n+ $w=7\n", "r1=7@3"},
           {"r1 b a 1\n+ $w=7 $lvl=7\n", "r1=7@7"},
           {"r1 b a\n* $w=5\n\n+ 1 $w=0.5\n+ $lvl=3\n", "r1=0.5@3"},
           {"r1 b a$M3 1 m=1 $w=0.5\n", "r1=0.5"},
           {"r1 b a 1 ; costs $w=5 $lvl=9\n", "r1=0"},
           {"r1 b a 1 $w=0.5 $lvl=3\n*|S (a 1 2)\n+ tc1=0\n", "r1=0.5@3"},
           {"r1 b a 1 $ as wide as r2=7 $lvl\n", "r1=0"},
           {"r1 b a 1 $w=0.5 $lvl=3\r\nr2 c a 1\r\n", "r1=0.5@3 r2=0"},
           {"r1\tb\ta\t1\t$w=0.5\t$lvl=3\t\n", "r1=0.5@3"},
           {"r1 b a R=1 $w=0.5 $lvl=3\nr2 c a {2*3}\nr3 d a 1 $w=0.25\n", "r1=0.5@3 r2=0 r3=0.25"},
           {"r1 b a 1 $w = 0.5 $lvl =3\n", "r1=0.5@3"},
           {"r1 b a 1 $w=0.5 l=2 $lvl=3\n", "r1=0.5@3"},
           {"r1 b a 1 $ R=1 at w = 0.33 um\nr2 c a 1 m=1 $ R=1 at w = 0.33 um\n", "r1=0 r2=0"},
           {"r1 b a R=1$w=0.5$lvl=3\nr2 c a {1}$w=0.5 $lvl=3\nr3 d a 1$w=0.5\n", "r1=0.5@3 r2=0.5@3 r3=0.5"},
           {"r1 b$M3 a 1 m=1\nr2 c a$M4\n+ 1\nr3 d$m5 a 1\n", "r1=0 r2=0 r3=0"},
           {"r1 b a 1 m=1 ; $w=0.5\nr2 c a 1 $w=0.5 ; $w=3\nr3 d a 1 tc1=0 $w=0.5 ; $w=3\n", "r1=0 r2=0.5 r3=0.5"},
           {"r1 b a 1 $llx=1.25 $lly=2.5 $urx=3.75 $ury=4.125 $w=0.5 $l=10.5 $area=7 $lvl=3\n", "r1=0.5@3"},
           {"r1 b a 1 $w=1234567.25 $lvl=metal2\n", "r1=0@metal2"},
           {"r1 b \\\\\na 1 $w=0.5 $lvl=3\n", "r1=0.5@3"},
           {"r1 b a 1 \\\\\nm=1 $w=0.5 $lvl=3\n", "r1=0.5@3"},
           {"r1 b a 1 \\\\\n$w=0.5 $lvl=3\n", "r1=0.5@3"},
           {"r1 b$ a {1} $w=0.5 $lvl=3\nr2 c$ a 1 $w=0.5 $lvl=3\n", "r1=0.5@3 r2=0.5@3"},
           {"r$ b a {1} $w=0.5 $lvl=3\n", "r$=0.5@3"},
           {".if (0)\nr1 b a 1 $w=0.5\n.endif\nr2 b a 1 $w=0.25 $lvl=3\n", "r2=0.25@3"},
           {"l1 b a 1n Rser=2 $w=0.5 $lvl=3\n", "l1.rser=0.5@3"},
       }) {
    const std::string found = notes_of_resistors(begin + cards + end);
    const bool is_last = found.ends_with("r9=9@9 ") || found.find("l1.rser") != found.npos;
    EXPECT_TRUE(is_last) << cards << found;
    EXPECT_NE(found.find(notes + " "), found.npos) << cards << found;
  }
  EXPECT_EQ(notes_of_resistors(begin + "x1 b s\nx2 c s\n.subckt s p\nr1 p m 1 $w=0.5 $lvl=3\nr2 m a 1\n.ends\n" + end),
            "r9=9@9 x1.r1=0.5@3 x1.r2=0@3 x2.r1=0.5@3 x2.r2=0@3 ");
}

/// Cards that are not read have no share in the annotations of others.
TEST(ExtractedNotes, AnnotationsOfCardsThatAreNotUnderstood) {
  const std::string deck = "* t\nv1 a 0 1\nr1 b a 1furlong $w=0.5 $lvl=1\nr2 c a 1 $w=0.25 $lvl=3\nr3 d a 1\n.end\n";
  ReadOptions lenient;
  lenient.lenient = true;
  EXPECT_EQ(notes_of_resistors(deck, lenient), "r2=0.25@3 r3=0 ");
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read(text, "");
      return "none";
    } catch (const InputError& e) {
      return e.what();
    }
  };
  EXPECT_THAT(refusal(deck), testing::StartsWith("<text>:3:9: 'furlong'"));
  EXPECT_THAT(refusal("* t\nr1 b a 1..2 $w=0.5 $lvl=1\n.end\n"), testing::StartsWith("<text>:2:8: "));
}

TEST(ExtractedNotes, CommentsInAnyOrderOfNodes) {
  std::string comments, cards = "v1 n:0 0 1\n";
  constexpr int kNodes = 50;
  for (int i = 0; i < kNodes; ++i) {
    const std::string node = "n:" + std::to_string(i * 7 % kNodes), x = std::to_string(i * 7 % kNodes);
    comments += (i % 3 == 0 ? "*|S (" + node + " " + x + " 2)" : "*|s  (" + node + "  " + x + ".0 2 )") + "\n";
    cards += "r" + std::to_string(i) + " n:" + std::to_string(i) + " n:" + std::to_string((i + 1) % kNodes) + " 1\n";
  }
  for (const std::string& deck : {comments + cards, cards + comments, cards + "*|S (n:7 7 2)\n*|P (n X 0 0 0)\n"}) {
    const Circuit circuit = read("* t\n" + deck + ".end\n", "");
    ASSERT_TRUE(circuit.placement);
    EXPECT_EQ(circuit.placement->node_places.size(), deck.find("*|P") != deck.npos ? 1u : size_t{kNodes});
    for (const Placement::NodePlace& place : circuit.placement->node_places)
      EXPECT_EQ(circuit.node_name(place.node).view(), "n:" + std::to_string(static_cast<int>(place.x_um)));
  }
}

TEST(ExtractedNotes, DoNotDependOnThreadsOrSize) {
  std::string deck = "* t\nv1 n:0 0 1\n";
  constexpr int kMany = 30'000;
  for (int i = 0; i < kMany; ++i)
    deck += "*|S (n:" + std::to_string(i) + " " + std::to_string(i) + " 5) // $lvl=" + std::to_string(i % 3) + "\n";
  for (int i = 0; i < kMany; ++i)
    deck += "r" + std::to_string(i) + " n:" + std::to_string(i) + " n:" + std::to_string(i + 1) +
            " 1 $w=" + std::to_string(1 + i % 2) + " $l=5 $lvl=" + std::to_string(i % 3) + "\n";
  const Circuit circuit = read(deck + ".end\n", "");
  const NodePlaces places = place_nodes(circuit);
  EXPECT_THAT(places.layers, ElementsAre("0", "1", "2"));
  for (int i = 0; i < kMany; i += 777) {
    const NodeId n = circuit.nodes.find("n:" + std::to_string(i));
    EXPECT_EQ(places.x_um[n], i);
    EXPECT_EQ(places.layer[n], i % 3);
    EXPECT_EQ(circuit.placement->width_um(i), 1 + i % 2);
  }
}

}  // namespace
}  // namespace gridiron
