// SPDX-License-Identifier: Apache-2.0
// A layout in the place of a deck: `extract`, and ir, check, tran and regularize with --lef.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"
#include "tests/npz.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class LayoutCommand : public test::Tool {
 protected:
  void SetUp() override {
    def_ = test::data_file("layout/nangate45/gcd.def.gz");
    if (def_.empty()) GTEST_SKIP() << "reference layouts not found below " << test::data_dir();
    const auto folder = std::filesystem::path(def_).parent_path();
    lef_ = " --lef " + (folder / "Nangate45.lef.gz").string();
    powers_ = " --power " + (folder / "gcd_power.csv").string() + " --nominal VDD=1.1";
  }
  std::string in(const std::string& command) const { return command + " " + def_ + lef_; }
  std::string sources(const std::string& net) const {
    return " --sources " + (std::filesystem::path(def_).parent_path() / ("Vsrc_gcd_" + net + ".loc")).string();
  }

  std::string def_, lef_, powers_;
};

/// All digits give the same bits as the layout itself, OpenROAD's seven nearly.
TEST_F(LayoutCommand, IrOnALayoutIsIrOnItsDeck) {
  for (const std::string net : {"vdd", "vss"}) {
    const std::string name = net == "vdd" ? "VDD" : "VSS";
    const std::string options = powers_ + sources(net) + " --net " + name;
    ASSERT_EQ(gridiron(in("extract") + options + " --digits 17 --quiet $T/gcd.sp").code, 0);
    ASSERT_EQ(gridiron(in("ir") + options + " --quiet --formats solution --out $T/layout").code, 0);
    ASSERT_EQ(gridiron("ir $T/gcd.sp --quiet --formats solution --out $T/deck").code, 0);
    const std::string solution = slurp(folder_ / "layout/gcd.solution");
    EXPECT_GT(solution.size(), 50'000u);
    EXPECT_EQ(solution, slurp(folder_ / "deck/gcd.solution")) << net;

    ASSERT_EQ(gridiron(in("extract") + options + " --quiet $T/seven.sp").code, 0);
    ASSERT_EQ(gridiron("ir $T/seven.sp --quiet --formats solution --out $T/seven").code, 0);
    std::istringstream exact(solution), seven(slurp(folder_ / "seven/seven.solution"));
    std::string node, other;
    double volts = 0, nearly = 0;
    while (exact >> node >> volts) {
      ASSERT_TRUE(seven >> other >> nearly);
      ASSERT_EQ(node, other);
      ASSERT_NEAR(volts, nearly, 1e-6 * 1.1) << node;
    }
  }
}

/// The voltages that OpenROAD prints for the same layout.
TEST_F(LayoutCommand, InstancesHaveOpenRoadsVoltages) {
  for (const std::string net : {"vdd", "vss"}) {
    const std::string name = net == "vdd" ? "VDD" : "VSS";
    ASSERT_EQ(
        gridiron(in("ir") + powers_ + sources(net) + " --net " + name + " --quiet --formats openroad --out $T/out")
            .code,
        0);
    ASSERT_EQ(
        shell("zcat " + (std::filesystem::path(def_).parent_path() / ("gcd_" + net + ".voltage.csv.gz")).string() +
              " | tail -n +2 | sort > $T/theirs; tail -n +2 $T/out/instances.csv | sort > $T/ours")
            .code,
        0);
    std::istringstream ours(slurp(folder_ / "ours")), theirs(slurp(folder_ / "theirs"));
    std::string a, b;
    int rows = 0;
    for (; std::getline(theirs, b); ++rows) {
      ASSERT_TRUE(std::getline(ours, a)) << "row " << rows;
      const size_t comma = a.rfind(',');
      ASSERT_EQ(a.substr(0, comma), b.substr(0, b.rfind(',')));
      ASSERT_NEAR(std::stod(a.substr(comma + 1)), std::stod(b.substr(b.rfind(',') + 1)), 1e-6 + 1e-12) << a;
    }
    EXPECT_EQ(rows, 624);
    EXPECT_FALSE(std::getline(ours, a));
  }
}

/// PDNSim holds two nodes below its source, meshes the whole strap: 503.7 µV become 456 µV.
TEST_F(LayoutCommand, AFinerMeshChangesTheDropLessAndLess) {
  const auto worst = [&](const std::string& mesh) {
    const Outcome outcome =
        gridiron(in("ir") + powers_ + sources("vdd") + " --net VDD --quiet --formats json --out $T/out" + mesh);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(slurp(folder_ / "out/report.json"))["nets"][0]["worst_drop_v"].get<double>() * 1e6;
  };
  EXPECT_NEAR(worst(" --extract pdnsim"), 503.70, 0.05);
  std::vector<double> drops;
  for (const std::string h : {"4", "2", "1", "0.5"}) drops.push_back(worst(" --extract fine --mesh " + h));
  EXPECT_NEAR(drops[0], 465.67, 0.1);
  EXPECT_NEAR(drops[3], 455.54, 0.1);
  EXPECT_LT(std::abs(drops[2] - drops[1]), 0.3 * std::abs(drops[1] - drops[0]));
  EXPECT_LT(std::abs(drops[3] - drops[2]), 0.2 * std::abs(drops[1] - drops[0]));
}

TEST_F(LayoutCommand, AMeshHasADeckToo) {
  const std::string options = powers_ + sources("vss") + " --net VSS --extract fine --mesh 0.7";
  ASSERT_EQ(gridiron(in("extract") + options + " --digits 17 --quiet $T/gcd.sp").code, 0);
  ASSERT_EQ(gridiron(in("ir") + options + " --quiet --formats solution,json --out $T/layout").code, 0);
  ASSERT_EQ(gridiron("ir $T/gcd.sp --quiet --formats solution --out $T/deck").code, 0);
  EXPECT_EQ(slurp(folder_ / "layout/gcd.solution"), slurp(folder_ / "deck/gcd.solution"));
  const std::string report = slurp(folder_ / "layout/report.json");
  EXPECT_THAT(report, testing::AllOf(HasSubstr("\"fine\""), HasSubstr("\"0.7\""))) << "options of the run";
  for (const std::string command : {"check", "regularize --quiet", "tran --quiet --step 10ps --stop 20ps"})
    EXPECT_EQ(gridiron(in(command) + options).code, 0) << command;
}

TEST_F(LayoutCommand, BothNetsAtOnce) {
  const Outcome outcome = gridiron(in("ir") + powers_ + " --formats json --out $T/out");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" statements, all used or harmless\n"));
  const json report = json::parse(slurp(folder_ / "out/report.json"));
  ASSERT_EQ(report["nets"].size(), 2u);
  EXPECT_EQ(report["nets"][0]["name"], "VDD");
  EXPECT_EQ(report["nets"][1]["name"], "VSS");
  EXPECT_LE(report["certificate"]["max_error_v"].get<double>(), 1e-5);
  const json& rows = report["input"]["ledger"]["files"][0]["cards"];
  const auto count_of = [&](const std::string& what) {
    const auto row = std::ranges::find_if(rows, [&](const json& r) { return r["what"] == what; });
    return row == rows.end() ? json() : (*row)["count"];
  };
  EXPECT_EQ(count_of("COMPONENTS"), 624);
  EXPECT_EQ(count_of("SPECIALNETS"), 2);
  EXPECT_EQ(count_of("ROW"), 57);
}

