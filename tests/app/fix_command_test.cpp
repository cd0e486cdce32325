// SPDX-License-Identifier: Apache-2.0
// `gridiron fix`: what it writes is read back by a new process; outcomes, exit codes, bad input.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/tool.hpp"
#include "tests/paths.hpp"
#include "tests/reports/json/schema_validator.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kTwoStraps =
    "* two straps\n* dbu: 1000\nv1 p 0 1\nrp p n1_m2_0_0 0.1\n.param len=2\n"
    "r1 n1_m2_0_0 n1_m2_0_10000 {0.25*len} ; the first\nr2 n1_m2_0_10000 n1_m2_0_20000 500m\n"
    "rv1 n1_m2_0_10000 n1_m1_0_10000 0.1\nr3 n1_m1_0_10000\n+ n1_m1_30000_10000 1\n"
    "c1 n1_m1_30000_10000 0 1n\ni1 n1_m1_30000_10000 0 DC 0.1 PULSE(0 0.1 1n 1n 1n 5n 20n)\ni2 n1_m2_0_20000 0 0.05\n"
    ".tran 1n 10n\n.end\n";

class FixCommand : public test::Tool {
 protected:
  FixCommand() { write("deck.sp", kTwoStraps); }
  json plan(const std::string& folder) const { return json::parse(slurp(folder_ / folder / "plan.json")); }
  std::string error(const std::string& options) const {
    const Outcome outcome = gridiron("fix deck.sp " + options);
    EXPECT_EQ(outcome.code, 2) << options << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  }
};

TEST_F(FixCommand, WritesWhatANewProcessReadsBack) {
  const Outcome fixed = gridiron("fix deck.sp --limit worst=120mV --widen m1=3 --widen m2=3 --out plan");
  ASSERT_EQ(fixed.code, 0) << fixed.err;
  EXPECT_THAT(fixed.out, HasSubstr("a plan that keeps all limits"));
  EXPECT_EQ(test::violations("gridiron.plan-1", slurp(folder_ / "plan/plan.json")), "");
  const json written = plan("plan");
  EXPECT_EQ(written["outcome"], "found");
  ASSERT_FALSE(written["edits"].empty());

  const std::string deck = slurp(folder_ / "plan/deck.fixed.sp");
  for (const char* card : {"; the first", "c1 n1_m1_30000_10000 0 1n", "PULSE(0 0.1 1n 1n 1n 5n 20n)", ".tran 1n 10n"})
    EXPECT_THAT(deck, HasSubstr(card));
  const Outcome again = gridiron("ir plan/deck.fixed.sp --quiet --limit worst=120mV --out again");
  EXPECT_EQ(again.code, 0) << again.err;
  const json report = json::parse(slurp(folder_ / "again/report.json"));
  EXPECT_NEAR(report["nets"][0]["worst_drop_v"], written["limits"][0]["after"], 1e-12);

  write("run.tcl",
        "read_spice deck.sp\nsource plan/plan.tcl\nputs [dict get [lindex [dict get [analyze_power_grid] nets] 0] "
        "worst_drop_v]\n");
  const Outcome tcl = gridiron("tcl run.tcl");
  ASSERT_EQ(tcl.code, 0) << tcl.err;
  EXPECT_NEAR(std::stod(tcl.out.substr(tcl.out.find_last_of('\n', tcl.out.size() - 2) + 1)),
              written["limits"][0]["after"], 1e-12);
}

TEST_F(FixCommand, TellsOfAveragesWhatARunOnTheWrittenDeckDoes) {
  const std::string limits = " --limit average=30mV --limit p95=90mV";
  const Outcome fixed = gridiron("fix deck.sp --add-pads 2 --pad-layer m1 --pad-resistance 0.1 --out plan" + limits);
  ASSERT_EQ(fixed.code, 0) << fixed.err << fixed.out;
  ASSERT_EQ(gridiron("ir plan/deck.fixed.sp --quiet --out again" + limits).code, 0);
  const json report = json::parse(slurp(folder_ / "again/report.json")), written = plan("plan");
  for (size_t limit = 0; limit < 2; ++limit)
    EXPECT_NEAR(report["limits"][limit]["value_v"], written["limits"][limit]["after"], 1e-12);
}

