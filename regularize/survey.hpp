// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "regularize/network.hpp"

namespace gridiron {

/// Layers of a network are numbered −1 (unknown), 0 … kMostLayers − 1.
inline constexpr std::int32_t kMostLayers = 63;

/// What a part of the network looks like before its cells are chosen.
struct PartSurvey {
  std::int32_t net = -1;  ///< Geometry::net of its nodes
  std::int64_t nodes = 0;
  double left = std::numeric_limits<double>::infinity(), right = -left, bottom = left, top = -left;  ///< µm
  std::uint64_t layers = 0;  ///< bit l + 1: some node lies on layer l
  std::int64_t places = 0;   ///< distinct (x, y) of its nodes; only counted on request
};

/// Parts that have nodes, by ascending net, and where to find them.
struct Surveys {
  std::vector<PartSurvey> parts;
  std::vector<std::int32_t> part_of_net;  ///< index into parts, by net + 1; −1 for nets without a node
};

/// Coordinates a grid can be made of: finite, and far enough from overflow to take differences and squares.
inline bool is_place(double um) { return std::abs(um) <= 1e100; }

/// All nodes must have a place and a layer below kMostLayers. Linear time, same result on any number of threads.
Surveys survey_parts(const Geometry& geometry, bool counts_places);

}  // namespace gridiron
