// SPDX-License-Identifier: Apache-2.0
// A deck with other values of resistors and new pads: what becomes of its text, and that it reads as the same circuit.
#include "netlist/edit/edited_deck.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/netlist/edit/same_circuit.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

int64_t resistor(const Circuit& circuit, const std::string& name) {
  for (int64_t i = 0; i < circuit.resistors.size(); ++i)
    if (circuit.element_name(kResistor, i) == name) return i;
  ADD_FAILURE() << "no resistor " << name;
  return 0;
}

/// A folder of decks, and another one that edited decks are read from.
class EditedDeck : public testing::Test {
 protected:
  EditedDeck() {
    fs::create_directories(folder_ / "a" / "sub");
    fs::create_directories(folder_ / "b");
  }
  ~EditedDeck() override { fs::remove_all(folder_); }

  /// The text of a circuit with edits, which reads back as the same but for these.
  std::string edited(const Circuit& before, const std::vector<ResistorFactor>& widened,
                     const std::vector<NewPad>& pads = {}, const std::set<std::string>& added = {},
                     int64_t most_ulps = 0, const ReadOptions& options = {}) {
    const fs::path path = folder_ / "b" / "edited.sp";
    write_edited_deck(before, widened, pads, path);
    after_ = read_netlist(path.string(), options);
    test::expect_same_but(before, after_, widened, most_ulps, added);
    return text_of(path);
  }

  /// The card of r1, in a deck with it, by a factor of 1.25.
  std::string widened_card(const std::string& card, const std::string& others = "", int64_t most_ulps = 0,
                           Dialect dialect = Dialect::automatic) {
    const std::string head = "* title\n" + others + "v1 a 0 1\n", tail = "\nr2 b 0 7\ni1 b 0 1m\n.end\n";
    const ReadOptions options{.dialect = dialect};
    const Circuit before = read_netlist_text(head + card + tail, "deck.sp", options);
    const std::string text = edited(before, {{resistor(before, "r1"), 1.25}}, {}, {}, most_ulps, options);
    EXPECT_TRUE(text.starts_with(head) && text.ends_with(tail)) << text;
    return text.substr(head.size(), text.size() - head.size() - tail.size());
  }

