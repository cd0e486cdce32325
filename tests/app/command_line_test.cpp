// SPDX-License-Identifier: Apache-2.0
// What scripts rely on: option names, exit codes, files, output independent of threads.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include <set>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"
#include "tests/reports/json/schema_validator.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kDeck = "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\nr2 a b 1\n.end\n";

class CommandLine : public test::Tool {};

TEST_F(CommandLine, AnalysesAndWritesEveryReport) {
  write("deck.sp", kDeck);
  const Outcome run = gridiron("ir deck.sp --full --out reports");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("########## IR report #################\nNet              : vdd\n"));
  EXPECT_EQ(run.err, "") << "no progress line unless stderr is a terminal";
  for (const char* file :
       {"summary.txt", "report.json", "deck.solution", "nodes.csv", "layers.csv", "sources.csv", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "reports" / file)) << file;
  const auto report = nlohmann::json::parse(slurp(folder_ / "reports" / "report.json"));
  EXPECT_EQ(report["schema"], "gridiron.ir/1");
  EXPECT_NEAR(report["nets"][0]["worst_drop_v"].get<double>(), 0.2, 1e-12);
  EXPECT_GT(report["timings_s"]["total"].get<double>(), 0.0);
  EXPECT_GT(report["peak_memory_bytes"].get<double>(), 0.0);
}

TEST_F(CommandLine, TellsHowAHybridSolveWentAndOnWhat) {
  ASSERT_EQ(gridiron("generate --style openroad --nodes 3000 grid.sp").code, 0);
  const Outcome run = gridiron("ir grid.sp --engine gpuhmd --device cpu --full --out hybrid");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nParts        original grid "));
  const auto report = nlohmann::json::parse(slurp(folder_ / "hybrid" / "report.json"));
  const auto& solve = report["solve"];
  EXPECT_EQ(solve["history"].size(), solve["iterations"].get<size_t>() + 1);
  EXPECT_EQ(solve["history"].front(), 1.0);
  EXPECT_EQ(solve["history"].back(), solve["relative_residual"]);
  const auto& parts = solve["hybrid"];
  const double seconds = parts["original_grid_s"].get<double>() + parts["regular_grid_s"].get<double>() +
                         parts["transfers_s"].get<double>();
  EXPECT_GT(seconds, 0.0);
  EXPECT_LE(seconds, report["timings_s"]["solve"].get<double>());
  EXPECT_EQ(parts["original_grid_bytes"].get<int>() + parts["regular_grid_bytes"].get<int>(), solve["bytes"]);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "hybrid" / "convergence.png"));

  ASSERT_EQ(gridiron("ir grid.sp --engine cholmod --rtol 1e-6 --out direct").code, 0);
  EXPECT_TRUE(nlohmann::json::parse(slurp(folder_ / "direct" / "report.json"))["solve"]["hybrid"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "direct" / "convergence.png"));
}

TEST_F(CommandLine, LimitsDecideTheExitCode) {
  write("deck.sp", kDeck);
  EXPECT_EQ(gridiron("ir deck.sp --limit 25%").code, 0);
  EXPECT_EQ(gridiron("ir deck.sp --limit 5%").code, 1);
  EXPECT_EQ(gridiron("ir deck.sp --limit 25% --limit average=100mV").code, 1);
  EXPECT_EQ(gridiron("ir deck.sp --limit 150mV --out reports").code, 1);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "reports" / "report.json"))
      << "an exceeded limit is a result, not a failure";
}

