// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/deck/islands.hpp"
#include "analysis/model/finding.hpp"
#include "analysis/model/grid.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"
#include "netlist/values/quantity.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// A name as shown in messages: it is untrusted and may have any length.
std::string shown(std::string_view name);

/// " on layer M5 at (1.0000, 2.0000) µm", as far as it is known.
std::string location(const NodePlaces& places, NodeId node);

/// The card of the first current source at a node of a part, or the file.
std::string place_of_load(const Circuit& circuit, const Parts& parts, int32_t part);

/// Of values of elements, by kind.
inline constexpr const char* kUnits[] = {"Ω", "F", "H", "V", "A"};

/// Findings of one kind that are told one by one; the rest are counted, at the end of their list.
inline constexpr int64_t kToldOneByOne = 20;
Finding end_of_list(Finding::Severity severity, const std::string& code, int64_t more);

/// What the reader of the netlist or layout found.
std::vector<Finding> read_findings(const Circuit& circuit);

/// Element values that cannot be analysed (those that are not finite, or have no finite inverse) are errors; duplicate
/// names, elements without effect and cards skipped by the reader are reported. `name_of`: of a node, where the circuit
/// has no table of names.
std::vector<Finding> check_values(const Circuit& circuit, const std::function<std::string(NodeId)>& name_of = {});

/// How many nodes a pattern matches, where there is one; info.
std::vector<Finding> pattern_findings(const Circuit& circuit, const NodePlaces& places);

/// Resistors that change layer and location at once: a via is vertical, a wire stays on its layer.
std::vector<Finding> check_geometry(const Circuit& circuit, const NodePlaces& places);

/// Contradicting sources, each reported with the loop it closes.
std::vector<Finding> check_ties(const Circuit& circuit, const Grid& grid, const Merge& merge);

/// Parts without a source: with load an error that names size, a node, its place and current; without load told. Loads
/// that cancel at every node drive no current, so a part with them is left out like one without; loads that cancel
/// only as a whole are an error, as leaving them out would hide drops, except in parts that are `left_out`, of which
/// left_out_findings() tells. A grid without any source is an error, unless it is that of ground nets whose pads are
/// resistors to node 0 (`has_ground_pads`).
std::vector<Finding> check_parts(const Circuit& circuit, const Parts& parts, const NodePlaces& places,
                                 const LeftOut& left_out = {}, bool has_ground_pads = false);

/// What the deck's sources do to a part that floats.
struct PartLoad {
  NodeId node = -1;  ///< where the largest current is drawn
  double total = 0, largest = 0;
  bool cancels = false;
};
std::vector<PartLoad> loads_of_floating_parts(const Circuit& circuit, const Parts& parts);

/// The same for loads that are known.
std::vector<Finding> check_parts(const Circuit& circuit, const Parts& parts, const NodePlaces& places,
                                 const std::vector<PartLoad>& loads, const LeftOut& left_out = {},
                                 bool has_ground_pads = false);

/// Numbers of tables and options that HSPICE alone would read so.
std::vector<Finding> atto_findings(const AttoNumbers& numbers);

/// Throws the exception for the first error among the findings: InputError for invalid values, GridError for the rest.
void throw_first_error(const std::vector<Finding>& findings);

}  // namespace gridiron
