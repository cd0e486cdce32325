// SPDX-License-Identifier: Apache-2.0
// Places to look at: limits, hot spots, currents, overvoltages and what floats.
#include "analysis/results/markers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/analysed.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using testing::ElementsAre;
using Kind = Marker::Kind;

/// A rail of 40 µm with 0.1 V, 0.3 V and 0.6 V of drop at its nodes, and a part that floats.
const char* const kRail =
    "* t\n"
    "v1 n_m1_0_0 0 1\n"
    "r1 n_m1_0_0 n_m1_20000_0 0.1\n"
    "r2 n_m1_20000_0 n_m1_40000_0 0.25\n"
    "r3 n_m1_40000_0 n_m1_80000_0 1\n"
    "i1 n_m1_20000_0 0 0.2\n"
    "i2 n_m1_40000_0 0 0.5\n"
    "i3 n_m1_80000_0 0 0.3\n";
const char* const kFloating =
    "r8 n_m2_0_10000 n_m2_40000_10000 1\n"
    "r9 n_m2_40000_10000 n_m3_40000_10000 1\n";

std::vector<Marker> of_kind(const std::vector<Marker>& markers, Kind kind) {
  std::vector<Marker> found;
  for (const Marker& marker : markers)
    if (marker.kind == kind) found.push_back(marker);
  return found;
}
std::vector<std::string> nodes_of(const std::vector<Marker>& markers) {
  std::vector<std::string> nodes;
  for (const Marker& marker : markers) nodes.push_back(marker.node);
  return nodes;
}

TEST(Markers, NodesOverALimitWorstFirst) {
  IrOptions options;
  options.limits = {parse_limit("worst=0.25V")};
  const Analysed run(kRail, options);
  const std::vector<Marker> over = of_kind(markers_of(run.result).list, Kind::over_limit);
  EXPECT_THAT(nodes_of(over), ElementsAre("n_m1_80000_0", "n_m1_40000_0"));
  EXPECT_NEAR(over[0].value, 0.6, 1e-12);
  EXPECT_EQ(over[0].limit, 0.25);
  EXPECT_EQ(over[0].net, "n");
  EXPECT_EQ(over[0].layer, "m1");
  EXPECT_NEAR((over[0].left_um + over[0].right_um) / 2, 40, 1e-12);
  EXPECT_GT(over[0].right_um, over[0].left_um);
  EXPECT_THAT(of_kind(markers_of(run.result).list, Kind::hot_spot), ElementsAre());
}

TEST(Markers, HotSpotsWhereThereIsNoLimit) {
  const Analysed run(kRail);
  EXPECT_THAT(nodes_of(of_kind(markers_of(run.result).list, Kind::hot_spot)), testing::Contains("n_m1_80000_0"));
  EXPECT_THAT(of_kind(markers_of(run.result).list, Kind::over_limit), ElementsAre());
}

TEST(Markers, SegmentsOverACurrentLimit) {
  IrOptions options;
  options.em_limits = {parse_em_limit("m1=0.5A")};
  const Analysed run(kRail, options);
  const std::vector<Marker> over = of_kind(markers_of(run.result).list, Kind::over_em_limit);
  ASSERT_EQ(over.size(), 2u);
  EXPECT_NEAR(over[0].value, 1, 1e-9);
  EXPECT_LT(over[0].left_um, 0.01);
  EXPECT_GT(over[0].right_um, 9.99);
  EXPECT_NEAR(over[1].value, 0.8, 1e-9);
}

