// SPDX-License-Identifier: Apache-2.0
// The comparison with its worker processes: rows that succeed, rows that fail in every way, exit codes.
#include <gmock/gmock.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/memory.hpp"
#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CompareCommand : public test::Tool {
 protected:
  json report() const { return json::parse(slurp(folder_ / "out" / "compare.json")); }

  static std::string example() { return "'" + (test::tests_dir() / ".." / "examples" / "two_nets.sp").string() + "'"; }
  static constexpr const char* kBroken = "* t\nv1 a 0 1\nr1 a\n.end\n";
  static constexpr const char* kFloating = "* t\nv1 a 0 1\nr1 a b 1\nr2 c d 1\ni1 c 0 1m\n.end\n";
};

TEST_F(CompareCommand, ComparesEnginesOnDecks) {
  ASSERT_EQ(gridiron("generate --nodes 5000 big.sp").code, 0);
  const Outcome run = gridiron("compare " + example() + " big.sp --engines cholmod,superlu --out out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "") << "no progress line unless stderr is a terminal";
  const json cases = report()["cases"];
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0]["unknowns"], 0) << "the reduction alone solves this one";
  EXPECT_EQ(cases[1]["name"], "big.sp");
  EXPECT_GT(cases[1]["unknowns"], 1000);
  EXPECT_GT(cases[1]["nonzeros"], cases[1]["unknowns"]);
  for (const json& row : cases[1]["runs"]) EXPECT_GT(row["bytes"], 10000);
  for (const json& one : cases) {
    ASSERT_EQ(one["runs"].size(), 2u);
    const json &reference = one["runs"][0], &other = one["runs"][1];
    EXPECT_EQ(reference["engine"], "cholmod");
    EXPECT_TRUE(reference["reference"].get<bool>() && reference["requested"].get<bool>());
    EXPECT_EQ(reference["total_ratio"], 1.0);
    EXPECT_TRUE(reference["max_error"].is_null()) << "there is nothing to compare the reference with";
    EXPECT_EQ(other["engine"], "superlu");
    EXPECT_FALSE(other["reference"].get<bool>());
    EXPECT_LE(other["max_error"], 1e-9);
    EXPECT_LE(other["mean_error"], other["max_error"]);
    EXPECT_NEAR(other["total_ratio"].get<double>(), other["total_s"].get<double>() / reference["total_s"].get<double>(),
                1e-12);
    for (const json& row : one["runs"]) {
      EXPECT_EQ(row["status"], "ok");
      EXPECT_LE(row["relative_residual"], 1e-8);
      EXPECT_LT(row["certified_bound_v"], 1e-6);
      EXPECT_GT(row["setup_s"], 0.0);
      EXPECT_GT(row["solve_s"], 0.0);
    }
  }
  EXPECT_EQ(slurp(folder_ / "out" / "compare.txt"), run.out);
  EXPECT_THAT(slurp(folder_ / "out" / "compare.csv"), HasSubstr("big.sp,superlu,cpu,no,ok,,"));
}

TEST_F(CompareCommand, QuietlyInSomeFormats) {
  ASSERT_EQ(gridiron("compare " + example() + " --engines cholmod --out out").code, 0);
  const Outcome run = gridiron("compare " + example() + " --engines cholmod --quiet --formats csv,json --out out");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  for (const char* file : {"compare.csv", "compare.json"}) EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / file));
  for (const char* file : {"compare.txt", "compare.png"}) EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / file));
  EXPECT_EQ(gridiron("compare " + example() + " --formats html --out out").err,
            "gridiron: --formats: unknown format 'html'; known are text, csv, json, png\n");
}

