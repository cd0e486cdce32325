// SPDX-License-Identifier: Apache-2.0
// Static runs of sources that have a waveform and no DC value.
#include "analysis/model/static_sources.hpp"

#include <gtest/gtest.h>

#include "netlist/reader.hpp"

namespace gridiron {
namespace {

StartValues loads_of(const std::string& cards, const std::string& more = "") {
  return start_values(read_netlist_text("* t\nv1 vdd 0 1\nr1 vdd a 2\n" + cards + more + ".end\n"), kCurrentSource);
}

double average_of(const std::string& shape, const std::string& more = "") {
  return loads_of("i1 a 0 " + shape + "\n", more).over_time;
}

TEST(StaticSources, AveragesByHand) {
  EXPECT_NEAR(average_of("pulse(0 0.2 1n 1n 1n 5n 10n)"), 0.12, 1e-12) << "6 of 10 ns";
  EXPECT_NEAR(average_of("pulse(0.1 0.2 0 1n 1n 20n 10n)"), 0.195, 1e-12) << "cut off by the period";
  EXPECT_NEAR(average_of("pulse(0 1 1n 0 0 5n)", ".tran 1n 10n\n"), 0.5, 1e-12) << "once in the simulation";
  EXPECT_NEAR(average_of("pwl(0 0 2n 1 4n 1)"), 0.75, 1e-12);
  EXPECT_NEAR(average_of("pwl(0 0 2n 1 4n 1)", ".tran 1n 8n\n"), 0.875, 1e-12) << "the last value holds";
  EXPECT_NEAR(average_of("pwl(2n 1 4n 3)", ".tran 1n 3n\n"), (2 * 1 + 1 * 1.5) / 3, 1e-12) << "the first one, too";
  EXPECT_NEAR(average_of("sin(0.5 0.25 1g)"), 0.5, 1e-12);
  EXPECT_NEAR(average_of("exp(0 1 0 1p 1 1p)", ".tran 1n 10n\n"), 1, 1e-3);
}

TEST(StaticSources, CountThoseWithoutADcValueThatVary) {
  const StartValues loads = loads_of(
      "i1 a 0 pulse(0 0.2 1n 1n 1n 5n 10n)\ni2 a 0 1m\ni3 a 0 dc 10m pulse(0 1 1n 1n 1n 5n 10n)\n"
      "i4 a 0 pwl(0 1m)\ni5 0 a sin(0.1 0.05 1g)\n");
  EXPECT_EQ(loads.sources, 2);
  EXPECT_EQ(loads.of, 5);
  EXPECT_NEAR(loads.at_start, 0.1, 1e-12);
  EXPECT_NEAR(loads.over_time, 0.22, 1e-12);
}

TEST(StaticSources, WhatSomebodyGaveIsNotLeft) {
  const Circuit circuit = read_netlist_text("* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 pulse(0 0.2 1n 1n 1n 5n 10n)\n.end\n");
  std::vector<uint8_t> is_given;
  mark_given(circuit, std::vector<double>{0}, is_given);
  EXPECT_EQ(check_start_values(circuit, is_given).size(), 1u);
  mark_given(circuit, std::vector<double>{0.1}, is_given);
  EXPECT_TRUE(check_start_values(circuit, is_given).empty());
}

}  // namespace
}  // namespace gridiron
