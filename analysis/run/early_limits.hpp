// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/model/answer.hpp"
#include "analysis/model/system.hpp"
#include "analysis/results/summarise.hpp"

namespace gridiron {

/// Whether limits on drops may be exceeded, before there are any tables of results, and without memory for each node:
/// so that what explains such drops is kept for these runs only. True wherever check_limits() finds one exceeded;
/// where it finds none, true at most for a limit that rounding decides, for one in % of a ground net whose loads draw
/// from others than the lowest supply, and for averages and percentiles over several load vectors.
bool may_exceed_limits(const System& system, const Answer& answer, const SummaryOptions& options);

/// The same of the worst drops over several load vectors.
bool may_exceed_limits(const System& system, const NodeTable& worst, const SummaryOptions& options);

}  // namespace gridiron
