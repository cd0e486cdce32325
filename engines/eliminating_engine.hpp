// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/engine.hpp"

namespace gridiron {

/// An engine that forwards everything to this one, but for M-matrices most of whose unknowns have one or two couplings,
/// as in trees: these are eliminated first, exactly and in linear time, and the engine solves for what is left.
/// Aggregation does badly on long branches.
std::unique_ptr<Engine> eliminating_first(std::unique_ptr<Engine> engine);

}  // namespace gridiron
