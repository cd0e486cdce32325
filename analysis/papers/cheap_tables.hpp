// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/papers/paper.hpp"

namespace gridiron {

// Tables of which a test can afford a part.

/// Table 1 of the aggregation paper, its own half.
PaperTable aggamg_hierarchy();

/// Growth of the hybrid engine's run with the nodes of generated grids, as the abstract of its paper has it.
PaperTable gpuhmd_growth(std::span<const int64_t> nodes, const PaperOptions& options);

/// The row of Table 1 of the PSC paper with h = 2^-levels and h0 = 2^-level.
PaperTable psc_unit_square(int levels, int level);

/// Tables 2 and 3 of the PSC paper.
PaperTable psc_storage();
PaperTable psc_operations();

/// Its Fig. 6, and where errors are least.
std::vector<PaperTable> psc_errors_by_precision();

}  // namespace gridiron
