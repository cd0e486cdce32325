// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "analysis/solve/engine_slot.hpp"
#include "analysis/solve/unit_response.hpp"

namespace gridiron {

/// As Solver::respond().
std::vector<UnitResponse> unit_responses(EngineSlot& slot, const System& system, std::span<const NodeId> nodes,
                                         double error_ohm, System::Scratch& scratch);

}  // namespace gridiron
