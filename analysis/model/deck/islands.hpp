// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/model/finding.hpp"
#include "analysis/model/grid.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"

namespace gridiron {

/// What becomes of an island: a part that no path connects to a voltage source, with current sources at it.
struct IslandRule {
  bool ignores_all = false;  ///< it is left out, whatever it belongs to, and otherwise an error, except that
  std::string net = {};      ///< where one net alone is wanted (not empty), islands of other nets are left out, too
  bool operator==(const IslandRule&) const = default;
};

/// The islands that are left out.
struct LeftOut {
  std::vector<int32_t> parts;     ///< ascending
  int64_t nodes = 0, loads = 0;   ///< in these parts, and current sources that end at one of them
  double amperes = 0;             ///< that these draw in all, without controlled ones
  std::vector<std::string> nets;  ///< that their names or comment cards tell, ascending; "": one of them tells none

  bool is_empty() const { return parts.empty(); }
  bool has(int32_t part) const;
  /// Whether some of a net, or of any net if that is "", may be left out.
  bool concerns(const std::string& net) const;
};

LeftOut find_left_out(const Circuit& circuit, const NodePlaces& places, const Parts& parts, const IslandRule& rule);

inline constexpr const char* kIslandsLeftOut = "islands-left-out";

/// A warning of this code that tells how many there are, the first ones and their current.
std::vector<Finding> left_out_findings(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
                                       const LeftOut& left_out);

/// A copy of the circuit whose current sources, controlled ones too, end at ground instead of in these
/// islands, so that all else is as if they were not there. Their names and values stay; nothing controls the sources of
/// islands.
std::shared_ptr<const Circuit> without_loads_of(const LeftOut& left_out, const Circuit& circuit, const Parts& parts);

}  // namespace gridiron
