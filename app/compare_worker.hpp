// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/compare.hpp"
#include "app/child_process.hpp"

namespace gridiron {

/// Measures one engine on one case in a process of its own, so that whatever happens to it is a row. `reference` holds
/// the reference solution, or will.
CompareRun measure_apart(const CompareJob& job, int threads, const UnnamedFile& reference, double timeout_s);

}  // namespace gridiron
