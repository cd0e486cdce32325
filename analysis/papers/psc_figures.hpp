// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/papers/paper.hpp"

namespace gridiron {

/// Figs. 6 and 12 to 14 of the PSC paper.
std::vector<PaperTable> psc_figures(const PaperOptions& options);

}  // namespace gridiron