TEST_F(LayoutCommand, OpensAreInEveryReport) {
  const auto folder = std::filesystem::path(def_).parent_path();
  const std::string open = " " + (folder / "check_power_grid_disconnected.def.gz").string() + lef_ + " --lef " +
                           (folder / "fakeram45_64x32.lef.gz").string() + " --net VDD --nominal VDD=1.1 --quiet";
  ASSERT_EQ(gridiron("ir --ignore-opens --formats json,drc --out $T/out" + open).code, 0);
  const json opens = json::parse(slurp(folder_ / "out/report.json"))["opens"];
  EXPECT_EQ(opens["shapes"], 28);
  EXPECT_EQ(opens["terminals"], 2);
  EXPECT_EQ(opens["pins"], 0);
  EXPECT_THAT(slurp(folder_ / "out/markers.drc"),
              HasSubstr("bbox = (43.5400, 51.4000) - (43.8200, 104.6000) on Layer metal4\n"));
}

/// An instance has a row for its two terminals, with its cell; OpenROAD's table has a row for each.
TEST_F(LayoutCommand, InstancesOfBothNets) {
  ASSERT_EQ(gridiron(in("ir") + powers_ + " --quiet --formats csv --out $T/csv").code, 0);
  std::istringstream rows(slurp(folder_ / "csv/instances.csv"));
  std::string row;
  std::getline(rows, row);
  EXPECT_EQ(row, "name,power_node,ground_node,x_um,y_um,vdd_drop_v,gnd_bounce_v,combined_v,current_a,terminal,cell");
  std::getline(rows, row);
  EXPECT_THAT(row, testing::MatchesRegex("[A-Z0-9_]+,ITermNode_metal1_.*,ITermNode_metal1_.*,,[A-Z0-9_]+"));
  const std::string all = slurp(folder_ / "csv/instances.csv");
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1 + 624);
  EXPECT_THAT(all, HasSubstr("_440_,"));

  ASSERT_EQ(gridiron(in("ir") + powers_ + " --quiet --formats openroad --out $T/openroad").code, 0);
  const std::string voltages = slurp(folder_ / "openroad/instances.csv");
  EXPECT_EQ(std::count(voltages.begin(), voltages.end(), '\n'), 1 + 2 * 624);
  EXPECT_THAT(voltages, HasSubstr("\n_440_,VDD,metal1,"));
  EXPECT_THAT(voltages, HasSubstr("\n_440_,VSS,metal1,"));
}

