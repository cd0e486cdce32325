// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "analysis/model/system.hpp"

namespace gridiron {

/// What rounding to doubles took from `injection`, as System::injection() finds it for load vector v: `rest`, and a
/// bound on what is left undecided of that; A, one entry per merged node each. Nothing is left of a single load.
void find_injection_rest(const System& system, const Loads& loads, int64_t v, std::span<const double> injection,
                         std::span<double> rest, std::span<double> undecided);

}  // namespace gridiron
