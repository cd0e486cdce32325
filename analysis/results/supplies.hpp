// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/results/instances.hpp"
#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Two nets that loads join, −1: none.
struct LoadedNets {
  int32_t power, ground;
  bool is_one_ended;  ///< to node 0
  auto operator<=>(const LoadedNets&) const = default;
};
std::set<LoadedNets> loaded_nets(std::span<const InstancePins> pins, const NodeTable& nodes);

/// Fills in what percentages refer to, NetResult::supply_v: a power net's own voltage; for a ground net the lowest
/// supply that loads between the two draw from; where there are none, the lowest of those that loads to node 0 draw
/// from, of all power nets, or of `nominal_v` (V, by net) in a deck of ground nets only. The lowest makes the largest
/// percentage, so that no limit in % is kept because of the wrong reference. What a layout tells of a ground net comes
/// before all of these; `placement` may be null.
void find_supplies(const std::map<std::string, double>& nominal_v, const std::set<LoadedNets>& loaded,
                   const Placement* placement, std::vector<NetResult>& nets);

}  // namespace gridiron
