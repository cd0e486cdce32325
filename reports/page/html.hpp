// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/results/ir_report.hpp"
#include "reports/pictures/heat_map.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// report.html: a self-contained page that works offline, with map, charts and sortable tables. It holds the worst few
/// hundred rows of each table and maps of at most about 3 MB, a quarter of these of stress (see stress_maps()) at
/// most, so it stays below 5 MB for a grid of any size.
void write_html(const IrReport& result, const std::vector<HeatMap>& maps, const std::vector<HeatMap>& stress_maps,
                const OutputPath& path);

}  // namespace gridiron
