// SPDX-License-Identifier: Apache-2.0
// A layout in a Tcl session: OpenROAD's commands and its answers.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

class TclLayout : public test::Tool {
 protected:
  void SetUp() override {
    if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
    const std::string def = test::data_file("layout/nangate45/gcd.def.gz");
    if (def.empty()) GTEST_SKIP() << "reference data layout/nangate45 not found below " << test::data_dir();
    data_ = std::filesystem::path(def).parent_path().string() + "/";
    gcd_ = "read_lef " + data_ + "Nangate45.lef.gz\nread_def " + data_ + "gcd.def.gz\n";
    powers_ = "read_power " + data_ + "gcd_power.csv\n";
  }
  Outcome run(const std::string& script) const {
    write("script.tcl", script);
    return gridiron("tcl script.tcl");
  }
  std::string vsrc(const std::string& net) const { return " -vsrc " + data_ + "Vsrc_gcd_" + net + ".loc "; }

  /// The report blocks of a case of OpenROAD's answers, one behind the other.
  std::string answer(const std::string& name) const {
    std::istringstream text(slurp(data_ + "openroad_answers.txt"));
    std::string blocks;
    bool is_it = false, is_block = false;
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("=== ")) is_it = line.starts_with("=== " + name + ":");
      if (line.starts_with("########## IR report")) is_block = true;
      if (is_it && is_block) blocks += line + '\n';
      if (line.starts_with("######################################")) is_block = false;
    }
    return blocks;
  }
  /// The rows of a published table, sorted, without its header.
  std::vector<std::string> published(const std::string& file) const {
    shell("zcat " + data_ + file + " > $T/published.csv");
    return rows_of("published.csv");
  }
  std::vector<std::string> rows_of(const std::string& file) const {
    std::istringstream text(slurp(folder_ / file));
    std::vector<std::string> rows;
    std::string line;
    for (std::getline(text, line); std::getline(text, line);) rows.push_back(line);
    std::ranges::sort(rows);
    return rows;
  }
  /// The same rows but for the last field, a number, which differs by `tolerance(theirs)` at most.
  template <class Tolerance>
  static void expect_near(const std::vector<std::string>& ours, const std::vector<std::string>& theirs,
                          Tolerance&& tolerance) {
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t i = 0; i < ours.size(); ++i) {
      const size_t comma = ours[i].rfind(',');
      ASSERT_EQ(ours[i].substr(0, comma), theirs[i].substr(0, theirs[i].rfind(',')));
      const double number = std::stod(theirs[i].substr(theirs[i].rfind(',') + 1));
      ASSERT_NEAR(std::stod(ours[i].substr(comma + 1)), number, tolerance(number)) << ours[i];
    }
  }

  std::string data_, gcd_, powers_;
};

TEST_F(TclLayout, WidenedStrapsOfPlansKeepTheirSpacing) {
  const Outcome proposed = run(gcd_ + powers_ +
                               "set_pdnsim_net_voltage -net VDD -voltage 1.1\n"
                               "analyze_power_grid -net VDD -limit worst=400uV\n"
                               "set plan [propose_plan -widen metal1=3]\n"
                               "puts \"stay: [dict get [lindex [dict get $plan capped] 0] stay]\"\n");
  ASSERT_EQ(proposed.code, 0) << proposed.err;
  EXPECT_THAT(proposed.out,
              HasSubstr("SPACING of metal1 to pins of signals caps 16 straps: at most 1.118 times as wide, 8 stay"));
  EXPECT_THAT(proposed.out, HasSubstr("stay: 8\n"));
}

