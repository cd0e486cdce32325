// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linalg/block.hpp"

namespace gridiron {

/// An engine whose factors also solve the transposed system.
class TransposedSolver {
 public:
  virtual ~TransposedSolver() = default;
  /// X = A⁻ᵀ B after Engine::setup(), without refinement, for an A in the range of single precision: others the engine
  /// scales.
  virtual void solve_transposed(Block<const double> b, Block<double> x) const = 0;
};

}  // namespace gridiron
