// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "tests/app/tool.hpp"
#include "tests/npz.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

constexpr const char* kDeck =
    "* t\nv1 p 0 1\nl1 p q 1p\nr1 q a 1\nc1 a 0 10p\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\n.tran 0.5n 10n\n"
    ".print tran v(a)\n.end\n";

class TranCommand : public test::Tool {};

TEST_F(TranCommand, SimulatesAndJudges) {
  write("deck.sp", kDeck);
  const Outcome kept = gridiron("tran deck.sp --limit worst=350mV --out reports");
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("trapezoidal to 10.00 ns, 20 steps of 500.0 ps"));
  EXPECT_THAT(slurp(folder_ / "reports" / "deck.output"), HasSubstr("Node: a"));
  const Outcome exceeded = gridiron("tran deck.sp --limit worst=250mV --quiet");
  EXPECT_EQ(exceeded.code, 1);
  EXPECT_THAT(exceeded.err, HasSubstr("limit exceeded"));
  EXPECT_EQ(gridiron("tran deck.sp --window 1").code, 0);
  EXPECT_EQ(gridiron("tran deck.sp --method backward-euler --step 0.1ns --stop 5ns --window 1ns --worst-probes 1").code,
            0);
}

TEST_F(TranCommand, NonsenseIsRefused) {
  write("deck.sp", kDeck);
  write("static.sp", "* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 1m\n.end\n");
  for (const auto& [command, words] : {std::pair("tran static.sp", "--step"),
                                       {"tran static.sp --step 1ns", "--stop"},
                                       {"tran deck.sp --step -1ns", "above 0"},
                                       {"tran deck.sp --step 1mA", "not a time"},
                                       {"tran deck.sp --step 1us", "longer than the simulation"},
                                       {"tran deck.sp --method euler", "--method"},
                                       {"tran deck.sp --probe nowhere", "nowhere"},
                                       {"tran deck.sp --window 1e-30", "too many"},
                                       {"tran deck.sp --time-tolerance 0", "positive"}}) {
    const Outcome run = gridiron(command);
    EXPECT_EQ(run.code, 2) << command;
    EXPECT_THAT(run.err, HasSubstr(words)) << command;
  }
}

TEST_F(TranCommand, TheExampleOfWaveformsRuns) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() && shell(std::string(candidate) + " -c 'import numpy'").code == 0) python = candidate;
  if (python.empty()) GTEST_SKIP() << "no Python with numpy here: apt-get install python3-numpy";
  const std::string examples = (test::tests_dir().parent_path() / "examples").string();
  const Outcome written = shell(python + " '" + examples + "/write_waveforms.py' w.npz");
  ASSERT_EQ(written.code, 0) << written.err;
  const Outcome run = gridiron("tran '" + examples + "/switching.sp' --waveforms w.npz --out out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 scenarios"));
  EXPECT_THAT(run.out, HasSubstr("Scenarios, worst first"));
  EXPECT_THAT(slurp(folder_ / "out" / "scenarios.csv"), HasSubstr("\nhalf gated,board,"));
  EXPECT_THAT(slurp(folder_ / "out" / "switching.output"), HasSubstr("Node: n1_30000_0@all clocked\n"));
}

