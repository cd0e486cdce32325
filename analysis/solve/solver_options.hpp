// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/model/certificate.hpp"
#include "engines/params.hpp"
#include "linalg/solve_stats.hpp"

namespace gridiron {

struct SolverOptions {
  std::string engine = "auto";      ///< auto turns to other engines if multigrid misses the tolerance
  Settings settings = {};           ///< engine parameters
  double tolerance_v = 10e-6;       ///< target for the certified bound, V
  std::optional<double> rtol = {};  ///< relative residual instead of the tolerance
  int max_iterations = 500;
  int64_t solves = 1;  ///< load vectors to come, as far as known: what auto goes by
  /// Nobody will set up an engine for the system again: unless another one may take over, its structure is freed then;
  /// and nobody will solve it once release() was called, which frees its equations.
  bool sets_up_once = false;
};

/// Empty if the solution meets the requested accuracy, otherwise one line that describes the shortfall. `engine`: its
/// name.
std::string tolerance_miss(const ColumnStats& stats, const Certificate& certificate, const std::string& engine,
                           const SolverOptions& options);

}  // namespace gridiron