TEST_F(TclLayout, TwoPlansReachNoFurtherThanOne) {
  const Outcome both = run(gcd_ + powers_ +
                           "set_pdnsim_net_voltage -net VDD -voltage 1.1\n"
                           "set means {-widen metal1=3 -quiet}\n"
                           "proc after {limit} { global means\n"
                           "  analyze_power_grid -net VDD -limit worst=${limit}V -quiet\n"
                           "  return [dict get [lindex [dict get [propose_plan {*}$means] limits] 0] after] }\n"
                           "set today [dict get [lindex [dict get [analyze_power_grid -net VDD -quiet] nets] 0] "
                           "worst_drop_v]\n"
                           "set most [after 1e-6]\n"
                           "after [expr {0.3 * $today + 0.7 * $most}]\napply_plan\n"
                           "puts \"further: [expr {$most - [after 1e-6]}]\"\n");
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_NEAR(std::stod(both.out.substr(both.out.find("further: ") + 9)), 0, 1e-9);
}

TEST_F(TclLayout, AnswersOfGcdAreOpenRoads) {
  const Outcome vdd = run(gcd_ + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\nanalyze_power_grid -net VDD" +
                          vsrc("vdd") + "-voltage_file vdd.csv -enable_em -em_outfile vdd.em.csv\n");
  ASSERT_EQ(vdd.code, 0) << vdd.err;
  EXPECT_THAT(vdd.out, HasSubstr(answer("gcd_test_vdd")));
  EXPECT_THAT(vdd.out, HasSubstr("########## EM analysis ###############\nNet                : VDD\n"));
  const Outcome vss = run(gcd_ + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\nanalyze_power_grid -net VSS" +
                          vsrc("vss") + "-voltage_file vss.csv -enable_em -em_outfile vss.em.csv\n");
  ASSERT_EQ(vss.code, 0) << vss.err;
  for (const std::string net : {"vdd", "vss"}) {
    const std::vector<std::string> voltages = rows_of(net + ".csv");
    EXPECT_EQ(voltages.size(), 624U);
    expect_near(voltages, published("gcd_" + net + ".voltage.csv.gz"), [](double) { return 1.0001e-6; });
    expect_near(rows_of(net + ".em.csv"), published("gcd_" + net + ".em.csv.gz"),
                [](double amperes) { return std::max(1e-9, 1.001e-3 * amperes); });
  }
}

/// Bumps at their defaults, a net at another voltage, a ground net, a resistance in series with sources.
TEST_F(TclLayout, ReportsOfOtherSettingsAreOpenRoads) {
  const Outcome at_1_5 =
      run(gcd_ + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.5\nanalyze_power_grid -net VDD\n" +
          "analyze_power_grid -net VSS -source_type BUMPS\n");
  ASSERT_EQ(at_1_5.code, 0) << at_1_5.err;
  const std::string both = answer("gcd_no_vsrc");
  const size_t vss = both.rfind("########## IR report");
  EXPECT_THAT(at_1_5.out, HasSubstr(both.substr(0, vss)));
  EXPECT_THAT(at_1_5.out, HasSubstr(both.substr(vss)));
  const Outcome ground = run(gcd_ + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\n" +
                             "analyze_power_grid -net VSS\nset_pdnsim_source_settings -external_resistance 100\n" +
                             "analyze_power_grid -net VSS" + vsrc("vss") + "\n");
  ASSERT_EQ(ground.code, 0) << ground.err;
  EXPECT_THAT(ground.out, HasSubstr(answer("gcd_vss_no_vsrc")));
  EXPECT_THAT(ground.out, HasSubstr(answer("gcd_all_vss_source_res")));
}

TEST_F(TclLayout, NothingIsDoneTwice) {
  const std::string analyse = "analyze_power_grid -net VDD -quiet" + vsrc("vdd") + "\n";
  const Outcome outcome =
      run("proc counts {} { set w [report_work]\nreturn [dict get $w "
          "reads],[dict get $w setups],[dict get $w vectors] }\n" +
          gcd_ + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\n" + analyse +
          "set_pdnsim_net_voltage -net VDD -voltage 1100mV\nset_pdnsim_source_settings -bump_dx 140\n" + analyse +
          "puts same:[counts]\nset_resistor R0 [expr {2 * [set_resistor R0]}]\n" + analyse +
          "puts edited:[counts]\nset_pdnsim_inst_power -inst _440_ -power 10uW\nputs [catch {report_ir_drop} m]:$m\n" +
          analyse + "puts changed:[counts]\nanalyze_power_grid -net VDD -quiet\nputs bumps:[counts]\n");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("same:1,1,2\nedited:1,1,3\n1:the layout is not extracted as it is set up now; "));
  EXPECT_THAT(outcome.out, HasSubstr("changed:2,2,4\nbumps:3,3,5\n"));
}

