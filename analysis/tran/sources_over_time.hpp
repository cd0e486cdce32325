// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "netlist/circuit.hpp"

namespace gridiron {

/// What the sources of a circuit draw and hold at a time, as deviations from their values at the start.
class SourcesOverTime {
 public:
  /// Those of the deck, whose DC values are those at time 0 (start_at_time_zero()). `circuit` must outlive this.
  SourcesOverTime(const Circuit& circuit, const TimeFrame& frame);

  std::int64_t scenarios() const { return scenarios_; }
  /// Times in (0, stop) where a source jumps or bends, unsorted, s.
  std::vector<double> corners() const;

  /// Fills load (current sources × scenarios, A) at time t.
  void loads_at(double t, std::span<double> load) const;
  /// Fills volts, per voltage source, V. Returns false, and does nothing, where none of them varies.
  bool volts_at(double t, std::span<double> volts) const;

 private:
  /// scale·w(t − delay), w a waveform of the circuit.
  struct Drive {
    std::int64_t at;  ///< the source, + scenario × number of sources
    std::int32_t waveform;
    double scale, delay, at_start;
  };
  Drive drive(std::int64_t at, std::int32_t waveform, double scale, double delay) const;
  double value(const Drive& drive, double t) const;

  const Circuit& circuit_;
  TimeFrame frame_;
  std::int64_t scenarios_ = 1;
  std::vector<Drive> loads_, volts_;
};

}  // namespace gridiron
