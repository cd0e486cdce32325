// SPDX-License-Identifier: Apache-2.0
// The folder of a run, and streams and limits of the system, from the command line; more are situations of
// docs/gate.md.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class RunFolderCommand : public test::Tool {
 protected:
  static constexpr const char* kDeck =
      "* t\nv1 n1_m1_0_0 0 1\nr1 n1_m1_0_0 n1_m1_2000_0 2\nr2 n1_m1_2000_0 n1_m2_2000_0 1\ni1 n1_m2_2000_0 0 "
      "0.1\nc1 n1_m2_2000_0 0 1p\n.tran 10p 100p\n.end\n";

  RunFolderCommand() { write("deck.sp", kDeck); }

  std::set<std::string> names(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / folder)) names.insert(entry.path().filename().string());
    return names;
  }
  json manifest(const std::string& folder) const { return json::parse(slurp(folder_ / folder / "manifest.json")); }
};

TEST_F(RunFolderCommand, EveryCommandListsWhatItWrites) {
  for (const char* run :
       {"ir deck.sp --quiet", "ir deck.sp --quiet --compress --formats text,solution,csv,openroad,lyrdb,drc,iccad,npy",
        "ir deck.sp --quiet --dump-system out", "tran deck.sp --quiet", "check deck.sp",
        "regularize deck.sp --no-reduce --quiet", "diff a a --quiet", "pde poisson2d --size 9 --quiet",
        "pde poisson2d --study 9,17,33 --quiet", "compare deck.sp --engine cholmod --repeat 1"}) {
    ASSERT_EQ(gridiron("ir deck.sp --quiet --out a").code, 0);
    const Outcome outcome = gridiron(std::string(run) + " --out out");
    EXPECT_EQ(outcome.code, 0) << run << ": " << outcome.err;
    std::set<std::string> listed = {"manifest.json"};
    const json found = manifest("out");
    for (const json& file : found["files"]) listed.insert(file["name"]);
    EXPECT_EQ(names("out"), listed) << run << ", and what the run before wrote is gone";
    EXPECT_GT(listed.size(), 1u) << run;
    EXPECT_TRUE(found["complete"]) << run;
    EXPECT_EQ(found["command"], std::string(run).find("--study") == std::string::npos
                                    ? std::string(run).substr(0, std::string(run).find(' '))
                                    : "study");
  }
}

TEST_F(RunFolderCommand, EveryCommandSparesItsInputs) {
  fs::create_directories(folder_ / "out");
  for (const char* name : {"summary.txt", "markers.drc", "regularize.json", "compare.txt"})
    fs::copy(folder_ / "deck.sp", folder_ / "out" / name);
  write("out/curve.csv", "x,y\n");
  for (const char* run :
       {"ir out/summary.txt", "tran out/summary.txt", "check out/markers.drc", "regularize out/regularize.json",
        "compare out/compare.txt --engine cholmod", "ir deck.sp out/summary.txt", "ir - <out/summary.txt"}) {
    const Outcome outcome = gridiron("--help >/dev/null; \"$G\" " + std::string(run) + " --out out");
    EXPECT_EQ(outcome.code, 2) << run;
    EXPECT_THAT(outcome.err, HasSubstr("is read by this run")) << run;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(names("out"),
              (std::set<std::string>{"compare.txt", "curve.csv", "markers.drc", "regularize.json", "summary.txt"}));
  }
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out a").code, 0);
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out b").code, 0);
  const auto before = names("a");
  for (const char* run : {"diff a b --out a", "diff b a/report.json --out a/", "diff b a --out ./b/../a"})
    EXPECT_EQ(gridiron(run).code, 2) << run;
  EXPECT_EQ(names("a"), before);
}

TEST_F(RunFolderCommand, IncludesAreSparedAndWhatFailsToBeReadLeavesNothing) {
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out out").code, 0);
  const auto before = names("out");
  write("top.sp", "* t\n.include out/nodes.csv\n.end\n");
  const Outcome refused = gridiron("ir top.sp --out out");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, StartsWith("gridiron: out/nodes.csv: is read by this run, which would remove it"));
  EXPECT_EQ(names("out"), before);
  write("bad.sp", "* t\nq1 a b\n");
  EXPECT_EQ(gridiron("ir bad.sp --out out").code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "out") && !names("out").empty()) << "nothing that looks like a report of it";
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out out").code, 0);
  EXPECT_EQ(gridiron("ir deck.sp --loads nowhere.csv --out out").code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "out" / "report.json"));
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out out").code, 0);
  EXPECT_EQ(gridiron("ir deck.sp --limit 5 --out out").code, 2);
  EXPECT_TRUE(fs::exists(folder_ / "out" / "report.json")) << "a mistyped option is no run";
}

TEST_F(RunFolderCommand, TheFolderOfTheDeckAndOtherPlaces) {
  fs::create_directories(folder_ / "with blanks");
  fs::create_directory_symlink("with blanks", folder_ / "link");
  for (const char* out : {".", "./", "link", "'with blanks/'", "link/"}) {
    const Outcome run = gridiron("ir deck.sp --quiet --out " + std::string(out));
    EXPECT_EQ(run.code, 0) << out << ": " << run.err;
    EXPECT_EQ(slurp(folder_ / "deck.sp"), kDeck);
  }
  EXPECT_EQ(gridiron("diff . link --quiet").code, 0);
}