/// An override takes the place of what the file says, in any order.
TEST_F(TclLayout, PowersOfInstancesOverrideFiles) {
  const std::string set =
      "set_pdnsim_inst_power -inst _440_ -power 1e-5\nset_pdnsim_inst_power -inst _829_ -power 10uW\n";
  const std::string rest = "set_pdnsim_net_voltage -net VDD -voltage 1.1\n";
  const std::string print =
      "puts total:[format %.3e [dict get [lindex [dict get [analyze_power_grid -net VDD -quiet] nets] 0] "
      "total_power_w]]\n";
  const Outcome after = run(gcd_ + powers_ + rest + set + print);
  ASSERT_EQ(after.code, 0) << after.err;
  EXPECT_EQ(after.out, run(set + rest + powers_ + gcd_ + print).out);
  shell("awk -F, 'NR>1 && $1!=\"_440_\" && $1!=\"_829_\"{s+=$2} END{printf \"total:%.3e\\n\", s+2e-5}' " + data_ +
        "gcd_power.csv > $T/total");
  EXPECT_THAT(after.out, HasSubstr(slurp(folder_ / "total")));
}

TEST_F(TclLayout, TheOrderOfCommandsIsFree) {
  const std::string analyse = "analyze_power_grid -net VDD" + vsrc("vdd") + "-quiet -voltage_file ";
  const Outcome in_order =
      run("read_lef -tech " + data_ + "Nangate45.lef.gz\nread_def " + data_ + "gcd.def.gz\nsource " + data_ +
          "Nangate45.rc\n" + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\n" + analyse + "a.csv\n");
  ASSERT_EQ(in_order.code, 0) << in_order.err;
  const Outcome reversed =
      run("set_pdnsim_net_voltage -net VDD -voltage 1.1\n" + powers_ + "source " + data_ + "Nangate45.rc\nread_def " +
          data_ + "gcd.def.gz\nread_lef " + data_ + "Nangate45.lef.gz\n" + analyse + "b.csv\n");
  ASSERT_EQ(reversed.code, 0) << reversed.err;
  EXPECT_EQ(rows_of("a.csv").size(), 624U);
  EXPECT_EQ(slurp(folder_ / "a.csv"), slurp(folder_ / "b.csv"));
  // The same resistances on the command line of the tool.
  ASSERT_EQ(gridiron("ir " + data_ + "gcd.def.gz --lef " + data_ + "Nangate45.lef.gz --layer-rc " + data_ +
                     "Nangate45.rc --power " + data_ + "gcd_power.csv --nominal VDD=1.1 --net VDD --sources " + data_ +
                     "Vsrc_gcd_vdd.loc --quiet --formats openroad --out $T/cli")
                .code,
            0);
  EXPECT_EQ(slurp(folder_ / "a.csv"), slurp(folder_ / "cli/instances.csv"));
  EXPECT_NE(published("gcd_vdd.voltage.csv.gz"), rows_of("a.csv")) << "the resistances are others than LEF's";
}

TEST_F(TclLayout, CornersHaveSettingsOfTheirOwn) {
  const Outcome outcome =
      run(gcd_ + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\n" +
          "set_pdnsim_net_voltage -net VDD -voltage 0.9 -corner slow\n" +
          "set_layer_rc -layer metal1 -resistance 1e-2 -corner slow\nanalyze_power_grid -net VDD\n" +
          "analyze_power_grid -net VDD -corner slow -enable_em\nanalyze_power_grid -net VDD -corner default\n"
          "puts [catch {analyze_power_grid -net VDD -corner fast} m]:$m\n");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Corner           : default\nTotal power      : 1.38e-04 W\nSupply voltage   : "
                                     "1.10e+00 V\n"));
  EXPECT_THAT(outcome.out, HasSubstr("Corner           : slow\nTotal power      : 1.38e-04 W\nSupply voltage   : "
                                     "9.00e-01 V\n"));
  EXPECT_THAT(outcome.out, HasSubstr("Corner             : slow\n"));
  EXPECT_THAT(outcome.out, HasSubstr("1:-corner fast: nothing was set for this corner"));
}

