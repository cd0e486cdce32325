// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/papers/paper.hpp"

namespace gridiron {

/// Tables 1 and 2 of the Stokes paper, which count what its kernels do, beside counts of ours, and its patches.
std::vector<PaperTable> stokes_kernel_tables();

}  // namespace gridiron