TEST_F(CommandLine, GateOfLimitsBoundsAndWarnings) {
  write("deck.sp", kDeck);
  const Outcome exceeded = gridiron("ir deck.sp --quiet --limit vdd:worst=150mV --limit 25%");
  EXPECT_EQ(exceeded.code, 1);
  EXPECT_EQ(exceeded.err,
            "gridiron: limit exceeded: net vdd: worst drop of 200 mV exceeds 150 mV, one of 2 nodes that do\n");
  ASSERT_EQ(gridiron("generate --nodes 3000 --nets 1 mesh.sp").code, 0);
  const std::string loose = "ir mesh.sp --engine aggamg --rtol 1e-2 --quiet --formats json --out loose";
  ASSERT_EQ(gridiron(loose).code, 0);
  const auto report = nlohmann::json::parse(slurp(folder_ / "loose" / "report.json"));
  double worst_mv = 0;
  for (const auto& net : report["nets"]) worst_mv = std::max(worst_mv, 1e3 * net["worst_drop_v"].get<double>());
  ASSERT_GT(report["certificate"]["max_error_v"].get<double>(), 1e-9 * worst_mv);
  const Outcome undecided = gridiron(loose + " --limit " + std::to_string(worst_mv + 1e-6) + "mV");
  EXPECT_EQ(undecided.code, 4) << undecided.err;
  EXPECT_THAT(undecided.err, HasSubstr("limit undecided: net "));
  write("idle.sp", "* t\nv1 vdd 0 1\nr1 vdd a 2\nr2 a b 1\n.end\n");
  EXPECT_EQ(gridiron("ir idle.sp --quiet --limit 5%").code, 0);
  const Outcome strict = gridiron("ir idle.sp --quiet --strict --out reports");
  EXPECT_EQ(strict.code, 3);
  EXPECT_THAT(strict.err, HasSubstr("[no-load]"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "reports"));
  EXPECT_EQ(gridiron("ir deck.sp --quiet --strict").code, 0);
}

TEST_F(CommandLine, AFailedRunLeavesNoReportOfAnEarlierOne) {
  write("deck.sp", kDeck);
  EXPECT_EQ(gridiron("ir deck.sp --out reports").code, 0);
  write("reports/mine.csv", "my own\n");
  write("reports/other.solution", "of another deck\n");
  write("deck.sp", "* t\nr1 a b 2\ni1 a 0 0.1\n.end\n");
  EXPECT_EQ(gridiron("ir deck.sp --out reports").code, 3);
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "reports"))
    left.insert(entry.path().filename().string());
  EXPECT_THAT(left, testing::ElementsAre("mine.csv", "other.solution"));
}

TEST_F(CommandLine, CompressedTablesAreThoseOfAPlainRun) {
  write("deck.sp", kDeck);
  const std::string run = "ir deck.sp --quiet --formats solution,csv,json";
  EXPECT_EQ(gridiron(run + " --out plain").code, 0);
  EXPECT_EQ(gridiron(run + " --out packed").code, 0);
  EXPECT_EQ(gridiron(run + " --out packed --compress").code, 0);
  EXPECT_EQ(shell("zstd -dq --rm packed/*.zst && diff -r -x report.json -x manifest.json plain packed").code, 0);
  const Outcome nowhere = gridiron("ir deck.sp --compress");
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_EQ(nowhere.err, "gridiron: --compress: there is no --out to write into\n");
  EXPECT_EQ(gridiron("ir deck.sp --formats csv --compress --out deck.sp").code, 2);
}

TEST_F(CommandLine, OutputGoesWhereItIsTold) {
  EXPECT_EQ(shell("\"$G\" generate --nodes 2000 /dev/stdout | grep -c '^[rR]'").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink("/dev/stdout"));
  EXPECT_EQ(gridiron("generate --nodes 2000 deck.sp.gz").code, 0);
  EXPECT_EQ(shell("gzip -dc deck.sp.gz | grep -qi '^[rR]' && \"$G\" ir deck.sp.gz --quiet").code, 0);
  write("deck.sp", kDeck);
  const Outcome run = gridiron("ir deck.sp --out ''");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("--out: is empty; give a value"));
}

