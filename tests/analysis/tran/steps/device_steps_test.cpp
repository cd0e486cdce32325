// SPDX-License-Identifier: Apache-2.0
// States that are kept and measured on a device, against those on the host.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analysis/tran/steps/device_steps_on.hpp"
#include "analysis/tran/transient.hpp"
#include "device/checking_device.hpp"
#include "netlist/reader.hpp"

namespace gridiron {
namespace {

std::unique_ptr<DeviceSteps> on_host(const StepTables& tables, bool, void*) { return make_steps_on_host(tables); }
std::unique_ptr<DeviceSteps> checked(const StepTables& tables, bool, void*) {
  return std::make_unique<DeviceStepsOn<CheckingDevice>>(tables);
}
std::unique_ptr<DeviceSteps> plain(const StepTables&, bool, void*) { return nullptr; }

/// A supply and a ground net of n × n nodes, joined by capacitors and loads with waveforms of all kinds; chains of
/// resistors and packages with inductors on the way to the pads.
std::string deck(int n) {
  std::mt19937 random(11);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  std::string cards = "* deck\nvdd s 0 1.8\nvdd2 s2 s 0\n";
  const auto node = [](const char* net, int x, int y) { return fmt::format("{}_{}_{}", net, x, y); };
  int k = 0;
  for (const char* net : {"v", "g"})
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const std::string here = node(net, x, y);
        if (x + 1 < n) cards += fmt::format("r{} {} {} {}\n", ++k, here, node(net, x + 1, y), uniform(0.5, 2));
        if (y + 1 < n) {
          cards += fmt::format("r{} {} m{} {}\n", ++k, here, k, uniform(0.1, 1));
          cards += fmt::format("r{} m{} {} {}\n", k + 1, k - 0, node(net, x, y + 1), uniform(0.1, 1));
          ++k;
        }
        if ((x + y) % 5 != 0) continue;
        const std::string pad = net[0] == 'v' ? (x % 2 == 0 ? "s" : "s2") : "0";
        if (x % 3 == 0)
          cards += fmt::format("r{} {} q{} 0.1\nl{} q{} {} 5p\n", ++k, here, k, k, k, pad);
        else
          cards += fmt::format("r{} {} {} 0.3\n", ++k, here, pad);
      }
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      cards += fmt::format("c{0} {1} {2} {3}p\n", ++k, node("v", x, y), (x + y) % 4 == 0 ? "0" : node("g", x, y),
                           uniform(0.1, 2));
      const char* const half = (x + y) % 3 == 0 ? "" : nullptr;
      const std::string ends = half ? node("v", x, y) + " 0" : node("v", x, y) + " " + node("g", x, y);
      const double most = uniform(1e-3, 2e-2), at = uniform(0, 4e-10);
      if (k % 3 == 0)
        cards += fmt::format("i{} {} pulse(0 {} {} 50p 70p 100p 800p)\n", k, ends, most, at);
      else if (k % 3 == 1)
        cards += fmt::format("i{} {} pwl(0 0 {} {} {} 0)\n", k, ends, at + 1e-11, most, at + 3e-10);
      else
        cards += fmt::format("i{} {} sin({} {} 1g)\n", k, ends, most, most / 2);
    }
  return cards + ".tran 20p 400p\n.end\n";
}

TranReport simulate(const Circuit& circuit, TranOptions options, const MakeStates& keep) {
  options.make_states = keep;
  options.probes = {"v_1_1", "g_2_3", "s"};
  return analyse_transient(circuit, options);
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double within, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    ASSERT_NEAR(a[i], b[i], within) << what << ' ' << i;
  }
}

