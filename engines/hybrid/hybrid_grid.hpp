// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "engines/hybrid/params.hpp"
#include "engines/problem.hpp"
#include "regularize/tables.hpp"

namespace gridiron {

/// Why the hybrid iteration cannot be used for the problem.
std::optional<std::string> hybrid_declines(const Problem& problem);

/// Regular grids of the problem as the parameters ask for them, without padding.
Regularization regular_grids(const Problem& problem, const HybridParams& params);

}  // namespace gridiron