TEST_F(CommandLine, WrongUsageSaysWhatToDo) {
  write("deck.sp", kDeck);
  for (const auto& [arguments, message] :
       {std::pair("ri deck.sp", "gridiron: no command is called 'ri'; did you mean 'ir'?"),
        {"generat deck.sp", "did you mean 'generate'?"},
        {"", "see 'gridiron --help'"},
        {"ir", "see 'gridiron ir --help'"},
        {"ir deck.sp --toleranec 1uV", "; did you mean '--tolerance'? See 'gridiron ir --help'"},
        {"ir deck.sp --formats jsn --out o", "did you mean 'json'?"},
        {"ir deck.sp --engine cholmd", "did you mean 'cholmod'?"},
        {"ir deck.sp --engine cholmod --set orderin=amd", "did you mean 'ordering'?"},
        {"ir deck.sp --engine cholmod --set aggamg.degree=2", "--set aggamg.degree: the engine is cholmod; give"},
        {"ir deck.sp --set cholmd.ordering=amd", "did you mean 'cholmod'?"},
        {"tran deck.sp --method trapezoid", "did you mean 'trapezoidal'?"},
        {"papers sgm", "did you mean 'sgml'?"},
        {"ir deck.sp --limit wrst=5%", "did you mean 'worst'?"},
        {"ir deck.sp --tolerance 10mA", "--tolerance: '10mA' is not a voltage"},
        {"ir deck.sp --tolerance 1uV --rtol 1e-8", "--tolerance excludes --rtol"},
        {"ir deck.sp --dbu -3", "--dbu: '-3': expected a number above 0"},
        {"ir deck.sp --node-pattern '(?<net>a'", "--node-pattern (?<net>a: column 9: missing closing parenthesis"},
        {"check deck.sp --node-pattern '(?<z>a)'", "it has a group 'z'; known are net, layer, x and y"},
        {"regularize deck.sp --node-pattern '(?<net>none)'", "no node has a name that it matches"},
        {"ir deck.sp --max-iterations 0", "--max-iterations: '0': expected a whole number from 1 to 2147483647"},
        {"ir deck.sp --max-iterations 99999999999", "expected a whole number"},
        {"ir deck.sp --threads 5000", "--threads: '5000': expected a whole number from 1 to 4096"},
        {"generate --nodes 1e5 new.sp", "--nodes: '1e5': expected a whole number"},
        {"generate --seed -1 new.sp", "--seed: '-1': expected a whole number from 0"},
        {"generate --seed 99999999999999999999 new.sp", "--seed: "},
        {"pde poisson2d --seed -1", "--seed: '-1': expected"},
        {"pde poisson2d --size 33 65", "not expected: 65; see 'gridiron pde --help'"},
        {"compare --pde poisson2d --size 33 65", "no deck '65'; separate sizes, as in --size 129,257, by commas"},
        {"compare --pde poisson2d poisson3d", "no deck 'poisson3d'; separate problems"},
        {"compare deck.sp --timeout 0", "--timeout: '0': expected a number above 0"}}) {
    const Outcome run = gridiron(arguments);
    EXPECT_EQ(run.code, 2) << arguments;
    EXPECT_THAT(run.err, HasSubstr(message)) << arguments;
    EXPECT_LT(run.err.size(), 200u) << arguments;
  }
  EXPECT_EQ(shell("\"$G\" ir missing.sp 2>&-").code, 2) << "standard error is closed";
}

TEST_F(CommandLine, OptionsMayStandBeforeTheNetlist) {
  write("deck.sp", kDeck);
  EXPECT_EQ(gridiron("ir --engine cholmod --set cholmod.ordering=amd --limit 25% deck.sp").code, 0);
  EXPECT_EQ(gridiron("ir --limit 25% --limit p50=25% --nominal vdd=1 --set ordering=amd deck.sp").code, 0);
}

