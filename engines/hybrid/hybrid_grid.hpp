// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "engines/problem.hpp"

namespace gridiron {

/// Why the hybrid iteration cannot be used for the problem.
std::optional<std::string> hybrid_declines(const Problem& problem);

}  // namespace gridiron
