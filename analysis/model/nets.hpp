// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/finding.hpp"
#include "analysis/model/grid.hpp"
#include "netlist/circuit.hpp"
#include "netlist/names/node_place.hpp"
#include "regularize/merge.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {

/// One supply net: nodes of one name at one nominal voltage.
struct Net {
  std::string name;
  double nominal_v = 0;
  bool is_ground() const { return nominal_v == 0; }
};

struct Nets {
  std::vector<Net> nets;
  std::vector<int32_t> first_of_part;  ///< index into `candidates`, one entry more than parts
  std::vector<int32_t> candidates;     ///< the nets of each part; empty for floating parts
  std::vector<int32_t> labels;         ///< net name in nodes (NodePlaces::net) of that candidate alone, or −1
  std::vector<uint8_t> inverted;       ///< per part: OpenROAD's ground sinks, whose currents have the other sign
  std::vector<Finding> findings;
  std::vector<std::string> unused;  ///< names among the overrides that none of them has

  /// The net of a node of `part` with the net name `label` (NodePlaces::net) at `voltage`: where resistors connect
  /// several supplies, the one of that name, or else with the nearest nominal voltage. −1 for floating parts.
  int32_t net_of(int32_t part, int32_t label, double voltage) const;
};

template <class AnyNet>
std::vector<std::string> net_names(const std::vector<AnyNet>& nets) {
  std::vector<std::string> names;
  for (const AnyNet& net : nets) names.push_back(net.name);
  return names;
}

/// The nets that there are instead of one that there is not, and which was meant: the end of a sentence, see
/// names_near() and did_you_mean().
template <class AnyNet>
std::string nets_near(std::string_view wanted, const std::vector<AnyNet>& nets) {
  const std::vector<std::string> names = net_names(nets);
  return names_near(wanted, names) + did_you_mean(wanted, names);
}

/// Adds the nominal voltage of a net; one that is there already counts once. Errors: InputError for another one.
void add_nominal(std::map<std::string, double>& overrides, const std::string& net, double volts);

/// Errors: InputError for an override that names no net. One that is not in the deck may be given to a deck of ground
/// nets only, as reference for percentages.
void require_used(const std::map<std::string, double>& overrides, const Nets& nets);

}  // namespace gridiron
