// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "netlist/circuit.hpp"

namespace gridiron {

// Indices among the fields of results (support/visited.hpp): JSON has the names of what they stand for, Python the
// indices.

struct NodeIndex {
  NodeId index;
};
/// An index into IrReport::nets; JSON has null for −1.
struct NetIndex {
  int32_t index;
};
/// An index into IrReport::layer_names; JSON has null for −1.
struct LayerIndex {
  int32_t index;
};
/// One or two layers: those of a segment's ends, the lower one first. Indices into IrReport::layer_names, −1 when
/// unknown.
struct LayerPair {
  int32_t layer = -1, other = -1;
  friend bool operator==(const LayerPair&, const LayerPair&) = default;
};
struct ElementIndex {
  Kind kind;
  int64_t index;
};
/// The index of a resistor; JSON has the segment with its ends, current and power, null for −1.
struct SegmentIndex {
  int64_t index;
};

}  // namespace gridiron
