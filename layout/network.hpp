// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layout/geometry.hpp"

namespace gridiron::layout {

/// Sheet resistance of routing layers, and resistance per cut of cut layers, by index of Library::layers; 0: unknown.
struct LayerResistances {
  std::vector<double> ohm_per_square, ohm_per_cut;
};

/// What a node of the network stands for, in the order in which nodes at one place follow each other.
enum class NodeKind : uint8_t { wire, source, terminal, block_pin };

/// A piece of metal that is no rectangle.
struct Trapezoid {
  int32_t piece;               ///< of Network::piece_box
  std::vector<Point> corners;  ///< in order, not closed
};

/// The resistors of one net, before loads and sources are attached, column by column. Nodes are in the order of their
/// layers (index of Library::layers), then of x, y and kind; resistors in the order of their nodes.
struct Network {
  bool is_mesh = false;  ///< of extract_mesh(): how many nodes metal has is a matter of its cells
  std::vector<int32_t> node_layer;
  std::vector<Point> node_place;
  std::vector<NodeKind> node_kind;

  // Resistors, from the lower node to the upper one.
  std::vector<int32_t> from, to;
  std::vector<double> ohm;
  std::vector<Dbu> width;     ///< of the wire across the current; 0 for vias and links of terminals
  std::vector<float> cuts;    ///< of a via, 0 for others
  std::vector<uint16_t> cut;  ///< of a via, which of CutSizes they are

  // Terminals of instances on this net, in the order of components. A terminal hangs on the nodes of its pins.
  std::vector<int32_t> terminal_component;  ///< index into Chip::components
  std::vector<int32_t> terminal_node;
  std::vector<int32_t> terminal_pin;   ///< index into pin_names
  std::vector<std::string> pin_names;  ///< names of macros' pins

  // Shapes of pins of the block, each a node that hangs on the one below it.
  std::vector<int32_t> block_pin;  ///< index into Chip::pins
  std::vector<int32_t> block_pin_layer;
  std::vector<int32_t> block_pin_node;
  std::vector<Box> block_pin_box;

  // The metal, by layer: pieces that touch only at their edges, each with one of the nodes on it.
  std::vector<int32_t> piece_layer;
  std::vector<Box> piece_box;  ///< of a trapezoid: its bounding box
  std::vector<int32_t> piece_node;
  std::vector<Trapezoid> trapezoids;  ///< by piece

  int64_t nodes() const { return static_cast<int64_t>(node_layer.size()); }
  int64_t resistors() const { return static_cast<int64_t>(ohm.size()); }
  int64_t terminals() const { return static_cast<int64_t>(terminal_node.size()); }
  int64_t pieces() const { return static_cast<int64_t>(piece_node.size()); }
  /// The highest layer with nodes, −1 if there are none.
  int32_t top_layer() const { return node_layer.empty() ? -1 : node_layer.back(); }
};

}  // namespace gridiron::layout
