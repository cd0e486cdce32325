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

constexpr const char* kTwoNets =
    "* t\nvvdd p 0 1\nr1 p a 1\nc1 a 0 1p\ni1 a 0 pulse(0.1 0.3 2n 0.1n 0.1n 1.9n 20n)\n"
    "vvcc q 0 2\nr2 q b 1\nr3 q c 2\nc2 b 0 1p\ni2 b 0 pulse(0 0.5 6n 0.1n 0.1n 1n 20n)\niu_v c 0 0.1\n"
    ".tran 0.1n 10n\n.print tran v(a) v(b)\n.end\n";

TranReport run_of_two_nets(const std::string& net, const std::vector<std::string>& limits = {}) {
  static Circuit circuit = read_netlist_text(kTwoNets);
  start_at_time_zero(circuit);
  TranOptions options;
  options.net = net;
  options.window_s = 5e-9;
  options.segments = true;
  for (const std::string& limit : limits) options.limits.push_back(parse_tran_limit(limit));
  return analyse_transient(circuit, options);
}

/// A report of one net tells of it what a report of all does, with its own worst moment; the charge is that of all.
TEST(TranOfOneNet, ReportsItAsARunOfAllDoes) {
  const TranReport all = run_of_two_nets("");
  ASSERT_EQ(all.worst.nets.size(), 2);
  for (int32_t k = 0; k < 2; ++k) {
    const TranReport one = run_of_two_nets(k == 0 ? "P" : "q");
    ASSERT_EQ(one.worst.nets.size(), 1);
    EXPECT_EQ(one.worst.nets[0].name, all.worst.nets[k].name);
    EXPECT_EQ(one.worst.nets[0].worst_drop_v, all.worst.nets[k].worst_drop_v);
    EXPECT_EQ(one.worst.left_out_nets, std::vector{all.worst.nets[1 - k].name});
    EXPECT_EQ(one.nets[0].worst_drop_v, all.nets[k].worst_drop_v);
    EXPECT_EQ(one.moment.time_s, all.by_scenario[0].nets[k].time_s);
    EXPECT_EQ(one.windows.size() * 2, all.windows.size());
    ASSERT_EQ(one.worst.pads.size(), 1);
    EXPECT_EQ(one.worst.pads[0].name, k == 0 ? "vvdd" : "vvcc");
    EXPECT_EQ(one.worst.pads[0].share, 1);
    const size_t pad = all.worst.pads[0].name == one.worst.pads[0].name ? 0 : 1;
    EXPECT_EQ(one.pads[0].peak_a, all.pads[pad].peak_a);
    EXPECT_EQ(one.worst.instances.size(), k + 1);
    EXPECT_EQ(one.charge.supplied_c, all.charge.supplied_c);
    ASSERT_EQ(one.probes.size(), 1);
    EXPECT_EQ(one.probes[0].voltage_v, all.probes[k].voltage_v);
    for (size_t n = 1; n < all.worst.nodes.net.size(); ++n) {
      const bool is_its = all.worst.nodes.net[n] == k;
      EXPECT_EQ(one.worst.nodes.net[n], is_its ? 0 : -1);
      EXPECT_EQ(one.worst.nodes.drop_v[n], is_its ? all.worst.nodes.drop_v[n] : 0);
    }
    EXPECT_EQ(std::isnan(one.segments.peak_a[0]), k == 1);
    EXPECT_EQ(std::isnan(one.segments.peak_a[1]), k == 0);
  }
}

TEST(TranOfOneNet, LimitsOnAllNetsNameTheOthers) {
  const TranReport of_all = run_of_two_nets("p", {"40%"}), of_one = run_of_two_nets("p", {"p:worst=25%"});
  EXPECT_THAT(of_all.worst.unjudged_nets, testing::ElementsAre("q"));
  ASSERT_EQ(of_all.worst.limits.size(), 1);
  EXPECT_FALSE(of_all.worst.limits[0].exceeded);
  EXPECT_THAT(of_all.worst.findings, testing::Contains(testing::Field(&Finding::code, "net-not-judged")));
  EXPECT_THAT(of_one.worst.unjudged_nets, testing::IsEmpty());
  EXPECT_TRUE(of_one.worst.limits[0].exceeded);
  for (const char* limit : {"q:25%", "q:rms=5%", "q:worst@2ns..4ns=5%"})
    EXPECT_THROW(run_of_two_nets("p", {limit}), InputError) << limit;
  EXPECT_THROW(run_of_two_nets("x"), InputError);
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
