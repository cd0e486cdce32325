// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/plan/plan_grid.hpp"

namespace gridiron {

/// A linear function of the voltages under one load vector that a limit asks to be small: the drop of a node, the mean
/// drop of the nodes that an average is of, or the current of a segment.
struct Watched {
  enum class Kind : uint8_t { drop, average, current };
  Kind kind = Kind::drop;
  int32_t vector = 0;
  int32_t net = -1, layer = -1;  ///< of an average; layer −1: all
  NodeId node = kGround;         ///< of a drop
  int64_t resistor = -1;         ///< of a current
  double value = 0, allowed = 0;

  /// By how much it exceeds what is allowed, as a share of that.
  double excess() const { return value / allowed - 1; }
  bool is_same(const Watched& other) const {
    return kind == other.kind && vector == other.vector && net == other.net && layer == other.layer &&
           node == other.node && resistor == other.resistor;
  }
};

/// What an average is of.
struct AveragedNodes {
  std::vector<NodeId> nodes;
  double share;  ///< of each: the supplies of added pads, which drop by nothing, count as well
};
AveragedNodes averaged_nodes(const IrReport& report, int32_t net, int32_t layer);

/// The quantities that exceed a limit or nearly do, largest excess first, `most` of them, spread over the die; those of
/// `earlier` stay among them as long as they are near a limit.
std::vector<Watched> choose_watched(const Trial& trial, const std::vector<Watched>& earlier, size_t most);

/// What these quantities are in another trial.
std::vector<double> watched_values(const Trial& trial, const std::vector<Watched>& watched);

}  // namespace gridiron
