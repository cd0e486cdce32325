// SPDX-License-Identifier: Apache-2.0
// Spellings of other SPICE programs: parameters as values, functions, whole libraries, parasitics, whose deck it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

Circuit circuit(const std::string& cards, Dialect dialect = Dialect::automatic) {
  return read_netlist_text("* t\n" + cards + ".end\n", "deck.sp", {.dialect = dialect});
}

std::string error_of(const std::string& cards, Dialect dialect = Dialect::automatic) {
  try {
    circuit(cards, dialect);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

/// All values that a deck has of resistors, capacitors, inductors, voltage and current sources, in this order.
std::vector<double> values(const Circuit& c) {
  std::vector<double> all;
  for (const Kind k : kEveryKind) all.insert(all.end(), c.elements(k).value.begin(), c.elements(k).value.end());
  return all;
}

TEST(Dialects, ParametersHaveFourSpellings) {
  for (const std::string card : {".param", ".para", ".params", ".PARAMETER"})
    EXPECT_THAT(values(circuit(card + " x=2k, y = {2*x}\nr1 a 0 {y}\n")), ElementsAre(4000)) << card;
  EXPECT_EQ(values(circuit(".parameter x 5 y=2\nr1 a 0 {x*y}\n")), std::vector<double>{10}) << "decks in tiles";
  EXPECT_THAT(error_of(".param x y\nr1 a 0 {x}\n"), HasSubstr("deck.sp:2:10: expected '='"));
}

/// A sign behind a blank is no name of another parameter.
TEST(Dialects, ExpressionsOfParametersMayHaveBlanks) {
  const std::pair<const char*, double> kCases[] = {
      {".param x = 1 + 2\n", 3},     {".param x = 3 -1 y=2\n", 2},        {".param x=3- 1, y=2\n", 2},
      {".param x=2 *y y = 4\n", 8},  {".param x=y<3 ? 7 : 8 y=2\n", 7},   {".param x=max( 1, 2 ) y=1\n", 2},
      {".param x = ( 1 + 2 )\n", 3}, {".param x = - 1 + y y=6 ; 1\n", 5}, {".param x=1 $ + 2\n", 1},
      {".param x 5 y 7\n", 5},       {".param x=1\n+ y=2\n", 1},          {".param f(z)=z + 1 x=f(2) * 2\n", 6},
  };
  for (const auto& [card, expected] : kCases)
    EXPECT_THAT(values(circuit(card + std::string("r1 a 0 {x}\n"))), ElementsAre(expected)) << card;
  EXPECT_THAT(error_of(".param x=1\n+ + 2\nr1 a 0 {x}\n"), HasSubstr("deck.sp:3:3: expected the expression in one"));
  EXPECT_THAT(error_of(".param x=1, + 2\nr1 a 0 {x}\n"), HasSubstr("deck.sp:2:13: expected a name"));
  EXPECT_THAT(error_of(".param x=1 +\nr1 a 0 {x}\n"), HasSubstr("expected a number, parameter or parenthesis"));
  EXPECT_THAT(error_of(".param x=1$2\nr1 a 0 {x}\n"), HasSubstr("deck.sp:2:10"));
}

TEST(Dialects, AParameterIsAValueWithoutBraces) {
  const std::string p = ".param x=2 y=3 t=1n\n";
  const std::pair<std::string, std::vector<double>> kCases[] = {
      {"r1 a 0 x\n", {2}},
      {"r1 a 0 X tc1=y\n", {2}},
      {"r1 a 0 R=x m=y\n", {2. / 3}},
      {"c1 a 0 x\n", {2}},
      {"c1 a 0 x ic=y\n", {2}},
      {"l1 a 0 x\n", {2}},
      {"v1 a 0 x\n", {2}},
      {"v1 a 0 DC x\n", {2}},
      {"v1 a 0 dc=x ac y\n", {2}},
      {"i1 a 0 x m=y\n", {6}},
      {"i1 a 0 x ; load\n", {2}},
      {"i1 a 0 x $ load\n", {2}},
      {"i1 a 0\n* comment\n$ comment\n; comment\n+ x\n", {2}},
      {"i1 a 0 PULSE(x y 0 t t t 5n)\n", {2}},
      {"i1 a 0 PWL 0 x t y\n", {2}},
      {"x1 a s w=y\n.subckt s p w=x\nr1 p 0 w\n.ends\n", {3}},
      {"x1 a s\n.subckt s p w=x\nr1 p 0 w\n.ends\n", {2}},
      {".model m r (r=y)\nr1 a 0 m\n", {3}},
      {".temp x\nr1 a 0 temper\n", {2}},
  };
  for (const auto& [cards, expected] : kCases) EXPECT_EQ(values(circuit(p + cards)), expected) << cards;
  EXPECT_THAT(error_of(p + "i1 a 0 z\n"), HasSubstr("deck.sp:3:8: unknown parameter 'z'; define it with .param"));
  EXPECT_THAT(error_of(p + "r1 a 0 z\n"), HasSubstr("deck.sp:3:8: expected a number"));
  EXPECT_THAT(error_of(p + "r1 a 0 z\n"), HasSubstr("there is no '.model z R' and no '.param z'"));
  EXPECT_THAT(error_of(p + ".model x r (r=5)\nr1 a 0 x\n"), HasSubstr("'x' is a model and a parameter; rename one"));
  EXPECT_THAT(error_of(p + "c1 a 0 x z\n"), HasSubstr("deck.sp:3:10: expected a number or {expression}, got 'z'"));
  EXPECT_THAT(error_of(".param q=5V\nr1 a 0 q\n"), HasSubstr("parameter 'q' is a voltage, where a resistance"));
}

/// Titles of words read as cards with a parameter only where the deck has that parameter.
TEST(Dialects, ATitleOfWordsStaysOne) {
  for (const std::string title : {"Current in a grid", "Vdd supply of chip", "Load at a pad"}) {
    const Circuit c = read_netlist_text(title + "\n.param x=1\nr1 a 0 1\n.end\n", "deck.sp");
    EXPECT_EQ(c.title, title);
    EXPECT_EQ(c.element_count(), 1);
    EXPECT_THAT(c.findings, IsEmpty()) << c.findings[0].message;
  }
  EXPECT_EQ(read_netlist_text("i1 a 0 x\n.param x=1\nr1 a 0 1\n.end\n").element_count(), 2);
}

/// As Virtuoso writes it.
TEST(Dialects, HeadsOfCdl) {
  const std::string head =
      "*.BIPOLAR\n*.RESI = 2000\n*.SCALE METER\n*.MEGA\n.PARAM\n\n*.GLOBAL vdd!\n+        gnd!:G\n\n*.PIN vdd!\n*+    "
      "gnd!\n";
  const std::string cell = ".SUBCKT cell a\n*.PININFO a:B\nRR0 vdd! a 1K $[rp] $SUB=gnd!\nRR1 a gnd! 2K\n.ENDS\n";
  for (const Dialect d : {Dialect::automatic, Dialect::cdl}) {
    const Circuit c = circuit(head + cell + "XI0 x / cell\nv1 vdd! 0 1\nv2 gnd! 0 0\n", d);
    EXPECT_EQ(std::string(c.nodes[c.resistors.a[0]]), "vdd!");
    EXPECT_EQ(std::string(c.nodes[c.resistors.b[1]]), "gnd!");
    EXPECT_EQ(c.element_count(), 4);
  }
  const Circuit hspice = circuit(head + cell + "XI0 x / cell\nv1 vdd! 0 1\nr2 gnd! vdd! 1\n", Dialect::hspice);
  EXPECT_GT(hspice.nodes.find("xi0.vdd!"), 0) << "a comment in other languages";
  EXPECT_EQ(values(circuit("r1 a 0 1\n*.PIN a\n+ b\n*.GLOBAL c\n+ d\n+ e\nr2 a 0 2\n")), (std::vector<double>{1, 2}));
  EXPECT_EQ(values(circuit("r1 a 0\n* no list\n+ 1\n*.PINS\n+ m=2\n")), (std::vector<double>{0.5}));
  EXPECT_EQ(values(circuit("*.GLOBAL\n+ a:1\nr1 a 0 1\n.param\n")), (std::vector<double>{1}));
}

TEST(Dialects, ModelsMultiplyValuesInPspice) {
  const std::string cards = "r1 a 0 m 10\nr2 a 0 m 5\n.model m res (r=2)\n";
  EXPECT_THAT(values(circuit(cards, Dialect::pspice)), ElementsAre(20, 10));
  EXPECT_THAT(values(circuit(cards, Dialect::hspice)), ElementsAre(10, 5));
  const Circuit c = circuit(cards);
  EXPECT_THAT(values(c), ElementsAre(10, 5));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].code, "model-factor");
  EXPECT_EQ(c.findings[0].place, "deck.sp:2:1");
  EXPECT_THAT(circuit("r1 a 0 m 10\n.model m res (r=1 tc1=0)\n").findings, IsEmpty());
  EXPECT_THAT(circuit(cards, Dialect::ngspice).findings, IsEmpty());
}