/// Only an option in the place of a value is a slip.
TEST_F(CommandLine, WordsMayBeginWithHyphens) {
  write("--x.sp", "* t\nv1 --a 0 1\nr1 --a --quiet 2\ni1 --quiet 0 0.1\n.end\n");
  EXPECT_EQ(gridiron("ir -- --x.sp").code, 0);
  EXPECT_THAT(gridiron("ir --why=--quiet -- --x.sp").out, HasSubstr("Why --quiet drops by 200"));
  EXPECT_THAT(gridiron("ir --why --a -- --x.sp").out, HasSubstr("Why --a drops by 0"));
  for (const char* words : {"--why --quiet", "--limit --net=x", "--limit --help"}) {
    const Outcome run = gridiron(std::string("ir ") + words + " -- --x.sp");
    EXPECT_EQ(run.code, 2) << words;
    EXPECT_THAT(run.err, HasSubstr("a value is missing before --")) << words;
  }
}

TEST_F(CommandLine, UntrustedTextDoesNotReachTheTerminal) {
  write("deck.sp", "* t\nv1 a 0 1\nr1 a b {\033[31m}\n");
  const Outcome run = gridiron("ir deck.sp");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err.find('\033'), std::string::npos) << run.err;
  write("names.sp", "* t\nv1 a 0 1\nr1 a b 1\nr2 \xe2\x80\xaeq \033p 1\n");
  EXPECT_EQ(gridiron("check names.sp").out.find("\xe2\x80\xae"), std::string::npos);
}

TEST_F(CommandLine, AFullStandardOutputIsAFailure) {
  write("deck.sp", kDeck);
  ASSERT_EQ(gridiron("generate --nodes 3000 grid.sp").code, 0);
  for (const char* command : {"ir deck.sp", "check deck.sp", "generate --nodes 3000", "engines", "regularize grid.sp",
                              "pde poisson2d --size 33", "compare deck.sp --engine cholmod --repeat 1", "--help"}) {
    const Outcome run = shell(std::string("\"$G\" ") + command + " >/dev/full");
    EXPECT_EQ(run.code, 5) << command;
    EXPECT_THAT(run.err, HasSubstr("standard output")) << command;
  }
}

TEST_F(CommandLine, AbsurdThreadCountsAreHarmless) {
  write("deck.sp", kDeck);
  EXPECT_EQ(gridiron("ir deck.sp --threads 4096").code, 0);
}

TEST_F(CommandLine, ThreadsOfTheEnvironmentAreClamped) {
  write("deck.sp", kDeck);
  const Outcome run = shell("OMP_NUM_THREADS=1000 \"$G\" ir deck.sp --full");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("1000 threads")));
  EXPECT_THAT(shell("OMP_NUM_THREADS=1 \"$G\" ir deck.sp --full").out, HasSubstr("on cpu, 1 thread,"));
}

/// OpenBLAS is loaded before main and would wait for ever for threads that it cannot have.
TEST_F(CommandLine, LittleMemoryIsNoHang) {
  if (shell("ulimit -v 8000000 && timeout 20 \"$G\" --version").code != 0)
    GTEST_SKIP() << "memory cannot be limited here, or a sanitizer needs more";
  write("deck.sp", kDeck);
  for (const char* kilobytes : {"150000", "300000", "500000", "1000000"}) {
    const std::string limited = std::string("ulimit -v ") + kilobytes + "; timeout 20 \"$G\" ";
    EXPECT_EQ(shell(limited + "--version").code, 0) << kilobytes;
    EXPECT_EQ(shell("export OMP_WAIT_POLICY=active; " + limited + "--version").code, 0) << kilobytes;
    EXPECT_THAT(shell(limited + "ir deck.sp").code, testing::AnyOf(0, 5)) << kilobytes;
  }
}

TEST_F(CommandLine, QuietFormatsAndStandardInput) {
  write("deck.sp", kDeck);
  EXPECT_THAT(gridiron("ir deck.sp --formats solution").err, HasSubstr("there is no --out"));
  const Outcome run = shell("\"$G\" ir - --quiet --formats solution --out reports <deck.sp");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  const std::filesystem::directory_iterator files(folder_ / "reports");
  EXPECT_EQ(std::distance(begin(files), end(files)), 2) << "and the manifest";
  EXPECT_THAT(slurp(folder_ / "reports" / "stdin.solution"), HasSubstr("a 0.8\n"));
}

