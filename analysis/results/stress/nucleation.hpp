// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "analysis/results/stress/stress_mesh.hpp"

namespace gridiron {

/// When and where a tree first reaches the critical stress.
struct Nucleation {
  double time = std::numeric_limits<double>::infinity();  ///< κ t, µm²
  int32_t node = -1;                                      ///< −1: not until the horizon
  double slope = 0;                                       ///< of the stress there and then, Pa/µm²
  double error = 0;                                       ///< estimated, of the time
  /// Where there is none: the largest stress until the horizon, −∞ where it is clearly below, its node, and its error.
  double peak_pa = -std::numeric_limits<double>::infinity();
  int32_t peak_node = -1;
  double peak_error_pa = 0;
};

/// How stress is to change: from where to where, and until when it is followed.
struct StressRise {
  double residual_pa = 0, critical_pa = 0;
  double horizon = 0;  ///< κ t, µm²
};

/// By cells that are halved once, extrapolated, with an estimate of the error. Its time may be somewhat beyond the
/// horizon.
Nucleation find_nucleation(const StressGraph& graph, const StressRise& rise);

}  // namespace gridiron
