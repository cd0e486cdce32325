// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/geometry.hpp"
#include "layout/library.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// Metal that two nets have in common, or where their metal meets along an edge: current flows from one to the other.
struct Short {
  int32_t a, b;  ///< nets, indices into Chip::nets, in the order of what find_shorts() is given
  int32_t layer;
  Box box;  ///< of what hangs together; flat where edges only meet

  friend bool operator==(const Short&, const Short&) = default;
};

/// The metal of a net: the pieces of its network.
struct NetMetal {
  int32_t net;  ///< index into Chip::nets
  const Network* network;
};

/// Where nets overlap, or meet at more than a point, on a layer: pair by pair, then by layer and box. Pieces that touch
/// each other are one short. Results are the same on any number of threads.
std::vector<Short> find_shorts(const Library& library, std::span<const NetMetal> nets);

}  // namespace gridiron::layout
