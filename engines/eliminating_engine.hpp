// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/engine.hpp"

namespace gridiron {

/// Whether most unknowns have one or two couplings, none of them positive entries.
bool is_mostly_branches(const CsrMatrix& matrix);

/// On which device the engine that unknowns are eliminated for solves for the others.
enum class EliminatedFor { cpu, gpu };

/// An engine that forwards everything to this one, but for M-matrices most of whose unknowns have few couplings: some
/// of them are eliminated first, exactly and in linear time, and the engine solves for what is left. Of those with one
/// or two, as in trees, all are, as aggregation does badly on long branches. Where nearly all have three, as in layers
/// of parallel wires, more than half are, which leaves iterations half of the work; not for a GPU, whose iterations
/// take less time than that on the host.
std::unique_ptr<Engine> eliminating_first(std::unique_ptr<Engine> engine, EliminatedFor device);

}  // namespace gridiron