TEST_F(FixCommand, PlanTclNamesResistorsInAnyEncoding) {
  write("deck.sp",
        "* names\n* dbu: 1000\nv1 p 0 1\nr\xe9 p n1_m1_0_0 0.1\nr\xc3\xa9 n1_m1_0_0 n1_m1_10000_0 1\n"
        "r\xe2\x82\xac$[x n1_m1_10000_0 n1_m1_10000_9000 1\ni1 n1_m1_10000_9000 0 0.1\n.end\n");
  ASSERT_EQ(gridiron("fix deck.sp --limit worst=110mV --widen m1=4 --out plan").code, 0);
  ASSERT_EQ(plan("plan")["edits"].size(), 2u);
  write("run.tcl",
        "read_spice deck.sp\nsource plan/plan.tcl\nputs [dict get [lindex [dict get [analyze_power_grid] nets] 0] "
        "worst_drop_v]\n");
  for (const std::string encoding : {"C", "C.UTF-8"}) {
    const Outcome tcl = shell("LC_ALL=" + encoding + " \"$G\" tcl run.tcl");
    ASSERT_EQ(tcl.code, 0) << tcl.err;
    EXPECT_NEAR(std::stod(tcl.out.substr(tcl.out.find_last_of('\n', tcl.out.size() - 2) + 1)),
                plan("plan")["limits"][0]["after"], 1e-12);
  }
}

TEST_F(FixCommand, FindsPlansWithEnginesOfPowerGrids) {
  const Outcome fixed =
      gridiron("fix deck.sp --engine gpuhmd --limit worst=120mV --widen m1=3 --widen m2=3 --out plan");
  ASSERT_EQ(fixed.code, 0) << fixed.err;
  EXPECT_EQ(plan("plan")["outcome"], "found");
}

TEST_F(FixCommand, WidensWhatADeckTellsOfWidths) {
  write("wires.sp",
        "* one strap\n*|GROUND_NET 0\nv1 p 0 1\ni1 c 0 10m\n*|S (p 0 0)\n*|S (a 10 0)\n*|S (b 20 0)\n*|S (c 30 0)\n"
        "r0 p a 1 $w=0.4 $l=10 $lvl=M1\nr1 a b 1 $l=10 $W = 0.4u $lvl=M1\nr2 b c 1\n+ $w=0.4 $lvl=M1\n.end\n");
  write("rules.csv", "layer,kind,a_per_um\nM1,average,0.02\n");
  const std::string means = " --widen M1=3 --grid 0.1 --quiet --out ";
  ASSERT_EQ(gridiron("fix wires.sp --limit worst=25mV" + means + "plan").code, 0);
  const std::string deck = slurp(folder_ / "plan/wires.fixed.sp");
  EXPECT_THAT(deck,
              HasSubstr("r0 p a 0.8 $w=0.5 $l=10 $lvl=M1\nr1 a b 0.8 $l=10 $W = 0.5u $lvl=M1\nr2 b c 0.8\n+ $w=0.5 "));
  ASSERT_EQ(gridiron("ir plan/wires.fixed.sp --quiet --em-rules rules.csv --out judged").code, 0);
  EXPECT_THAT(slurp(folder_ / "judged/em.csv"),
              HasSubstr("r1,M1,a,b,0.5,0.01,0.01,0.01,M1 average a_per_um,0.02,0.02,1\n"));

  ASSERT_EQ(gridiron("fix plan/wires.fixed.sp --limit worst=21mV" + means + "again").code, 0);
  EXPECT_NEAR(plan("again")["edits"][0]["width_um"], 0.6, 1e-9);
  EXPECT_NEAR(plan("again")["edits"][0]["cost"], 30 * 0.1, 1e-9);  // um2: 30 um that become 0.1 um wider
}

TEST_F(FixCommand, AddsPads) {
  const Outcome fixed =
      gridiron("fix deck.sp --limit worst=125mV --add-pads 2 --pad-layer m1 --pad-resistance 0.1 --out plan");
  ASSERT_EQ(fixed.code, 0) << fixed.err;
  EXPECT_THAT(
      slurp(folder_ / "plan/plan.csv"),
      HasSubstr("step,edit,layer,x0_um,y0_um,x1_um,y1_um,from,to,cost,gain_alone_v,gain_in_order_v,unit,net,name,"
                "gain_alone,gain_in_order,gain_unit\n"
                "1,add_pad,m1,"));
  EXPECT_THAT(slurp(folder_ / "plan/plan.tcl"), HasSubstr("-name plan_pad_1\n"));
  EXPECT_EQ(gridiron("ir plan/deck.fixed.sp --quiet --limit worst=125mV").code, 0);
}