TEST_F(CompareCommand, ReadsDecksAsTheOtherCommandsDo) {
  std::ofstream(folder_ / "pads.csv") << "name,ohm,volts\na,0,1.1\n";
  std::ofstream(folder_ / "d.sp") << "* t\n.subckt grid a b\nr1 a c '2*half'\nr2 c b 1\ni1 b 0 1m\n.param half=0.5\n"
                                     ".ends\n.end\n";
  EXPECT_EQ(gridiron("compare d.sp --engines superlu --repeat 1").code, 2) << "nothing is instantiated";
  const std::string options = " --top grid --pads pads.csv --dialect hspice --engines superlu --repeat 1 --out out";
  const Outcome run = gridiron("compare d.sp" + options);
  ASSERT_EQ(run.code, 0) << run.err;
  for (const json& row : report()["cases"][0]["runs"]) EXPECT_EQ(row["status"], "ok");
  EXPECT_EQ(gridiron("compare d.sp --node-pattern '(' --top grid --pads pads.csv").code, 2);
}

TEST_F(CompareCommand, ErrorsAreDifferencesToTheReference) {
  ASSERT_EQ(gridiron("generate --nodes 5000 big.sp").code, 0);
  ASSERT_EQ(gridiron("compare big.sp --engines aggamg --rtol 1e-3 --repeat 1 --out out").code, 0);
  const json row = report()["cases"][0]["runs"][1];
  EXPECT_EQ(row["status"], "ok");
  EXPECT_GT(row["max_error"], 1e-9) << "a loose solve differs from the reference";
  EXPECT_LE(row["max_error"], row["certified_bound_v"]) << "but not more than certified";
}

TEST_F(CompareCommand, RunsTheReferenceUnasked) {
  const Outcome run = gridiron("compare " + example() + " --engines superlu --repeat 1 --out out");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("ok, the reference (always run)"));
  EXPECT_FALSE(report()["cases"][0]["runs"][0]["requested"].get<bool>());
}

TEST_F(CompareCommand, ComparesOnModelProblemsOfSeveralSizes) {
  ASSERT_EQ(gridiron("compare --pde poisson2d,poisson3d --size 8,12 --engines superlu --repeat 2 --out out").code, 0);
  const json cases = report()["cases"];
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[1]["name"], "poisson2d 12");
  EXPECT_EQ(cases[1]["unknowns"], 100);
  EXPECT_EQ(cases[2]["unknowns"], 216);
  for (const json& one : cases) {
    EXPECT_LE(one["runs"][1]["max_error"], 1e-12);
    EXPECT_TRUE(one["runs"][1]["certified_bound_v"].is_null());
  }
}

TEST_F(CompareCommand, SettingsReachTheirEngine) {
  ASSERT_EQ(
      gridiron("compare " + example() + " --engines superlu --set cholmod.ordering=metis --repeat 1 --out out").code,
      0);
  EXPECT_EQ(report()["cases"][0]["runs"][0]["parameters"]["ordering"], "metis");
}

TEST_F(CompareCommand, SettingsWithoutAnEngineReachAllThatHaveThem) {
  ASSERT_EQ(gridiron("compare " + example() +
                     " --engine cholmod,superlu --device cpu --set ordering=metis --set superlu.ordering=colamd "
                     "--repeat 1 --out out")
                .code,
            0)
      << "--engine is the word of the other commands, too";
  const json runs = report()["cases"][0]["runs"];
  EXPECT_EQ(runs[0]["parameters"]["ordering"], "metis");
  EXPECT_EQ(runs[1]["parameters"]["ordering"], "colamd") << "what is set for it alone";
  EXPECT_EQ(runs[0]["bound_v"], runs[0]["certified_bound_v"]);
  ASSERT_EQ(gridiron("compare " + example() + " --engine superlu --set ordering=colamd --repeat 1 --out out").code, 0)
      << "not of the reference, which was not asked for";
}