TEST_F(TclLayout, DecksAreThoseOfExtract) {
  for (const std::string net : {"vdd", "vss"}) {
    const std::string name = net == "vdd" ? "VDD" : "VSS";
    const Outcome outcome = run(
        gcd_ + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\nwrite_pg_spice -net " + name + vsrc(net) +
        "alone.sp\nanalyze_power_grid -quiet -net " + name + vsrc(net) + "\nwrite_pg_spice -net " + name +
        " analysed.sp\nset before [set_resistor R0]\nset_resistor R0 [expr {2 * $before}]\nwrite_pg_spice "
        "edited.sp\nwrite_pg_spice -net " +
        name + vsrc(net) + "again.sp\nwrite_pg_spice -net " + name +
        " -source_type FULL other.sp\nread_spice edited.sp\nputs edited:[expr {[set_resistor R0] == 2 * $before}]\n");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("edited:1"));
    ASSERT_EQ(gridiron("extract " + data_ + "gcd.def.gz --lef " + data_ + "Nangate45.lef.gz --power " + data_ +
                       "gcd_power.csv --nominal VDD=1.1 --net " + name + " --sources " + data_ + "Vsrc_gcd_" + net +
                       ".loc --quiet $T/tool.sp")
                  .code,
              0);
    const std::string deck = slurp(folder_ / "tool.sp");
    EXPECT_GT(deck.size(), 100'000U);
    EXPECT_EQ(slurp(folder_ / "alone.sp"), deck);
    EXPECT_EQ(slurp(folder_ / "analysed.sp"), deck);
    EXPECT_EQ(slurp(folder_ / "again.sp"), slurp(folder_ / "edited.sp")) << "the grid with its edit";
    const std::string other = slurp(folder_ / "other.sp");
    EXPECT_EQ(other.substr(0, other.find("* Sources")), deck.substr(0, deck.find("* Sources"))) << "is another grid";
  }
}

