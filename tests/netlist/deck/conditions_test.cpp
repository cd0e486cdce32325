// SPDX-License-Identifier: Apache-2.0
// .if, .elseif, .else and .endif: which branch is read, at the top level and by each instance of a subcircuit, and what
// becomes of the others.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <filesystem>
#include <fstream>

#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Circuit circuit(const std::string& cards) { return read_netlist_text("* t\n" + cards + ".end\n", "deck.sp"); }

std::string error_of(const std::string& cards) {
  try {
    circuit(cards);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

int64_t entered(const Circuit& c, std::string_view what) {
  int64_t count = 0;
  for (const Ledger::File& file : c.ledger.files)
    for (const Ledger::Row& row : file.rows) count += row.what == what ? row.count : 0;
  return count;
}

TEST(Conditions, DecideTheBranchThatIsRead) {
  const auto chosen = [](const std::string& x) {
    return circuit(".param x=" + x +
                   "\n.if (x==1)\nr1 a 0 1\n.elseif (x == 2)\nr2 a 0 2\n.elseif x>5 && x<9\nr3 a 0 3\n" +
                   ".else\nr4 a 0 4\n.endif\nr5 a 0 5\n")
        .resistors.value;
  };
  EXPECT_THAT(chosen("1"), ElementsAre(1, 5));
  EXPECT_THAT(chosen("2"), ElementsAre(2, 5));
  EXPECT_THAT(chosen("7"), ElementsAre(3, 5));
  EXPECT_THAT(chosen("{3*3}"), ElementsAre(4, 5));
  EXPECT_THAT(circuit(".if (0)\nr1 a 0 1\n.endif\nr2 a 0 2\n").resistors.value, ElementsAre(2));
  EXPECT_THAT(circuit(".IF '1' $ yes\nr1 a 0 1\n.EndIf\n").resistors.value, ElementsAre(1));
  EXPECT_THAT(circuit(".if (1\n+ == 1)\nr1 a 0 1\n.endif\n").resistors.value, ElementsAre(1));
}

TEST(Conditions, NestAndChooseParametersModelsAndSubcircuits) {
  EXPECT_THAT(
      circuit(".if (1)\n.if (0)\nr1 a 0 1\n.else\nr2 a 0 2\n.endif\nr3 a 0 3\n.else\n.if (1)\nr4 a 0 4\n.endif\n"
              ".endif\n")
          .resistors.value,
      ElementsAre(2, 3));
  EXPECT_THAT(circuit(".param c=2\n.if (c==1)\n.param r=5\n.else\n.param r=6\n.endif\n.if (r == 6)\nr1 a 0 r\n.endif\n")
                  .resistors.value,
              ElementsAre(6));
  EXPECT_THAT(circuit(".if (1)\n.subckt s p\nr1 p 0 7\n.ends\n.else\n.subckt s p\nr1 p 0 8\n.ends\n.endif\nx1 a s\n")
                  .resistors.value,
              ElementsAre(7));
  EXPECT_THAT(circuit(".if (0)\n.model m r (r=1)\n.else\n.model m r (r=2)\n.endif\nr1 a 0 m\n").resistors.value,
              ElementsAre(2));
}

/// Whatever a branch holds that does not apply, it is harmless.
TEST(Conditions, CardsOfOtherBranchesAreHarmless) {
  const Circuit c = circuit(
      ".if (0)\nr1 a 0 1\nq1 c b e npn\nr2 a\nwhat is this\n.frobnicate\n.if (unknown)\nm1 d g s b n\n.else\n.step x\n"
      ".endif\n.ac dec 1 1 10\n.option gmin=1 frob=2\n.print v(q)\n.temp 50\n.backanno\n* dbu: 7\n.include nowhere\n"
      ".global g\n.ends\n.else\nr9 a 0 9\n.endif\n");
  EXPECT_THAT(c.resistors.value, ElementsAre(9));
  EXPECT_THAT(c.findings, IsEmpty()) << c.findings[0].message;
  EXPECT_THAT(c.print_nodes, IsEmpty());
  EXPECT_EQ(c.dbu_card, 0);
  EXPECT_EQ(entered(c, ".if"), 3);
  EXPECT_EQ(entered(c, "R"), 1);
  EXPECT_GT(entered(c, "card of a branch that is not taken"), 5);
  EXPECT_EQ(c.ledger.count(Fate::skipped), 0);
}

TEST(Conditions, OfASubcircuitAreThoseOfEachInstance) {
  const std::string cell =
      ".subckt s p n=1 r=10\n.if (n == 1)\nr1 p 0 r\n.elseif (n==2)\n.param q={r*2}\nr2 p 0 q\n.if (r > 10)\nr3 p 0 3\n"
      ".endif\n.else\nx1 p t\n.endif\nr4 p 0 4\n.ends\n.subckt t p\nr1 p 0 99\n.ends\n";
  EXPECT_THAT(circuit(cell + "x1 a s\n").resistors.value, ElementsAre(10, 4));
  EXPECT_THAT(circuit(cell + "x1 a s n=2\n").resistors.value, ElementsAre(20, 4));
  EXPECT_THAT(circuit(cell + "x1 a s n=2 r=11\n").resistors.value, ElementsAre(22, 3, 4));
  EXPECT_THAT(circuit(cell + "x1 a s n=3\n").resistors.value, ElementsAre(4, 99));
  const Circuit both = circuit(cell + "x1 a s\nx2 a s n=3\n");
  EXPECT_THAT(both.resistors.value, ElementsAre(10, 4, 4, 99));
  EXPECT_EQ(entered(both, "card of a branch that is not taken"), 3) << "r2 and r3 and .param q";
  EXPECT_EQ(entered(both, "R"), 3);
  EXPECT_THAT(circuit(".param g=2\n.subckt s p\n.if (g==2)\nr1 p 0 1\n.else\nr1 p 0 5\n.endif\n.ends\nx1 a s\n")
                  .resistors.value,
              ElementsAre(1))
      << "parameters around it, too";
}

TEST(Conditions, ABadCardInABranchOfASubcircuitMattersWhereItIsTaken) {
  const std::string cell = ".subckt s p n=1\n.if (n == 1)\nq1 c b e npn\n.else\nr1 p 0 5\n.endif\n.ends\n";
  EXPECT_THAT(circuit(cell + "x1 a s n=2\n").resistors.value, ElementsAre(5));
  EXPECT_THAT(error_of(cell + "x1 a s\n"), HasSubstr("deck.sp:4:1: unknown card 'q1'"));
}

TEST(Conditions, ThatCannotBeDecidedAreRefused) {
  const std::pair<std::string, std::string> kCases[] = {
      {".if (x)\n.endif\n.param x=1\n", "deck.sp:2:5: unknown parameter 'x'"},
      {".if (x)\n.endif\n.param x=1\n", "takes what is defined above it"},
      {".if\nr1 a 0 1\n.endif\n", "deck.sp:2:1: expected a condition"},
      {".if (1 = 1)\n.endif\n", "expected '==' for a comparison"},
      {".if (\"a\" == \"b\")\n.endif\n", "deck.sp:2:"},
      {".if (1)\nr1 a 0 1\n", "deck.sp:2:1: .if has no .endif; add it"},
      {".else\n", "deck.sp:2:1: .else without .if before it; remove it"},
      {".elseif (1)\n", "deck.sp:2:1: .elseif without .if"},
      {".endif\n", "deck.sp:2:1: .endif without .if"},
      {".if (1)\n.else\n.else\n.endif\n", "deck.sp:4:1: .else after .else; remove one"},
      {".if (1)\n.else\n.elseif (1)\n.endif\n", "deck.sp:4:1: .elseif after .else"},
      {".if (1)\n.else if (0)\nr1 a 0 1\n.endif\n",
       "deck.sp:3:7: .else takes nothing behind it, and a further condition is '.elseif (condition)'; remove it"},
      {".if (0)\n.else if\n+ (0) ; no\nr1 a 0 1\n.endif\n", "deck.sp:3:1: .else takes nothing behind it"},
      {".if (0)\nr1 a 0 1\n.endif foo\n", "deck.sp:4:8: .endif takes nothing behind it; remove it"},
      {".if (0)\nr1 a 0 1\n.elif (1)\nr1 a 0 2\n.endif\n",
       "deck.sp:4:1: unknown card; those of .if blocks are .elseif"},
      {".if (0)\nr1 a 0 1\n.else_if (1)\nr1 a 0 2\n.endif\n", "deck.sp:4:1: unknown card; those of .if blocks"},
      {".if (0)\nr1 a 0 1\n.fi\nr1 a 0 2\n.endif\n", "deck.sp:4:1: unknown card; those of .if blocks"},
      {".subckt s p\n.if (1)\nr1 p 0 1\n.else x\n.endif\n.ends\n", "deck.sp:5:7: .else takes nothing behind it"},
      {".param x=1\n.if (x)\n.endif\n.param x=2\n",
       "deck.sp:5:8: parameter 'x' gets another value after a condition has used it"},
      {".if (1)\n.subckt s p\n.endif\nr1 p 0 1\n.ends\n", "deck.sp:4:1: .endif while .subckt s is open"},
      {".subckt s p\n.if (1)\nr1 p 0 1\n.ends\n.endif\n", "deck.sp:3:1: .if has no .endif before the end of .subckt s"},
      {".subckt s p\n.if (1)\n.model m r (r=1)\n.endif\n.ends\n",
       "deck.sp:4:1: .model in a branch of .if in a subcircuit is not supported"},
      {".subckt s p n=1\n.if (z)\nr1 p 0 1\n.endif\n.ends\nx1 a s\n", "deck.sp:3:5: unknown parameter 'z'"},
      {".subckt s p\n.param r=1\n.if (r==1)\n.param r=2\n.endif\nr1 p 0 r\n.ends\nx1 a s\n",
       "deck.sp:5:8: parameter 'r' is defined after a condition has used it"},
  };
  for (const auto& [cards, message] : kCases) EXPECT_THAT(error_of(cards), HasSubstr(message)) << cards;
}

TEST(Conditions, AreDecidedAlikeByAnyNumberOfThreads) {
  std::string deck = ".param x=1\n";
  for (int i = 0; i < 40'000; ++i) {
    const std::string n = std::to_string(i);
    deck += ".if (x == " + std::to_string(i % 3) + ")\nr" + n + " a" + n + " 0 1\nq1 c b e npn\n.else\nr" + n + " b" +
            n + " 0 2\n.endif\n";
  }
  std::string none;
  for (size_t at = 0; at < deck.size();) {  // without what is no resistor, where the branch is taken
    const size_t end = deck.find('\n', at) + 1;
    if (deck[at] != 'q') none += deck.substr(at, end - at);
    at = end;
  }
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 8}) {
    omp_set_num_threads(n);
    const Circuit c = circuit(none);
    EXPECT_EQ(c.resistors.size(), 40'000) << n;
    EXPECT_EQ(c.node_count(), 40'001) << n << ": nodes of other branches are none";
    EXPECT_EQ(c.node_name(c.resistors.a[1]), "a1") << n;
    EXPECT_EQ(entered(c, "card of a branch that is not taken"), 40'000) << n;
    EXPECT_THAT(error_of(deck), HasSubstr("deck.sp:11:1: unknown card 'q1'")) << n;
  }
  omp_set_num_threads(threads);
}

TEST(Conditions, CommentsMayStandBehindEachCard) {
  EXPECT_THAT(circuit(".if (0) ; a\nr1 a 0 1\n.elseif (0) $ b\nr2 a 0 2\n.else ; if\nr3 a 0 3\n.endif $ .else if\n")
                  .resistors.value,
              ElementsAre(3));
  EXPECT_THAT(circuit(".if (0)\n.if (1)\n.else if (x)\n.endif x\n.endif\nr1 a 0 1\n").resistors.value, ElementsAre(1))
      << "of what does not apply";
}

/// What is counted of a branch does not depend on how the text is divided, whatever stands there.
TEST(Conditions, CountWhatIsLeftOutAlikeByAnyNumberOfThreads) {
  std::string branch;
  for (int i = 0; i < 20'000; ++i) {
    const std::string n = std::to_string(i);
    branch += "m" + n + " d g s b n w=1\n+ l=2\nr" + n + " a" + n + " 0 1\nr" + n +
              " nothing\n.frob\n.option frob=" + n + "\n* comment\n.param p" + n + "=1\n";
  }
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 8})
    for (const bool is_lenient : {false, true}) {
      omp_set_num_threads(n);
      const Circuit c = read_netlist_text("* t\n.if (0)\n" + branch + ".else\nr1 a 0 1\n.endif\n.end\n", "deck.sp",
                                          {.lenient = is_lenient});
      EXPECT_EQ(entered(c, "card of a branch that is not taken"), 120'000) << n << is_lenient;
      EXPECT_EQ(c.ledger.cards(), 120'005) << n << is_lenient;
      EXPECT_EQ(c.skipped_cards, 0) << n << is_lenient;
      EXPECT_THAT(c.findings, IsEmpty());
    }
  omp_set_num_threads(threads);
}

/// A block around each card is what the cards alone are, whatever stands between.
TEST(Conditions, AroundEveryCardChangeNothing) {
  std::string plain, blocks;
  for (int k = 0; k < 40; ++k) {
    const std::string card = fmt::format("r{0} n1_{0}_0 n1_{1}_0 {2}\n", k, k + 1, k + 1);
    const std::string other = fmt::format("r{0} far_{0} n1_{1}_0 9\n", k, k + 1);
    plain += card;
    blocks += k % 3 == 0   ? ".if (on == 1)\n" + card + ".endif\n"
              : k % 3 == 1 ? ".IF (on == 2)\r\n" + other + ".else\n" + card + ".endif ; of it\n"
                           : ".if (on == 2)\n" + other + ".elseif (on\n+ == 1)\n" + card + ".endif $ of it\n";
  }
  const Circuit alone = circuit(plain), within = circuit(".param on=1\n" + blocks);
  EXPECT_EQ(within.resistors.value, alone.resistors.value);
  ASSERT_EQ(within.node_count(), alone.node_count());
  for (int64_t i = 0; i < alone.resistors.size(); ++i) {
    EXPECT_EQ(within.nodes[within.resistors.a[i]], alone.nodes[alone.resistors.a[i]]);
    EXPECT_EQ(within.nodes[within.resistors.b[i]], alone.nodes[alone.resistors.b[i]]);
  }
  EXPECT_EQ(entered(within, "R"), 40);
  EXPECT_EQ(entered(within, "card of a branch that is not taken"), 26);
}

/// Cards on a line of their own, and others, are read alike to the last line of the text.
TEST(Conditions, AreWordsOfAnyCaseUpToTheEndOfTheText) {
  for (const std::string end : {".endif", ".ENDIF\n", ".EndIf \t\r\n", ".endif $ of mode\n", ".endif ; of mode\n"})
    for (const std::string begin :
         {".if (1)\n", ".If(1)\n", ".IF {1}  \n", ".if 1 $ yes\n", ".if '1' ; yes\n", ".if (0\n+ || 1)\n"}) {
      const std::string text = "* t\nr1 a 0 1\n" + begin + "r2 a 0 2\n.Else\nr3 a 0 3\n" + end;
      EXPECT_THAT(read_netlist_text(text, "deck.sp").resistors.value, ElementsAre(1, 2)) << text;
    }
  EXPECT_THAT(circuit("r1 a 0 1\n.if(0)\n.elseif(1)\nr2 a 0 2\n.else\n.endif\n").resistors.value, ElementsAre(1, 2));
  EXPECT_THAT(error_of(".iffy (1)\n.endif\n"), HasSubstr("unknown card '.iffy'"));
  EXPECT_THAT(error_of("r1 a 0 1\n.if (1)\n.elsewhere\n.endif\n"), HasSubstr("unknown card '.elsewhere'"));
  EXPECT_THAT(error_of("r1 a 0 1\n.if (1)\n.endif.\n"), HasSubstr("unknown card '.endif.'"));
}

/// A condition that is as the one before stands where it stands, and ends where its own line does.
TEST(Conditions, AreReadWhereTheyAreRepeated) {
  const std::string block = ".if ( x == 1 )\nr1 a 0 1\n.elseif {x == 2}\nr2 a 0 2\n.endif\n";
  EXPECT_THAT(circuit(".param x=2\n" + block + block + block).resistors.value, ElementsAre(2, 2, 2));
  EXPECT_THAT(circuit(".param x=2\n" + block + ".if ( x == 1 )\n+ || (x == 2)\nr1 a 0 1\n.endif\n").resistors.value,
              ElementsAre(2, 1));
  EXPECT_THAT(circuit(".param x=2\n.if (x==2)\nr1 a 0 1\n.endif\n.if (x==2) ; y\nr2 a 0 2\n.endif\n"
                      ".if (x==21)\nr3 a 0 3\n.endif\n")
                  .resistors.value,
              ElementsAre(1, 2));
  EXPECT_THAT(error_of(".if (0)\n.if (y)\n.endif\n.endif\nr1 a 0 1\n.if (y)\n.endif\n"), HasSubstr("deck.sp:7:"));
}

TEST(Conditions, LeaveTheLedgerInTheOrderOfTheText) {
  const auto rows = [](const std::string& cards) {
    std::vector<std::string> names;
    const Circuit read = circuit(cards);
    for (const Ledger::Row& row : read.ledger.files.at(0).rows)
      names.push_back(fmt::format("{} {}", row.what, row.count));
    return names;
  };
  const char* const untaken = "card of a branch that is not taken";
  EXPECT_THAT(rows("r1 a 0 1\n.if (1)\nr2 a 0 1\nc1 a 0 1p\n.endif\nr3 a 0 1\nv1 a 0 1\n"),
              ElementsAre("R 3", ".if 2", "C 1", "V 1", ".end 1"));
  EXPECT_THAT(rows(".if (1)\nr2 a 0 1\n.endif\nc1 a 0 1p\n.if (0)\nc2 a 0 1p\n.endif\nr3 a 0 1\n"),
              ElementsAre(".if 4", "R 2", "C 1", fmt::format("{} 1", untaken), ".end 1"));
  EXPECT_THAT(rows(".if (1)\nc2 a 0 1p\n.endif\n.if (0)\n.if (1)\nr2 a 0 1\n.endif\nl1 a 0 1n\n.endif\nr3 a 0 1\n"),
              ElementsAre(".if 4", "C 1", fmt::format("{} 4", untaken), "R 1", ".end 1"));
}

TEST(Conditions, AreComputedAnewOnceSomethingIsDefined) {
  const std::string twice = ".if (max(1,2) == 2)\nr1 a 0 1\n.endif\n";
  EXPECT_THAT(circuit(twice + ".func max(x,y) {7}\n" + ".if (max(1,2) == 2)\nr2 a 0 2\n.endif\n").resistors.value,
              ElementsAre(1));
  EXPECT_THAT(error_of(".param x=1\n.if (x)\nr1 a 0 1\n.endif\n.param x=0\n.if (x)\nr2 a 0 2\n.endif\n"),
              HasSubstr("parameter 'x' gets another value"));
}

TEST(Conditions, MayTakeTheTemperatureOfTheDeck) {
  const std::string block = ".if (temper > 50)\nr1 a 0 1\n.else\nr1 a 0 2\n.endif\n";
  const std::pair<std::string, double> kCases[] = {
      {block, 2},
      {".temp 85\n" + block, 1},
      {block + ".temp 85\n", 1},
      {block + ".option temp=85\n", 1},
      {block + ".option temp=85\n.temp 0\n", 2},
      {".param t=85\n.temp t\n" + block, 1},
      {".param t={temper+1}\n.temp 50\n" + block + ".param x={t}\n", 2},
      {".param t={temper+1}\n.if (t > 51)\nr1 a 0 1\n.else\nr1 a 0 2\n.endif\n.temp 50.5\n", 1},
      {".param y=1\n.if (y==1)\n.temp 85\n.endif\n" + block, 1},
      {".param y=1\n.if (y==1)\nr2 b 0 1\n.endif\n" + block + ".temp 60\n", 1},
      {".lib cold\n.temp 85\n.endl\n" + block, 2},
  };
  for (const auto& [cards, ohm] : kCases) {
    const Circuit c = circuit(cards);
    EXPECT_EQ(c.resistors.value.back(), ohm) << cards;
  }
  const std::string tepid = "* t\n.if (temper > 26)\nr1 a 0 1\n.else\nr1 a 0 2\n.endif\n.end\n";
  EXPECT_EQ(read_netlist_text(tepid, "deck.sp", {.dialect = Dialect::hspice}).resistors.value[0], 2);
  EXPECT_EQ(read_netlist_text(tepid, "deck.sp").resistors.value[0], 1);
  EXPECT_THAT(error_of(block + ".param y=1\n.if (y==1)\n.temp 85\n.endif\n"),
              HasSubstr("deck.sp:2:1: this condition takes temper as 27 °C, but the deck has 85 °C in the end"));
  EXPECT_THAT(error_of(".if (temper < 50)\n.temp 85\n.endif\nr1 a 0 1\n"), HasSubstr("this condition takes temper"));
}

/// The dialect that the whole deck turns out to be written in, wherever a card tells it.
TEST(Conditions, TakeTheDialectOfTheDeck) {
  const std::string tepid = ".if (temper > 26)\nr1 a 0 1\n.else\nr1 a 0 2\n.endif\n";
  const std::string power = ".if (pwr(-2, 3) < 0)\nr1 a 0 1\n.else\nr1 a 0 2\n.endif\n";
  EXPECT_THAT(circuit(tepid + ".prot\n").resistors.value, ElementsAre(2)) << "25 °C";
  EXPECT_THAT(circuit(power + ".prot\n").resistors.value, ElementsAre(1));
  EXPECT_THAT(circuit(power + ".csparam a=1\n").resistors.value, ElementsAre(2));
  EXPECT_THAT(circuit(".if (0)\n.prot\n.endif\n" + tepid).resistors.value, ElementsAre(1)) << "none is told";
  EXPECT_THAT(circuit(tepid + ".if (0)\n.prot\n.else\n.backanno\n.endif\n").resistors.value, ElementsAre(1));
  EXPECT_THAT(
      error_of(".if (temper > 26)\n.prot\n.endif\nr1 a 0 1\n"),
      HasSubstr("deck.sp:2:1: the cards that tell the dialect of this deck depend on conditions, from here on"));
}

/// One that only an included file tells, when conditions have been decided.
TEST(Conditions, TakeTheDialectOfIncludedFiles) {
  const std::filesystem::path folder = test::temporary("dialect_of_included");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "late.inc") << ".prot\nr9 a 0 9\n";
  std::ofstream(folder / "deck.sp") << "* t\n.if (temper > 26)\nr1 a 0 1\n.else\nr1 a 0 2\n.endif\n"
                                       ".include late.inc\n.end\n";
  const Circuit c = read_netlist((folder / "deck.sp").string());
  EXPECT_THAT(c.resistors.value, ElementsAre(2, 9));
  EXPECT_EQ(c.files.size(), 2u);
  EXPECT_EQ(c.ledger.files.size(), 2u);
  EXPECT_THAT(c.findings, testing::ElementsAre(testing::Field(&ReadFinding::code, "dialect")));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gridiron
