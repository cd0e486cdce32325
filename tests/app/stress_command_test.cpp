// SPDX-License-Identifier: Apache-2.0
// `gridiron ir --em-stress`: files, limits and bad input.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "netlist/tables/metal_tables.hpp"
#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

class StressCommand : public test::Tool {
 protected:
  StressCommand() {
    write("deck.sp",
          "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nI1 n1_m1_10000_0 0 1m\n"
          "R2 n1_m1_10000_0 n1_m2_10000_0 1\n.end\n");
    write("layers.csv", "layer,width_um,thickness_um\r\nM1,1,0.5\r\n");
  }
  Outcome ir(const std::string& options) const { return gridiron("ir deck.sp --quiet " + options); }
  std::string error(const std::string& options) const {
    const Outcome outcome = ir(options);
    EXPECT_EQ(outcome.code, 2) << options << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  }
};

TEST_F(StressCommand, WritesATable) {
  ASSERT_EQ(ir("--em-stress default --em-layers layers.csv --out r").code, 0);
  const std::string table = slurp(folder_ / "r/stress.csv");
  EXPECT_THAT(table, HasSubstr("tree,node,layer,x_um,y_um,stress_pa,bound_pa,verdict\n0,n1_m1_0_0,m1,0,0,-67"));
  EXPECT_EQ(table.find("\r\n"), table.npos);
  const std::string stress_pa =
      table.substr(table.find(",10,0,") + 6, table.find(',', table.find(",10,0,") + 6) - table.find(",10,0,") - 6);
  EXPECT_GE(stress_pa.size(), 16u) << "not coarser than its bound: " << stress_pa;
  EXPECT_THAT(table, HasSubstr("\n0,n1_m1_10000_0,m1,10,0,67"));
  EXPECT_THAT(table, HasSubstr(",immortal\n"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"immortal\": 1"));
  EXPECT_THAT(slurp(folder_ / "r/summary.txt"), HasSubstr("Steady-state stress of metal: 1 tree, 1 immortal"));
  ASSERT_EQ(ir("--out r").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r/stress.csv"));
}

TEST_F(StressCommand, DiffTellsNewlyMortalMetalAndEarlierVoids) {
  const std::string options = " --quiet --em-stress default --em-layers layers.csv --em-lifetime 100000y --out ";
  ASSERT_EQ(shell("sed 's/I1 n1_m1_10000_0 0 1m/I1 n1_m1_10000_0 0 15m/' deck.sp > more.sp; "
                  "sed 's/I1 n1_m1_10000_0 0 1m/I1 n1_m1_10000_0 0 20m/' deck.sp > most.sp")
                .code,
            0);
  for (const std::string name : {"deck", "more", "most"})
    ASSERT_EQ(gridiron("ir " + name + ".sp" + options + name).code, 0);
  const Outcome outcome = gridiron("diff deck more --out changes");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 metal tree newly mortal, 0 no longer; 1 void earlier, 0 later, by more than"));
  EXPECT_THAT(outcome.out, HasSubstr("Newly mortal metal"));
  EXPECT_THAT(outcome.out, HasSubstr("none until the horizon"));
  EXPECT_THAT(slurp(folder_ / "changes/diff.json"), HasSubstr("\"newly_mortal_count\": 1"));
  EXPECT_THAT(gridiron("diff more deck").out,
              HasSubstr("0 metal trees newly mortal, 1 no longer; 0 voids earlier, 1 "));
  const std::string earlier = gridiron("diff more most").out;
  EXPECT_THAT(earlier, HasSubstr("0 metal trees newly mortal, 0 no longer; 1 void earlier, 0 later"));
  EXPECT_THAT(gridiron("diff most most").out, HasSubstr("Nothing has changed"));
  ASSERT_EQ(shell("sed 's/^0,/x,/' most/stress.csv > s.csv; mv s.csv most/stress.csv").code, 0);
  EXPECT_EQ(gridiron("diff most most").code, 2) << "another file than the run wrote";
  ASSERT_EQ(shell("rm most/manifest.json").code, 0);
  EXPECT_THAT(gridiron("diff most most").err, HasSubstr("most/stress.csv: line 2: the number of the tree is none"));
}

TEST_F(StressCommand, DrawsMaps) {
  ASSERT_EQ(ir("--em-stress default --em-layers layers.csv --out r --formats png,html").code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r/stress_n1_m1.png"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r/map_n1_m2.png"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r/stress_n1_m2.png")) << "a via's end is no metal";
  const std::string page = slurp(folder_ / "r/report.html");
  EXPECT_THAT(page, HasSubstr("\"stress_trees\":[{"));
  EXPECT_THAT(page, HasSubstr("\"views\":[\"IR drop\",\"stress of metal\"]"));
  EXPECT_THAT(page, HasSubstr("\"high_pa\":6777"));
  EXPECT_THAT(page, HasSubstr("\"low_pa\":-6777")) << "as much pressure as tension";
  EXPECT_EQ(slurp(folder_ / "r/report.html").find("\"stress_curves\""), std::string::npos);
  ASSERT_EQ(shell("sed 's/I1 n1_m1_10000_0 0 1m/I1 n1_m1_10000_0 0 15m/' deck.sp > more.sp").code, 0);
  ASSERT_EQ(gridiron("ir more.sp --quiet --em-stress default --em-layers layers.csv --em-lifetime 1000y --formats html "
                     "--out r")
                .code,
            0);
  EXPECT_THAT(slurp(folder_ / "r/report.html"), HasSubstr("\"stress_curves\":[{"));
  ASSERT_EQ(ir("--em-stress default --out r --formats png").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r/stress_n1_m1.png")) << "no cross-section";
}

TEST_F(StressCommand, JudgesLimits) {
  const std::string stress = "--em-stress default --em-layers layers.csv ";
  EXPECT_EQ(ir(stress + "--limit stress=80%").code, 0);
  Outcome outcome = ir(stress + "--limit stress=10%");
  EXPECT_THAT(gridiron("ir deck.sp " + stress + "--limit stress=10%").out,
              HasSubstr("\nNext         tables of --out FOLDER tell where\n"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("limit exceeded: stress of 6.777 MPa in tree 0 exceeds 4.1 MPa"));
  outcome = ir("--em-stress default --limit stress=80%");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr("the stress of 1 metal tree is not known"));
}

TEST_F(StressCommand, KeepsNoLimitWithoutMetal) {
  write("deck.sp", "plain\nV1 a 0 1\nR1 a b 1\nR2 b c 1\nI1 c 0 50m\n.end\n");
  const Outcome outcome = ir("--em-stress default --limit stress=80% --out r");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr("no stress could be judged, as there is no metal"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"undecided\": true"));
}

TEST_F(StressCommand, AcceptsEstimates) {
  write("deck.sp",
        "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_10000_0 1\nI1 n1_m1_10000_0 0 1m\n"
        "R2 n1_m1_10000_0 n1_m1_20000_0 1\nG1 n1_m1_20000_0 0 n1_m1_10000_0 0 1u\n.end\n");
  const std::string stress = "--em-stress default --em-layers layers.csv --limit stress=80% ";
  const Outcome outcome = ir(stress);
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr("errors are estimated only; accept that by --accept-estimate"));
  EXPECT_EQ(ir(stress + "--accept-estimate").code, 0);
  EXPECT_EQ(ir(stress + "--accept-estimate --limit stress=10%").code, 2) << "one limit on stress";
}

TEST_F(StressCommand, TellsLifetimes) {
  const std::string metal = "parameter,value\natomic_volume_m3,1.182e-29\neffective_charge,1\ncritical_stress_pa,4e6\n";
  write("hot.csv", metal +
                       "residual_stress_pa,0\nbulk_modulus_pa,2.8e10\ndiffusivity_m2_s,1.3e-9\n"
                       "activation_energy_ev,1\ntemperature_c,300\n");
  const std::string options = "--em-stress hot.csv --em-layers layers.csv --em-lifetime 10y ";
  ASSERT_EQ(ir(options + "--em-samples 200 --em-sigma 0.3 --seed 5 --out r").code, 0);
  EXPECT_THAT(slurp(folder_ / "r/nucleation.csv"),
              HasSubstr("tree,net,layer,node,x_um,y_um,time_s,error_s,verdict\n0,n1,m1,n1_m1_10000_0,10,0,"));
  const std::string summary = slurp(folder_ / "r/summary.txt");
  EXPECT_THAT(summary, HasSubstr("Nucleation of voids until 10 y: in 1 of 1 tree followed"));
  EXPECT_THAT(summary, HasSubstr("200 samples of random diffusivities, sigma 0.3: in 0 no void until 10 y"));
  EXPECT_THAT(slurp(folder_ / "r/report.json"), HasSubstr("\"nucleating\": 1"));
  ASSERT_EQ(ir(options + "--em-samples 200 --em-sigma 0.3 --seed 5 --threads 1 --out s").code, 0);
  EXPECT_EQ(slurp(folder_ / "r/nucleation.csv"), slurp(folder_ / "s/nucleation.csv"));

  write("steady.csv", metal + "residual_stress_pa,0\n");
  EXPECT_THAT(error("--em-stress steady.csv --em-layers layers.csv --em-lifetime 10y"),
              HasSubstr("steady.csv: the parameter bulk_modulus_pa is missing, which times depend on"));
  EXPECT_THAT(error("--em-lifetime 10y"), HasSubstr("there is no --em-stress that it is for"));
  EXPECT_THAT(error("--em-stress default --em-lifetime 0y"),
              HasSubstr("0y: not a time above 0, of at most 1e+12 years; write e.g. 10y"));
  EXPECT_THAT(error("--em-stress default --em-lifetime 1e305y"), HasSubstr("1e305y: not a time above 0"));
  EXPECT_THAT(error("--em-stress default --seed 3"), HasSubstr("--seed: there is no --em-lifetime that it is for"));
  EXPECT_THAT(error(options + "--em-samples 5"), HasSubstr("give both --em-samples and --em-sigma"));
  EXPECT_THAT(error(options + "--em-samples 5 --em-sigma 0"), HasSubstr("expected a number above 0"));
}

TEST_F(StressCommand, RefusesBadInput) {
  const std::string metal = "parameter,value\natomic_volume_m3,1.182e-29\neffective_charge,1\ncritical_stress_pa,4e7\n";
  const auto of_metal = [&](const std::string& text) {
    write("metal.csv", text);
    return error("--em-stress metal.csv --em-layers layers.csv");
  };
  EXPECT_THAT(of_metal(metal), HasSubstr("metal.csv: the parameter residual_stress_pa is missing"));
  EXPECT_THAT(of_metal(metal + "residual_stress,0\n"), HasSubstr("metal.csv:5:1: no parameter is called"));
  EXPECT_THAT(of_metal(metal + "residual_stress_pa,nan\n"), HasSubstr("metal.csv:5:20: expected a number"));
  EXPECT_THAT(of_metal(metal + "residual_stress_pa,1M\n"), HasSubstr("without suffix"));
  EXPECT_THAT(of_metal(metal + "bulk_modulus_pa,-1\n"),
              HasSubstr("metal.csv:5:17: bulk_modulus_pa is from 1e+06 to 1e+13"));
  EXPECT_THAT(of_metal(metal + "temperature_c,-300\n"), HasSubstr("temperature_c is from -100 to 5000 in any metal"));
  for (const MetalParameter& parameter : metal_parameters())
    for (const char* value : {"-1e300", "1e300", "1e-300"}) {
      if (std::string_view(value) == "1e-300" && parameter.least < 0) continue;
      EXPECT_THAT(of_metal(fmt::format("parameter,value\n{},{}\n", parameter.name, value)),
                  HasSubstr(fmt::format("metal.csv:2:{}: {} is from", parameter.name.size() + 2, parameter.name)));
    }
  EXPECT_THAT(of_metal(metal + "effective_charge,1\n"),
              HasSubstr("metal.csv:5:1: effective_charge stands there twice"));
  EXPECT_THAT(of_metal("parameter\n"), HasSubstr("metal.csv:1:1: expected the header parameter,value"));
  EXPECT_THAT(of_metal(metal + "effective_charge\n"), HasSubstr("metal.csv:5:1: 1 fields, but the header has 2"));

  const auto of_layers = [&](const std::string& rows) {
    write("l.csv", "layer,width_um,thickness_um\n" + rows);
    return error("--em-stress default --em-layers l.csv");
  };
  EXPECT_THAT(of_layers(""), HasSubstr("l.csv: the table has no rows"));
  EXPECT_THAT(of_layers("m1,0,1\n"), HasSubstr("l.csv:2:4: expected a width in µm above 0"));
  EXPECT_THAT(of_layers("m1,1,-1\n"), HasSubstr("l.csv:2:6: expected a thickness in µm above 0"));
  EXPECT_THAT(of_layers("m1,1e300,1\n"),
              HasSubstr("l.csv:2:4: expected a width in µm above 0, from 0.0001 to 1e+06, not"));
  EXPECT_THAT(of_layers("m1,1,1e-5\n"),
              HasSubstr("l.csv:2:6: expected a thickness in µm above 0, from 0.0001 to 1e+06"));
  EXPECT_THAT(of_layers("m1,1,1\nM1,2,1\n"), HasSubstr("l.csv:3:1: layer M1 has a row at"));
  EXPECT_THAT(of_layers("m7,1,1\n"), HasSubstr("no layer is called \"m7\"; there are m1, m2"));
  EXPECT_THAT(error("--em-layers layers.csv"), HasSubstr("there are no --em-rules and no --em-stress that it is for"));
  EXPECT_THAT(error("--limit stress=80%"), HasSubstr("there is no --em-stress that it is for"));
  EXPECT_THAT(error("--em-stress default --limit stress=1V"), HasSubstr("expected one share"));
  for (const char* limit : {"0", "80", "x"})
    EXPECT_THAT(error(fmt::format("--em-stress default --limit stress={}", limit)),
                HasSubstr("expected a percentage like stress=80%"));
  EXPECT_THAT(error("--em-stress default --limit VDD:stress=80%"), HasSubstr("expected one share"));
  EXPECT_THAT(error("--em-stress default --loads loads.csv"), HasSubstr("--loads"));
}

TEST_F(StressCommand, IsACommandOfTcl) {
  if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
  write("script.tcl",
        "read_spice deck.sp\nputs [catch {find_stress} m]:$m\nanalyze_power_grid -quiet\n"
        "set s [find_stress -em_layers layers.csv -em_lifetime 10y]\n"
        "puts \"[dict get $s immortal] [dict get $s lifetime followed]\"\n"
        "puts [format %.4g [dict get [lindex [dict get $s worst] 0] stress_pa]]\n"
        "write_report out -formats csv,json\n");
  const Outcome outcome = gridiron("tcl script.tcl");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1:there is no analysis"));
  EXPECT_THAT(outcome.out, HasSubstr("Steady-state stress of metal: 1 tree, 1 immortal"));
  EXPECT_THAT(outcome.out, HasSubstr("1 0\n6.777e+06\n"));
  ASSERT_EQ(ir("--em-stress default --em-layers layers.csv --out r").code, 0);
  EXPECT_EQ(slurp(folder_ / "out/stress.csv"), slurp(folder_ / "r/stress.csv"));
}

TEST_F(StressCommand, PageTellsParameters) {
  const std::string page = slurp(test::tests_dir().parent_path() / "docs/electromigration.md");
  for (const MetalParameter& parameter : metal_parameters())
    EXPECT_THAT(page, HasSubstr(fmt::format("| `{}` |", parameter.name)));
}

TEST_F(StressCommand, FindingsOfReportsNameOptionsOfTcl) {
  if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
  write("nets.sp",
        "* dbu: 1000\nV1 n1_m1_0_0 0 1\nR1 n1_m1_0_0 n1_m1_100000_0 1\nI1 n1_m1_100000_0 0 10m\n"
        "V2 n2_m1_0_9000 0 0\nR2 n2_m1_0_9000 n2_m1_20000_9000 1\nI2 0 n2_m1_20000_9000 1m\n.end\n");
  write("script.tcl",
        "read_spice nets.sp\nset r [analyze_power_grid -quiet -net n1 -limit 5%]\nfind_stress -quiet\n"
        "write_report out -formats text,json,html\nputs $r\n");
  const Outcome outcome = gridiron("tcl script.tcl");
  for (const char* name : {"out/summary.txt", "out/report.json", "out/report.html"}) {
    const std::string text = slurp(folder_ / name);
    EXPECT_THAT(text, HasSubstr("give rows in -em_layers")) << name;
    EXPECT_THAT(text, HasSubstr("which -net leaves out")) << name;
    EXPECT_EQ(text.find('\x02'), std::string::npos) << name;
    EXPECT_EQ(text.find("\\u0002"), std::string::npos) << name;
  }
  EXPECT_THAT(outcome.out, HasSubstr("which -net leaves out"));
  EXPECT_EQ(outcome.out.find('\x02'), std::string::npos);
}

}  // namespace
}  // namespace gridiron
