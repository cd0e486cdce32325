// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>

#include "support/error.hpp"

namespace gridiron {

/// When to stop: as soon as one of the given limits holds, for each right-hand side independently, or a stop is
/// requested. And where to begin.
struct StopRule {
  double relative_residual = 1e-8;  ///< ‖b − A x‖₂ / ‖b‖₂
  double absolute_max = 0;          ///< max |b − A x|, in the unit of b (A for a grid); 0 disables it. A voltage
                                    ///< tolerance is passed to the engine this way.
  int max_iterations = 500;
  bool from_zero = false;  ///< the initial guess is 0, whatever x holds: CG then need not read it or multiply A by it
  // Set by Engine::solve() from its context:
  std::stop_token stop = {};
  std::function<void(double)> advanced = {};  ///< called with what was added to the share of a column that is done

  /// Errors: Stopped.
  void throw_if_stopped() const {
    if (stop.stop_requested()) throw Stopped();
  }
};

}  // namespace gridiron
