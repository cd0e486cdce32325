// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/problem.hpp"
#include "linalg/weak_parts.hpp"

namespace gridiron {

/// The grid with the shifts as additional pads: what a preconditioner in single precision can solve.
PowerGrid with_shifts(const PowerGrid& grid, const WeakParts& parts);

}  // namespace gridiron