/// The drops that `gridiron ir --extract fine` finds; nets are checked by PDNSim's rules all the same.
TEST_F(TclLayout, MeshesAreThoseOfTheTool) {
  const std::string net = " -net VDD" + vsrc("vdd");
  const Outcome outcome = run(
      gcd_ + powers_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\n" +
      "proc worst {args} { dict get [lindex [dict get [analyze_power_grid -quiet {*}$args] nets] 0] worst_drop_v }\n" +
      "puts [worst" + net + "]\nputs [worst" + net + " -extract fine -mesh 4]\nwrite_pg_spice mesh.sp\n" +
      "check_power_grid -net VDD -dont_require_terminals\nputs [worst" + net + " -extract fine -mesh 0.5]\n" +
      "write_pg_spice again.sp" + net + " -extract fine -mesh 4\nputs [worst" + net + " -extract pdnsim]\n");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::vector<double> drops;
  for (std::string line; std::getline(lines, line);)
    if (std::isdigit(static_cast<unsigned char>(line[0]))) drops.push_back(std::stod(line) * 1e6);
  ASSERT_EQ(drops.size(), 4U) << outcome.out;
  EXPECT_NEAR(drops[0], 503.70, 0.05);
  EXPECT_NEAR(drops[1], 465.67, 0.1);
  EXPECT_NEAR(drops[2], 455.54, 0.1);
  EXPECT_EQ(drops[3], drops[0]);
  EXPECT_THAT(outcome.out, HasSubstr("All shapes on net VDD are connected."));
  EXPECT_GT(slurp(folder_ / "mesh.sp").size(), 100'000U);
  EXPECT_EQ(slurp(folder_ / "mesh.sp"), slurp(folder_ / "again.sp"));
}

/// The lines that OpenROAD prints, and an error.
TEST_F(TclLayout, OpensAreListedAndErrors) {
  const std::string open = "read_lef " + data_ + "Nangate45.lef.gz\nread_lef " + data_ +
                           "fakeram45_64x32.lef.gz\nread_def " + data_ + "check_power_grid_disconnected.def.gz\n";
  const Outcome checked = run(open + "check_power_grid -net VDD -dont_require_terminals -error_file opens.drc\n");
  EXPECT_EQ(checked.code, 3);
  std::istringstream answers(slurp(data_ + "openroad_answers.txt"));
  int lines = 0;
  for (std::string line; std::getline(answers, line);)
    if (line.starts_with("[WARNING PSM-003")) {
      ++lines;
      EXPECT_THAT(checked.out, HasSubstr(line + "\n"));
    }
  EXPECT_EQ(lines, 30);
  EXPECT_EQ(std::ranges::count(checked.out, '\n'), 30) << checked.out;
  EXPECT_THAT(checked.err, HasSubstr("28 shapes of net VDD not connected to its highest layer; the first is on metal4 "
                                     "at (43.540, 51.400) to (43.820, 104.600) um; 2 terminals of net VDD"));
  const std::string markers = slurp(folder_ / "opens.drc");
  EXPECT_THAT(markers, HasSubstr("violation type: Unconnected shape\n  srcs: net:VDD\n  comment: shape of VDD: no path "
                                 "leads to a source\n  bbox = (43.5400, 51.4000) - (43.8200, 104.6000) on Layer "
                                 "metal4\n"));
  EXPECT_THAT(markers, HasSubstr("violation type: Unconnected instance\n  srcs: net:VDD\n  comment: "
                                 "frontend.icache.data_arrays_0.data_arrays_0_0_ext.mem/VDD: no path connects it"));

  const Outcome analysed =
      run(open +
          "set_pdnsim_net_voltage -net VDD -voltage 1.1\nputs [catch {analyze_power_grid -net VDD -error_file "
          "e.drc} m]:$m\nputs [catch {write_pg_spice -net VDD x.sp} m]:$m\nwrite_pg_spice -net VDD "
          "-ignore_opens y.sp\nanalyze_power_grid -net VDD -ignore_opens -quiet\nputs [catch "
          "{analyze_power_grid -net VDD}]\n");
  ASSERT_EQ(analysed.code, 0) << analysed.err;
  EXPECT_THAT(analysed.out, HasSubstr("or accept them by -ignore_opens\n"));
  EXPECT_EQ(analysed.out.substr(analysed.out.size() - 2), "1\n");
  EXPECT_EQ(slurp(folder_ / "e.drc"), markers);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.sp"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "y.sp"));

  const Outcome connected = run(gcd_ +
                                "puts [catch {check_power_grid -net VDD} m]:$m\nputs [check_power_grid -net VDD "
                                "-dont_require_terminals]\n");
  ASSERT_EQ(connected.code, 0) << connected.err;
  EXPECT_THAT(connected.out, HasSubstr("[INFO PSM-0040] All shapes on net VDD are connected.\n1:"));
  EXPECT_THAT(connected.out, HasSubstr("net VDD has no terminals"));
  EXPECT_THAT(connected.out, HasSubstr("give -dont_require_terminals"));
  EXPECT_THAT(connected.out, HasSubstr("{net VDD shapes "));
}

/// A technology without resistances of cuts can be checked, and analysed once they are set.
TEST_F(TclLayout, ResistancesAreNeededToAnalyseOnly) {
  GRIDIRON_DATA_OR_SKIP(def, "layout/sky130/gcd_floorplan.def.gz");
  const std::string folder = std::filesystem::path(def).parent_path().string() + "/";
  const Outcome outcome =
      run("read_lef " + folder + "sky130hd.tlef.gz\nread_lef " + folder + "cells.lef.gz\nread_def " + def +
          "\ncheck_power_grid -net VDD -dont_require_terminals\nset_pdnsim_net_voltage -net "
          "VDD -voltage 1.8\nputs [catch {analyze_power_grid -net VDD -quiet} m]:$m\nsource " +
          folder + "sky130hd.rc\nanalyze_power_grid -net VDD -quiet\nputs done\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[INFO PSM-0040] All shapes on net VDD are connected.\n1:"));
  EXPECT_THAT(outcome.out, HasSubstr("done\n"));
}

