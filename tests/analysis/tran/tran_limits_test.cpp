// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/tran_limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// A node that drops by 100 mV, and from 2 to 4 ns by 300 mV.
Circuit circuit_of_a_pulse() {
  Circuit circuit = read_netlist_text(
      "* t\nvvdd p 0 1\nr1 p a 1\nc1 a 0 1f\ni1 a 0 pulse(0.1 0.3 2n 0.1n 0.1n 1.9n 20n)\n.tran 0.1n 10n\n.end\n");
  start_at_time_zero(circuit);
  return circuit;
}

std::vector<LimitResult> results_of(const std::vector<std::string>& limits) {
  TranOptions options;
  for (const std::string& limit : limits) options.limits.push_back(parse_tran_limit(limit));
  const Circuit circuit = circuit_of_a_pulse();
  return analyse_transient(circuit, options).worst.limits;
}

TEST(TranLimits, WindowsOfTime) {
  const std::vector<LimitResult> results =
      results_of({"worst@..2ns=15%", "p:worst@2ns..4ns=29%", "worst@4.5n..=0.15V", "worst=15%"});
  ASSERT_EQ(results.size(), 4);
  const double drops[] = {0.1, 0.3, 0.1, 0.3};
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(results[k].value_v, drops[k], 1e-4) << k;
    EXPECT_EQ(results[k].exceeded, k % 2 == 1) << k;
    EXPECT_EQ(results[k].net, "p");
  }
  EXPECT_EQ(results[1].quantity, "worst@2ns..4ns");
  EXPECT_THAT(describe(results[1]),
              testing::StartsWith("net p: worst drop in 2ns..4ns of 300 mV exceeds 290 mV by 0.01 V, less than the "
                                  "estimated error in time of "));
}

/// A row holds the steps since the one before, so that no part of a window goes unseen.
TEST(TranLimits, WindowsBetweenRows) {
  TranOptions options;
  for (const char* limit : {"worst@..4.3ns=20%", "worst@4.15ns..4.25ns=20%", "worst@..3ns=20%", "worst@6ns..=20%"})
    options.limits.push_back(parse_tran_limit(limit));
  Circuit circuit = read_netlist_text(
      "* t\nvvdd p 0 1\nr1 p a 1\ni1 a 0 pulse(0.1 0.5 4.2n 0.01n 0.01n 0.05n 20n)\n.tran 1n 10n\n.end\n");
  start_at_time_zero(circuit);
  const std::vector<LimitResult> results = analyse_transient(circuit, options).worst.limits;
  ASSERT_EQ(results.size(), 4);
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(results[k].value_v, k < 2 ? 0.5 : 0.1, 1e-6) << k;
    EXPECT_EQ(results[k].exceeded, k < 2) << k;
  }
}

TEST(TranLimits, NetsWhoseNamesHoldTheSignOfWindows) {
  const LimitRequest plain = parse_tran_limit("p@1:worst=5%"), windowed = parse_tran_limit("p@1:worst@2ns..4ns=5%");
  EXPECT_EQ(plain.net, "p@1");
  EXPECT_EQ(plain.quantity, "worst");
  EXPECT_EQ(windowed.net, "p@1");
  EXPECT_EQ(windowed.quantity, "worst@2ns..4ns");
}

TEST(TranLimits, BadWindows) {
  for (const char* bad : {"worst@=5%", "worst@2ns=5%", "worst@4ns..2ns=5%", "worst@2ns..2ns=5%", "worst@-1ns..2ns=5%",
                          "worst@a..b=5%", "worst@2V..4V=5%", "rms@2ns..4ns=5%", "p:M1:worst@2ns..4ns=5%",
                          "worst@2ns..4ns", "worst@2ns..4ns=5", "@2ns..4ns=5%x"})
    EXPECT_THROW(parse_tran_limit(bad), InputError) << bad;
  EXPECT_THROW(results_of({"worst@10ns..=5%"}), InputError);
  EXPECT_THROW(results_of({"q:worst@2ns..4ns=5%"}), InputError);
}

}  // namespace
}  // namespace gridiron
