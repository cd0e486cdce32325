// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "layout/chip.hpp"
#include "layout/library.hpp"
#include "layout/network.hpp"

namespace gridiron::layout {

/// What of a net does not hang together with the first node of its highest layer, which is where OpenROAD starts.
struct Opens {
  /// Metal: a piece of Network::piece_box.
  struct Shape {
    int32_t layer;
    Box box;
  };
  /// A terminal of Network::terminal_node, none of whose pins is connected.
  struct Terminal {
    int32_t component;  ///< index into Chip::components
    int32_t terminal;   ///< of the network
    int32_t layer;      ///< of its node,
    Point place;        ///< the mean of the centres of its shapes
  };
  /// A shape of a pin of the block that is not connected.
  struct Pin {
    int32_t pin;  ///< index into Chip::pins
    int32_t layer;
    Box box;
  };
  std::vector<Shape> shapes;        ///< by layer, then by box
  std::vector<Terminal> terminals;  ///< in the order of components
  std::vector<Pin> pins;
  int32_t parts = 0;               ///< connected parts that have metal
  bool has_no_block_pins = false;  ///< OpenROAD's check wants some, unless told not to

  bool is_connected() const { return shapes.empty() && terminals.empty() && pins.empty(); }
};

Opens find_opens(const Network& network);

/// What a component covers.
Box component_box(const Library& library, const Chip& chip, int32_t component);

}  // namespace gridiron::layout
