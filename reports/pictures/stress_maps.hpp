// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/results/ir_report.hpp"
#include "reports/pictures/heat_map.hpp"

namespace gridiron {

/// The steady-state stress of metal over the chip, of trees that are known: tension red, pressure blue. Where several
/// nodes share a pixel the one with the largest tension is shown.
struct StressMaps {
  IrReport stresses;  ///< the nodes of these trees, with stresses in Pa for drops
  std::vector<HeatMap> maps;
};

/// Of a report with stress.
StressMaps stress_maps(const IrReport& result);

}  // namespace gridiron