TEST_F(FixCommand, WritesAPageOfThePlan) {
  std::string deck = kTwoStraps;
  deck.insert(deck.find("\nr1 ") + 3, "<b>&");
  write("deck.sp", deck);
  ASSERT_EQ(gridiron("fix deck.sp --limit worst=90mV --limit average=20mV --widen m2=3 --add-pads 1 --pad-layer m1 "
                     "--pad-resistance 0.5 --cost pad=0.1 --out plan")
                .code,
            0);
  const std::string page = slurp(folder_ / "plan/diff.html");
  EXPECT_THAT(page, HasSubstr("<h1>Plan that keeps all limits</h1>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"badge good\">Limits kept</span>"));
  EXPECT_THAT(page, HasSubstr("<td>worst drop</td><td class=\"number\">90.00 mV</td>"));
  EXPECT_THAT(page, HasSubstr("<td>exceeded</td>"));
  EXPECT_THAT(page, HasSubstr("<td>add a pad</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number\">0.5 Ω</td>"));
  EXPECT_THAT(page, HasSubstr("<td>r1&lt;b&gt;&amp;</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, HasSubstr("diamonds added pads"));
  EXPECT_EQ(gridiron("ir deck.sp --quiet --out a").code, 0);
  EXPECT_EQ(gridiron("ir plan/deck.fixed.sp --quiet --out b").code, 0);
  EXPECT_EQ(gridiron("diff a b --out c").code, 0);
  EXPECT_THAT(slurp(folder_ / "c/diff.html"),
              AllOf(HasSubstr("<h1>Change of the drop</h1>"), Not(HasSubstr("diamond"))));
}

TEST_F(FixCommand, TellsThreeOutcomesApart) {
  const Outcome proved = gridiron("fix deck.sp --limit worst=10mV --widen m1=3 --out plan");
  EXPECT_EQ(proved.code, 1);
  EXPECT_THAT(proved.out, HasSubstr("proved impossible"));
  EXPECT_EQ(test::violations("gridiron.plan-1", slurp(folder_ / "plan/plan.json")), "");
  EXPECT_GT(plan("plan")["proof"]["least_drop_v"], 0.01);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "plan/deck.fixed.sp"));
  const Outcome none = gridiron("fix deck.sp --limit p50=1mV --widen m1=1.1 --out plan");
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.out, HasSubstr("is not proved"));
  EXPECT_EQ(plan("plan")["outcome"], "none_found");
  const Outcome kept = gridiron("fix deck.sp --limit worst=900mV --widen m1=2 --widen M1=2 --out plan");
  EXPECT_EQ(kept.code, 0);
  EXPECT_THAT(kept.out, HasSubstr("nothing is to be done"));
  EXPECT_EQ(test::violations("gridiron.plan-1", slurp(folder_ / "plan/plan.json")), "");
}

TEST_F(FixCommand, BadInput) {
  EXPECT_THAT(error("--widen m1=2"), HasSubstr("no limit is to be met"));
  EXPECT_THAT(error("--limit worst=5%"), HasSubstr("nothing may be changed"));
  EXPECT_THAT(error("--limit worst=5% --widen m9=2"), HasSubstr("--widen m9: the netlist has no such layer"));
  EXPECT_THAT(error("--limit worst=5% --widen m1"), HasSubstr("LAYER=FACTOR"));
  EXPECT_THAT(error("--limit worst=5% --widen m1=0.5"), HasSubstr("above 1"));
  EXPECT_THAT(error("--limit worst=5% --widen m1=2 --widen m1=3"), HasSubstr("contradicts"));
  EXPECT_THAT(error("--limit worst=5% --add-pads 2"), HasSubstr("--pad-layer"));
  EXPECT_THAT(error("--limit worst=5% --add-pads 2 --pad-layer m1"), HasSubstr("--pad-resistance"));
  EXPECT_THAT(error("--limit worst=5% --pad-layer m1 --widen m1=2"), HasSubstr("--add-pads"));
  EXPECT_THAT(error("--limit worst=5% --widen m1=2 --grid 0.1"), HasSubstr("width of r3 on layer m1 is not known"));
  EXPECT_THAT(error("--limit worst=5% --widen m1=2 --cost bump=3"), HasSubstr("area=NUMBER"));
  EXPECT_THAT(error("--limit VSS:worst=5% --widen m1=2"), HasSubstr("VSS"));
  for (const char* limit : {"em=100%", "stress=80%", "lifetime=10y"})
    EXPECT_THAT(error(std::string("--widen m1=2 --limit ") + limit), HasSubstr("give --em-limit LAYER=CURRENT"));
  EXPECT_THAT(error("--widen m1=2 --em-rules lef --limit em=100%"),
              AllOf(HasSubstr("--em-rules lef: "), HasSubstr("give --em-limit LAYER=CURRENT, or a file layer,")));
  EXPECT_THAT(error("--limit worst=5% --add-straps m1:1:2:3"), HasSubstr("new straps need a layout"));
  EXPECT_THAT(error("--limit worst=5% --add-straps m1:1"), HasSubstr("LAYER:WIDTH:PITCH_MIN:PITCH_MAX"));
  EXPECT_THAT(error("--limit worst=5% --add-straps m1:1:3:2"), HasSubstr("is above the largest one"));
}