void expect_same(const TranReport& a, const TranReport& b) {
  constexpr double kVolts = 1e-10, kAmperes = 1e-10, kSecond = 1e-15;
  ASSERT_EQ(a.row_time_s, b.row_time_s);
  expect_near(a.worst.nodes.drop_v, b.worst.nodes.drop_v, kVolts, "worst drop");
  expect_near(a.worst.nodes.voltage_v, b.worst.nodes.voltage_v, kVolts, "voltage");
  expect_near(a.worst_time_s, b.worst_time_s, kSecond, "time");
  expect_near(a.average_drop_v, b.average_drop_v, kVolts, "average");
  expect_near(a.rms_drop_v, b.rms_drop_v, kVolts, "rms");
  expect_near(a.overshoot_v, b.overshoot_v, kVolts, "overshoot");
  EXPECT_EQ(a.worst_scenario, b.worst_scenario);
  ASSERT_FALSE(a.instance_time_s.empty());
  expect_near(a.instance_time_s, b.instance_time_s, kSecond, "time of an instance");
  for (size_t i = 0; i < a.worst.instances.size(); ++i)
    EXPECT_NEAR(a.worst.instances[i].combined_v, b.worst.instances[i].combined_v, kVolts);
  for (size_t p = 0; p < a.probes.size(); ++p)
    expect_near(a.probes[p].voltage_v, b.probes[p].voltage_v, kVolts, "probe");
  ASSERT_EQ(a.nets.size(), b.nets.size());
  for (size_t n = 0; n < a.nets.size(); ++n) {
    expect_near(a.nets[n].worst_drop_v, b.nets[n].worst_drop_v, kVolts, "row");
    EXPECT_EQ(a.nets[n].worst_node, b.nets[n].worst_node);
  }
  EXPECT_NEAR(a.moment.time_s, b.moment.time_s, kSecond);
  EXPECT_EQ(a.moment.scenario, b.moment.scenario);
  expect_near(a.moment.grid.nodes.drop_v, b.moment.grid.nodes.drop_v, kVolts, "moment");
  ASSERT_EQ(a.pads.size(), b.pads.size());
  for (size_t p = 0; p < a.pads.size(); ++p) {
    EXPECT_NEAR(a.pads[p].average_a, b.pads[p].average_a, kAmperes);
    EXPECT_NEAR(a.pads[p].rms_a, b.pads[p].rms_a, kAmperes);
    EXPECT_NEAR(a.pads[p].peak_a, b.pads[p].peak_a, kAmperes);
    EXPECT_NEAR(a.pads[p].peak_time_s, b.pads[p].peak_time_s, kSecond);
  }
  expect_near(a.segments.average_a, b.segments.average_a, kAmperes, "segment average");
  expect_near(a.segments.rms_a, b.segments.rms_a, kAmperes, "segment rms");
  expect_near(a.segments.peak_a, b.segments.peak_a, kAmperes, "segment peak");
  const double charge = std::abs(a.charge.supplied_c);
  EXPECT_NEAR(a.charge.supplied_c, b.charge.supplied_c, 1e-9 * charge);
  EXPECT_NEAR(a.charge.drawn_c, b.charge.drawn_c, 1e-9 * charge);
  EXPECT_NEAR(a.charge.stored_c, b.charge.stored_c, 1e-9 * charge);
  EXPECT_NEAR(b.charge.imbalance_c(), 0, 1e-9 * charge);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_NEAR(a.accuracy.local_time_error_v, b.accuracy.local_time_error_v, 1e-9);
  EXPECT_LE(b.accuracy.step_v, 10e-6);
  EXPECT_TRUE(b.accuracy.is_bounded);
}

/// Where states are kept, and for how long: every kernel protects all memory of the checking device and lays it open.
struct Place {
  MakeStates keep;
  double stop_s;
};
class DeviceSteps_ : public testing::TestWithParam<Place> {};

TEST_P(DeviceSteps_, MeasureAsTheHostDoes) {
  Circuit circuit = read_netlist_text(deck(6));
  start_at_time_zero(circuit);
  TranOptions options;
  options.stop_s = GetParam().stop_s;
  options.engine = "cholmod";
  options.segments = true;
  for (const Method method : {Method::trapezoidal, Method::backward_euler}) {
    options.method = method;
    expect_same(simulate(circuit, options, plain), simulate(circuit, options, GetParam().keep));
  }
}

TEST_P(DeviceSteps_, TakeScenarios) {
  Circuit circuit = read_netlist_text(deck(6));
  start_at_time_zero(circuit);
  WaveformTable table;
  table.scenarios = 5;
  table.time_s = {0, 1e-10, 3e-10, 6e-10};
  table.template_a = {1e-3, 0.02, 0.001, 0, 0, 0.005, 0.03, 0.002};
  const Sources& loads = circuit.current_sources;
  for (int64_t i = 0; i < loads.size(); i += 2)
    table.sources.push_back(std::string(circuit.element_name(kCurrentSource, i)));
  table.shape.varies = table.delay_s.varies = table.scale.varies = true;
  for (size_t c = 0; c < 5 * table.sources.size(); ++c) {
    table.shape.values.push_back(static_cast<int32_t>(c % 2));
    table.delay_s.values.push_back(static_cast<double>(c % 7) * 5e-11);
    table.scale.values.push_back(1 + static_cast<double>(c % 11) / 10);
  }
  TranOptions options;
  options.stop_s = GetParam().stop_s;
  options.engine = "cholmod";
  options.segments = true;
  options.waveforms = table;
  expect_same(simulate(circuit, options, plain), simulate(circuit, options, GetParam().keep));
}

TEST_P(DeviceSteps_, GuessAndControlErrorsInTime) {
  Circuit circuit = read_netlist_text(deck(6));
  start_at_time_zero(circuit);
  TranOptions options;
  options.stop_s = GetParam().stop_s;
  options.engine = "aggamg";
  options.tolerance_v = 1e-11;
  expect_same(simulate(circuit, options, plain), simulate(circuit, options, GetParam().keep));
  options.engine = "cholmod";
  options.time_tolerance_v = 1e-4;
  expect_same(simulate(circuit, options, plain), simulate(circuit, options, GetParam().keep));
}

INSTANTIATE_TEST_SUITE_P(On, DeviceSteps_, testing::Values(Place{on_host, 400e-12}, Place{checked, 80e-12}),
                         [](const auto& info) { return info.index == 0 ? "host" : "checking"; });

}  // namespace
}  // namespace gridiron
