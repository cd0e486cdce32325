// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/results/ir_report.hpp"
#include "analysis/results/verdict.hpp"

namespace gridiron {

/// Of all limits of a run, static or dynamic: on drops, on currents, on rules, on stress, on lifetimes, over a budget.
Verdict verdict_of(const IrReport& result);

}  // namespace gridiron