/// Its percentages refer to the voltage of the power net, as OpenROAD's.
TEST_F(LayoutCommand, AGroundNetAloneHasPowerAndPercentages) {
  const Outcome outcome = gridiron(in("ir") + powers_ + sources("vss") + " --net VSS --limit worst=0.1% --full");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Total power      : 1.38e-04 W\nSupply voltage   : 0.00e+00 V\n"));
  EXPECT_THAT(outcome.out, HasSubstr("Percentage drop  : 0.09 %\n"));
}

/// Nobody wrote the sinks of a ground net, and without powers nothing draws.
TEST_F(LayoutCommand, FindingsAreThoseOfALayout) {
  const Outcome loaded = gridiron(in("ir") + powers_);
  EXPECT_EQ(loaded.code, 0) << loaded.err;
  EXPECT_THAT(loaded.out, testing::Not(HasSubstr("sinks-inverted")));
  for (const std::string command : {"ir --limit 5%", "check"}) {
    const Outcome unloaded = gridiron(in(command) + " --nominal VDD=1.1");
    EXPECT_EQ(unloaded.code, 0) << unloaded.err;
    EXPECT_THAT(unloaded.out, HasSubstr("no instance draws anything; give the powers of instances [no-load]"));
  }
}

/// Both terminals of an instance follow its waveform, which draws more than its power.
TEST_F(LayoutCommand, WaveformsOfInstances) {
  const auto waveform_of = [&](const std::string& name, const std::string& instance) {
    test::write_npz(folder_ / name, {{"time.npy", test::npy("<f8", "(2,)", test::raw<double>({0, 1e-10}))},
                                     {"templates.npy", test::npy("<f8", "(1, 2)", test::raw<double>({0, 1e-4}))},
                                     {"source.npy", test::npy("|S5", "(1,)", instance)},
                                     {"template.npy", test::npy("<i8", "(1,)", test::raw<int64_t>({0}))}});
  };
  waveform_of("known.npz", "_440_");
  waveform_of("unknown.npz", "_44x_");
  const std::string run = in("tran") + powers_ + " --quiet --step 50ps --stop 200ps --formats json --waveforms $T/";
  const Outcome outcome = gridiron(run + "known.npz --out $T/r");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json worst = json::parse(slurp(folder_ / "r/report.json"))["instances"]["worst"];
  EXPECT_EQ(worst["name"], "_440_");
  EXPECT_GT(worst["vdd_drop_v"], 1e-3);
  EXPECT_GT(worst["gnd_bounce_v"], 1e-3);
  const Outcome refused = gridiron(run + "unknown.npz --out $T/u");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("no current source or instance \"_44x_\""));
}

