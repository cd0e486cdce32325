// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/model/certificate.hpp"
#include "linalg/solve_stats.hpp"

namespace gridiron {

/// The solution for one load vector.
struct Answer {
  std::vector<double> voltage_v;  ///< per node of the netlist; 0 at ground and where a node floats
  std::vector<double> load_a;     ///< the vector it answers, per current source
  ColumnStats stats;
  Certificate certificate;  ///< without the current balance, which summarise() draws up

  /// False where the engine broke down on this vector; nothing is known of the voltages then.
  bool is_finite() const;
};

}  // namespace gridiron
