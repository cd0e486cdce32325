// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// How many significant digits tables print voltages and drops of at most `largest_v` with, 12 to 17: rounding to them
/// adds at most a quarter of the certified error. `bound_v` is 0 where every digit counts, infinite where none is
/// certified.
int voltage_digits(double largest_v, double bound_v);

/// For all nodes of a run.
int voltage_digits(const IrReport& result);

}  // namespace gridiron