TEST_F(FixCommand, AddsStrapsToLayouts) {
  const std::filesystem::path data = test::data_dir() / "layout/nangate45";
  if (!std::filesystem::exists(data / "gcd.def.gz")) GTEST_SKIP() << data << " is not there";
  const std::string layout = " --lef " + (data / "Nangate45.lef.gz").string() + " --nominal VDD=1.1 --power " +
                             (data / "gcd_power.csv").string() + " ";
  const std::string limits = "--limit VDD:worst=358uV --limit VSS:worst=1.615mV ";
  const std::string straps = "--add-straps metal4:0.48:5.6:56 ";
  const std::string fix = "fix " + (data / "gcd.def.gz").string() + layout;
  const Outcome fixed = gridiron(fix + limits + straps + "--out plan");
  ASSERT_EQ(fixed.code, 0) << fixed.err;
  EXPECT_THAT(fixed.out, HasSubstr("2 straps added"));
  EXPECT_EQ(test::violations("gridiron.plan-1", slurp(folder_ / "plan/plan.json")), "");
  EXPECT_THAT(slurp(folder_ / "plan/plan.csv"), HasSubstr("1,add_strap,metal4,"));
  for (const auto& cost : {plan("plan")["cost"], plan("plan")["edits"][0]["cost"]})
    EXPECT_LE(cost.dump().size(), 10u) << cost;
  EXPECT_THAT(slurp(folder_ / "plan/plan.tcl"), HasSubstr("read gcd.fixed.def instead"));
  const std::string page = slurp(folder_ / "plan/diff.html");
  EXPECT_THAT(page, HasSubstr("2 straps added; cost 76.77"));
  EXPECT_THAT(page, HasSubstr("<td>add a strap</td>"));
  EXPECT_THAT(page, HasSubstr("0 → 0.48 µm"));
  EXPECT_THAT(page, HasSubstr("Lines are new and widened straps"));
  const json written = plan("plan");
  for (const std::string& input : {"plan/gcd.fixed.def " + layout, std::string("plan/gcd.fixed.sp ")}) {
    ASSERT_EQ(gridiron("ir " + input + "--quiet --out again " + limits).code, 0) << input;
    const json report = json::parse(slurp(folder_ / "again/report.json"));
    for (size_t net = 0; net < 2; ++net)
      EXPECT_NEAR(report["nets"][net]["worst_drop_v"], written["limits"][net]["after"], 1e-10) << input;
  }
  EXPECT_EQ(gridiron("check plan/gcd.fixed.def" + layout).code, 0);

  const Outcome both = gridiron(fix + limits + straps + "--widen metal1=3 --out both");
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_LE(plan("both")["cost"], written["cost"]);
  EXPECT_EQ(gridiron("ir both/gcd.fixed.def --quiet" + layout + limits).code, 0);

  // More offers lead to no dearer plan than one of them.
  const std::string lower = "--limit VDD:worst=360uV --limit VSS:worst=1mV --add-straps METAL6:0.48:5.6:56 ";
  ASSERT_EQ(gridiron(fix + lower + "--out one").code, 0);
  ASSERT_EQ(gridiron(fix + lower + straps + "--add-straps metal7:1.4:20:100 --out three").code, 0);
  EXPECT_LE(plan("three")["cost"], plan("one")["cost"]);

  const Outcome pads =
      gridiron(fix + "--limit VDD:worst=300uV --add-pads 4 --pad-layer metal7 --pad-resistance 0.1 --out pads");
  ASSERT_EQ(pads.code, 0) << pads.err;
  EXPECT_THAT(pads.out, HasSubstr("gcd.fixed.def goes without the pads"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "pads/gcd.fixed.def"));

  ASSERT_EQ(gridiron(fix + "--limit VDD:worst=5% --out kept " + straps).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "kept/gcd.fixed.sp"));
  EXPECT_EQ(gridiron("ir kept/gcd.fixed.def --quiet" + layout + "--limit VDD:worst=5%").code, 0);

  const Outcome none = gridiron(fix + limits + "--add-straps metal4:0.48:200:300");
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.out, HasSubstr("No strap can be added on metal4"));
  EXPECT_THAT(none.out, HasSubstr("is not proved"));
  EXPECT_THAT(gridiron(fix + limits + "--add-straps metal99:0.48:5:56").err, HasSubstr("LEF has no such layer"));
}

