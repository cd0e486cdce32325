// SPDX-License-Identifier: Apache-2.0
// A first line that reads as a card: one when a node of it other than ground occurs again, otherwise the title.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kGrid = "v1 vdd 0 1\nr1 vdd a 1\ni1 a 0 1m\n";

Circuit grid_below(const std::string& first_line) { return read_netlist_text(first_line + "\n" + kGrid, "deck.sp"); }

bool is_title(const Circuit& c) { return !c.title.empty(); }

std::string finding_of(const Circuit& c) {
  for (const ReadFinding& f : c.findings)
    if (f.code == "first-line") return f.place + ": " + f.message;
  return "no finding";
}

TEST(FirstLine, TitlesThatReadAsCardsStayTitles) {
  for (const std::string title :
       {"IBM power grid 1", "Rail to rail 7", "Voltage drop analysis 1.8", "Ring oscillator supply {x}", "Xilinx grid",
        "Xilinx power grid 7", "Inverter chain 5 10 PULSE", "R1 0 gnd 5", "resistor mesh 3x3 12"}) {
    const Circuit c = grid_below(title);
    EXPECT_EQ(c.title, title);
    EXPECT_EQ(c.element_count(), 3) << title;
    EXPECT_EQ(c.node_count(), 3) << title << ": the title's words are no nodes";
  }
  EXPECT_TRUE(is_title(grid_below("  IBM power grid 1")));
  const Circuit c = grid_below("IBM power grid 1");
  EXPECT_THAT(c.current_sources.value, ElementsAre(1e-3));
  EXPECT_THAT(finding_of(c), HasSubstr("deck.sp:1:1: the first line is taken as the title: it reads as a card"));
  EXPECT_FALSE(c.findings[0].is_warning);
}

TEST(FirstLine, CardsAreKeptWhenANodeOccursAgain) {
  for (const std::string card :
       {"r9 a 0 5", " \tr9 a 0 5", "R9 A b 5", "i9 0 A 1", "v9 x vdd 1", "r9 a gnd 5 ; load"}) {
    const Circuit c = grid_below(card);
    EXPECT_FALSE(is_title(c)) << card;
    EXPECT_EQ(c.element_count(), 4) << card;
    EXPECT_THAT(finding_of(c), HasSubstr("the first line is taken as a card")) << card;
  }
}

TEST(FirstLine, NodesMayOccurInInstancesProbesAndOtherFiles) {
  const std::string cell = ".subckt s p\nr1 p 0 1\n.ends\n";
  EXPECT_FALSE(is_title(read_netlist_text("v1 p1 0 1\n" + cell + "x1 p1 s\n")));
  EXPECT_FALSE(is_title(read_netlist_text("x1 vdd s\n" + cell + kGrid)));
  EXPECT_TRUE(is_title(read_netlist_text("x1 b s\n" + cell + kGrid)));
  EXPECT_FALSE(is_title(read_netlist_text("r1 a 0 1\n.print v(a)\n")));
}

TEST(FirstLine, IsDoubtfulOnlyWhenItReadsAsACard) {
  for (const std::string line : {"Power grid of chip 7", "* IBM power grid 1", ".option post", "  * IBM power grid 1",
                                 "  .option post", "$ IBM power grid 1", "; r9 a 0 5", "   ", ""})
    EXPECT_EQ(finding_of(grid_below(line)), "no finding") << line;
  EXPECT_THAT(finding_of(grid_below("r9 a\n+ 0 5")), testing::HasSubstr("its node 'a' occurs again"));
  EXPECT_THAT(finding_of(grid_below(".option temp=50")), testing::HasSubstr("for the title"));
}

TEST(FirstLine, IsDecidedAlikeByAnyNumberOfThreads) {
  std::string mesh;
  for (int i = 0; i < 60000; ++i)
    mesh += "r" + std::to_string(i) + " n" + std::to_string(i) + " n" + std::to_string(i + 1) + " 1\n";
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 8}) {
    omp_set_num_threads(n);
    EXPECT_EQ(read_netlist_text("i1 0 n60000 1\n" + mesh).element_count(), 60001) << n;
    const Circuit c = read_netlist_text("IBM power grid 1\n" + mesh);
    EXPECT_EQ(c.element_count(), 60000) << n;
    EXPECT_EQ(c.node_count(), 60002) << n;
  }
  omp_set_num_threads(threads);
}

TEST(FirstLine, AnErrorAtTheFirstLineTellsHowToWriteATitle) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      read_netlist_text(text, "deck.sp");
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  const std::string grid = "v1 power 0 1\nr1 power core 1\nr2 core 0 1\n.end\n";
  EXPECT_THAT(error("Regular power core R\n" + grid),
              HasSubstr("; this is the first line, where SPICE has a title: if it is one, begin it with *"));
  EXPECT_THAT(error("Regular power core R\n" + grid), HasSubstr("deck.sp:1:"));
  EXPECT_THAT(error("* t\nRegular power core R\n" + grid), testing::Not(HasSubstr("title")));
  EXPECT_THAT(error(".param x=\n" + grid), testing::Not(HasSubstr("title")));
}

}  // namespace
}  // namespace gridiron