TEST_F(LayoutCommand, OtherCommandsReadLayouts) {
  EXPECT_EQ(gridiron(in("check") + powers_).code, 0);
  EXPECT_EQ(gridiron(in("regularize") + powers_ + " --quiet --net VDD").code, 0);
  EXPECT_EQ(gridiron(in("tran") + powers_ + " --quiet --step 10ps --stop 20ps").code, 0);
}

/// What OpenROAD reports of the same layout: 14 shapes on metal4, and so on, and two macros.
TEST_F(LayoutCommand, OpensAreErrorsUnlessTheyAreIgnored) {
  const auto folder = std::filesystem::path(def_).parent_path();
  const std::string open = " " + (folder / "check_power_grid_disconnected.def.gz").string() + lef_ + " --lef " +
                           (folder / "fakeram45_64x32.lef.gz").string() + " --net VDD --nominal VDD=1.1";
  for (const std::string command : {"check", "ir --quiet", "regularize --quiet", "extract --quiet"}) {
    const Outcome refused = gridiron(command + open + (command[0] == 'e' ? " $T/open.sp" : ""));
    EXPECT_EQ(refused.code, 3) << command;
    EXPECT_THAT(refused.err, HasSubstr("28 shapes of net VDD")) << command;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "open.sp"));
  const Outcome checked = gridiron("check --ignore-opens" + open);
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("frontend.icache.data_arrays_0.data_arrays_0_0_ext.mem/VDD"));
}

/// A strap of VSS on one of VDD, on metal4. It has no vias: it is open as well.
TEST_F(LayoutCommand, ShortsAreErrorsUnlessTheyAreIgnored) {
  ASSERT_EQ(shell("zcat " + def_ +
                  " | sed 's/^ *- VSS .*/&\\n+ ROUTED metal4 960 + SHAPE STRIPE ( 136140 24000 ) ( "
                  "136140 30000 )/' >$T/short.def")
                .code,
            0);
  const std::string design = " $T/short.def" + lef_ + powers_;
  for (const std::string command :
       {"check", "check --net VDD", "ir --quiet", "regularize --quiet", "extract --quiet"}) {
    const Outcome refused = gridiron(command + design + (command[0] == 'e' ? " $T/short.sp" : ""));
    EXPECT_EQ(refused.code, 3) << command;
    EXPECT_THAT(refused.err, HasSubstr("1 short between nets VDD and VSS; the first is on metal4 at (67.830, 12.000) "
                                       "to (68.310, 15.000) um [short]"))
        << command;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "short.sp"));
  EXPECT_EQ(gridiron("check --net VDD --out $T/markers" + design).code, 3);
  const std::string box = "bbox = (67.8300, 12.0000) - (68.3100, 15.0000) on Layer metal4\n";
  EXPECT_THAT(
      slurp(folder_ / "markers/markers.drc"),
      HasSubstr("violation type: Short\n  srcs: net:VDD net:VSS\n  comment: metal of VDD and VSS touches\n  " + box));
  EXPECT_THAT(slurp(folder_ / "markers/markers.lyrdb"), HasSubstr("<top-cell>gcd</top-cell>"));
  EXPECT_EQ(gridiron("ir --quiet --ignore-opens --ignore-shorts --formats drc --out $T/ir" + design).code, 0);
  EXPECT_THAT(slurp(folder_ / "ir/markers.drc"), HasSubstr(box));
  EXPECT_EQ(gridiron("check --ignore-opens" + design).code, 3);
  EXPECT_EQ(gridiron("check --ignore-opens --ignore-shorts" + design).code, 0);
  EXPECT_EQ(gridiron("ir --quiet --net VDD" + design).code, 0) << "only check looks at nets that are not asked for";
}

