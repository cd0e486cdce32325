// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gridiron {

/// Work that a solver has done since its construction, with timings.
struct SolverWork {
  int setups = 0, updates = 0;  ///< an update to a matrix of another pattern is a set-up
  int barriers = 0;
  std::int64_t vectors = 0;
  double setup_s = 0, solve_s = 0, certify_s = 0;
};

}  // namespace gridiron