TEST_F(FixCommand, NewStrapsKeepLimitsUnderAllVectors) {
  ASSERT_EQ(gridiron("generate --style layout --nodes 2000 chip.def").code, 0);
  write("loads.csv", "source,first,second\nI100,3m,0\nI3900,0,3m\nI900,1m,1m\n");
  const std::string layout = " --lef chip.lef --power chip.power.csv --nominal VDD=1.1 ",
                    limits = "--loads loads.csv --limit VDD:worst=4% --limit VSS:worst=4% --em-limit metal4=20mA ";
  EXPECT_EQ(gridiron("ir chip.def" + layout + limits + "--quiet").code, 1);
  const Outcome fixed = gridiron("fix chip.def" + layout + limits + "--add-straps metal4:0.48:5.6:56 --out plan");
  ASSERT_EQ(fixed.code, 0) << fixed.err << fixed.out;
  EXPECT_THAT(fixed.out, HasSubstr("added; cost"));
  for (const std::string& input : {"plan/chip.fixed.def" + layout, std::string("plan/chip.fixed.sp ")}) {
    ASSERT_EQ(gridiron("ir " + input + limits + "--quiet --out again").code, 0) << input;
    const json report = json::parse(slurp(folder_ / "again/report.json"));
    for (size_t net = 0; net < 2; ++net)
      EXPECT_NEAR(report["nets"][net]["worst_drop_v"], plan("plan")["limits"][net]["after"], 1e-8) << input;
  }
}

TEST_F(FixCommand, ASignalEndsTheSearchForStrapsWithThePlanSoFar) {
  ASSERT_EQ(gridiron("generate --style layout --nodes 4000 chip.def").code, 0);
  const std::string run =
      "chip.def --lef chip.lef --power chip.power.csv --nominal VDD=1.1 --limit VDD:worst=3% "
      "--limit VSS:worst=2.5% ";
  const std::string fix = "\"$G\" fix " + run + "--add-straps metal4:0.48:5.6:56 --widen metal1=2 --widen metal4=2 ";
  bool is_over = false;
  for (double seconds = 0.2; !is_over && seconds < 60; seconds *= 3) {
    const Outcome ended =
        shell(fix + "--out plan & pid=$!; sleep " + std::to_string(seconds) + "; kill -INT $pid; wait $pid");
    is_over = ended.code == 0 && ended.out.find("interrupted") == ended.out.npos;
    if (ended.code == 4) continue;  // there was no plan yet
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(plan("plan")["is_interrupted"], !is_over);
    EXPECT_EQ(gridiron("ir plan/chip.fixed.def --quiet " + run.substr(run.find(' '))).code, 0) << seconds;
  }
  EXPECT_TRUE(is_over);
}

