// SPDX-License-Identifier: Apache-2.0
#include "netlist/waves/waveform.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "netlist/reader.hpp"

namespace gridiron {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

constexpr TimeFrame kFrame{0.5e-9, 20e-9};

std::vector<double> values(const Waveform& waveform, const std::vector<double>& nanoseconds) {
  std::vector<double> values;
  for (const double t : nanoseconds) values.push_back(value_at(waveform, t * 1e-9, kFrame));
  return values;
}

std::vector<double> corners(const Waveform& waveform) {
  std::vector<double> times;
  append_corners(waveform, kFrame, times);
  for (double& t : times) t *= 1e9;
  return times;
}

// ngspice 39 has the same values for these cards with `.tran 0.5n 20n`.

TEST(Waveform, Pulse) {
  const Pulse pulse{0, 1, 1e-9, 1e-9, 1e-9, 2e-9, 6e-9, 2};
  EXPECT_THAT(values(pulse, {0, 1, 1.5, 2, 4, 4.5, 5, 7, 7.5, 10, 10.5, 11, 13.5, 20}),
              Pointwise(DoubleNear(1e-12), {0.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.0, 0.5, 1.0, 0.5, 0.0, 0.0, 0.0}));
  EXPECT_THAT(corners(pulse), Pointwise(DoubleNear(1e-9), {1.0, 2.0, 4.0, 5.0, 7.0, 8.0, 10.0, 11.0}));
}

TEST(Waveform, LtspiceSpellsSinWithAnE) {
  const Circuit c = read_netlist_text("* t\nv1 a 0 SINE(1 0.5 1k 1u 0 90)\nv2 b 0 SIN(1 0.5 1k 1u 0 90)\nr1 a b 1\n");
  for (const Waveform& w : c.waveforms) {
    EXPECT_EQ(std::get<Sin>(w).frequency, 1e3);
    EXPECT_EQ(std::get<Sin>(w).phase, 90);
  }
}

TEST(Waveform, TurnsOfASineAreItsCrestsAndTroughs) {
  const auto turns = [](const Waveform& waveform, double longest = HUGE_VAL) {
    std::vector<double> times;
    append_turns(waveform, kFrame, longest, times);
    for (double& t : times) t *= 1e9;
    return times;
  };
  EXPECT_THAT(turns(Sin{0, 1, 0.1e9, 3e-9}), Pointwise(DoubleNear(1e-9), {5.5, 10.5, 15.5}));
  EXPECT_THAT(turns(Sin{0, 1, 0.1e9, 3e-9, kUnset, 90}), Pointwise(DoubleNear(1e-9), {8.0, 13.0, 18.0}));
  EXPECT_THAT(turns(Sin{0, 1, 0.1e9, -3e-9}), Pointwise(DoubleNear(1e-9), {4.5, 9.5, 14.5, 19.5}));
  EXPECT_TRUE(turns(Sin{0, 1, 0.1e9, 3e-9}, 9e-9).empty());
  EXPECT_TRUE(turns(Sin{0, 0, 0.1e9}).empty());
  for (const Waveform& curve :
       {Waveform(Sin{0, 1, 0.1e9, 1e-9, 3e8, 40}), Waveform(Exp{0, 1, 1e-9, 5e-9, 2e-9, 20e-9})})
    for (const double t : turns(curve)) {
      const double at = value_at(curve, t * 1e-9, kFrame), before = value_at(curve, (t - 0.01) * 1e-9, kFrame),
                   after = value_at(curve, (t + 0.01) * 1e-9, kFrame);
      EXPECT_GT((at - before) * (at - after), 0) << t;
    }
  EXPECT_EQ(turns(Exp{0, 1, 1e-9, 5e-9, 2e-9, 20e-9}).size(), 1u);
}

TEST(Waveform, WhatOutrunsStepsAndWhatVaries) {
  EXPECT_TRUE(outruns(Sin{0, 1, 1e15}, kFrame));
  EXPECT_FALSE(outruns(Sin{0, 1, 1e11}, kFrame));
  EXPECT_FALSE(outruns(Sin{0, 0, 1e15}, kFrame));
  EXPECT_TRUE(outruns(Pulse{0, 1, 0, 1e-14, 1e-14, 1e-14, 1e-13}, kFrame));
  EXPECT_FALSE(outruns(Pulse{0, 1, 0, 1e-14, 1e-14, 1e-14, 1e-13, 5}, kFrame));
  EXPECT_TRUE(varies(Pulse{0, 1, 1e-9}, kFrame));
  EXPECT_FALSE(varies(Pulse{0, 1, 30e-9}, kFrame));
  EXPECT_FALSE(varies(Pulse{1, 1, 1e-9}, kFrame));
  EXPECT_FALSE(varies(Pwl{{{0, 1}, {1e-9, 1}, {30e-9, 1}}}, kFrame));
  EXPECT_TRUE(varies(Pwl{{{0, 1}, {30e-9, 2}}}, kFrame));
  EXPECT_FALSE(varies(Sin{1, 0}, kFrame));
}

TEST(Waveform, ZeroesOfAPulseAreDefaults) {
  const Pulse pulse{0, 1, 1e-9, 0, 0, 0, 0};
  EXPECT_THAT(values(pulse, {1, 1.25, 1.5, 20}), Pointwise(DoubleNear(1e-12), {0.0, 0.5, 1.0, 1.0}));
  EXPECT_THAT(corners(pulse), Pointwise(DoubleNear(1e-9), {1.0, 1.5}));
}

TEST(Waveform, PulseUnderWayAtTheStart) {
  const Pulse pulse{0, 1, -1e-9, 1e-9, 1e-9, 1e-9, 6e-9};
  EXPECT_THAT(values(pulse, {0, 1, 1.5, 2, 5.5}), Pointwise(DoubleNear(1e-12), {1.0, 1.0, 0.5, 0.0, 0.5}));
  EXPECT_DOUBLE_EQ(value_at_start(pulse), 1.0);
  std::vector<double> times;
  append_corners(pulse, {0.5e-9, 10e-9}, times);
  EXPECT_THAT(times, Pointwise(DoubleNear(1e-18), {1e-9, 2e-9, 5e-9, 6e-9, 7e-9, 8e-9}));
}

TEST(Waveform, PulseLongerThanItsPeriod) {
  const Pulse pulse{0, 1, 1e-9, 1e-9, 1e-9, 5e-9, 3e-9};
  EXPECT_THAT(values(pulse, {1.5, 2, 3.5, 4.5, 5}), Pointwise(DoubleNear(1e-12), {0.5, 1.0, 1.0, 0.5, 1.0}));
}

TEST(Waveform, Sin) {
  EXPECT_THAT(values(Sin{0, 1, 100e6, 1e-9, kUnset, 90}, {0, 1, 1.5, 2, 3.5}),
              Pointwise(DoubleNear(2e-6), {1.0, 1.0, 0.951057, 0.809017, 0.0}));
  EXPECT_THAT(values(Sin{0.1, 1}, {0, 0.5, 1}), Pointwise(DoubleNear(1e-6), {0.1, 0.256434, 0.409017}));
  EXPECT_NEAR(value_at(Sin{0.2, 1, 100e6, 1e-9, 1e8, 90}, 2e-9, kFrame), 0.932029, 1e-6);
  EXPECT_DOUBLE_EQ(value_at_start(Sin{0.2, 1, 100e6, 1e-9, 0, 90}), 1.2);
  EXPECT_THAT(corners(Sin{0, 1, 100e6, 1e-9}), Pointwise(DoubleNear(1e-9), {1.0}));
}

TEST(Waveform, Exp) {
  EXPECT_THAT(values(Exp{0, 1, 1e-9, 0, 3e-9, 0}, {0, 1, 1.5, 2, 3, 3.5}),
              Pointwise(DoubleNear(1e-6), {0.0, 0.0, 0.632121, 0.864665, 0.981684, 0.361141}));
  EXPECT_NEAR(value_at(Exp{0, 1}, 1e-9, kFrame), 0.632121, 1e-6);
  EXPECT_DOUBLE_EQ(value_at_start(Exp{0.25, 1}), 0.25);
  // A delay of 0 is a step; a fall before the rise counts from the rise on.
  EXPECT_NEAR(value_at(Exp{0, 1, 0, 1e-9, 4e-9, 1e-9}, 1.5e-9, kFrame), 1 - std::exp(-1), 1e-12);
  EXPECT_EQ(value_at(Exp{0, 1, 3e-9, 1e-9, 1e-9, 1e-9}, 2.5e-9, kFrame), 0);
  EXPECT_NEAR(value_at(Exp{0, 1, 3e-9, 1e-9, 1e-9, 1e-9}, 4e-9, kFrame), std::exp(-3) - std::exp(-1), 1e-12);
  EXPECT_THAT(corners(Exp{0, 1}), Pointwise(DoubleNear(1e-9), {0.5, 1.0}));
}

TEST(Waveform, Pwl) {
  const Pwl pwl{{{1e-9, 0.5}, {2e-9, 1}, {2e-9, 2}, {3e-9, 0}}};
  EXPECT_THAT(values(pwl, {0, 1, 1.5, 2, 2.5, 3, 9}),
              Pointwise(DoubleNear(1e-12), {0.5, 0.5, 0.75, 1.0, 1.0, 0.0, 0.0}));
  EXPECT_THAT(corners(pwl), Pointwise(DoubleNear(1e-9), {1.0, 2.0, 2.0, 2.0005, 3.0}));
  EXPECT_DOUBLE_EQ(value_at(Pwl{}, 1e-9, kFrame), 0.0);
  EXPECT_NEAR(value_at(pwl, 2.00025e-9, kFrame), 1.5, 1e-3);
}

TEST(Waveform, CardsCarryPulsesAndPhase) {
  const Circuit circuit =
      read_netlist_text("* t\nv1 a 0 pulse(0 1 1n 1n 1n 2n 6n 2)\nv2 b 0 sin(0.5 1 100meg 0 0 90)\nr1 a b 1\n.end\n");
  ASSERT_EQ(circuit.waveforms.size(), 2u);
  EXPECT_EQ(std::get<Pulse>(circuit.waveforms[0]).pulses, 2);
  EXPECT_EQ(std::get<Sin>(circuit.waveforms[1]).phase, 90);
  EXPECT_THAT(circuit.voltage_sources.value, ElementsAre(0.0, 1.5));
}

}  // namespace
}  // namespace gridiron
