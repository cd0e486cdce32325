// SPDX-License-Identifier: Apache-2.0
// `gridiron regularize`: options, exit codes, files.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class RegularizeCommand : public test::Tool {
 protected:
  json report(const std::string& folder) const { return json::parse(slurp(folder_ / folder / "regularize.json")); }

  /// Pads and injected current are unchanged; every listed file exists.
  void check(const std::string& folder) const {
    const json document = report(folder);
    ASSERT_FALSE(document["nets"].empty());
    for (const json& net : document["nets"]) {
      const double pads = net["network"]["pad_conductance_s"], injection = net["network"]["injection_a"];
      EXPECT_GT(pads, 0);
      EXPECT_NEAR(net["tables"]["gz_s"].get<double>(), pads, 1e-12 * pads);
      EXPECT_NEAR(net["tables"]["iz_a"].get<double>(), injection, 1e-12 * std::abs(injection));
      EXPECT_FALSE(net["files"].empty());
      for (const json& file : net["files"])
        EXPECT_TRUE(std::filesystem::exists(folder_ / folder / file.get<std::string>())) << file;
    }
  }
};

struct Deck {
  const char* path;
  size_t nets, layers;
};

TEST_F(RegularizeCommand, RealDecks) {
  for (const Deck& deck : {Deck{"ibm/ibmpg1.spice.bz2", 5, 1},
                           {"ibm/ibmpg2.spice.bz2", 2, 4},
                           {"iccad23/testcase1/netlist.sp.gz", 1, 5},
                           {"openroad/gcd_vss.sp", 1, 2}}) {
    GRIDIRON_DATA_OR_SKIP(path, deck.path);
    const Outcome run = gridiron("regularize '" + path + "' --out r");
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(run.out, HasSubstr("cells with nodes"));
    check("r");
    EXPECT_EQ(report("r")["nets"].size(), deck.nets) << deck.path;
    EXPECT_EQ(report("r")["nets"][0]["layers"].size(), deck.layers) << deck.path;
    std::filesystem::remove_all(folder_ / "r");
  }
}

TEST_F(RegularizeCommand, SomeFormats) {
  ASSERT_EQ(gridiron("generate --nodes 3000 deck.sp").code, 0);
  const auto endings = [&] {
    std::set<std::string> found;
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "r"))
      if (file.path().filename() != "manifest.json") found.insert(file.path().extension());
    return found;
  };
  ASSERT_EQ(gridiron("regularize deck.sp --quiet --out r").code, 0);
  EXPECT_EQ(endings(), (std::set<std::string>{".json", ".npy", ".png"}));
  ASSERT_EQ(gridiron("regularize deck.sp --quiet --formats npy,json --out r").code, 0);
  EXPECT_EQ(endings(), (std::set<std::string>{".json", ".npy"}));
  check("r");
  EXPECT_EQ(gridiron("regularize deck.sp --formats npy").code, 2) << "there is no folder";
}

TEST_F(RegularizeCommand, SettingsAndOneNet) {
  ASSERT_EQ(gridiron("generate --nodes 3000 deck.sp").code, 0);
  for (const char* settings : {"--set grid_scale=0.5", "--set grid_scale=2 --set plane=single", "--no-reduce"}) {
    ASSERT_EQ(gridiron(std::string("regularize deck.sp --quiet --out r ") + settings).code, 0) << settings;
    check("r");
  }
  ASSERT_EQ(gridiron("regularize deck.sp --net gnd --quiet --out one").code, 0);
  EXPECT_EQ(report("one")["nets"].size(), 1u);
}

TEST_F(RegularizeCommand, SameFilesForAnyThreads) {
  ASSERT_EQ(gridiron("generate --style openroad --nodes 20000 deck.sp").code, 0);
  for (const char* threads : {"1", "2"})
    ASSERT_EQ(gridiron(std::string("regularize deck.sp --quiet --threads ") + threads + " --out t" + threads).code, 0);
  EXPECT_EQ(report("t1")["nets"], report("t2")["nets"]);
  for (const json& net : report("t1")["nets"])
    for (const std::string file : net["files"])
      EXPECT_TRUE(slurp(folder_ / "t1" / file) == slurp(folder_ / "t2" / file)) << file;
}

TEST_F(RegularizeCommand, WithoutOutWritesNothing) {
  ASSERT_EQ(gridiron("generate --nodes 1000 deck.sp").code, 0);
  const Outcome run = gridiron("regularize deck.sp");
  EXPECT_EQ(run.code, 0) << run.err;
  const std::filesystem::directory_iterator files(folder_);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(RegularizeCommand, HelpTellsTheParameters) {
  const Outcome run = gridiron("regularize --help");
  EXPECT_EQ(run.code, 0);
  for (const char* word : {"grid_scale=1", "plane=layered", "--out", "--no-reduce", "--net"})
    EXPECT_THAT(run.out, HasSubstr(word));
}

TEST_F(RegularizeCommand, FailuresAreOneLineAndAnExitCode) {
  write("plain.sp", "* t\nv1 vdd 0 1\nr1 vdd a 2\nr2 vdd b 2\nr3 vdd c 2\nr4 a b 1\nr5 b c 1\nr6 c a 1\ni1 a 0 0.1\n");
  write("floating.sp", "* t\nv1 n1_m1_0_0 0 1\ni1 n1_m1_9_9 0 1\n");
  ASSERT_EQ(gridiron("generate --nodes 1000 deck.sp").code, 0);
  struct Failure {
    const char *arguments, *complaint;
    int code;
  };
  for (const Failure& f : {Failure{"plain.sp --no-reduce", "3 of 3 nodes have none", 2},
                           {"missing.sp", "missing.sp", 2},
                           {"floating.sp", "no path leads to a voltage source", 3},
                           {"deck.sp --set pitch=1", "it has: grid_scale, plane", 2},
                           {"deck.sp --set plane=3", "layered, single", 2},
                           {"deck.sp --set plane=single --set plane=layered", "plane is given twice", 2},
                           {"deck.sp --set grid_scale=0", "grid_scale=0", 2},
                           {"deck.sp --net nowhere", "no such net", 2},
                           {"deck.sp --out /dev/null/x", "/dev/null/x", 2}}) {
    const Outcome run = gridiron(std::string("regularize ") + f.arguments);
    EXPECT_EQ(run.code, f.code) << f.arguments << run.err;
    EXPECT_THAT(run.err, HasSubstr(f.complaint));
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
}

}  // namespace
}  // namespace gridiron
