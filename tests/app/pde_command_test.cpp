// SPDX-License-Identifier: Apache-2.0
// `gridiron pde`: words, exit codes, files.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

class PdeCommand : public test::Tool {};

TEST_F(PdeCommand, SolvesAndWritesEveryReport) {
  const Outcome run = gridiron("pde poisson2d --size 65 --engine cholmod --set ordering=metis --out reports");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr("Problem      poisson2d"));
  for (const char* file : {"summary.txt", "report.json", "solution.png"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "reports" / file)) << file;
  const auto report = nlohmann::json::parse(slurp(folder_ / "reports" / "report.json"));
  EXPECT_EQ(report["schema"], "gridiron.pde/1");
  EXPECT_EQ(report["unknowns"], 63 * 63);
  EXPECT_EQ(report["engine"]["parameters"]["ordering"], "metis");
  EXPECT_LT(report["error"]["linf"].get<double>(), 1e-4);
  EXPECT_GT(report["timings_s"]["total"].get<double>(), report["timings_s"]["setup"].get<double>());
}

TEST_F(PdeCommand, EveryProblemRuns) {
  for (const char* arguments : {"poisson3d --size 9 --engine superlu", "anisotropic2d --size 33 --epsilon 1e-3",
                                "porous3d --size 22 --seed 4", "porous3d --cells 6,7,8 --threads 2"}) {
    const Outcome run = gridiron(std::string("pde ") + arguments);
    EXPECT_EQ(run.code, 0) << arguments << run.err;
  }
}

TEST_F(PdeCommand, HelpListsTheProblems) {
  const Outcome run = gridiron("pde --help");
  EXPECT_EQ(run.code, 0);
  for (const char* name : {"poisson2d", "poisson3d", "anisotropic2d", "porous3d"})
    EXPECT_THAT(run.out, HasSubstr(name));
}

TEST_F(PdeCommand, QuietAndFormats) {
  const Outcome run = gridiron("pde poisson2d --size 9 --quiet --formats json --out reports");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  const std::filesystem::directory_iterator files(folder_ / "reports");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(PdeCommand, SameResultForAnyThreads) {
  for (const char* threads : {"1", "3"})
    ASSERT_EQ(gridiron(std::string("pde porous3d --size 33 --quiet --threads ") + threads + " --out t" + threads).code,
              0);
  const auto numbers = [&](const char* folder) {
    const auto report = nlohmann::json::parse(slurp(folder_ / folder / "report.json"));
    return std::pair(report["check"], report["solve"]["relative_residual"]);
  };
  EXPECT_EQ(numbers("t1"), numbers("t3"));
  EXPECT_TRUE(slurp(folder_ / "t1" / "solution.png") == slurp(folder_ / "t3" / "solution.png"));
}

TEST_F(PdeCommand, MissingTheResidualIsExitFourWithAReport) {
  const Outcome run = gridiron("pde poisson2d --size 65 --rtol 1e-16 --out reports");
  EXPECT_EQ(run.code, 4) << run.out;
  EXPECT_THAT(run.err, HasSubstr("asked for 1.00e-16"));
  const auto report = nlohmann::json::parse(slurp(folder_ / "reports" / "report.json"));
  EXPECT_EQ(report["solve"]["converged"], false);
}

struct Refused {
  const char *arguments, *complaint;
};

TEST_F(PdeCommand, WrongUsageIsExitTwo) {
  for (const Refused& r : {Refused{"poison2d", "there are poisson2d"},
                           {"", "PROBLEM"},
                           {"poisson2d --size 2", "--size 2"},
                           {"poisson2d --size many", "--size"},
                           {"poisson2d --size 99999999999999999999", "choose a smaller size"},
                           {"poisson2d --size 9999999999", "choose a smaller size"},
                           {"porous3d --cells 3,4", "--cells"},
                           {"porous3d --cells 3,4,-5", "--cells 3,4,-5"},
                           {"anisotropic2d --epsilon nan", "--epsilon"},
                           {"poisson2d --epsilon 0.5", "--epsilon"},
                           {"poisson2d --engine magic", "no engine is called"},
                           {"poisson2d --size 9 --set colour=red", "colour"},
                           {"porous3d --size 9 --seed -1", "--seed"},
                           {"poisson2d --rtol 0", "--rtol"},
                           {"poisson2d --formats pdf", "pdf"},
                           {"poisson2d --device cuda --size 9", "--device cuda"},
                           {"poisson2d --engine aggamg --device cuda --size 9", "without CUDA"}}) {
    const Outcome run = gridiron(std::string("pde ") + r.arguments + " --out reports");
    EXPECT_EQ(run.code, 2) << r.arguments;
    EXPECT_THAT(run.err, HasSubstr(r.complaint)) << r.arguments;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "reports")) << r.arguments;
  }
}

TEST_F(PdeCommand, RunningOutOfMemoryIsExitFive) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs terabytes of address space";
#endif
  const Outcome run = shell("ulimit -v 600000; OMP_NUM_THREADS=1 \"$G\" pde poisson2d --size 2001");
  EXPECT_EQ(run.code, 5) << run.err;
  EXPECT_THAT(run.err, HasSubstr("memory"));
}

TEST_F(PdeCommand, AFolderThatCannotBeMadeIsExitFive) {
  write("file", "");
  EXPECT_EQ(gridiron("pde poisson2d --size 9 --out file/reports").code, 5);
}

}  // namespace
}  // namespace gridiron