TEST_F(TranCommand, BadInputIsOneClearLine) {
  write("deck.sp", kDeck);
  write("loop.sp", "* t\nv1 p 0 1\nv2 q 0 1.1\nl1 p q 1n\nr1 p a 1\nc1 a 0 1p\ni1 a 0 1m\n.tran 1n 5n\n.end\n");
  write("short.sp", "* t\nv1 p 0 1\nl1 p 0 1n\nr1 p a 1\ni1 a 0 1m\n.tran 1n 5n\n.end\n");
  write("zero.sp", "* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 1m\n.tran 0 5n\n.end\n");
  write("late.sp", "* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 1m\n.tran 1n 5n 5n\n.end\n");
  write("many.sp", "* t\nv1 p 0 1\nr1 p a 1\ni1 a 0 1m\n.tran 1n 5n 0 1n 1n\n.end\n");
  write("float.sp", "* t\nv1 p 0 1\nr1 p a 1\nc1 a b 1p\ni1 b 0 pulse(0 1m 1n 1n 1n 1n 5n)\n.tran 1n 5n\n.end\n");
  write("text.npz", "source,template\n");
  const auto npz = [&](const std::string& name, const std::string& source, const std::string& index) {
    test::write_npz(folder_ / name, {{"time.npy", test::npy("<f8", "(2,)", test::raw<double>({0, 1e-9}))},
                                     {"templates.npy", test::npy("<f8", "(1, 2)", test::raw<double>({0, 1}))},
                                     {"source.npy", test::npy("|S2", "(1,)", source)},
                                     {"template.npy", test::npy("<i8", "(1,)", index)}});
  };
  npz("other.npz", "i7", test::raw<int64_t>({0}));
  npz("index.npz", "i1", test::raw<int64_t>({1}));
  struct Case {
    const char *command, *words;
    int code;
  };
  for (const Case& wrong :
       {Case{"loop.sp", "loop.sp:3:1: ideal sources contradict each other", 3},
        Case{"short.sp", "short.sp:3:1: ideal sources contradict each other", 3},
        Case{"zero.sp", "the deck has no .tran card that gives the step of the simulation; give --step", 2},
        Case{"late.sp", "late.sp:5:1: the third number of .tran", 2},
        Case{"many.sp", "many.sp:5:1: expected '.tran STEP STOP", 2},
        Case{"float.sp", "float.sp:5:1: the load i1 at b has no path", 3},
        Case{"deck.sp --stop 0", "above 0", 2},
        Case{"deck.sp --start 10ns", "--start", 2},
        Case{"deck.sp --start=-1ns", "--start", 2},
        Case{"deck.sp --max-step 0", "--max-step", 2},
        Case{"deck.sp --limit peak=5%", "time-average, rms, overshoot", 2},
        Case{"deck.sp --limit worst@2ns=5%", "expected a window of time like worst@2ns..4ns", 2},
        Case{"deck.sp --limit worst@4ns..2ns=5%", "expected a window of time", 2},
        Case{"deck.sp --limit worst@1us..=5%", "--limit worst@1us..: the results are of 0 to 1e-08 s", 2},
        Case{"deck.sp --limit rms@1ns..2ns=5%", "only the worst drop of a net", 2},
        Case{"deck.sp --em-rms-limit M1=5mA", "no segment is on this layer", 2},
        Case{"deck.sp --waveforms missing.npz", "missing.npz", 2},
        Case{"deck.sp --waveforms text.npz", "text.npz: cannot read this .npz file", 2},
        Case{"deck.sp --waveforms other.npz", "no current source or instance \"i7\"", 2},
        Case{"deck.sp --waveforms index.npz", "0 to 0", 2},
        Case{"deck.sp --strict --step 2ns --stop 30ns --method backward-euler --probe b", "no node of that name", 2}}) {
    const Outcome run = gridiron(std::string("tran ") + wrong.command + " --out out");
    EXPECT_EQ(run.code, wrong.code) << wrong.command << "\n" << run.err;
    EXPECT_THAT(run.err, HasSubstr(wrong.words)) << wrong.command;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << wrong.command << "\n" << run.err;
    EXPECT_TRUE(!std::filesystem::exists(folder_ / "out") || std::filesystem::is_empty(folder_ / "out"))
        << wrong.command;
  }
}

TEST_F(TranCommand, StrictFailsOnWhatIsIgnoredOrTooCoarse) {
  write("ic.sp", "* t\nv1 p 0 1\nr1 p a 1\nc1 a 0 10p ic=0.5\ni1 a 0 1m\n.tran 0.5n 10n\n.end\n");
  EXPECT_EQ(gridiron("tran ic.sp").code, 0);
  const Outcome ignored = gridiron("tran ic.sp --strict");
  EXPECT_EQ(ignored.code, 3);
  EXPECT_THAT(ignored.err, HasSubstr("IC= of 1 element has no effect"));
  write("fast.sp", "* t\nv1 p 0 1\nr1 p a 1\nc1 a 0 10p\ni1 a 0 pulse(0 1m 1n 1p 1p 1n 5n)\n.tran 0.5n 10n\n.end\n");
  const Outcome coarse = gridiron("tran fast.sp --strict");
  EXPECT_EQ(coarse.code, 3);
  EXPECT_THAT(coarse.err, HasSubstr("far above the shortest edge of i1, 1e-12 s"));
}

