// SPDX-License-Identifier: Apache-2.0
// Instances of a layout: pairs of their terminals, and their cells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "analysis/results/instances.hpp"
#include "netlist/reader.hpp"

namespace gridiron {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// The instances of sinks, by number.
class Cells : public MadeNames {
 public:
  explicit Cells(std::vector<int> of_sinks) : of_sinks_(std::move(of_sinks)) {}
  Sink sink(int64_t i) const override {
    const int number = of_sinks_[i];
    return {number == 0 ? "u0" : "u1", i % 2 ? "A" : "B", number == 0 ? "INV" : "RAM", number};
  }

 private:
  std::vector<int> of_sinks_;
};

/// Three terminals on VDD, then two on VSS: u0 has one on each, u1 two on VDD and one on VSS.
Circuit two_instances() {
  Circuit circuit = read_netlist_text("* t\ni0 a 0 1\ni1 b 0 1\ni2 c 0 1\ni3 d 0 1\ni4 e 0 1\n.end\n", "t.sp");
  circuit.made_names = std::make_shared<Cells>(std::vector{1, 0, 1, 0, 1});
  circuit.placement =
      std::make_shared<Placement>(Placement{.nets = {{.name = "VDD", .last_sink = 3}, {"VSS", true, 0, 3, 5}}});
  return circuit;
}

TEST(PlacedInstances, PairTheirTerminals) {
  const Circuit circuit = two_instances();
  std::vector<std::pair<int64_t, int64_t>> sources;
  for (const InstancePins& pins : find_instance_pins(circuit)) {
    sources.emplace_back(pins.source, pins.twin);
    EXPECT_EQ(pins.power, circuit.current_sources.a[pins.source]);
    EXPECT_EQ(pins.ground, pins.is_pair ? circuit.current_sources.a[pins.twin] : kGround);
  }
  EXPECT_THAT(sources, ElementsAre(Pair(1, 3), Pair(0, 4), Pair(2, -1)));
}

/// A terminal is named where the instance is shown at this one only.
TEST(PlacedInstances, HaveNamesAndCells) {
  const Circuit circuit = two_instances();
  InstanceResult pair, single;
  pair.power = 2, pair.ground = 4, pair.source = 1, pair.is_pair = true;
  single.power = 3, single.source = 2;
  EXPECT_EQ(instance_name(circuit, pair).text(), "u0");
  EXPECT_EQ(instance_cell(circuit, pair), "INV");
  EXPECT_EQ(instance_name(circuit, single).text(), "u1/B");
  EXPECT_EQ(instance_cell(circuit, single), "RAM");
}

/// Where the power pin is open, the other one still tells its bounce.
TEST(PlacedInstances, AreShownAtThePinThatDoesNotFloat) {
  const Circuit circuit = two_instances();
  const InstancePins pins = find_instance_pins(circuit)[0];
  std::vector<NetResult> nets(2);
  nets[1].is_ground = true;
  NodeTable nodes;
  nodes.net.assign(circuit.node_count(), -1);
  nodes.drop_v.assign(circuit.node_count(), 0);
  const std::vector<double> amperes = {1, 2, 3, 4, 5};
  EXPECT_FALSE(instance_at(pins, amperes, nodes, nets));
  nodes.net[pins.ground] = 1;
  nodes.drop_v[pins.ground] = 0.25;
  const auto instance = instance_at(pins, amperes, nodes, nets);
  ASSERT_TRUE(instance);
  EXPECT_EQ(instance->power, kGround);
  EXPECT_EQ(instance->ground, pins.ground);
  EXPECT_EQ(instance->combined_v, 0.25);
  EXPECT_EQ(instance->current_a, 4);
  EXPECT_EQ(instance_name(circuit, *instance).text(), "u0/A");
}

}  // namespace
}  // namespace gridiron
