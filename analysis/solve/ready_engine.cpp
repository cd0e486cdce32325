// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/ready_engine.hpp"

#include <cmath>

namespace gridiron {
namespace {

/// Relative residual that no iteration in double precision gets much below; what the tolerance needs beyond that is the
/// business of refinement.
constexpr double kRoundingOfSolve = 1e-14;
/// What a quick certificate leaves to rounding is less than what Certifier::residual_for() does: it may be a fiftieth.
constexpr double kMostOfTolerance = 0.98 / 0.75;

}  // namespace

bool ReadyEngine::leaves_cores_idle(int64_t columns) const { return (is_direct() && columns == 1) || device == "cuda"; }

bool ReadyEngine::prepare_quick() {
  if (options->rtol || !certifier.has_barrier()) return false;
  certifier.prepare_quick();
  return true;
}

/// Where a quick certificate follows, a factorization need not judge its solutions itself.
StopRule ReadyEngine::stop_rule(Bounds bounds) const {
  StopRule stop;
  stop.max_iterations = options->max_iterations;
  if (options->rtol) {
    stop.relative_residual = *options->rtol;
  } else if (certifier.has_barrier()) {
    stop.absolute_max = certifier.residual_for(options->tolerance_v);
    stop.relative_residual = kRoundingOfSolve;
  }
  if (bounds == Bounds::quick) stop.absolute_max = is_direct() ? INFINITY : kMostOfTolerance * stop.absolute_max;
  return stop;
}

EngineRun ReadyEngine::run() const {
  EngineRun run = describe(*info, *engine, device, asked_for);
  run.threads = threads;
  return run;
}

}  // namespace gridiron