  std::string error_of(const Circuit& circuit, const std::vector<ResistorFactor>& widened) {
    try {
      write_edited_deck(circuit, widened, {}, folder_ / "b" / "edited.sp");
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }

  fs::path folder_ = test::temporary("edited");
  Circuit after_;
};

TEST_F(EditedDeck, ReplacesNumbers) {
  EXPECT_EQ(widened_card("r1 a b 2"), "r1 a b 1.6");
  EXPECT_EQ(widened_card("r1 a b 1k"), "r1 a b 800");
  EXPECT_EQ(widened_card("r1 a b 1meg"), "r1 a b 800000");
  EXPECT_EQ(widened_card("r1 a b 0.1"), "r1 a b 0.08");
  EXPECT_EQ(widened_card("r1 a b 1e-3ohm"), "r1 a b 0.0008");
  EXPECT_EQ(widened_card("r1 a b +2.5E+00"), "r1 a b +2");
  EXPECT_EQ(widened_card("r1 a b -5"), "r1 a b -4");
  EXPECT_EQ(widened_card("r1 a b R=5"), "r1 a b R=4");
  EXPECT_EQ(widened_card("r1 a b r = 5mOhm"), "r1 a b r = 0.004");
}

TEST_F(EditedDeck, KeepsWhatElseACardHas) {
  EXPECT_EQ(widened_card("r1 a b 5 $ metal 4; 5"), "r1 a b 4 $ metal 4; 5");
  EXPECT_EQ(widened_card("r1 a b 5 ; note 5"), "r1 a b 4 ; note 5");
  EXPECT_EQ(widened_card("r1\ta  b   5\t \r"), "r1\ta  b   4\t \r");
  EXPECT_EQ(widened_card("r1 a b\n* between\n+ 5"), "r1 a b\n* between\n+ 4");
  EXPECT_EQ(widened_card("r1 a b\n+5"), "r1 a b\n+4");
  EXPECT_EQ(widened_card("r1 a\n+ b 5\n+ tc1=0"), "r1 a\n+ b 4\n+ tc1=0");
  EXPECT_EQ(widened_card("r1 a b \\\\\n 5"), "r1 a b \\\\\n 4");
  EXPECT_EQ(widened_card("r1 a b 5 noisy=0 l=2u"), "r1 a b 4 noisy=0 l=2u");
}

TEST_F(EditedDeck, MultipliesWidthsOfAnnotations) {
  EXPECT_EQ(widened_card("r1 a b 5 $l=2 $w=0.4 $lvl=3"), "r1 a b 4 $l=2 $w=0.5 $lvl=3");
  EXPECT_EQ(widened_card("r1 a b 5 $W = 0.4u $L = 2u\r"), "r1 a b 4 $W = 0.5u $L = 2u\r");
  EXPECT_EQ(widened_card("r1 a b 5 $w=100nm$x=1 $y=2"), "r1 a b 4 $w=125nm$x=1 $y=2");
  EXPECT_EQ(widened_card("r1 a b 5 $w=4E-1"), "r1 a b 4 $w=0.5");
  EXPECT_EQ(widened_card("r1 a b 5 w=0.07u $w=0.07"), "r1 a b 4 w=0.0875u $w=0.0875");  // 0.08750000000000001
  EXPECT_EQ(widened_card("r1 a b 5 $w=1e-7"), "r1 a b 4 $w=1.25e-07");
  EXPECT_EQ(widened_card("r1 a b 5 $w=0.2 $w=0.4"), "r1 a b 4 $w=0.2 $w=0.5");
  EXPECT_EQ(widened_card("r1 a b 5 $w=0.4 $l=1\n* $w=9\n+ $w=0.8 $lvl=3"),
            "r1 a b 4 $w=0.4 $l=1\n* $w=9\n+ $w=1 $lvl=3");
  EXPECT_EQ(widened_card("r1 a b\n+ 5\n+ $w=0.4"), "r1 a b\n+ 4\n+ $w=0.5");
  EXPECT_EQ(widened_card("r1 a b {2*rw} $w=0.4", ".param rw=3\n"), "r1 a b 4.8 $w=0.5");
  EXPECT_EQ(widened_card("r1 a b 6 m=2 $w=0.4"), "r1 a b 4.8 m=2 $w=0.5");
  EXPECT_EQ(widened_card("r1 $N_1 b 5 $w=0.4", "r3 a $N_1 1\n", 0, Dialect::pspice), "r1 $N_1 b 4 $w=0.5");
}

TEST_F(EditedDeck, LeavesWhatIsNoWidth) {
  for (const std::string note : {"$w=0", "$w=-1", "$w=0.4x", "$w=", "$w=3e5", "$a=0.4", "$l=0.4", "$ $w=0.4",
                                 "; $w=0.4", "$width=0.4", "$w2=0.4", "$ w=0.4"})
    EXPECT_EQ(widened_card("r1 a b 5 " + note), "r1 a b 4 " + note);
}

TEST_F(EditedDeck, WritesWidthsThatAreReadInTheirUnit) {
  EXPECT_EQ(widened_card("r1 a b 5 $w=9e-5"), "r1 a b 4 $w=112.5u");  // from 1e-4 on it would be in um
  const Circuit before = read_netlist_text("t\nv1 a 0 1\nr1 a b 1 $w=1.5e-4\ni1 b 0 1m\nr2 a b 1 $w=1e5\n", "deck.sp");
  EXPECT_THAT(error_of(before, {{0, 0.1}}),
              HasSubstr("deck.sp:3:13: this card tells a width of 0.00015 um, and 1.5e-05 um is none"));
  EXPECT_THAT(error_of(before, {{1, 3}}),
              HasSubstr("deck.sp:5:13: this card tells a width of 100000 um, and 300000 um is none"));
}

TEST_F(EditedDeck, MultipliesTheSettingOfAWidth) {
  const std::string model = ".model rpoly r (rsh=0.1 tc1=2m)\n.param k=2\n.temp 77\n";
  EXPECT_EQ(widened_card("r1 a b 5 noisy=0 l=2u w=1u"), "r1 a b 4 noisy=0 l=2u w=1.25u");
  EXPECT_EQ(widened_card("r1 a b 5 w = {k*1u}", model), "r1 a b 4 w = {(k*1u)*1.25}");
  EXPECT_EQ(widened_card("r1 a b w=1u R=5 $w=1"), "r1 a b w=1.25u R=4 $w=1.25");
  EXPECT_EQ(widened_card("r1 a b 5 rpoly l=2u w=1u", model, 4), "r1 a b 4 rpoly l=2u w=1.25u");
  EXPECT_EQ(widened_card("r1 a b rpoly l=2u w=1u $w=1", model), "r1 a b rpoly m=1.25 l=2u w=1u $w=1.25");
}

TEST_F(EditedDeck, ReplacesExpressions) {
  EXPECT_EQ(widened_card("r1 a b {2*rw}", ".param rw=3\n"), "r1 a b 4.8");
  EXPECT_EQ(widened_card("r1 a b '2*rw' $ x", ".param rw=3\n"), "r1 a b 4.8 $ x");
  EXPECT_EQ(widened_card("r1 a b R={rw}", ".param rw=3\n"), "r1 a b R=2.4");
  EXPECT_EQ(widened_card("r1 a b R=rw", ".param rw=3\n"), "r1 a b R=2.4");
  EXPECT_EQ(widened_card("r1 a b {rw+\n+ 1}", ".param rw=3\n"), "r1 a b 3.2");
}

TEST_F(EditedDeck, DividesWhatSettingsChange) {
  EXPECT_EQ(widened_card("r1 a b 6 m=2"), "r1 a b 4.8 m=2");
  EXPECT_EQ(widened_card("r1 a b 1k m=2"), "r1 a b 0.8k m=2");
  EXPECT_EQ(widened_card("r1 a b 2 tc1=3m"), "r1 a b 1.6 tc1=3m");
  EXPECT_EQ(widened_card("r1 a b 2 tc=3m,1u scale=2", ".temp 125\n", 4), "r1 a b 1.6 tc=3m,1u scale=2");
  EXPECT_EQ(widened_card("r1 a b {2*rw} m=2", ".param rw=3\n"), "r1 a b {(2*rw)/1.25} m=2");
  EXPECT_EQ(widened_card("r1 a b '2*rw' m=2", ".param rw=3\n"), "r1 a b '(2*rw)/1.25' m=2");
  EXPECT_EQ(widened_card("r1 a b R=rw m=2", ".param rw=3\n"), "r1 a b R='(rw)/1.25' m=2");
  EXPECT_EQ(widened_card("r1 a b {rw>2 ? rw : 1} dtemp=0", ".param rw=3\n"), "r1 a b {(rw>2 ? rw : 1)/1.25} dtemp=0");
}

TEST_F(EditedDeck, PutsModelsInParallel) {
  const std::string model = ".model rpoly r (rsh=0.1 tc1=2m)\n.param rw=3 k=2\n.temp 77\n";
  EXPECT_EQ(widened_card("r1 a b rpoly l=20u w=1u", model), "r1 a b rpoly m=1.25 l=20u w=1u");
  EXPECT_EQ(widened_card("r1 a b rpoly l=20u w=1u m=2", model), "r1 a b rpoly l=20u w=1u m=2.5");
  EXPECT_EQ(widened_card("r1 a b rpoly l=20u w=1u m={k}", model), "r1 a b rpoly l=20u w=1u m={(k)*1.25}");
  EXPECT_EQ(widened_card("r1 a b rw", model), "r1 a b rw m=1.25");
  EXPECT_EQ(widened_card("r1 a b rpoly rw", model), "r1 a b rpoly rw m=1.25");
  EXPECT_EQ(widened_card("r1 a b sub rpoly l=20u w=1u $ x", model), "r1 a b sub rpoly m=1.25 l=20u w=1u $ x");
  EXPECT_EQ(widened_card("r1 a b 5 rpoly", model, 4), "r1 a b 4 rpoly");
  EXPECT_EQ(widened_card("r1 a b rpoly 5", model, 4), "r1 a b rpoly 4");
  EXPECT_EQ(widened_card("r1 a b b rpoly R=1.5k", model, 4), "r1 a b b rpoly R=1.2k");
}

TEST_F(EditedDeck, ReadsDialects) {
  EXPECT_EQ(widened_card("r1 $N_1 b 5", "r3 a $N_1 1\n", 0, Dialect::pspice), "r1 $N_1 b 4");
  EXPECT_EQ(widened_card("r1 a b 2x", "", 0, Dialect::hspice), "r1 a b 1600000");
  EXPECT_EQ(widened_card("r1 a b 2x m=2", "", 0, Dialect::hspice), "r1 a b 1.6x m=2");
  EXPECT_EQ(widened_card("r1 a b 4k7", "", 0, Dialect::ltspice), "r1 a b 3760");
  EXPECT_EQ(widened_card("r1 a b 4k7 m=2", "", 0, Dialect::ltspice), "r1 a b 4k7 m=2.5");
  EXPECT_EQ(widened_card("r1 a b 4k7 tc1=0 scale=3", "", 0, Dialect::ltspice), "r1 a b 4k7 m=1.25 tc1=0 scale=3");
  EXPECT_EQ(widened_card("r1 a b 5 $[rm4] $W=2u m1", "", 0, Dialect::cdl), "r1 a b 4 $[rm4] $W=2.5u m1");
}

TEST_F(EditedDeck, ChangesNothingElse) {
  const std::string deck =
      "grid\n* layer: M5,VDD net: 1\n* nominal: VDD 1\n* dbu: 2000\n.option temp=30\n.param p=2\nv1 n1_0_0 0 1\n"
      "r1 n1_0_0 n1_1_0 2 $ first\nr2 n1_1_0 n1_2_0 {p}\nc1 n1_1_0 0 1p ic=0.5\nl1 n1_2_0 n1_3_0 1n\nr3 n1_3_0 0 3\n"
      "* Sink for u1/VDD\ni1 n1_2_0 0 0 pulse(0 1m 0 1n 1n 2n 9n)\n.tran 1n 10n uic\n.print tran v(n1_1_0)\n"
      ".control\nrun\n.endc\n.end\nr9 behind the end\n";
  const Circuit before = read_netlist_text(deck, "deck.sp");
  EXPECT_EQ(edited(before, {}), deck);
  EXPECT_EQ(edited(before, {{resistor(before, "r1"), 1}}), deck);
  const std::string text = edited(before, {{resistor(before, "r2"), 3}, {resistor(before, "r1"), 2}});
  EXPECT_THAT(text, HasSubstr("\nr1 n1_0_0 n1_1_0 1 $ first\nr2 n1_1_0 n1_2_0 0.6666666666666666\nc1 "));
  EXPECT_EQ(text.size(), deck.size() + std::string("0.6666666666666666").size() - std::string("{p}").size());
}

TEST_F(EditedDeck, AddsPadsBeforeTheEnd) {
  const Circuit before = read_netlist_text(
      "t\nv1 a 0 1\nr1 a b 1\nrPAD1_2 b c 1\nx1 b s\ni1 c 0 1m\n.subckt s p\nr1 p q 1\n.ends\n .END", "deck.sp");
  const std::vector<NewPad> pads{{before.nodes.find("c"), 1, 0.5, "pad1"},
                                 {before.nodes.find("x1.q"), 0.9, 0.25, "pad1"},
                                 {before.nodes.find("b"), 1, 0, "pad2"}};
  const std::string text = edited(before, {}, pads, {"Vpad1", "Rpad1", "Vpad1_3", "Rpad1_3", "Vpad2"});
  EXPECT_THAT(text, EndsWith(".ends\nVpad1 pad1_supply 0 1\nRpad1 pad1_supply c 0.5\nVpad1_3 pad1_3_supply 0 0.9\n"
                             "Rpad1_3 pad1_3_supply x1.q 0.25\nVpad2 b 0 1\n .END"));
  EXPECT_EQ(after_.node_count(), before.node_count() + 2);
}

TEST_F(EditedDeck, AddsPadsWhereTheTextEnds) {
  const Circuit before = read_netlist_text("t\nv1 a 0 1\nr1 a b 1\ni1 b 0 1m", "deck.sp");
  EXPECT_EQ(edited(before, {}, {{before.nodes.find("b"), 1, 0, "p"}}, {"Vp"}),
            "t\nv1 a 0 1\nr1 a b 1\ni1 b 0 1m\nVp b 0 1\n");
}

TEST_F(EditedDeck, TellsTheNetOfAPad) {
  const Circuit before = read_netlist_text("* Netlist for VDD on default\nv1 a 0 1\nr1 a b 1\ni1 b 0 1m\n", "deck.sp");
  write_edited_deck(before, {}, std::vector<NewPad>{{before.nodes.find("b"), 1, 0, "p", "VDD"}},
                    folder_ / "b" / "edited.sp");
  EXPECT_THAT(text_of(folder_ / "b" / "edited.sp"), EndsWith("\n* Netlist for VDD on default\nVp b 0 1\n"));
}

TEST_F(EditedDeck, ChangesAllInstancesOfASubcircuit) {
  const Circuit before = read_netlist_text(
      "t\nv1 a 0 1\nx1 a b s len=2\nx2 b c s len=3 m=2\ni1 c 0 1m\n.subckt s p q len=1\nr1 p q {len*0.3}\n"
      "r2 p q 5k $w=0.4\n"
      "r3 p q 7 tc1=1m\nr4 p q len\n.if (len > 2)\nr5 p q 3\n.endif\n.ends\n.end\n",
      "deck.sp");
  std::vector<ResistorFactor> widened;
  for (const char* name : {"r1", "r2", "r3", "r4"})
    for (const std::string path : {"x1.", "x2."}) widened.push_back({resistor(before, path + name), 1.25});
  widened.push_back({resistor(before, "x2.r5"), 2});
  const std::string text = edited(before, widened);
  EXPECT_THAT(text, HasSubstr("\nr1 p q {(len*0.3)/1.25}\nr2 p q 4k $w=0.5\nr3 p q 5.6 tc1=1m\nr4 p q len m=1.25\n"
                              ".if (len > 2)\nr5 p q 1.5\n.endif\n"));
  EXPECT_EQ(error_of(before, {{resistor(before, "x2.r2"), 1.25}}),
            "deck.sp:8:1: x2.r2 is to change in some instances only, and this card is that of all instances of its "
            "subcircuit; change all of them alike, or write a subcircuit of its own for x2");
  EXPECT_THAT(error_of(before, {{resistor(before, "x1.r2"), 1.25}, {resistor(before, "x2.r2"), 1.5}}),
              HasSubstr("deck.sp:8:1: x1.r2 is to change by different factors"));
}

TEST_F(EditedDeck, RefusesWhatIsNoResistorCard) {
  const Circuit before =
      read_netlist_text("t\nv1 a 0 1 rser=0.5\nr1 a b 1\ni1 b 0 1m\ng1 a b a b 0.5\n.connect b c\n.end\n", "deck.sp");
  EXPECT_THAT(error_of(before, {{resistor(before, "v1.rser"), 2}}), HasSubstr("deck.sp:2:3: this card is none of a "));
  EXPECT_THAT(error_of(before, {{resistor(before, "g1"), 2}}), HasSubstr("deck.sp:5:1: this card is none of a "));
  const int64_t joint = std::ranges::find(before.resistors.value, 0.0) - before.resistors.value.begin();
  ASSERT_LT(joint, before.resistors.size());
  edited(before, {{joint, 2}});  // 0, as it was
}

TEST_F(EditedDeck, StandsAlone) {
  write(folder_ / "a" / "grid.sp", "\xef\xbb\xbfr2 b c 2\n.include sub/more.sp\nr4 d e 4");
  write(folder_ / "a" / "sub" / "more.sp", "r3 c d 3\n.end\nr99 c d 99\n");
  write(folder_ / "a" / "loads.sp", "i1 d 0 pwl(pwlfile=sub/load.csv)\n.include sub/models.sp\n");
  write(folder_ / "a" / "sub" / "models.sp", "i3 e 0 1m\n");
  write(folder_ / "a" / "sub" / "load.csv", "0,0\n1n,1m\n");
  write(folder_ / "a" / "main.sp",
        ".include grid.sp $ the grid\nv1 a 0 1\nr1 a b 1\n.inc 'loads.sp'\n"
        "i2 e 0 pwl(file=\"sub/load.csv\" r=0) \n.end\n");
  const Circuit before = read_netlist((folder_ / "a" / "main.sp").string());
  const std::string a = (folder_ / "a").string();
  EXPECT_EQ(edited(before, {{resistor(before, "r1"), 2}}),
            ".include \"" + a + "/grid.sp\" $ the grid\nv1 a 0 1\nr1 a b 0.5\n.inc '" + a + "/loads.sp'\n" +
                "i2 e 0 pwl(file=\"" + a + "/sub/load.csv\" r=0) \n.end\n");
  EXPECT_EQ(edited(before, {{resistor(before, "r2"), 2}}),
            "* .include grid.sp $ the grid\nr2 b c 1\n.include \"" + a +
                "/sub/more.sp\"\nr4 d e 4\n* end of what this card includes: .include grid.sp $ the grid\nv1 a 0 1\n" +
                "r1 a b 1\n.inc '" + a + "/loads.sp'\ni2 e 0 pwl(file=\"" + a + "/sub/load.csv\" r=0) \n.end\n");
  const std::string text = edited(before, {{resistor(before, "r3"), 2}});
  EXPECT_THAT(text, HasSubstr("* .include sub/more.sp\nr3 c d 1.5\n* end of what this card includes: .include "
                              "sub/more.sp\nr4 d e 4\n* end"));
  EXPECT_THAT(text, Not(HasSubstr("r99")));
}

TEST_F(EditedDeck, NamesWaveformFilesOfIncludedTexts) {
  write(folder_ / "a" / "sub" / "loads.sp", "r2 b 0 2\ni1 b 0 pwl(pwlfile=load.csv)\n");
  write(folder_ / "a" / "sub" / "load.csv", "0,0\n1n,1m\n");
  write(folder_ / "a" / "main.sp", "t\nv1 a 0 1\nr1 a b 1\n.inc sub/loads.sp\n.end\n");
  const Circuit before = read_netlist((folder_ / "a" / "main.sp").string());
  EXPECT_THAT(edited(before, {{resistor(before, "r2"), 2}}),
              HasSubstr("i1 b 0 pwl(pwlfile=\"" + (folder_ / "a" / "sub" / "load.csv").string() + "\")\n"));
}

TEST_F(EditedDeck, TakesTheSectionOfALibrary) {
  write(folder_ / "a" / "wires.lib",
        ".lib slow\nr2 b c 20\n.endl\n.lib fast\n.param rw=3\nr2 b c {rw}\n.lib 'wires.lib' both\n.endl fast\n"
        ".lib both\nr3 c d 5\n.endl\n");
  write(folder_ / "a" / "main.sp", "t\nv1 a 0 1\nr1 a b 1\n.lib 'wires.lib' fast\ni1 d 0 1m\n.end\n");
  const Circuit before = read_netlist((folder_ / "a" / "main.sp").string());
  const std::string text = edited(before, {{resistor(before, "r2"), 2}, {resistor(before, "r3"), 2}});
  EXPECT_THAT(text, HasSubstr("\n* .lib 'wires.lib' fast\n\n.param rw=3\nr2 b c 1.5\n* .lib 'wires.lib' both\n\n"
                              "r3 c d 2.5\n* end of what this card includes: .lib 'wires.lib' both\n* end"));
  EXPECT_THAT(text, Not(HasSubstr("endl")));
  EXPECT_THAT(edited(before, {{resistor(before, "r1"), 2}}),
              HasSubstr("\n.lib '" + (folder_ / "a" / "wires.lib").string() + "' fast\n"));
}

TEST_F(EditedDeck, JoinsPartsOfADeck) {
  write(folder_ / "a" / "1.sp", "t\nv1 a 0 1\nr1 a b 1");
  write(folder_ / "a" / "2.sp", "r2 b c 2\n.end\n");
  write(folder_ / "a" / "3.sp", "r3 c 0 3\ni1 b 0 1m\n.end\n");
  const Circuit before = read_netlist_files(
      {(folder_ / "a" / "1.sp").string(), (folder_ / "a" / "2.sp").string(), (folder_ / "a" / "3.sp").string()});
  EXPECT_EQ(edited(before, {{0, 2}, {2, 2}}, {{before.nodes.find("c"), 1, 0, "p"}}, {"Vp"}),
            "t\nv1 a 0 1\nr1 a b 0.5\nr2 b c 2\nr3 c 0 1.5\ni1 b 0 1m\nVp c 0 1\n.end\n");
}

TEST_F(EditedDeck, TakesCompressedDecksAndReplacesItself) {
  const fs::path path = folder_ / "a" / "deck.sp.gz";
  const Circuit deck = read_netlist_text("t\nv1 a 0 1\nr1 a b 1\ni1 b 0 1m\n.end\n", "deck.sp");
  write_edited_deck(deck, std::vector<ResistorFactor>{{0, 2}}, {}, path);
  write_edited_deck(read_netlist(path.string()), std::vector<ResistorFactor>{{0, 2}}, {}, path);
  EXPECT_EQ(read_netlist(path.string()).resistors.value[0], 0.25);
  EXPECT_FALSE(text_of(path).starts_with("t"));
}

}  // namespace
}  // namespace gridiron
