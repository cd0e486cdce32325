// SPDX-License-Identifier: Apache-2.0
// Loads and load pairs as instances of cells.
#include "analysis/results/instances.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/analysis/analysed.hpp"

namespace gridiron {
namespace {

using test::Analysed;
using testing::ElementsAre;

std::vector<std::string> names_of(const Analysed& run) {
  std::vector<std::string> names;
  for (const InstanceResult& i : run.result.instances) names.push_back(instance_name(run.circuit, i).text());
  return names;
}

TEST(Instances, LoadsOfASingleNet) {
  const Analysed run("* t\nv1 vdd 0 1\nr1 vdd a 1\nr2 a b 1\ni1 a 0 10m\ni2 b 0 10m\ni3_v a 0 0\n.end\n");
  EXPECT_THAT(names_of(run), ElementsAre("i2", "i1", "i3_v")) << "worst first, then in the order of the deck";
  const InstanceResult& worst = run.result.instances[0];
  EXPECT_EQ(worst.power, run.circuit.nodes.find("b"));
  EXPECT_EQ(worst.ground, kGround);
  EXPECT_NEAR(worst.vdd_drop_v, 0.03, 1e-12);
  EXPECT_EQ(worst.gnd_bounce_v, 0);
  EXPECT_NEAR(worst.current_a, 0.01, 1e-15);
}

TEST(Instances, LoadsOfAGroundNet) {
  const Analysed run("* t\nvg vss 0 0\nr1 vss g 2\ni1 0 g 10m\n.end\n");
  ASSERT_THAT(names_of(run), ElementsAre("i1"));
  EXPECT_EQ(run.result.instances[0].power, kGround);
  EXPECT_EQ(run.result.instances[0].ground, run.circuit.nodes.find("g"));
  EXPECT_NEAR(run.result.instances[0].gnd_bounce_v, 0.02, 1e-12);
}

TEST(Instances, NamesByTheCommentOfOpenRoad) {
  const Analysed run(
      "* t\nv1 vdd 0 1\nr1 vdd a 1\n* Sink for core/u1/VDD\ni1 a 0 10m\n* sink for u2\ni2 vdd 0 1m\n* another\ni3 vdd "
      "0 1m\n.end\n");
  EXPECT_THAT(names_of(run), ElementsAre("core/u1/VDD", "u2", "i3"));
  EXPECT_EQ(instance_name(run.circuit, run.result.instances[0]).terminal, "VDD");
}

/// Of 10 000 pairs, wherever their halves lie: next to each other, or those of one side first, in any order.
TEST(Instances, HalvesFindEachOther) {
  constexpr int kPairs = 10'000;
  for (const bool are_adjacent : {true, false}) {
    std::string text = "* t\nv1 vdd 0 1\nr1 vdd a 1\nv2 vss 0 0\nr2 vss g 1\nisingle a 0 1n\n";
    const auto half = [&](int k, bool is_power) {
      text += fmt::format("i{}_{} {} 1n\n", k, is_power ? 'v' : 'G', is_power ? "a 0" : "0 g");
    };
    for (int k = 0; k < kPairs; ++k) {
      half(k, true);
      if (are_adjacent) half(k, false);
    }
    for (int k = kPairs; !are_adjacent && k-- > 0;) half(k, false);
    const Circuit circuit = read_netlist_text(text + ".end\n");
    const std::vector<InstancePins> pins = find_instance_pins(circuit);
    ASSERT_EQ(pins.size(), static_cast<size_t>(kPairs + 1));
    const auto stem = [&](int64_t source) {
      const std::string name = circuit.element_name(kCurrentSource, source);
      return name.substr(0, name.size() - 2);
    };
    size_t pairs = 0;
    for (const InstancePins& pin : pins) {
      if (!pin.is_pair) continue;
      ++pairs;
      ASSERT_EQ(stem(pin.source), stem(pin.twin));
      ASSERT_EQ(circuit.node_name(pin.power), "a");
      ASSERT_EQ(circuit.node_name(pin.ground), "g");
    }
    EXPECT_EQ(pairs, static_cast<size_t>(kPairs));
  }
}

TEST(Instances, OfOneNetWithNet) {
  IrOptions options;
  options.net = "vdd";
  EXPECT_THAT(names_of(Analysed("* t\nv1 vdd 0 1\nr1 vdd a 1\nv2 vss 0 0\nr2 vss g 1\ni1 a g 1m\ni2 a 0 1m\ni3 0 g "
                                "1m\n.end\n",
                                options)),
              ElementsAre("i2"))
      << "i1 has two nets";
}

TEST(Instances, LoadsThatFloatAreNone) {
  EXPECT_THAT(names_of(Analysed("* t\nv1 vdd 0 1\nr1 vdd a 1\ni1 a 0 1m\nr2 p q 1\ni2 p 0 0\n.end\n")),
              ElementsAre("i1"));
}

}  // namespace
}  // namespace gridiron
