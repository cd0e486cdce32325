// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "engines/problem.hpp"

namespace gridiron {

/// The power grid `grid` with clusters of nodes contracted to one node each: PᵀAP for P that is constant on clusters.
/// Edges within a cluster vanish, pads are added up, and a cluster takes the location of its leader. Without
/// injections. Linear time. `cluster_of_node`: one entry per node; `leader`: a node of each cluster.
Problem contracted_grid(const PowerGrid& grid, std::span<const int64_t> cluster_of_node,
                        std::span<const int32_t> leader);

}  // namespace gridiron
