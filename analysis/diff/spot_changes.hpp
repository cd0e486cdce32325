// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/diff/diff_runs.hpp"

namespace gridiron {

/// A quantity of both runs with the bound on its change.
Change change_of(const RunData& before, const RunData& after, double before_v, double after_v);

/// −1 if there is none.
int32_t net_called(const RunData& run, const std::string& name);

/// Hot spots of a net are the same if they are at one node or nearer to each other than twice the distance by which
/// those of a run are apart, nearest pairs first. One has moved if in both runs the one node drops more than the other
/// by more than the bound; it is new or gone if its node changed by more than the bound. Largest changes first.
std::vector<SpotChange> spot_changes(const RunData& before, const RunData& after);

}  // namespace gridiron