TEST_F(FixCommand, WidenedStrapsOfLayoutsKeepTheirSpacing) {
  const std::filesystem::path data = test::data_dir() / "layout/nangate45";
  if (!std::filesystem::exists(data / "gcd.def.gz")) GTEST_SKIP() << data << " is not there";
  const std::string fix = "fix " + (data / "gcd.def.gz").string() + " --lef " + (data / "Nangate45.lef.gz").string() +
                          " --nominal VDD=1.1 --power " + (data / "gcd_power.csv").string() + " --widen metal1=3 ";
  // Most rails have pins or obstructions of cells at 0.065 um, the least distance.
  const Outcome none = gridiron(fix + "--limit VDD:worst=400uV --out none");
  EXPECT_EQ(none.code, 1) << none.err;
  EXPECT_THAT(none.out,
              HasSubstr("SPACING of metal1 to pins of signals caps 34 straps: at most 1.471 times as wide, 25 "
                        "stay as they are"));
  EXPECT_THAT(none.out, HasSubstr("SPACING of metal1 to obstructions of macros caps 23 straps"));
  EXPECT_EQ(test::violations("gridiron.plan-1", slurp(folder_ / "none/plan.json")), "");
  EXPECT_EQ(plan("none")["capped"][0]["stay"], 25);

  const Outcome found = gridiron(fix + "--limit VDD:worst=400uV --widen metal4=3 --grid 0.01 --out plan");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(slurp(folder_ / "plan/diff.html"), HasSubstr("SPACING of metal1 to pins of signals caps 34 straps"));
}

TEST_F(FixCommand, ShapesOfLayoutsWithoutAWidthStayAsTheyAre) {
  ASSERT_EQ(gridiron("generate --style layout --nodes 2000 chip.def").code, 0);
  std::string def = slurp(folder_ / "chip.def");
  const std::string rail = "NEW metal1 400 + SHAPE FOLLOWPIN ( 9600 62400 ) ( 125200 62400 )\n",
                    net = "+ VOLTAGE 1100\n";
  ASSERT_NE(def.find(rail), def.npos);
  def.erase(def.find(rail), rail.size());
  def.insert(def.find(net) + net.size(), "+ RECT metal1 ( 9600 62200 ) ( 125200 62600 )\n");
  write("chip.def", def);
  const std::string layout = " --lef chip.lef --power chip.power.csv --nominal VDD=1.1 ",
                    limit = "--limit VDD:worst=14mV ";
  ASSERT_EQ(gridiron("ir chip.def --quiet" + layout + limit).code, 1);
  const Outcome fixed = gridiron("fix chip.def" + layout + limit + "--widen metal1=3 --widen metal4=2 --out plan");
  EXPECT_THAT(fixed.out, HasSubstr("1 row on metal1 stays as it is: a shape of DEF without a width of its own\n"));
  ASSERT_EQ(fixed.code, 0) << fixed.err << fixed.out;
  EXPECT_EQ(test::violations("gridiron.plan-1", slurp(folder_ / "plan/plan.json")), "");
  for (const auto& edit : plan("plan")["edits"]) EXPECT_NE(edit["from_um"][1], 31.2) << edit;
  EXPECT_EQ(gridiron("ir plan/chip.fixed.def --quiet" + layout + limit).code, 0);
}

TEST_F(FixCommand, WiresBelowPinsAreWidenedAsWideAsTheyAre) {
  ASSERT_EQ(gridiron("generate --style layout --nodes 60 chip.def").code, 0);
  std::string def = slurp(folder_ / "chip.def");
  const std::string rail = "400 + SHAPE FOLLOWPIN ( 9600 14400 ) ( 57600 14400 )";
  ASSERT_NE(def.find(rail), def.npos);
  def.replace(def.find(rail), rail.size(),
              "400 + SHAPE FOLLOWPIN ( 9600 14400 ) ( 20000 14400 )\n"
              "NEW metal1 200 + SHAPE FOLLOWPIN ( 20000 14400 ) ( 57600 14400 )");
  write("chip.def", def);
  const std::string layout = " --lef chip.lef --power chip.power.csv --nominal VDD=1.1 ",
                    limit = "--limit VDD:worst=4.4mV ";
  const Outcome fixed = gridiron("fix chip.def" + layout + limit + "--widen metal1=3 --out plan");
  EXPECT_NE(fixed.code, 4) << fixed.err << fixed.out;
  if (fixed.code == 0) {
    EXPECT_EQ(gridiron("ir plan/chip.fixed.def --quiet" + layout + limit).code, 0);
  }
  EXPECT_THAT(error("--extract fine --mesh 1 --limit worst=1mV --widen m1=3"), HasSubstr("--extract fine: its cells"));
}

