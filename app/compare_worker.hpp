// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/compare.hpp"
#include "app/child_process.hpp"

namespace gridiron {

/// Measures one engine on one case in a separate process, so that any failure becomes a row. `reference` holds the
/// reference solution, or receives it.
CompareRun measure_apart(const CompareJob& job, int threads, const UnnamedFile& reference, double timeout_s);

}  // namespace gridiron
