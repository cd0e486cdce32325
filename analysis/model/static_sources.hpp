// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/model/finding.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// Sources of one kind whose cards have a waveform that varies and no DC value, so that a static run takes what it is
/// at time 0.
struct StartValues {
  int64_t sources = 0, of = 0;         ///< these, and all of the kind
  double at_start = 0, over_time = 0;  ///< sums of sizes, A or V: at time 0, and averages over time
};

/// Of a kind, kVoltageSource or kCurrentSource, without those that `is_given` marks (empty: none). The average is over
/// a period, or else over the simulation of the deck's .tran card, or else over the time that the waveform itself
/// tells.
StartValues start_values(const Circuit& circuit, Kind kind, std::span<const uint8_t> is_given = {});

/// A warning where there are any. `file`: where they are.
std::vector<Finding> start_value_findings(const StartValues& loads, const StartValues& supplies,
                                          const std::string& file);

/// Both of them.
std::vector<Finding> check_start_values(const Circuit& circuit, std::span<const uint8_t> is_given);

/// Marks the current sources that draw something else than what the deck says, as somebody gave it.
void mark_given(const Circuit& circuit, std::span<const double> load_a, std::vector<uint8_t>& is_given);

}  // namespace gridiron