TEST_F(FixCommand, CardsOfSubcircuitsAreWiresWhereTheyAreInAllInstances) {
  write("deck.sp",
        "* an island\n.subckt leaf in out\nr0 in a 1 $lvl=1\nr1 a out 1 $lvl=1\ni1 out 0 5m\n.ends\n"
        "v1 p 0 1.2\nx0 p o0 leaf\nx1 q o1 leaf\nr2 o0 o2 1 $lvl=1\n.end\n");
  EXPECT_EQ(gridiron("fix deck.sp --ignore-opens --limit worst=10mV --widen 1=5 --out plan").code, 1);
  write("deck.sp",
        "* no resistance\n.subckt leaf in out k=1\nr0 in a {k} $lvl=1\nr1 a out 1 $lvl=1\ni1 out 0 5m\n.ends\n"
        "v1 p 0 1.2\nx0 p o0 leaf\nx1 p o1 leaf k=0\n.end\n");
  ASSERT_EQ(gridiron("fix deck.sp --limit worst=9mV --widen 1=5 --out plan").code, 0);
  ASSERT_EQ(plan("plan")["edits"].size(), 1u);
  EXPECT_EQ(plan("plan")["edits"][0]["resistors"], json({"x0.r1", "x1.r1"}));
}

TEST_F(FixCommand, NegativeResistancesAreNoWires) {
  write("deck.sp",
        "* a model\n* dbu: 1000\nv1 p 0 1\nr1 p n1_m1_0_0 1\nr2 n1_m1_0_0 n1_m1_10000_0 0.5\n"
        "r3 n1_m1_0_0 n1_m1_10000_0 -1\ni1 n1_m1_10000_0 0 10m\n.end\n");
  ASSERT_EQ(gridiron("fix deck.sp --limit worst=16mV --widen m1=3 --out plan").code, 0);
  EXPECT_EQ(plan("plan")["edits"][0]["resistors"], json({"r2"}));
  write("deck.sp", "* controlled\nv1 p 0 1\nr1 p n1_m1_0_0 1\nr2 n1_m1_0_0 n1_m1_9_0 1\ng1 n1_m1_9_0 0 p 0 1m\n.end\n");
  EXPECT_THAT(error("--limit worst=1mV --widen m1=3"), HasSubstr("deck.sp:5:1: 'g1' is a controlled source"));
}

TEST_F(FixCommand, NewWidthsOfLayoutsAreOnTheManufacturingGrid) {
  const std::filesystem::path data = test::data_dir() / "layout/nangate45";
  if (!std::filesystem::exists(data / "gcd.def.gz")) GTEST_SKIP() << data << " is not there";
  const std::string layout = " --lef " + (data / "Nangate45.lef.gz").string() + " --nominal VDD=1.1 --power " +
                             (data / "gcd_power.csv").string() + " --limit VDD:worst=358uV ";
  const std::string fix = "fix " + (data / "gcd.def.gz").string() + layout + "--widen metal1=3 --widen metal4=3 ";
  const Outcome found = gridiron(fix + "--out plan");
  ASSERT_EQ(found.code, 0) << found.err;
  ASSERT_FALSE(plan("plan")["edits"].empty());
  for (const auto& edit : plan("plan")["edits"]) {  // 5 nm, on either side of what has a multiple of 10 nm
    const double steps = edit["width_um"].get<double>() / 0.01;
    EXPECT_NEAR(steps, std::round(steps), 1e-6) << edit;
  }
  EXPECT_EQ(gridiron("ir plan/gcd.fixed.def --quiet" + layout).code, 0);
  const Outcome other = gridiron(fix + "--grid 0.007");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("--grid 0.007: no multiple of the manufacturing grid, 0.005 um"));
}

TEST_F(FixCommand, MeetsLimitsOfIbmsGrids) {
  const std::filesystem::path deck = test::data_dir() / "ibm/ibmpg1.spice.bz2";
  if (!std::filesystem::exists(deck)) GTEST_SKIP() << deck << " is not there";
  const std::string limits = " --limit VDD:worst=649mV --limit GND:worst=556mV ";
  for (const std::string means : {"--widen M5=3 --widen M6=3", "--add-pads 40 --pad-layer M6 --pad-resistance 0.25"}) {
    ASSERT_EQ(gridiron("fix " + deck.string() + limits + means + " --quiet --out plan").code, 0) << means;
    EXPECT_EQ(gridiron("ir plan/ibmpg1.fixed.sp --quiet" + limits).code, 0) << means;
  }
}

}  // namespace
}  // namespace gridiron
