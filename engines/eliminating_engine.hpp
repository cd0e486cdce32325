// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/engine.hpp"

namespace gridiron {

/// Whether most unknowns have one or two couplings, none of them positive entries.
bool is_mostly_branches(const CsrMatrix& matrix);

/// An engine that forwards everything to this one, but for M-matrices that are mostly branches,
/// as trees are: these are eliminated first, exactly and in linear time, and the engine solves for what is left.
/// Aggregation does badly on long branches.
std::unique_ptr<Engine> eliminating_first(std::unique_ptr<Engine> engine);

}  // namespace gridiron
