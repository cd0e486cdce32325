// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "analysis/model/design.hpp"
#include "analysis/tran/loads_over_time.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "analysis/tran/transient.hpp"

namespace gridiron {

/// Errors: InputError where nodes that are to be explained are unknown or have no drop, or where the matrix of the
/// operating point is no M-matrix.
void require_causes(const Design& design, const TranOptions& options);

/// Explains the drops of these nodes at the worst moment of the run, in the report of that moment. `design`: of the
/// circuit at time 0, as it was read. Errors: those of explain().
void explain_worst_moment(const std::shared_ptr<const Design>& design, const SourcesOverTime& sources,
                          const LoadsOverTime& loads, const TranOptions& options, TranReport& report);

}  // namespace gridiron
