// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as what a current source draws over time: a table of waveforms if they begin like an
// archive of arrays, otherwise the words of its card. What can be read is evaluated and simulated for a few steps.
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "netlist/tables/waveform_table.hpp"
#include "netlist/waves/waveform.hpp"
#include "tests/fuzz/expect_errors.hpp"

namespace gridiron::fuzz {
namespace {

constexpr double kStep = 1e-9, kStop = 16e-9;
constexpr size_t kMostCorners = 1000;

std::string deck_drawing(std::string card) {
  std::replace(card.begin(), card.end(), '\n', ' ');
  std::replace(card.begin(), card.end(), '\r', ' ');
  return "* t\nv1 vdd 0 1\nr1 vdd a 1\nc1 a 0 1n\ni1 a 0 " + card + "\ni2 a 0 1m\n.end\n";
}

void simulate(const Circuit& circuit, const WaveformTable* table) {
  TranOptions options;
  options.step_s = kStep;
  options.stop_s = kStop;
  if (table) options.waveforms = *table;
  const TranReport report = analyse_transient(circuit, options);
  if (!tolerance_miss(report, options).empty()) return;
  for (const double volts : report.worst.nodes.voltage_v) check(std::isfinite(volts));
}

void evaluate(const Waveform& waveform, size_t& corners) {
  const TimeFrame frame{kStep, kStop};
  // Their number is stop over period; decks with more of them than memory are tested apart.
  const auto* const pulse = std::get_if<Pulse>(&waveform);
  if (pulse && pulse->period > 0 && pulse->period < kStep / 10) return void(corners = kMostCorners + 1);
  std::vector<double> times;
  append_corners(waveform, frame, times);
  check(std::is_sorted(times.begin(), times.end()));
  corners += times.size();
  for (const double t : times) {
    check(t > 0 && t < kStop);
    value_at(waveform, t, frame);
  }
  for (int k = 0; k <= 64; ++k) value_at(waveform, k * kStop / 64, frame);
  value_at_start(waveform);
}

void read_card(std::string_view bytes) {
  const Circuit circuit = read_netlist_text(deck_drawing(std::string(bytes)), "fuzz", {});
  if (circuit.node_count() > 100 || circuit.element_count() > 100) return;
  size_t corners = 0;
  for (const Waveform& waveform : circuit.waveforms) evaluate(waveform, corners);
  if (corners <= kMostCorners) simulate(circuit, nullptr);
}

void read_table(std::string_view bytes) {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("gridiron_fuzz_" + std::to_string(::getpid()) + ".npz");
  std::ofstream(path, std::ios::binary) << bytes;
  const WaveformTable table = read_waveforms(path);
  check(!table.time_s.empty() && !table.sources.empty() && table.scenarios >= 1);
  const auto is_whole = [&](const auto& column) {
    const auto scenarios = column.varies ? static_cast<size_t>(table.scenarios) : 1;
    return column.values.size() == table.sources.size() * scenarios;
  };
  check(is_whole(table.shape) && is_whole(table.delay_s) && is_whole(table.scale));
  for (const int32_t shape : table.shape.values) check(shape >= 0 && shape < table.templates());
  if (table.scenarios > 16 || table.time_s.size() > kMostCorners) return;
  const Circuit circuit = read_netlist_text(deck_drawing("0"), "fuzz", {});
  simulate(circuit, &table);
}

void read(std::string_view bytes) {
  // An included file or a file of points may be any, also a device.
  if (!bytes.starts_with("PK") && bytes.find('/') != bytes.npos) return;
  expect_only_errors([&] { bytes.starts_with("PK") ? read_table(bytes) : read_card(bytes); });
}

}  // namespace
}  // namespace gridiron::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  omp_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gridiron::fuzz::read({reinterpret_cast<const char*>(data), size});
  return 0;
}