TEST_F(CompareCommand, VariantsOfAnEngineAreRowsOfTheirOwn) {
  ASSERT_EQ(gridiron("generate --nodes 5000 big.sp").code, 0);
  const Outcome run = gridiron(
      "compare big.sp --engines aggamg,aggamg@paper,aggamg:krylov=gmres:degree=3,cholmod:ordering=metis --set "
      "aggamg.degree=1 --repeat 1 --out out");
  ASSERT_EQ(run.code, 0) << run.err;
  const json runs = report()["cases"][0]["runs"];
  ASSERT_EQ(runs.size(), 5u) << "and the reference";
  const char* names[] = {"cholmod", "aggamg", "aggamg@paper", "aggamg:krylov=gmres:degree=3", "cholmod:ordering=metis"};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(runs[i]["variant"], names[i]);
    EXPECT_EQ(runs[i]["status"], "ok") << names[i];
    EXPECT_THAT(run.out, HasSubstr(names[i]));
  }
  EXPECT_EQ(runs[1]["parameters"]["degree"], "1");
  EXPECT_EQ(runs[2]["parameters"]["preset"], "paper");
  EXPECT_EQ(runs[3]["parameters"]["degree"], "3") << "its own setting counts";
  EXPECT_EQ(runs[3]["parameters"]["krylov"], "gmres");
  EXPECT_EQ(runs[4]["parameters"]["ordering"], "metis");
  EXPECT_EQ(runs[4]["engine"], "cholmod");
  for (const char* wrong : {"aggamg@none", "aggamg:krylov", "aggamg:=1", "aggamg:none=1", "aggamg:degree=1:degree=2",
                            "aggamg@paper:preset=default", "none@paper"})
    EXPECT_EQ(gridiron(std::string("compare big.sp --engines ") + wrong).code, 2) << wrong;
}

TEST_F(CompareCommand, SweepsOverSizesAndDrawsThem) {
  ASSERT_EQ(gridiron("compare --pde poisson2d --size 9..33,40 --engines superlu --repeat 1 --out out").code, 0);
  std::vector<int> sizes;
  const json cases = report()["cases"];
  for (const json& one : cases) sizes.push_back(one["size"]);
  EXPECT_EQ(sizes, (std::vector<int>{9, 17, 33, 40}));
  EXPECT_EQ(slurp(folder_ / "out" / "compare.png").substr(1, 3), "PNG");
  for (const char* wrong : {"33..9", "9..", "..9", "9..x", "0..4"})
    EXPECT_EQ(gridiron(std::string("compare --pde poisson2d --size ") + wrong).code, 2) << wrong;
}

TEST_F(CompareCommand, ABadDeckIsARowAndTheExitCode) {
  write("broken.sp", kBroken);
  write("floating.sp", kFloating);
  const Outcome run =
      gridiron("compare missing.sp floating.sp broken.sp " + example() + " --engines superlu --repeat 1 --out out");
  EXPECT_EQ(run.code, 2) << "the first failure counts";
  EXPECT_THAT(run.err, HasSubstr("gridiron: missing.sp: "));
  const json cases = report()["cases"];
  ASSERT_EQ(cases.size(), 4u);
  const char* status[] = {"invalid input", "cannot be analysed", "invalid input", "ok"};
  for (size_t i = 0; i < 4; ++i)
    for (const json& row : cases[i]["runs"]) EXPECT_EQ(row["status"], status[i]) << cases[i]["name"];
  EXPECT_THAT(cases[2]["runs"][0]["detail"], HasSubstr("broken.sp:3:"));
  EXPECT_EQ(gridiron("compare floating.sp missing.sp --repeat 1").code, 3);
}

TEST_F(CompareCommand, FileNamesNeedNotBeText) {
  const std::string deck = slurp(test::tests_dir() / ".." / "examples" / "two_nets.sp");
  write("a\xff\x1b[2J,\".sp", deck);
  const Outcome run = shell("\"$G\" compare *.sp --engines superlu --repeat 1 --out out");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("a\\xff\\x1b[2J,\".sp: "));
  EXPECT_THAT(run.out, Not(HasSubstr("\x1b")));
  EXPECT_EQ(report()["cases"][0]["runs"][1]["status"], "ok");
}