TEST_F(CommandLine, HelpAndVersion) {
  EXPECT_EQ(gridiron("--help").code, 0);
  EXPECT_THAT(gridiron("--help").out, HasSubstr("Exit codes"));
  EXPECT_THAT(gridiron("ir --help").out, HasSubstr("--tolerance"));
  EXPECT_THAT(gridiron("--version").out, HasSubstr("gridiron "));
  EXPECT_EQ(gridiron("").code, 2);
  EXPECT_EQ(gridiron("frobnicate").code, 2);
  EXPECT_EQ(gridiron("ir").code, 2);
  EXPECT_EQ(gridiron("ir deck.sp --limit").code, 2);
  EXPECT_EQ(gridiron("ir deck.sp --limit").err,
            "gridiron: --limit: a value is missing: LIMIT; see 'gridiron ir --help'\n");
  EXPECT_EQ(gridiron("ir deck.sp --threads").err,
            "gridiron: --threads: a value is missing: N; see 'gridiron ir --help'\n");
  EXPECT_THAT(gridiron("engines").out,
              testing::AllOf(HasSubstr("cholmod"), HasSubstr("superlu"), HasSubstr("--set ordering=")));
}

TEST_F(CommandLine, CheckTellsFindings) {
  write("good.sp", kDeck);
  write("bad.sp", "* t\ni2 lost 0 1\n" + std::string(kDeck));
  EXPECT_EQ(gridiron("check good.sp").code, 0);
  EXPECT_THAT(gridiron("check good.sp").out, HasSubstr("no findings"));
  const Outcome run = gridiron("check bad.sp");
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.out, HasSubstr("bad.sp:2:1: error: 1 node with a load of 1 A floats"));
  EXPECT_THAT(run.out, HasSubstr("[floating-load]\n"));
  EXPECT_THAT(run.out, HasSubstr("\n2 connected parts, 1 of them floating; nets: vdd 1 V\n1 finding\n"));
  EXPECT_THAT(run.err, HasSubstr("[floating-load]\n"));
}

/// Also where the grid is wrong, and then without anything on standard output.
TEST_F(CommandLine, CheckWritesItsFindings) {
  write("bad.sp", "* t\ni2 lost 0 1\n" + std::string(kDeck));
  const Outcome run = gridiron("check bad.sp --quiet --out found --formats json --nominal vdd=1");
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.out, "");
  const std::string text = slurp(folder_ / "found/check.json");
  EXPECT_EQ(test::violations("gridiron.check-1", text), "");
  const auto document = nlohmann::json::parse(text);
  ASSERT_EQ(document["findings"].size(), 1u);
  EXPECT_EQ(document["findings"][0]["code"], "floating-load");
  EXPECT_EQ(document["findings"][0]["place"], "bad.sp:2:1");
  EXPECT_EQ(document["floating_parts"], 1);
  EXPECT_EQ(document["nets"][0], "vdd 1 V");
  EXPECT_EQ(document["input"]["current_sources"], 2);
  EXPECT_EQ(document["run"]["options"]["nominal"], "vdd=1");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "found/markers.drc"));
}

TEST_F(CommandLine, CheckAndIrCountAlike) {
  write("deck.sp", kDeck);
  EXPECT_THAT(gridiron("check deck.sp").out,
              HasSubstr("4 nodes, 2 resistors, 1 current source, 1 voltage source, 0 capacitors, 0 inductors\n"));
  EXPECT_THAT(gridiron("ir deck.sp --full").out,
              HasSubstr(" 4 nodes, 2 resistors, 1 current source, 1 voltage source\n"));
}

TEST_F(CommandLine, StrictChecks) {
  write("idle.sp", "* t\nv1 vdd 0 1\nr1 vdd a 2\n.end\n");
  EXPECT_EQ(gridiron("check idle.sp").code, 0);
  const Outcome run = gridiron("check idle.sp --strict");
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, HasSubstr("--strict: idle.sp: no current source draws anything"));
}

