// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/model/finding.hpp"
#include "analysis/results/em/em_report.hpp"
#include "analysis/results/em/em_settings.hpp"
#include "netlist/circuit.hpp"

namespace gridiron {

/// What a netlist is to rules: its layers, and what segments are on, which is all pairs of layers that resistors join.
struct RuledLayers {
  const Circuit& circuit;
  const std::vector<std::string>& names;
  std::vector<LayerPair> of_segments;
};

/// Rules as they hold in a run.
struct ActiveEmRules {
  std::vector<ActiveEmRule> rules;
  std::vector<std::string> of_no_unit;  ///< cut layers whose numbers may be meant in two ways
  std::vector<Finding> findings;
};

/// Rules at the temperature and the frequency of the settings. Errors: InputError that begins with the place of a rule:
/// of a layer that there is not, for both wires and cuts, beyond the temperatures or frequencies of a table.
ActiveEmRules active_em_rules(const EmSettings& settings, const RuledLayers& layers);

/// By what Black's law multiplies the average that metal carries for the same time at a temperature, °C, instead of
/// another.
double black_factor(const EmSettings& settings, double from_c, double to_c);

}  // namespace gridiron
