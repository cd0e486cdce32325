// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/model/certificate.hpp"
#include "linalg/solve_stats.hpp"

namespace gridiron {

/// How far a solution can be trusted.
struct Accuracy {
  ColumnStats stats;
  Certificate certificate;     ///< without the current balance
  double residual_norm_a = 0;  ///< at least ‖i − G v‖₂; 0 where it was not found
};

}  // namespace gridiron