TEST(Dialects, FunctionsOfTheDeck) {
  const std::pair<std::string, std::vector<double>> kCases[] = {
      {".func dbl(x) {2*x}\nr1 a 0 {dbl(3)}\n", {6}},
      {".func f(x) 2 * x + y\n.param y=1\nr1 a 0 {f(3)}\n", {7}},
      {".func f(x,z) = 'x\n+ + z'\nr1 a 0 'f(1,2)'\n", {3}},
      {".param f(x)='2*x' y=5 g(x,z)={f(x)+z}\nr1 a 0 {g(y, 1)}\n", {11}},
      {".func f() {4}\nr1 a 0 1\n", {1}},
      {"x1 a s\n.subckt s p\n.func f(x) {3*x}\nr1 p 0 {f(2)}\n.ends\nr2 a 0 {f(2)}\n.func f(x) {x}\n", {2, 6}},
      {".param a={f(1)}\n.func f(x) {x+b}\n.param b=2\nr1 a 0 {a}\n", {3}},
      {".func f() {4}\n.param g()='f( )*2'\nr1 a 0 {f()+g()}\n", {12}},
  };
  for (const auto& [cards, expected] : kCases) EXPECT_EQ(values(circuit(cards)), expected) << cards;
  EXPECT_THAT(error_of(".func f(x) {f(x)}\nr1 a 0 {f(1)}\n"), HasSubstr("deck.sp:3:9: function 'f' calls itself"));
  EXPECT_THAT(error_of(".func f(x) {x}\n.func F(x) {x}\nr1 a 0 1\n"), HasSubstr("function 'F' is defined twice"));
  EXPECT_THAT(error_of(".func f() {4}\nr1 a 0 {f(1)}\n"), HasSubstr("f() takes 0 argument(s), got 1"));
  EXPECT_THAT(error_of(".func f(x) {x}\nr1 a 0 {f()}\n"), HasSubstr("f() takes 1 argument(s), got 0"));
  EXPECT_THAT(error_of("r1 a 0 {sqrt()}\n"), HasSubstr("sqrt() takes 1 argument(s), got 0"));
  EXPECT_THAT(error_of(".func f(x,y,X) {x}\nr1 a 0 1\n"), HasSubstr("deck.sp:2:13: a second argument 'X'; rename one"));
  EXPECT_THAT(error_of(".param f(x,x)={x}\nr1 a 0 1\n"), HasSubstr("deck.sp:2:12: a second argument 'x'"));
  EXPECT_THAT(error_of(".func f {x}\n"), HasSubstr("expected a '(' and the names of the arguments"));
  EXPECT_THAT(error_of(".func f(x)\n"), HasSubstr("the {expression} of the function"));
  EXPECT_THAT(error_of(".param a={f(1)}\n.func f(x) {a}\nr1 a 0 {a}\n"), HasSubstr("parameter 'a' depends on itself"));
}