TEST_F(CompareCommand, WrongUsage) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "nothing to compare on"},
      {example() + " --engines nobody", "no engine is called \"nobody\""},
      {"--pde nothing --size 9", "no model problem is called \"nothing\""},
      {example() + " --set cholmod.speed=9", "cholmod has no parameter \"speed\""},
      {example() + " --set speed=9", "no engine that is compared has this parameter"},
      {example() + " --set agamg.degree=2", "did you mean 'aggamg'?"},
      {example() + " --set cholmod.ordering=amd --set cholmod.ordering=metis", "ordering is given twice"},
      {example() + " --set superlu.ordering=colamd --engines cholmod", "not compared"},
      {example() + " --devices abacus", "--device: 'abacus'"},
      {"-", "standard input"},
  };
  for (const auto& [arguments, words] : cases) {
    const Outcome run = gridiron("compare " + arguments);
    EXPECT_EQ(run.code, 2) << arguments;
    EXPECT_THAT(run.err, HasSubstr(words));
    EXPECT_EQ(run.out, "") << "refused before anything is measured";
  }
}

TEST_F(CompareCommand, WhatDoesNotConvergeIsARowWithItsResidual) {
  ASSERT_EQ(gridiron("generate --nodes 5000 big.sp").code, 0);
  const Outcome run = gridiron("compare big.sp --engines aggamg --max-iterations 2 --repeat 1 --out out");
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.err, "gridiron: 1 of 1 row missed what was asked for: big.sp: aggamg on cpu not converged\n");
  const json row = report()["cases"][0]["runs"][1];
  EXPECT_EQ(row["status"], "not converged");
  EXPECT_EQ(row["missed"], true);
  EXPECT_EQ(report()["cases"][0]["runs"][0]["missed"], false);
  EXPECT_EQ(row["iterations"], 2);
  EXPECT_GT(row["relative_residual"], 1e-8);
  EXPECT_LT(row["relative_residual"], 1.0);
  EXPECT_TRUE(row["total_ratio"].is_null());
  EXPECT_GT(row["max_error"], 0.0);
}

TEST_F(CompareCommand, ARowOfASweepThatMissesIsTheExitCode) {
  const Outcome run = gridiron(
      "compare --pde poisson2d --size 9..65 --engines superlu,sgml,sgml:cycle=stationary,gpuhmd --max-iterations 3 "
      "--repeat 1 --out out");
  EXPECT_EQ(run.code, 4);
  std::vector<std::string> missed;
  const json cases = report()["cases"];
  for (const json& one : cases)
    for (const json& row : one["runs"]) {
      EXPECT_EQ(row["missed"].get<bool>(), row["status"] == "not converged" || row["engine"] == "gpuhmd") << row;
      EXPECT_NE(row["status"], "not certified");
      if (row["missed"]) missed.push_back(one["name"].get<std::string>() + ": " + row["variant"].get<std::string>());
    }
  ASSERT_FALSE(missed.empty());
  for (const std::string& row : missed) {
    const std::string line = row + " on cpu " + (row.ends_with("gpuhmd") ? "declined" : "not converged");
    EXPECT_THAT(run.err, HasSubstr(line));
    EXPECT_THAT(run.out, HasSubstr(line));
  }
  EXPECT_THAT(run.err, HasSubstr(std::to_string(missed.size()) + " of 16 rows missed"));
  EXPECT_EQ(slurp(folder_ / "out" / "compare.txt"), run.out);
}

/// gmd solves problems in the plane, sgml:schedule=faithful 2^n + 1 points along an axis.
TEST_F(CompareCommand, OnlyWhatIsDeclinedHereAndThereIsNoMiss) {
  const std::string compare = "compare --repeat 1 --out out --pde poisson3d";
  EXPECT_EQ(gridiron(compare + ",poisson2d --size 9 --engines superlu,gmd").code, 0) << "it solves one of the two";
  EXPECT_EQ(report()["cases"][0]["runs"][2]["status"], "declined");
  EXPECT_EQ(report()["cases"][0]["runs"][2]["missed"], false);
  EXPECT_EQ(gridiron(compare + " --size 9").code, 0) << "all engines were asked for";
  const Outcome none = gridiron(compare + " --size 9 --engines superlu,gmd");
  EXPECT_EQ(none.code, 4);
  EXPECT_EQ(none.err, "gridiron: 1 of 2 rows missed what was asked for: poisson3d 9: gmd on cpu declined\n");
  EXPECT_EQ(report()["cases"][0]["runs"][2]["missed"], true);
  const Outcome invalid =
      gridiron("compare --repeat 1 --out out --pde poisson2d --size 20 --engines sgml:schedule=faithful,superlu");
  EXPECT_EQ(invalid.code, 4);
  EXPECT_EQ(report()["cases"][0]["runs"][1]["status"], "invalid input");
  EXPECT_EQ(report()["cases"][0]["runs"][1]["missed"], true);
}

