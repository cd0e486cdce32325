// SPDX-License-Identifier: Apache-2.0
// Pads and their currents, and loads that drive current the wrong way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.hpp"
#include "tests/analysis/analysed.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using testing::HasSubstr;

TEST(Currents, ShortsToGroundArePads) {
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 1\nix a b 10m\nr2 b vss 1\nr3 vss 0 0\n");
  EXPECT_NEAR(run.result.certificate.current_imbalance_a, 0, 1e-15);
  ASSERT_EQ(run.result.pads.size(), 2u);
  EXPECT_NEAR(run.result.pads[1].current_a, -0.01, 1e-12);
  EXPECT_THAT(run.result.pads[1].place, HasSubstr("<text>:6:1"));
}

TEST(Currents, StackedSourcesFeedTheUpperNet) {
  const Analysed run("* t\nv1 mid 0 0.5\nv2 vdd mid 0.5\nr1 vdd a 1\ni1 a 0 10m\n");
  EXPECT_NEAR(run.net("vdd").pad_current_a, 0.01, 1e-12);
  EXPECT_NEAR(run.result.certificate.current_imbalance_a, 0, 1e-15);
}

TEST(Currents, SourcesWithinOneNetAreNoInstances) {
  EXPECT_TRUE(Analysed("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 vdd b 1\ni1 a b 10m\n").result.instances.empty());
}

TEST(Currents, ResistorsToGroundArePadsOfAGroundNet) {
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 1\nix a b 10m\nr2 b vss 1\nr0 b b 5\nrp vss 0 3\nrq 0 vss 1\n.end\n");
  EXPECT_NEAR(run.volts("vss"), 0.0075, 1e-12);
  ASSERT_EQ(run.result.pads.size(), 3u);
  EXPECT_EQ(run.result.pads[1].name, "rq");
  EXPECT_NEAR(run.result.pads[1].current_a, -0.0075, 1e-12);
  EXPECT_EQ(run.result.pads[1].place, "<text>:8:1");
  EXPECT_EQ(run.result.pads[2].name, "rp");
  EXPECT_NEAR(run.result.pads[2].current_a, -0.0025, 1e-12);
  EXPECT_NEAR(run.net("b").pad_current_a, 0.01, 1e-12);
  EXPECT_EQ(run.net("b").pads, 2);
}

TEST(Currents, ResistorsFromAPowerNetToGroundAreNoPads) {
  EXPECT_EQ(Analysed("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a 0 1k\n").net("vdd").pads, 1);
}

TEST(ReversedLoads, AreCountedOneByOne) {
  const std::string grid = "* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 vdd b 1\n";
  const Analysed run(grid + "i1 a 0 5m\ni2 0 b 1m\n.end\n");
  EXPECT_NEAR(run.net("vdd").load_current_a, 0.004, 1e-12) << "in all they draw";
  EXPECT_THAT(run.finding("reversed-load"),
              HasSubstr("loads drive 0.001 A into net vdd instead of drawing it, at 1 of 2 loaded nodes, most at b;"));
  EXPECT_FALSE(Analysed(grid + "i1 a 0 5m\n.end\n").found("reversed-load"));
  const Analysed negative("* t\nv1 vee 0 -1\nr1 vee a 1\ni1 0 a 5m\n.end\n");
  EXPECT_FALSE(negative.found("reversed-load")) << "into a net below 0 V";
  EXPECT_NEAR(negative.net("vee").load_current_a, 0.005, 1e-12);
  EXPECT_NEAR(negative.net("vee").pad_current_a, 0.005, 1e-12);
}

TEST(ReversedLoads, AreToldForASingleNetToo) {
  IrOptions options;
  options.net = "vdd";
  EXPECT_TRUE(Analysed("* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 0 a 5m\n.end\n", options).found("reversed-load"));
}

}  // namespace
}  // namespace gridiron
