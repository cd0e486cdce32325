// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/tables/em_rules.hpp"
#include "netlist/tables/metal_tables.hpp"

namespace gridiron {

/// The quantity of a limit on all ratios of currents to rules.
inline constexpr std::string_view kEmQuantity = "em";

/// Which rules of electromigration hold, and for what.
struct EmSettings {
  bool of_layout = false;                    ///< the rules of the layout's technology, instead of
  std::vector<EmRule> rules;                 ///< those of a file
  std::optional<EmUnit> cut_unit;            ///< how LEF means the numbers of cut layers
  std::optional<double> temperature_c;       ///< of the metal; none: that of the rules
  std::optional<double> of_rules_c;          ///< of rules that tell no temperature
  std::optional<double> frequency_hz;        ///< none: any
  double activation_ev = 0.9, exponent = 2;  ///< Ea and n of Black's law
  double recovery = 0;                       ///< the share that current the other way heals of an average
  std::vector<MetalLayer> layers;            ///< widths that the netlist does not tell
  std::optional<double> limit;  ///< on all ratios, as a share of the rules; none: no verdict depends on them
};

/// Errors: InputError for numbers that are out of range, in whatever way they came.
void require_ranges(const EmSettings& settings);

}  // namespace gridiron