/// A mesh behind a pad of 1 nOhm: a small residual says little there, the bound decides.
TEST_F(CompareCommand, StopsByVoltsUnlessAskedForAResidual) {
  std::string deck = "* mesh\nv1 s 0 1.1\nrp s n0_0 1n\n";
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 30; ++x) {
      const std::string at = "n" + std::to_string(x) + "_" + std::to_string(y);
      if (x > 0) deck += "rx" + at + " n" + std::to_string(x - 1) + "_" + std::to_string(y) + " " + at + " 1\n";
      if (y > 0) deck += "ry" + at + " n" + std::to_string(x) + "_" + std::to_string(y - 1) + " " + at + " 1\n";
      deck += "i" + at + " " + at + " 0 1m\n";
    }
  write("mesh.sp", deck + ".end\n");
  const std::string compare = "compare mesh.sp --engines aggamg --repeat 1 --out out ";
  ASSERT_EQ(gridiron(compare).code, 0);
  json row = report()["cases"][0]["runs"][1];
  EXPECT_EQ(report()["tolerance_v"], 1e-6);
  EXPECT_EQ(row["status"], "ok");
  EXPECT_LE(row["certified_bound_v"], 1e-6);
  EXPECT_LE(row["max_error"], 1e-6);

  ASSERT_EQ(gridiron(compare + "--tolerance 1nV").code, 0);
  EXPECT_LE(report()["cases"][0]["runs"][1]["certified_bound_v"], 1e-9);

  const Outcome impossible = gridiron(compare + "--tolerance 1e-21");
  EXPECT_EQ(impossible.code, 4);
  EXPECT_THAT(impossible.out, HasSubstr("asked for 1.00e-21 V"));

  ASSERT_EQ(gridiron(compare + "--rtol 1e-3").code, 0);
  EXPECT_TRUE(report()["tolerance_v"].is_null());
  EXPECT_GT(report()["cases"][0]["runs"][1]["certified_bound_v"], 1e-6);
  EXPECT_EQ(gridiron(compare + "--rtol 1e-3 --tolerance 1uV").code, 2);
}

/// The same iterations and the same bound; a mesh behind 1 TOhm takes the level of the part from its currents, as
/// there.
TEST_F(CompareCommand, StopsAndRefinesAsIrDoes) {
  ASSERT_EQ(gridiron("generate --nodes 30000 --seed 4 big.sp").code, 0);
  std::ofstream weak(folder_ / "weak.sp");
  weak << "* t\nv1 s 0 1\nrp s n1_0_0 1e12\ni1 n1_100_100 0 0.1\ni2 0 n1_390_200 0.1\ni3 n1_200_200 0 5e-13\n";
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) {
      if (x > 0)
        weak << "rx" << x << '_' << y << " n1_" << 10 * x - 10 << '_' << 10 * y << " n1_" << 10 * x << '_' << 10 * y
             << " 1\n";
      if (y > 0)
        weak << "ry" << x << '_' << y << " n1_" << 10 * x << '_' << 10 * y - 10 << " n1_" << 10 * x << '_' << 10 * y
             << " 1\n";
    }
  weak << ".end\n";
  weak.close();
  ASSERT_EQ(gridiron("compare big.sp weak.sp --engines cholmod,aggamg --repeat 1 --out out").code, 0);
  const json cases = report()["cases"];
  for (size_t k = 0; k < 2; ++k)
    for (const json& row : cases[k]["runs"]) {
      const std::string engine = row["engine"];
      ASSERT_EQ(gridiron(std::string("ir ") + (k == 0 ? "big.sp" : "weak.sp") +
                         " --device cpu --tolerance 1uV --quiet --formats json --out ir --engine " + engine)
                    .code,
                0);
      const json ir = json::parse(slurp(folder_ / "ir" / "report.json"));
      EXPECT_EQ(row["iterations"], ir["solve"]["iterations"]) << k << engine;
      EXPECT_EQ(row["certified_bound_v"], ir["certificate"]["max_error_v"]) << k << engine;
    }
}