TEST_F(RunFolderCommand, PartsOfDifferentRunsAreRefused) {
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out a").code, 0);
  ASSERT_EQ(shell("sed 's/ 0[.]1$/ 0.2/' deck.sp >b.sp; \"$G\" ir b.sp --quiet --out b").code, 0);
  const auto refused = [&](const std::string& change, const std::string& words) {
    shell("rm -rf c; cp -r a c; " + change);
    const Outcome run = gridiron("diff a c --quiet");
    EXPECT_EQ(run.code, 2) << change;
    EXPECT_THAT(run.err, StartsWith("gridiron: c/" + words)) << change;
  };
  refused("cp b/nodes.csv c", "nodes.csv: was changed since the run that wrote it");
  refused("cp b/report.json c", "report.json: was changed");
  refused("cp b/manifest.json c", "report.json: was changed");
  refused("sed -i 's/0.1/0.2/' c/nodes.csv", "nodes.csv: was changed");
  refused("sed -i 's/\"complete\": true/\"complete\": false/' c/manifest.json",
          "manifest.json: the run was interrupted");
  refused("rm c/manifest.json; cp b/nodes.csv c", "nodes.csv: has a worst drop of 0.6 V in net n1, report.json 0.3 V");
  refused("rm c/manifest.json c/nodes.csv; cp b/b.solution c/deck.solution",
          "deck.solution: has a worst drop of 0.6 V");
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out c --formats json").code, 0);
  EXPECT_EQ(shell("cp a/nodes.csv c; \"$G\" diff a c").code, 2) << "not listed";
  EXPECT_EQ(shell("rm -rf c; cp -r a c; rm c/manifest.json; \"$G\" diff a c --quiet").code, 0) << "as 0.1.0 left it";
}

TEST_F(RunFolderCommand, AKilledRunIsRefusedByDiffAndCleanedUpByTheNext) {
  ASSERT_EQ(gridiron("generate --nodes 60000 --seed 1 big.sp").code, 0);
  shell(
      "\"$G\" ir big.sp --quiet --out out --formats solution,csv,json,png & pid=$!; "
      "while ! test -e out/manifest.json; do kill -0 $pid || break; done; kill -9 $pid; wait $pid");
  ASSERT_TRUE(fs::exists(folder_ / "out" / "manifest.json"));
  if (manifest("out")["complete"]) GTEST_SKIP() << "it was faster than the signal";
  EXPECT_EQ(gridiron("diff out out").code, 2);
  ASSERT_EQ(gridiron("ir deck.sp --quiet --out out --formats json").code, 0);
  EXPECT_EQ(names("out"), (std::set<std::string>{"manifest.json", "report.json"}));
}

TEST_F(RunFolderCommand, TwoRunsAtOnce) {
  const Outcome both = shell("mkdir out; exec 9<out; flock -n 9 true && flock 9; \"$G\" ir deck.sp --quiet --out out");
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.err, "gridiron: out: another run is writing into this folder; wait for it, or choose another --out\n");
}

TEST_F(RunFolderCommand, ClosedStreams) {
  for (const char* run :
       {"ir deck.sp", "tran deck.sp", "check deck.sp", "regularize deck.sp --no-reduce", "engines", "--help",
        "--version", "pde poisson2d --size 9", "generate --nodes 500", "compare deck.sp --engine cholmod --repeat 1"}) {
    const std::string command = "timeout 60 \"$G\" " + std::string(run);
    EXPECT_EQ(shell(command + " 2>&-").code, 0) << run;
    EXPECT_EQ(shell(command + " <&-").code, 0) << run;
    EXPECT_EQ(shell(command + " <&- 2>&-").code, 0) << run;
    const Outcome no_output = shell(command + " >&-");
    EXPECT_EQ(no_output.code, 5) << run;
    EXPECT_THAT(no_output.err, HasSubstr("standard output")) << run;
    EXPECT_EQ(shell(command + " <&- >&- 2>&-").code, 5) << run;
  }
  EXPECT_EQ(shell("\"$G\" ir deck.sp --quiet --out out <&- >&- 2>&-; code=$?; grep -q '\"complete\": true' "
                  "out/manifest.json && ! grep -q Gridiron out/nodes.csv && exit $code")
                .code,
            0);
  EXPECT_EQ(shell("\"$G\" ir - <&-").code, 2);
}

TEST_F(RunFolderCommand, ALimitOnTheSizeOfFilesLeavesNothing) {
  ASSERT_EQ(gridiron("generate --nodes 3000 --seed 1 big.sp").code, 0);
  for (const char* run : {"ir big.sp", "regularize big.sp", "ir big.sp --formats csv --compress",
                          "ir big.sp --dump-system out --formats json"}) {
    const Outcome limited = shell("(ulimit -f 4; \"$G\" " + std::string(run) + " --quiet --out out)");
    EXPECT_EQ(limited.code, 5) << run << limited.err;
    EXPECT_EQ(std::count(limited.err.begin(), limited.err.end(), '\n'), 1) << limited.err;
    EXPECT_FALSE(fs::exists(folder_ / "out")) << run;
  }
}

TEST_F(RunFolderCommand, TheFailureLineComesLastAndNamesTheDeck) {
  const Outcome missed = shell("\"$G\" ir deck.sp --tolerance 1e-30 2>&1");
  EXPECT_EQ(missed.code, 4);
  const size_t line = missed.out.find("gridiron: deck.sp: the certified error bound");
  ASSERT_NE(line, std::string::npos) << missed.out;
  EXPECT_EQ(missed.out.find('\n', line), missed.out.size() - 1);
  const Outcome exceeded = shell("\"$G\" ir deck.sp --limit 1mV 2>&1");
  EXPECT_EQ(exceeded.out.find('\n', exceeded.out.find("gridiron: limit exceeded")), exceeded.out.size() - 1);
}

}  // namespace
}  // namespace gridiron