class WholeLibraries : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = gridiron::test::temporary("whole_libraries");
    std::filesystem::create_directories(folder_);
    write("extra.lib", "r9 a 0 9\n");
    write("sections.lib", ".lib tt\nr8 a 0 8\n.endl tt\n.lib ff\n.lib extra.lib\nr7 a 0 7\n.endl\n");
    write("nested.lib", ".lib tt\n.lib extra.lib\nr6 a 0 6\n.endl tt\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  Circuit read(const std::string& cards, Dialect dialect = Dialect::automatic) {
    write("deck.sp", "* t\nr1 a 0 1\n" + cards + ".end\n");
    return read_netlist((folder_ / "deck.sp").string(), {.dialect = dialect});
  }
  std::string error(const std::string& cards, Dialect dialect = Dialect::automatic) {
    try {
      read(cards, dialect);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

TEST_F(WholeLibraries, ALibOfOneArgumentWithoutEndlIsAFile) {
  for (const Dialect d : {Dialect::automatic, Dialect::ngspice, Dialect::hspice, Dialect::pspice, Dialect::ltspice}) {
    EXPECT_THAT(values(read(".lib extra.lib\nr2 a 0 2\n", d)), ElementsAre(1, 9, 2));
    EXPECT_THAT(values(read(".lib 'extra.lib' $ all of it\n", d)), ElementsAre(1, 9));
  }
  EXPECT_THAT(values(read(".lib extra.lib\n.lib tt\nr3 a 0 3\n.endl tt\nr2 a 0 2\n")), ElementsAre(1, 9, 2));
  EXPECT_THAT(values(read(".lib nested.lib tt\n")), ElementsAre(1, 9, 6));
  EXPECT_THAT(error(".lib nowhere.lib\n"),
              HasSubstr("deck.sp:3:1: .lib nowhere.lib begins a section that no .endl ends, and there is no file"));
  EXPECT_THAT(error(".lib nowhere.lib\n", Dialect::ltspice), HasSubstr("deck.sp:3:1: cannot include"));
  EXPECT_THAT(error(".lib extra.lib\n.endl\n", Dialect::pspice), HasSubstr("deck.sp:4:1: .endl without .lib"));
}

TEST_F(WholeLibraries, AMissingSectionIsToldWithTheCardAndWhatThereIs) {
  EXPECT_THAT(error(".lib \"sections.lib\" XX\n"),
              HasSubstr("deck.sp:3:1: 'sections.lib' has no section 'XX'; its sections are: tt, ff"));
  EXPECT_THAT(error(".lib 'extra.lib' tt\n"),
              HasSubstr("deck.sp:3:1: 'extra.lib' has no section 'tt'; its sections are: none"));
  EXPECT_THAT(error(".lib sections.lib fast\n"), testing::Not(HasSubstr("extra.lib, ff")));
}

TEST_F(WholeLibraries, ItsSectionsAreNotRead) {
  const Circuit c = read(".lib sections.lib\n");
  EXPECT_THAT(values(c), ElementsAre(1));
  EXPECT_EQ(c.findings[0].code, "section-not-read");
}

TEST(Dialects, SeriesAndParallelParts) {
  const Circuit v = circuit("v1 a 0 1 Rser=0.1 cpar=2p\nr2 a 0 1\n");
  EXPECT_EQ(values(v), (std::vector<double>{1, 0.1, 2e-12, 1}));
  EXPECT_EQ(std::string(v.nodes[v.voltage_sources.a[0]]), "v1.rser");
  EXPECT_EQ(v.resistors.b[1], v.voltage_sources.a[0]);
  EXPECT_EQ(v.element_name(kResistor, 1), "v1.rser");
  EXPECT_EQ(v.element_name(kCapacitor, 0), "v1.cpar");
  EXPECT_EQ(v.element_name(kVoltageSource, 0), "v1");
  EXPECT_EQ(v.place(v.resistors.origin[1]), "deck.sp:2:3");
  const Circuit turned = circuit("v1 0 a -1 Rser=0.1\nr2 a 0 1\n");
  EXPECT_EQ(turned.voltage_sources.a[0], kGround);
  EXPECT_EQ(std::string(turned.nodes[turned.voltage_sources.b[0]]), "v1.rser") << "the source stays at node 0";

  const Circuit inside = circuit(
      ".param x=0.5\nx1 a s m=2\nx2 a s\n.subckt s p\nl1 p q 1n rser=x rpar={4*x} Cpar=1f\nr1 q 0 1\n.ends\nr2 a 0 "
      "1\n");
  EXPECT_EQ(inside.resistors.value, (std::vector<double>{1, 0.5, 0.25, 1, 1, 0.5, 2}));
  EXPECT_EQ(inside.element_name(kResistor, 2), "x1.l1.rser");
  EXPECT_EQ(inside.element_name(kResistor, 3), "x1.l1.rpar");
  EXPECT_EQ(inside.element_name(kResistor, 5), "x2.l1.rser");
  EXPECT_EQ(inside.element_name(kResistor, 4), "x2.r1");
  EXPECT_EQ(inside.element_name(kCapacitor, 1), "x2.l1.cpar");
  EXPECT_EQ(std::string(inside.nodes[inside.inductors.a[1]]), "x2.l1.rser");

  const Circuit sources = circuit("x1 a s m=2\n.subckt s p\nv1 p 0 1 Rser=0.5 Cpar=1p\n.ends\nr2 a 0 1\n");
  EXPECT_EQ(values(sources), (std::vector<double>{1, 0.25, 2e-12, 1})) << "M copies are in parallel";

  EXPECT_EQ(values(circuit("c1 a 0 1p Rser=1 m=2\nr1 a 0 1\n")), (std::vector<double>{1, 0.5, 2e-12}));
  EXPECT_EQ(values(circuit("c1 a 0 1p Rpar=1k\n")), (std::vector<double>{1000, 1e-12}));
  EXPECT_EQ(values(circuit("l1 a 0 1n Rser=0\n")), (std::vector<double>{1e-9}));

  const std::pair<std::string, std::string> kRefused[] = {
      {"c1 a 0 1p lser=1n\n", "deck.sp:2:11: lser= other than 0 is not supported; write the inductance as a card"},
      {"c1 a 0 1p rser=1 rpar=1k\n", "deck.sp:2:18: rpar= together with Rser= is not supported"},
      {"i1 a 0 1 rser=1\n", "deck.sp:2:10: a current source has no Rser and Cpar"},
      {"v1 a 0 1 rpar=1\n", "a source has no Rpar"},
      {"v1 a 0 1 rser=-1\n", "deck.sp:2:1: Rser is -1; it must be positive"},
      {"l1 a 0 1n rpar=0\n", "Rpar is 0; it must be positive"},
      {"v1 a 0 1 rser=5V\n", "no unit of a resistance"},
      {"r1 a 0 1 rser=1\n", "expected the end of the card or one of"},
  };
  for (const auto& [cards, message] : kRefused) EXPECT_THAT(error_of(cards), HasSubstr(message)) << cards;
}

std::string guess(const std::string& cards, Dialect dialect = Dialect::automatic) {
  for (const ReadFinding& f : circuit("r1 a 0 1\n" + cards, dialect).findings)
    if (f.code == "dialect") return (f.is_warning ? "warning " : "") + f.place + ": " + f.message;
  return "none";
}

TEST(Dialects, AreGuessedFromUnmistakableCards) {
  const std::pair<const char*, const char*> kSigns[] = {
      {".backanno\n", "ltspice"},
      {".prot\n", "hspice"},
      {".UNPROTECT\n", "hspice"},
      {".para x=1\n", "hspice"},
      {"*|DSPF 1.5\n", "dspf"},
      {"*|NET a 1PF\n", "dspf"},
      {"*.BIPOLAR\n", "cdl"},
      {"*.PININFO a:I\n", "cdl"},
      {".csparam x=1\n", "ngspice"},
      {".watch v(a)\n", "pspice"},
      {".aliases\n.endaliases\n", "pspice"},
  };
  for (const auto& [card, dialect] : kSigns) {
    EXPECT_THAT(guess(card), HasSubstr("deck.sp:3:1: the deck is taken for one of " + std::string(dialect))) << card;
    EXPECT_EQ(guess(card, Dialect::ngspice), "none") << "what is given is not guessed";
  }
  for (const char* card : {"* comment\n", "*. \n", ".op\n", "*||\n", ".tran 1n 2n\n", ".option post\n"})
    EXPECT_EQ(guess(card), "none") << card;
  EXPECT_THAT(guess("*|NET a 1PF\n.prot\n"), HasSubstr("deck.sp:4:1: the deck is taken for one of hspice"))
      << "such files are included anywhere";
  EXPECT_THAT(guess(".prot\n.backanno\n"),
              HasSubstr("warning deck.sp:3:1: the deck is taken for one of hspice, which alone has such a card, though "
                        "deck.sp:4:1 has one of ltspice"));
}

TEST(Dialects, AGuessDecidesExpressionsAndNotSuffixes) {
  EXPECT_EQ(values(circuit(".prot\nr1 a 0 {pow(2, 1.5)}\n")), (std::vector<double>{2}));
  EXPECT_EQ(values(circuit("r1 a 0 {pow(4, 1.5)}\n")), (std::vector<double>{8}));
  EXPECT_THAT(error_of(".backanno\nr1 a 0 {2^3}\n"), HasSubstr("'^' is exclusive or in LTspice"));
  EXPECT_EQ(values(circuit(".backanno\nr1 a 0 {2^3}\n", Dialect::ngspice)), (std::vector<double>{8}));
  EXPECT_EQ(values(circuit(".prot\ni1 a 0 1A\nr1 a 0 1\n")), (std::vector<double>{1, 1})) << "ampere, not atto";
  EXPECT_THAT(error_of(".prot\nr1 a 0 1x\n"), HasSubstr("'x' is mega in HSPICE"));
}

TEST(Dialects, HspiceHasMoreNamesOfNodeZero) {
  const std::string cards =
      "v1 vdd gnd! 1\nr1 vdd a 1\nr2 a ground 1\n.subckt cell p\nr3 p gnd! 2\n.ends\nx1 a cell\ne1 b GROUND a Gnd! 2\n";
  for (const auto& [text, dialect] :
       {std::pair(cards, Dialect::hspice), std::pair(cards + ".unprotect\n", Dialect::automatic)}) {
    const Circuit c = circuit(text, dialect);
    EXPECT_EQ(c.node_count(), 4) << "0, vdd, a, b";
    EXPECT_EQ(c.voltage_sources.b[0], kGround);
    EXPECT_EQ(c.resistors.b[1], kGround);
    EXPECT_EQ(c.resistors.b[2], kGround);
  }
  EXPECT_EQ(circuit(cards).node_count(), 7) << "with gnd! and ground, and x1.gnd!";
  EXPECT_THAT(error_of(".subckt cell gnd!\nr1 gnd! a 1\n.ends\nx1 a cell\n", Dialect::hspice),
              HasSubstr("port 'gnd!' of subcircuit 'cell' is ground"));
  EXPECT_EQ(error_of(".subckt cell gnd!\nr1 gnd! a 1\n.ends\nx1 ground cell\n", Dialect::hspice), "no error");
}

}  // namespace
}  // namespace gridiron