/// A wire of 100 µm with a drop of 10 mV, and so −68 … 68 MPa in the end, whose critical stress is 41 MPa.
TEST(Markers, StressVoidsAndFailures) {
  const std::string wire = "* t\n* dbu: 1000\nv1 n_m1_0_0 0 1\nr1 n_m1_0_0 n_m1_100000_0 1\ni1 n_m1_100000_0 0 10m\n";
  IrOptions options;
  options.stress = StressOptions{usual_metal(), {{"m1", 1, 0.5, ""}}, std::nullopt, LifetimeOptions{1e12}};
  options.stress->metal.temperature_c = 300;
  options.stress->cascade = CascadeOptions{2, 0.1};
  const Analysed run(wire, options);
  const std::vector<Marker> markers = markers_of(run.result).list;
  const std::vector<Marker> over = of_kind(markers, Kind::over_stress);
  ASSERT_THAT(nodes_of(over), ElementsAre("n_m1_100000_0")) << "atoms leave the low end";
  EXPECT_NEAR(over[0].value, 5e-3 * kElementaryCharge / 1.182e-29, 1);
  EXPECT_EQ(over[0].limit, 4.1e7);
  EXPECT_EQ(over[0].net, "n");
  EXPECT_EQ(over[0].layer, "m1");
  const std::vector<Marker> voids = of_kind(markers, Kind::void_nucleation);
  ASSERT_THAT(nodes_of(voids), ElementsAre("n_m1_100000_0"));
  EXPECT_EQ(voids[0].value, run.result.stress->lifetime->trees[0].time_s);
  const std::vector<Marker> failures = of_kind(markers, Kind::failing_segment);
  ASSERT_EQ(failures.size(), 1u) << "which cuts off the load";
  EXPECT_EQ(failures[0].value, run.result.stress->cascade->stages[0].time_s);
  EXPECT_LT(failures[0].left_um, 0);
  EXPECT_GT(failures[0].right_um, 100);

  options.stress->limit = 2;
  options.stress->lifetime.reset(), options.stress->cascade.reset();
  const Analysed within(wire, options);
  EXPECT_THAT(markers_of(within.result).list, testing::Each(testing::Field(&Marker::kind, Kind::hot_spot)));
}

TEST(Markers, NodesBeyondTheSupply) {
  const Analysed run("* t\nv1 n_m1_0_0 0 1\nr1 n_m1_0_0 n_m1_2000_0 1\ni1 n_m1_2000_0 0 -0.1\n");
  const std::vector<Marker> beyond = of_kind(markers_of(run.result).list, Kind::overvoltage);
  ASSERT_THAT(nodes_of(beyond), ElementsAre("n_m1_2000_0"));
  EXPECT_NEAR(beyond[0].value, 0.1, 1e-9);
}

TEST(Markers, AGroundNodeBelowZeroIsMarkedOnce) {
  IrOptions options;
  options.limits = {parse_limit("worst=10mV")};
  const Analysed run(
      "* t\nv1 vdd_m1_0_0 0 1\nr1 vdd_m1_0_0 vdd_m1_2000_0 0.01\nv2 vss_m1_0_0 0 0\nr2 vss_m1_0_0 vss_m1_2000_0 1\n"
      "r3 vss_m1_2000_0 vss_m1_4000_0 1\ni1 vss_m1_4000_0 0 0.1\ni2 vss_m1_2000_0 0 -0.095\n",
      options);
  EXPECT_LT(run.volts("vss_m1_4000_0"), -0.1);
  EXPECT_LT(run.volts("vss_m1_2000_0"), -0.004);
  const std::vector<Marker> markers = markers_of(run.result).list;
  EXPECT_THAT(nodes_of(of_kind(markers, Kind::over_limit)), ElementsAre("vss_m1_4000_0"));
  EXPECT_THAT(nodes_of(of_kind(markers, Kind::overvoltage)), ElementsAre("vss_m1_2000_0"));
}

TEST(Markers, WiresThatFloat) {
  const Analysed run(std::string(kRail) + kFloating);
  const std::vector<Marker> shapes = of_kind(markers_of(run.result).list, Kind::unconnected_shape);
  ASSERT_EQ(shapes.size(), 2u) << "the wire on m2, and the node on m3 that has none";
  EXPECT_EQ(shapes[0].layer, "m2");
  EXPECT_LT(shapes[0].left_um, 0);
  EXPECT_GT(shapes[0].right_um, 20);
  EXPECT_EQ(shapes[1].layer, "m3");
  EXPECT_EQ(shapes[1].net, "n");
}

TEST(Markers, LoadsThatFloatInACheckedNetlist) {
  const Circuit circuit = read_netlist_text(std::string(kRail) + kFloating + "i9 n_m2_40000_10000 0 2m\n");
  const std::vector<Marker> markers = markers_of(*make_design(circuit)).list;
  const std::vector<Marker> loads = of_kind(markers, Kind::unconnected_load);
  ASSERT_THAT(nodes_of(loads), ElementsAre("n_m2_40000_10000"));
  EXPECT_EQ(loads[0].value, 2e-3);
  EXPECT_EQ(of_kind(markers, Kind::unconnected_shape).size(), 2u);
  EXPECT_EQ(markers.size(), 3u);
}

TEST(Markers, NodesWithoutPlacesHaveNone) {
  IrOptions options;
  options.limits = {parse_limit("worst=1mV")};
  const Analysed run("* t\nv1 a 0 1\nr1 a b 1\ni1 b 0 0.1\nr2 c d 1\n", options);
  EXPECT_THAT(markers_of(run.result).list, ElementsAre());
}

}  // namespace
}  // namespace gridiron
