// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

class Shares;

/// The largest current that a segment of a layer may carry (electromigration).
struct EmLimit {
  std::string layer;  ///< "M1", or "M1-M2" for what joins two layers
  double limit_a = 0;
  double a_per_um = 0, width_um = 0;  ///< what limit_a is the product of; 0 where it was given itself
  bool is_of_table = false;           ///< tables cover a technology: segments need not use every layer of them
  std::string place = {};             ///< "em.csv:2", or the option's value
  bool is_atto = false;               ///< written with an `a` before its unit
};

/// Adds a limit that `where` gives, an option with its value or a line of a table; one that is there already counts
/// once. Errors: InputError for another limit of a layer that has one.
void add_em_limit(std::vector<EmLimit>& limits, EmLimit limit, const std::string& where);

/// Reads LAYER=CURRENT, with the current's unit: "M1=5mA", "M1-M2=300uA". Errors: InputError.
EmLimit parse_em_limit(const std::string& text);

/// Reads a table of current densities: CSV with the header layer,a_per_um,width_um; lines that begin with # are
/// comments. Errors: InputError that begins with the place in the file.
std::vector<EmLimit> read_em_limits(const std::filesystem::path& path);

/// Errors: InputError for limits, given by this option, on layers that are not among `layers`, those of segments; a
/// table may have some beside others. `names`: of all layers.
void require_layers(const std::vector<LayerPair>& layers, const std::vector<std::string>& names,
                    const std::vector<EmLimit>& limits, std::string_view option = "em_limit");

/// Checks the segments of every net against the limits, allowing for the certified bound: voltages that are within e
/// put a current through the conductance g within 2 g e. Errors: InputError for a layer without segments, unless a
/// table has it beside others, and for two limits on one. `all`: processes that share the grid, each of which passes
/// its segments and what all have on each layer, and names the resistors itself; null if there is one.
std::vector<EmLimitResult> check_em_limits(const IrReport& report, const Topology& topology,
                                           const std::vector<EmLimit>& limits, const Shares* all = nullptr);

/// The layers of the segments that none of these limits names; none where there is no limit. `quantity`: what they are
/// on.
std::vector<UnlimitedLayer> unlimited_layers(const IrReport& report, const std::vector<EmLimit>& limits,
                                             const std::string& quantity = "");

/// Rows of tables on layers without segments, and numbers that HSPICE alone would read so.
std::vector<Finding> tell_em_limits(const IrReport& report, const std::vector<EmLimit>& limits);

/// "net VDD layer M1: current of 12 mA in R17 exceeds 5 mA, one of 4 that do".
std::string describe(const EmLimitResult& limit);

}  // namespace gridiron
