// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "analysis/solve/accuracy.hpp"
#include "analysis/solve/fine_batch.hpp"
#include "analysis/solve/ready_engine.hpp"

namespace gridiron {

/// Whether a solution misses what was asked for, and has a chance to reach it.
bool can_improve(const Accuracy& accuracy, const SolverOptions& options);

/// Solves again for the residuals of solutions that miss the tolerance, formed from the network in extended precision,
/// and keeps the sum unrounded (iterative refinement as in Demmel et al., ACM Trans. Math. Softw. 32, 2006): where pads
/// are weak, neither the rounding of the matrix nor that of the voltages limits the answer then.
void refine(FineBatch& batch, std::span<Accuracy> solutions, ReadyEngine& ready, System::Scratch& scratch);

}  // namespace gridiron
