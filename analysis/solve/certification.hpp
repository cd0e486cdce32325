// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/certify/fine_residual.hpp"
#include "analysis/solve/accuracy.hpp"
#include "analysis/solve/batch.hpp"
#include "analysis/solve/certifier.hpp"
#include "analysis/solve/ready_engine.hpp"

namespace gridiron {

/// The accuracy of a solution by a quick bound; none where that misses the tolerance.
std::optional<Accuracy> quick_accuracy(const ColumnStats& stats, const Certifier::Quick& quick, double tolerance_v);

/// A batch that was solved for.
struct Solved {
  std::vector<Accuracy> accuracy;  ///< per column
  SolveStats stats;                ///< of the solve
};

/// Bounds the errors of a batch that was solved with these statistics. Solutions that miss what was asked for are
/// refined, their bounds sharpened. `measured`: the residuals of all columns where they were measured elsewhere, or
/// nothing.
Solved certify(const Batch& batch, SolveStats stats, Bounds bounds, std::span<const FineResidual> measured,
               ReadyEngine& ready, System::Scratch& scratch);

}  // namespace gridiron