TEST_F(TclLayout, WrongUsageIsOneLineAndChangesNothing) {
  write("bad.lef", "LAYER m1 ;\n");
  write("bad.csv", "who,what\n");
  write("bad.loc", "1,2,x,1.1\n");
  write("two.sp", "* two\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2_0 1\ni1 n1_m1_2_0 0 1m\n.end\n");
  const auto refused = [&](const std::string& before, const std::string& command, const std::string& text) {
    const Outcome outcome = run(before + "puts code:[catch {" + command +
                                "} m o]\nputs $m\nputs [lindex [dict get $o "
                                "-errorcode] 0]\n");
    EXPECT_THAT(outcome.out, HasSubstr("code:1\n")) << command << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(text)) << command;
    EXPECT_THAT(outcome.out, HasSubstr("\nGRIDIRON\n")) << command;
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 3) << outcome.out;
  };
  const std::string lef = "read_lef " + data_ + "Nangate45.lef.gz\n", def = "read_def " + data_ + "gcd.def.gz\n";
  const std::string voltage = "set_pdnsim_net_voltage -net VDD -voltage 1.1\n";
  refused("", "analyze_power_grid -net VDD", "no netlist has been read");
  refused("", "check_power_grid -net VDD", "no netlist has been read");
  refused(def, "analyze_power_grid -net VDD", "no LEF file has been read");
  refused(def, "check_power_grid -net VDD", "no LEF file has been read");
  refused(lef, "analyze_power_grid -net VDD", "no DEF file has been read");
  refused(lef, "write_pg_spice -net VDD x.sp", "no DEF file has been read");
  refused("", "read_lef none.lef", "none.lef: cannot open");
  refused(lef, "read_lef bad.lef", "bad.lef:1:");
  refused(lef, lef.substr(0, lef.size() - 1), "give it once");
  refused("", "read_def none.def", "none.def: cannot open");
  refused(lef, "read_def two.sp", "two.sp:1:");
  refused(gcd_, "report_layers", "analyze_power_grid does so");
  refused(gcd_, "analyze_power_grid -net VDD",
          "nothing tells the voltage of net VDD; give set_pdnsim_net_voltage -net");
  refused(gcd_ + powers_, "analyze_power_grid -net VSS",
          "VDD: powers are given, but no voltage of this power net by which they become currents of net VSS; give "
          "set_pdnsim_net_voltage");
  refused(gcd_ + voltage, "analyze_power_grid -net VXX", "-net VXX: the layout has no such net; it has VDD, VSS");
  refused(gcd_ + voltage, "analyze_power_grid -net clk", "-net clk: the layout has no such net");
  refused(gcd_ + voltage, "check_power_grid -net VXX", "-net VXX: the layout has no such net");
  refused(gcd_ + voltage, "analyze_power_grid -vsrc bad.loc", "-vsrc needs -net");
  refused(gcd_ + voltage, "analyze_power_grid -net VDD -vsrc bad.loc", "bad.loc:1:5: expected um, not \"x\"");
  refused(gcd_ + voltage, "analyze_power_grid -net VDD -vsrc none.loc", "none.loc: cannot open");
  refused(gcd_ + voltage, "analyze_power_grid -net VDD -source_type LINES",
          "-source_type: 'LINES': expected BUMPS, STRAPS or FULL");
  refused(gcd_ + voltage, "analyze_power_grid -net VDD -em_outfile em.csv", "-em_outfile needs -enable_em");
  refused(gcd_ + voltage, "analyze_power_grid -net VDD -extract fine", "-extract fine: give the size of its cells");
  refused(gcd_ + voltage, "analyze_power_grid -net VDD -mesh 1", "-mesh 1: it is of -extract fine");
  refused(gcd_ + voltage, "write_pg_spice -net VDD none/x.sp", "none/x.sp: none does not exist");
  refused(gcd_ + voltage, "analyze_power_grid -net VDD -voltage_file none/x", "none/x: none does not exist");
  refused(gcd_ + voltage, "analyze_power_grid -net VDD -vsrc s.loc -voltage_file s.loc", "would be replaced");
  refused(gcd_ + voltage, "write_pg_spice -net VDD " + data_ + "gcd.def.gz", "would be replaced");
  refused(gcd_, "set_pdnsim_net_voltage -net VXX -voltage 1", "-net VXX: the layout has no such net; it has VDD, VSS");
  refused(gcd_, "set_pdnsim_net_voltage -net VDD", "-voltage VOLTS is missing");
  for (const char* wrong : {"x", "nan", "inf", "1A", ""})
    refused(gcd_, "set_pdnsim_net_voltage -net VDD -voltage {" + std::string(wrong) + "}", "-voltage: '");
  refused(gcd_, "set_pdnsim_inst_power -inst u_none -power 1", "-inst u_none: the layout has no such component");
  for (const char* wrong : {"x", "nan", "1V"})
    refused(gcd_, "set_pdnsim_inst_power -inst _440_ -power " + std::string(wrong), "-power: '");
  refused("set_pdnsim_inst_power -inst u_none -power 1\n" + lef, def.substr(0, def.size() - 1), "-inst u_none: ");
  refused("set_pdnsim_net_voltage -net VXX -voltage 1\n" + lef, def.substr(0, def.size() - 1), "-net VXX: ");
  refused(lef, "set_layer_rc -layer metal99 -resistance 1", "-layer metal99: LEF has no routing layer metal99");
  refused(lef, "set_layer_rc -layer via1 -resistance 1", "-layer via1: LEF has no routing layer via1");
  refused(lef, "set_layer_rc -via metal1 -resistance 1", "-via metal1: LEF has no cut layer metal1");
  refused(lef, "set_layer_rc -layer metal1 -resistance -1", "-resistance: '-1': expected a number, 0 or more");
  refused(lef, "set_layer_rc -layer metal1 -resistance nan", "-resistance: 'nan': expected a number");
  refused(lef, "set_layer_rc -resistance 1", "set_layer_rc: give -layer or -via");
  refused(lef, "set_layer_rc -layer metal1 -via via1 -resistance 1", "-via excludes -layer");
  refused("", "set_pdnsim_source_settings -bump_dx 0", "-bump_dx: '0': expected a number above 0");
  refused("", "set_pdnsim_source_settings -bump_interval 1.5", "-bump_interval: '1.5': expected a whole number");
  refused("", "set_pdnsim_source_settings -external_resistance -1", "-external_resistance: '-1'");
  refused(gcd_, "read_power bad.csv", "bad.csv");
  refused(gcd_, "read_power none.csv", "none.csv: cannot open");
  refused(gcd_, "read_power -by_cell bad.csv", "bad.csv:1:1: expected a header cell,power_w");
  const std::string deck = "read_spice two.sp\n";
  refused(deck, "set_pdnsim_net_voltage -net n1 -voltage 1", "the session has a SPICE deck");
  refused(deck, "analyze_power_grid -vsrc s.loc", "-vsrc is of a layout");
  refused(deck, "check_power_grid -net n1", "-net n1: ");
  refused(deck, "write_pg_spice -source_type FULL x.sp", "-source_type is of a layout");
  refused(deck, "analyze_power_grid -extract fine -mesh 1", "-extract is of a layout");

  // After each error a session goes on with what it had.
  const Outcome goes_on =
      run(gcd_ + voltage + powers_ + "catch {read_lef bad.lef}\ncatch {read_def two.sp}\ncatch {read_power bad.csv}\n" +
          "catch {set_pdnsim_inst_power -inst u_none -power 1}\ncatch {analyze_power_grid -net VXX}\n"
          "catch {analyze_power_grid -net VDD -source_type x}\nanalyze_power_grid -net VDD" +
          vsrc("vdd") + "\n");
  ASSERT_EQ(goes_on.code, 0) << goes_on.err;
  EXPECT_THAT(goes_on.out, HasSubstr(answer("gcd_test_vdd")));
}