/// As OpenROAD's users write it.
TEST_F(LayoutCommand, TypesOfSourcesMayBeInCapitals) {
  for (const std::string type : {"STRAPS", "straps", "BUMPS", "Full"})
    EXPECT_EQ(gridiron(in("check --net VDD") + powers_ + " --source-type " + type).code, 0) << type;
  EXPECT_EQ(gridiron(in("check --net VDD") + powers_ + " --source-type LINES").code, 2);
}

TEST_F(LayoutCommand, WrongUsageIsOneLine) {
  const auto refused = [&](const std::string& arguments, int code, const std::string& text) {
    const Outcome outcome = gridiron(arguments);
    EXPECT_EQ(outcome.code, code) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(text)) << arguments;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  };
  refused("ir --quiet " + def_, 2, "give --lef");
  refused("extract " + def_ + " $T/x.sp", 2, "give --lef");
  refused("compare " + def_, 2, "compare reads netlists; gridiron extract writes that of a layout");
  refused(in("ir --quiet") + " --lef $T/none.lef", 2, "none.lef: cannot open");
  refused(in("ir --quiet") + " --nominal VDD=1.1 --net VXX", 2, "it has VDD, VSS");
  refused(in("ir --quiet"), 2, "nothing tells the voltage of net VDD");
  refused(in("ir --quiet") + " --net VSS" + powers_.substr(0, powers_.find(" --nominal")), 2, "VDD=VOLTS");
  refused(in("ir --quiet") + powers_ + sources("vdd"), 2, "tell of which one");
  refused(in("ir --quiet") + powers_ + " --source-type lines", 2, "expected BUMPS, STRAPS or FULL");
  refused(in("ir --quiet") + powers_ + " --source-set bump_dz=3", 2, "known are bump_dx");
  refused(in("ir --quiet") + powers_ + " --dbu 1000", 2, "--dbu: it is of a SPICE deck");
  refused(in("ir --quiet") + powers_ + " --node-pattern '(?<net>a)'", 2, "--node-pattern: it is of a SPICE deck");
  refused(in("extract") + powers_ + " " + def_, 2, "would replace");
  refused(in("extract") + powers_ + " $T", 2, "is a folder; name a file in it");
  refused(in("extract") + powers_ + " $T/none/x.sp", 2, "none does not exist; name a file in a folder that exists");
  refused(in("ir --quiet") + powers_ + " --extract fine", 2, "give the size of its cells in um, --mesh 1");
  refused(in("check") + powers_ + " --mesh 1", 2, "--mesh 1: it is of --extract fine");
  refused(in("check") + powers_ + " --extract pdnsim --mesh 1", 2, "--mesh 1: it is of --extract fine");
  refused(in("ir --quiet") + powers_ + " --extract fine --mesh 0", 2, "expected a number above 0");
  refused(in("ir --quiet") + powers_ + " --extract fine --mesh 1e-5", 2, "no smaller than a database unit, 0.0005 um");
  refused(in("ir --quiet") + powers_ + " --extract coarse --mesh 1", 2, "coarse");
  write("two.sp", "* two\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_2_0 1\nI1 n1_m1_2_0 0 1m\n.end\n");
  refused("ir --quiet $T/two.sp --power $T/none.csv", 2, "--power: it is of a layout");
  refused("ir --quiet $T/two.sp --extract fine --mesh 1", 2, "--extract: it is of a layout");
  refused("tran --quiet $T/two.sp --step 1n --stop 2n --net n2", 2, "--net n2: the netlist has no such net; it has n1");
}

}  // namespace
}  // namespace gridiron
