// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/model/finding.hpp"
#include "analysis/model/grid.hpp"
#include "netlist/circuit.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// What a circuit may be: one whose matrix is an M-matrix, so that errors have a proved bound, or any.
enum class Matrices : uint8_t { m_matrix, any };

/// Code of what check_matrix() finds.
inline constexpr const char* kEstimateOnly = "estimate-only";

/// That errors can be estimated only: an error where the analysis needs an M-matrix, otherwise an info.
std::vector<Finding> check_matrix(const Circuit& circuit, const Grid& grid, const Merge& merge, Matrices allowed);

/// Errors for negative resistors, where several processes share a circuit and none knows all that is in parallel.
std::vector<Finding> refuse_negative_resistors(const Circuit& circuit);

}  // namespace gridiron
