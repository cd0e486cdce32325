// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "analysis/diff/diff_runs.hpp"

namespace gridiron {

/// None unless both runs have the stress of metal. Trees are the same where the worst node of the one, or the node of
/// its void, is in the other.
std::optional<StressChange> stress_change(const RunData& before, const RunData& after);

/// Of a report: a tree per tree of metal.
RunData::Metal metal_of(const StressReport& stress, const IrReport& report, const RunData& run);

}  // namespace gridiron
