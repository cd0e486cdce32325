// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diff/diff_runs.hpp"

namespace gridiron {

/// Errors: InputError for a static run and a dynamic one, whose drops are not of one kind.
void require_same_kind(const RunData& before, const RunData& after);

/// What errors of stepping in time may add to a change, V. Runs that step alike are compared as they are stepped, so
/// that this is 0 for them, as for static runs.
double errors_in_time_v(const RunData& before, const RunData& after);

/// When a net of both runs is worst; nothing for static runs. −1: the run does not have the net.
std::optional<MomentChange> moment_change(const RunData& before, const RunData& after, int32_t net_before,
                                          int32_t net_after);

/// Of dynamic runs.
std::optional<SimulationChange> simulation_change(const RunData& before, const RunData& after);

}  // namespace gridiron