TEST_F(CompareCommand, AKilledEngineIsARow) {
  ASSERT_EQ(gridiron("generate --nodes 20000 big.sp").code, 0);
  // Each process may use one second of processor time; a thousand repeats need more.
  const Outcome run =
      shell("ulimit -c 0; ulimit -S -t 1; \"$G\" compare big.sp --engines superlu --repeat 1000 --out out");
  EXPECT_EQ(run.code, 4) << "no row is good";
  EXPECT_THAT(run.err, HasSubstr("big.sp: no engine solved it as asked"));
  const json runs = report()["cases"][0]["runs"];
  ASSERT_EQ(runs.size(), 2u);
  for (const json& row : runs) {
    EXPECT_EQ(row["status"], "crashed");
    EXPECT_EQ(row["detail"], "signal " + std::to_string(SIGXCPU));
    EXPECT_TRUE(row["total_s"].is_null());
  }
}

TEST_F(CompareCommand, AHangIsARow) {
  ASSERT_EQ(gridiron("generate --nodes 20000 big.sp").code, 0);
  const Outcome run =
      gridiron("compare big.sp " + example() + " --engines superlu --repeat 1000 --timeout 0.01 --out out");
  EXPECT_EQ(run.code, 4) << run.err;
  const json cases = report()["cases"];
  for (const json& row : cases[0]["runs"]) EXPECT_EQ(row["status"], "timed out");
  EXPECT_EQ(cases.size(), 2u);
}

TEST_F(CompareCommand, NoMemoryIsARow) {
  constexpr int64_t kNeeded = 150'000'000'000;
  if (usable_memory_bytes() > kNeeded) GTEST_SKIP() << "this machine has enough memory for the problem";
  const Outcome run =
      gridiron("compare --pde poisson3d,poisson2d --size 1200 --engines superlu --repeat 1 --timeout 1 --out out");
  EXPECT_EQ(run.code, 5) << run.err;
  const json cases = report()["cases"];
  for (const json& row : cases[0]["runs"]) EXPECT_EQ(row["status"], "out of memory");
  EXPECT_THAT(cases[0]["runs"][1]["detail"], HasSubstr("this machine has"));
  EXPECT_EQ(cases.size(), 2u);
}

TEST_F(CompareCommand, AnImpossibleFolderIsToldBeforeMeasuring) {
  const Outcome run = gridiron("compare " + example() + " --out /dev/null/reports");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
}

TEST_F(CompareCommand, LeavesNoTemporaryFiles) {
  ASSERT_EQ(shell("mkdir tmp && TMPDIR=\"$T/tmp\" \"$G\" compare " + example() + " --repeat 1").code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp"));
  shell("TMPDIR=\"$T/tmp\" \"$G\" compare " + example() + " --repeat 1000 & sleep 0.3; kill -9 $!; wait $!");
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp"));
}

TEST_F(CompareCommand, HelpDoesNotListTheWorker) {
  EXPECT_THAT(gridiron("--help").out, HasSubstr("  compare "));
  EXPECT_THAT(gridiron("--help").out, Not(HasSubstr("worker")));
  EXPECT_NE(gridiron("compare-worker").code, 0) << "it wants a request";
}

}  // namespace
}  // namespace gridiron