/// The example script, whose exit code is the verdict.
TEST_F(TclLayout, TheExampleIsASignOff) {
  const std::string script = (test::tests_dir() / ".." / "examples" / "layout.tcl").string();
  const auto sign_off = [&](const std::string& limit) {
    return gridiron("tcl '" + script + "' " + data_ + "gcd.def.gz VDD 1.1 " + data_ + "gcd_power.csv " + limit + " " +
                    data_ + "Nangate45.lef.gz");
  };
  const Outcome met = sign_off("5%");
  EXPECT_EQ(met.code, 0) << met.err;
  EXPECT_THAT(met.out, HasSubstr("as it is"));
  EXPECT_THAT(met.out, HasSubstr("50 mohm per bump"));
  EXPECT_EQ(rows_of("VDD.volt").size(), 624U);
  EXPECT_EQ(sign_off("0.01%").code, 1);
  const std::string report = slurp(folder_ / "reports" / "report.json");
  for (const char* part : {"\"lef\": \"", "\"power\": \"", "\"nominal\": \"VDD=1.1\"", "gcd_power.csv"})
    EXPECT_THAT(report, HasSubstr(part));
}

/// Settings of a design that has gone are errors until they are forgotten; a deck takes the place of a layout.
TEST_F(TclLayout, DesignsFollowEachOther) {
  const std::string other = "read_def " + data_ + "check_power_grid_ok_disconnected.def.gz";
  const Outcome outcome = run("read_lef " + data_ + "fakeram45_64x32.lef.gz\n" + gcd_.substr(gcd_.find("read_def")));
  EXPECT_NE(outcome.code, 0) << "cells before the technology";
  write("two.sp", "* two\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2_0 1\ni1 n1_m1_2_0 0 1m\n.end\n");
  const Outcome one_by_one =
      run(gcd_ + "set_pdnsim_net_voltage -net VDD -voltage 1.1\nset_pdnsim_inst_power -inst _440_ -power 1mW\n" +
          "analyze_power_grid -net VDD -quiet\nread_lef " + data_ + "fakeram45_64x32.lef.gz\nputs [catch {" + other +
          "} m]:$m\nclear_pdnsim_settings\n" + other +
          "\ncheck_power_grid -net VDD -dont_require_terminals\nread_spice two.sp\nanalyze_power_grid\n"
          "puts [catch {report_layers}]\nset_nominal n1 1\nread_def " +
          data_ + "gcd.def.gz\nputs [catch {report_layers} m]:$m\n");
  ASSERT_EQ(one_by_one.code, 0) << one_by_one.err;
  EXPECT_THAT(one_by_one.out, HasSubstr("does not fit this design, -inst _440_: the layout has no such component; "
                                        "clear_pdnsim_settings forgets it"));
  EXPECT_THAT(one_by_one.out, HasSubstr("All shapes on net VDD are connected."));
  EXPECT_THAT(one_by_one.out, HasSubstr("Net              : n1\n"));
  EXPECT_THAT(one_by_one.out, HasSubstr("1:the layout is not extracted"));
}

}  // namespace
}  // namespace gridiron
