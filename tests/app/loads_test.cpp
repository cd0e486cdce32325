// SPDX-License-Identifier: Apache-2.0
// `gridiron ir --loads` and --dump-system from outside.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kDeck = "* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a b 1\nia a 0 0.1\nib b 0 0.2\n.end\n";

class LoadFiles : public test::Tool {
 protected:
  void SetUp() override { write("d.sp", kDeck); }
};

TEST_F(LoadFiles, EveryVectorHasItsRow) {
  write("l.csv", "ib,0,0.4\n");  // ia keeps the deck's 0.1 A
  ASSERT_EQ(gridiron("ir d.sp --loads l.csv --out o").code, 0);
  const std::string vectors = slurp(folder_ / "o/vectors.csv"), nodes = slurp(folder_ / "o/nodes.csv");
  double worst[2], average[2], bound[2];
  char node[2];
  ASSERT_EQ(std::sscanf(vectors.c_str(),
                        "vector,net,worst_drop_v,worst_node,average_drop_v,bound_v\n"
                        "0,vdd,%lf,%c,%lf,%lf\n1,vdd,%lf,%c,%lf,%lf\n",
                        &worst[0], &node[0], &average[0], &bound[0], &worst[1], &node[1], &average[1], &bound[1]),
            8)
      << vectors;
  EXPECT_NEAR(worst[0], 0.1, 1e-12);
  EXPECT_NEAR(worst[1], 0.9, 1e-12);
  EXPECT_EQ(node[1], 'b');
  EXPECT_NEAR(average[0], 0.2 / 3, 1e-12);
  EXPECT_NEAR(average[1], 1.4 / 3, 1e-12);
  EXPECT_LT(std::max(bound[0], bound[1]), 1e-12);
  EXPECT_THAT(nodes, StartsWith("node,net,layer,x_um,y_um,voltage_v,drop_v,vector\nb,vdd,"));
  EXPECT_THAT(nodes, HasSubstr(",1\na,vdd,"));
  const auto report = nlohmann::json::parse(slurp(folder_ / "o/report.json"));
  ASSERT_EQ(report["vectors"].size(), 2u);
  EXPECT_EQ(report["vectors"][1]["nets"][0]["worst_node"], "b");
  EXPECT_EQ(report["nets"][0]["worst_drop_v"].get<double>(), worst[1]);
}

TEST_F(LoadFiles, LimitsHoldForTheWorst) {
  write("l.csv", "ib,0,0.4,0.1\n");
  EXPECT_EQ(gridiron("ir d.sp --quiet --loads l.csv --limit worst=0.91V").code, 0);
  EXPECT_EQ(gridiron("ir d.sp --quiet --loads l.csv --limit worst=0.89V").code, 1);
  EXPECT_EQ(gridiron("ir d.sp --quiet --loads l.csv --limit average=0.45V").code, 1);
}

TEST_F(LoadFiles, WhatCannotBeUsedIsRefused) {
  write("l.csv", "ib,1\nix,2\n");
  const Outcome unknown = gridiron("ir d.sp --loads l.csv --out o");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("l.csv:2:1: load ix"), HasSubstr("no current source")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/report.json"));
  EXPECT_EQ(gridiron("ir d.sp --loads missing.npz").code, 2);
}

TEST_F(LoadFiles, InstancesAreNamedByTheirSources) {
  write("i.sp", "* t\nv1 vdd 0 1\nr1 vdd a 1\niu_v a 0 0.1\niu_g 0 g 0.1\nrg g 0 1\n.end\n");
  write("l.csv", "instance,v0\niu,0.2\n");
  const Outcome outcome = gridiron("ir i.sp --loads l.csv");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("l.csv:2:1"), HasSubstr("iu_v and iu_g")));
}

TEST_F(LoadFiles, ALoadOnAPartThatFloatsEndsTheRun) {
  write("f.sp", "* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a 0 1m\nrf f g 1\ni2 f 0 0\n.end\n");
  write("l.csv", "name,v0,v1\ni1,1m,2m\ni2,0,5\n");
  const Outcome outcome = gridiron("ir f.sp --loads l.csv --limit worst=50mV --out o");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("load vector 1"), HasSubstr("current source i2")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o/report.json"));
}

TEST_F(LoadFiles, DumpsTheSystem) {
  ASSERT_EQ(gridiron("ir d.sp --quiet --no-reduce --dump-system s").code, 0);
  EXPECT_EQ(slurp(folder_ / "s/names.txt"), "a\nb\n");
  EXPECT_THAT(slurp(folder_ / "s/matrix.mtx"), HasSubstr("2 2 3\n1 1 2\n2 1 -1\n2 2 1\n"));
}

}  // namespace
}  // namespace gridiron
