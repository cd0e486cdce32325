// SPDX-License-Identifier: Apache-2.0
// Sections are read in parts on all threads; nobody can tell from the result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include "layout/def/sections.hpp"
#include "support/context.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string many(int count, const std::string& line) {
  std::string text;
  for (int k = 0; k < count; ++k) {
    std::string one = line;
    for (size_t at = one.find('%'); at != std::string::npos; at = one.find('%')) one.replace(at, 1, std::to_string(k));
    text += one;
  }
  return text;
}

std::string large_design() {
  return design(
      "COMPONENTS 300 ;\n" + many(100, "- u% INV + PLACED ( % 0 ) N ;\n  - v\\[%\\] INV + PLACED ( % 0 ) FS ;\n") +
      many(100, "- w% INV + PROPERTY note \"a ;\n- no INV ;\n\" + UNPLACED ;\n") +
      "END COMPONENTS\nSPECIALNETS 4 ;\n- VDD ( * VDD ) + USE POWER\n  + ROUTED m1 20 ( 0 0 ) ( 9 0 )\n" +
      many(100, "  NEW m1 20 ( % 0 ) ( % 50 ) v12\n") + " ;\n- VSS + USE GROUND\n" +
      many(100,
           "  + RECT m1 ( % 0 ) ( 1000 100 )\n  + SHAPE RING + ROUTED m2 10 + SHAPE STRIPE\n ( % 0 ) ( % 1000 )\n") +
      " ;\n- many\n" + many(50, "  + VIA v12 ( % 0 )\n + FIXED m1 10 ( 0 0 ) ( 100 100 )\n") + ";\n" +
      many(50, "- s% + ROUTED m1 10 ( % 0 ) ( % 9 )\n   NEW m1 0 ( 0 0 ) v12 ;\n") + "END SPECIALNETS\n");
}

std::string told(const Chip& chip) {
  std::string text;
  for (int64_t k = 0; k < chip.components.size(); ++k)
    text += fmt::format("{} {} {} {} {} {} {}\n", chip.components.name[k], chip.components.macro[k],
                        chip.components.place[k].x, chip.components.place[k].y,
                        static_cast<int>(chip.components.orientation[k]), chip.components.placed[k],
                        chip.components.offset[k]);
  for (const SpecialNet& net : chip.nets) {
    text += fmt::format("{} {} {} {}\n", net.name, static_cast<int>(net.use), net.connections.size(), net.place.offset);
    for (const LayerBox& b : net.boxes)
      text += fmt::format("b {} {} {} {} {}\n", b.layer, b.box.x0, b.box.y0, b.box.x1, b.box.y1);
    for (const LayerPolygon& p : net.polygons)
      for (const Point& c : p.corners) text += fmt::format("p {} {} {}\n", p.layer, c.x, c.y);
    for (const PlacedVia& v : net.vias) text += fmt::format("v {} {} {}\n", v.via, v.place.x, v.place.y);
  }
  return text;
}

/// Parts of a text of words that end with a comma each.
std::vector<std::string> parts_of(const std::string& text, const std::vector<size_t>& begins) {
  const auto source = SourceText::from_string(text, "t");
  Tokens tokens(*source);
  auto parts = read_in_parts(
      tokens, begins, 10,
      [](Tokens& own, size_t end, Expansion&) {
        std::string part;
        while (!own.at_end() && (own.offset() < end || !part.ends_with(','))) {
          if (own.is("bad,")) own.fail(own.offset(), part);
          part += own.take();
        }
        return part;
      },
      [](const std::string&, const std::string& next) { return next != "lone,"; });
  EXPECT_TRUE(tokens.at_end());
  return parts;
}

TEST(DefParts, AreKeptIfEachEndsWhereTheNextBegins) {
  EXPECT_THAT(parts_of("a, b c, d,", {0, 3, 8}), ElementsAre("a,", "bc,", "d,"));
  EXPECT_THAT(parts_of("a, b c, d,", {0, 5}), ElementsAre("a,bc,d,"));
  EXPECT_THAT(parts_of("a, lone, d,", {0, 3, 9}), ElementsAre("a,lone,d,"));
  EXPECT_EQ(error_of([] { parts_of("a, b, bad, bad,", {0, 3, 6, 11}); }), "t:1:7: a,b,");
}