TEST_F(TranCommand, ReportsOfAMissedToleranceSaySo) {
  write("deck.sp", kDeck);
  const Outcome missed = gridiron("tran deck.sp --tolerance 1e-20V --limit 50% --out out");
  EXPECT_EQ(missed.code, 4) << missed.err;
  for (const char* file : {"report.json", "report.html"})
    EXPECT_THAT(slurp(folder_ / "out" / file), HasSubstr("\"tolerance_met\":")) << file;
  EXPECT_EQ(slurp(folder_ / "out" / "report.json").find("\"tolerance_met\": true"), std::string::npos);
  EXPECT_THAT(slurp(folder_ / "out" / "summary.txt"), HasSubstr("TOLERANCE NOT REACHED: asked for"));
}

TEST_F(TranCommand, OneNetOfADeck) {
  write("two.sp",
        "* t\nvvdd p 0 1\nr1 p a 1\nc1 a 0 10p\ni1 a 0 pulse(0.1 0.3 2n 1n 1n 3n 20n)\n"
        "vvcc q 0 2\nr2 q b 1\nc2 b 0 10p\ni2 b 0 pulse(0 0.5 6n 1n 1n 1n 20n)\n.tran 0.5n 10n\n"
        ".print tran v(a) v(b)\n.end\n");
  const Outcome run = gridiron("tran two.sp --net p --limit 40% --full --formats csv,json,png,html,text --out out");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Limits: all kept (not judged: q, left out of this report"));
  EXPECT_THAT(slurp(folder_ / "out" / "nodes.csv"), testing::Not(HasSubstr("\nb,")));
  EXPECT_THAT(slurp(folder_ / "out" / "waveforms.csv"), testing::StartsWith("time_s,worst drop of p,a\n"));
  EXPECT_THAT(slurp(folder_ / "out" / "sources.csv"), testing::Not(HasSubstr("vvcc")));
  const std::string report = slurp(folder_ / "out" / "report.json");
  EXPECT_THAT(report, HasSubstr("\"left_out_nets\": [\n      \"q\"\n    ]"));
  for (const auto& [options, words] :
       {std::pair("--net x", "--net x: the netlist has no such net; it has p, q"),
        {"--net p --limit q:5%", "--limit q: --net p leaves this net out; leave out one of the two"},
        {"--net p --probe b", "--probe b: --net p leaves its net out; leave out one of the two"},
        {"--net p --limit 40% --strict", "limits on all nets do not judge q, which --net leaves out"}}) {
    const Outcome refused = gridiron(std::string("tran two.sp ") + options);
    EXPECT_EQ(refused.code, std::string(options).ends_with("--strict") ? 3 : 2) << options;
    EXPECT_THAT(refused.err, HasSubstr(words)) << options;
  }
  write("island.sp",
        "* t\nv1 VDD:1 0 1\nr1 VDD:1 VDD:2 1\ni1 VDD:2 0 pulse(0 0.1 1n 1n 1n 1n 9n)\nr2 VCC:1 VCC:2 1\ni2 VCC:2 0 "
        "1m\n.tran 0.5n 5n\n.end\n");
  EXPECT_EQ(gridiron("tran island.sp --quiet").code, 3);
  const Outcome left_out = gridiron("tran island.sp --net VDD --limit VDD:20%");
  EXPECT_EQ(left_out.code, 0) << left_out.err;
  EXPECT_THAT(left_out.out, HasSubstr("[islands-left-out]"));
}

TEST_F(TranCommand, AnInterruptedRunLeavesNothing) {
  write("deck.sp", kDeck);
  ASSERT_EQ(gridiron("tran deck.sp --out out --quiet").code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "report.json"));
  const Outcome run = shell("timeout -s INT 1 \"$G\" tran deck.sp --max-step 1f --out out --quiet; echo $?");
  EXPECT_THAT(run.out, HasSubstr("124")) << run.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "out"));
}

}  // namespace
}  // namespace gridiron
