// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/placement.hpp"
#include "reports/json/json.hpp"

namespace gridiron {

/// How many opens a list in JSON has at most.
inline constexpr size_t kMostListedOpens = 1000;

/// What is open in a layout: how many there are of each kind, and the first of them with their boxes.
Json json_opens(const Placement& placement);

}  // namespace gridiron