TEST(DefParts, AnyPieceAndAnyNumberOfThreadsReadTheSame) {
  const Library library = library_with(inverter());
  const std::string text = large_design();
  const Chip whole = chip_of(text, library);
  EXPECT_EQ(whole.components.size(), 300);
  EXPECT_EQ(whole.nets.size(), 53U);
  const std::string expected = told(whole);
  for (const int threads : {1, 2, 5}) {
    const ThreadCount use(threads);
    for (const size_t piece : {1, 7, 50, 333, 4096})
      EXPECT_EQ(told(chip_of(text, library, {.piece = piece})), expected) << piece;
  }
}

TEST(DefParts, TheFirstErrorOfTheTextIsTold) {
  const Library library = library_with(inverter());
  const auto error = [&](const std::string& good, const std::string& bad, size_t piece) {
    std::string text = large_design();
    for (size_t at = text.find(good); at != std::string::npos; at = text.find(good, at + bad.size()))
      text.replace(at, good.size(), bad);
    return error_of([&] { chip_of(text, library, {.piece = piece}); });
  };
  for (const auto& [good, bad] : {std::pair{"- u5", "- u5 NO"},
                                  {"( 77 0 ) ( 77 50 )", "( 77 0 ) ( 78 50 )"},
                                  {"END COMP", "END COMB"},
                                  {"  + VIA v12 ( 3", "  + VIA v13 ( 3"},
                                  {" ;\n- VSS", "\n- VSS"},
                                  {"END SPECIALNETS", "ENDS"}}) {
    const std::string expected = error(good, bad, 1 << 20);
    EXPECT_NE(expected, "no error");
    for (const size_t piece : {1, 40, 500}) EXPECT_EQ(error(good, bad, piece), expected) << good;
  }
}

TEST(DefParts, TogetherArraysAreLimitedToo) {
  const Library library = library_with(inverter());
  const std::string text = design("SPECIALNETS 1 ;\n- VDD\n+ ROUTED m1 0 ( 0 0 ) v12\n" +
                                  many(12, "NEW m1 0 ( 0 0 ) v12 DO 3 BY 3 STEP 1 1\n") + ";\nEND SPECIALNETS\n");
  const std::string expected = error_of([&] { chip_of(text, library, {.vias = 100}); });
  EXPECT_THAT(expected, HasSubstr("chip.def:19:18: an array of 3 by 3 makes more than 100 shapes"));
  EXPECT_EQ(error_of([&] { chip_of(text, library, {.piece = 20, .vias = 100}); }), expected);
}

TEST(DefParts, EndsOfSectionsStandBehindStatements) {
  const auto end = [](const std::string& text) { return find_section_end(text, 0, "NETS"); };
  EXPECT_EQ(end("- a ;\nEND NETS\n"), 6U);
  EXPECT_EQ(end("- a ;\n  END NETS"), 8U);
  EXPECT_EQ(end("- a ; # said ; so\n# END\n\nEND NETS\n"), 25U);
  EXPECT_EQ(end("- a#b ; # x #y\nEND NETS\n"), 15U);
  EXPECT_EQ(end("- a \"\nEND NETS\n\" ;\nEND NETS\n"), 19U);
  EXPECT_EQ(end("- a ;\nEND NETSX ;\nEND NETS\n"), 18U);
  EXPECT_EQ(end("- a ;\nEND NET"), kEndOfText);
  EXPECT_EQ(end("- a ; END NETS\n"), kEndOfText);
  const std::string far = std::string(9 << 20, ' ') + "- a ;\n";
  EXPECT_EQ(end(far + "END NETS\n"), far.size());
  const std::string on_border = std::string((4 << 20) - 7, ' ') + ";\n";
  EXPECT_EQ(end(on_border + "END NETS\n"), on_border.size());
}

TEST(DefParts, BordersAreLinesThatBeginWithAWord) {
  constexpr std::array<std::string_view, 2> kWords = {"- ", "NEW "};
  const std::string text = "x - a\n- b\nNEWS\n NEW c\n-d\n- e\n";
  EXPECT_THAT(borders(text, 0, text.size(), 1, kWords), ElementsAre(0, 6, 16, 25));
  EXPECT_THAT(borders(text, 0, text.size(), 12, kWords), ElementsAre(0, 16, 25));
  EXPECT_THAT(borders(text, 0, 20, 4, kWords), ElementsAre(0, 6, 16));
}

}  // namespace
}  // namespace gridiron::layout::test