TEST_F(CommandLine, ADoubtfulTitleIsOneFinding) {
  write("deck.sp", std::string("IBM power grid 1\n") + kDeck);
  const std::string out = gridiron("check deck.sp").out;
  EXPECT_THAT(out, HasSubstr("[first-line]"));
  EXPECT_THAT(out, HasSubstr("\n1 finding\n"));
}

TEST_F(CommandLine, InstancesInOpenRoadsForm) {
  write("deck.sp",
        "* t\nv1 Node_m1_0_0 0 1\nr1 Node_m1_0_0 Node_m1_2000_0 2\n* Sink for u1/VDD\ni1 Node_m1_2000_0 0 "
        "0.1\n.end\n");
  EXPECT_EQ(gridiron("ir deck.sp --quiet --out all").code, 0);
  EXPECT_THAT(slurp(folder_ / "all" / "instances.csv"), HasSubstr("\nu1,Node_m1_2000_0,,1,0,0.2,0,0.2,0.1,VDD\n"));
  EXPECT_EQ(gridiron("ir deck.sp --quiet --formats openroad --out own").code, 0);
  EXPECT_EQ(slurp(folder_ / "own" / "instances.csv"),
            "Instance,Terminal,Layer,X location,Y location,Voltage\nu1,VDD,m1,1.0000,0.0000,0.800000\n");
}

TEST_F(CommandLine, LenientSkipsWhatItDoesNotKnow) {
  write("deck.sp", std::string("* t\nq1 a b c\n") + kDeck);
  EXPECT_EQ(gridiron("ir deck.sp").code, 2);
  const Outcome run = gridiron("ir deck.sp --lenient");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("warning: 1 card was not understood and skipped"));
}

TEST_F(CommandLine, GenerateFeedsIr) {
  for (const char* style : {"ibm", "openroad"}) {
    const Outcome run = shell(std::string("\"$G\" generate --style ") + style +
                              " --nodes 5000 deck.sp && \"$G\" ir deck.sp --limit 20%");
    EXPECT_EQ(run.code, 0) << style << run.err << run.out;
  }
  EXPECT_EQ(gridiron("generate --style brick").code, 2);
}

TEST_F(CommandLine, SolutionTextDoesNotDependOnThreadsOrRuns) {
  GRIDIRON_DATA_OR_SKIP(deck, "ibm/ibmpg1.spice.bz2");
  for (const char* threads : {"1", "2", "3"})
    ASSERT_EQ(
        gridiron("ir '" + deck + "' --quiet --formats solution,csv --threads " + threads + " --out t" + threads).code,
        0);
  for (const char* file : {"ibmpg1.solution", "nodes.csv", "instances.csv", "sources.csv"})
    for (const char* other : {"t2", "t3"})
      EXPECT_TRUE(slurp(folder_ / "t1" / file) == slurp(folder_ / other / file)) << file;
}

TEST_F(CommandLine, AFullDiskLeavesNoFile) {
  ASSERT_EQ(gridiron("generate --nodes 20000 deck.sp").code, 0);
  const Outcome run =
      shell("trap '' XFSZ; ulimit -f 100; \"$G\" ir deck.sp --quiet --formats solution,csv --out reports");
  EXPECT_EQ(run.code, 5) << run.err;
  EXPECT_THAT(run.err, HasSubstr("cannot write"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "reports")) << "no file, and no folder for none";
}

TEST_F(CommandLine, AKilledRunLeavesNoFile) {
  ASSERT_EQ(gridiron("generate --nodes 200000 deck.sp").code, 0);
  shell("\"$G\" ir deck.sp --quiet --out reports & sleep 0.5; kill -9 $!; wait $!");
  if (!std::filesystem::exists(folder_ / "reports")) return;
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "reports")) {
    EXPECT_EQ(file.path().string().find(".part"), std::string::npos) << file.path();
    EXPECT_GT(file.file_size(), 0u);
  }
}

}  // namespace
}  // namespace gridiron
