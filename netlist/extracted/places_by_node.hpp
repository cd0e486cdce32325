// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "netlist/circuit.hpp"
#include "netlist/extracted/written_place.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

/// What tells the layer of a node, the best first: a comment; a wire, which lies on it and whose width is told; a
/// resistor of which nothing tells that it is no wire; a via, which lies between its nodes' layers and names that of
/// nodes between vias.
enum class LayerTeller : uint32_t { comment, wire, unknown, via, none };

/// The number of a layer and what tells it.
class ToldLayer {
 public:
  constexpr ToldLayer() = default;
  constexpr ToldLayer(LayerTeller teller, int32_t layer)
      : bits_(static_cast<uint32_t>(teller) << kShift | static_cast<uint32_t>(layer)) {}
  static constexpr ToldLayer of_bits(int32_t bits) {
    ToldLayer told;
    told.bits_ = static_cast<uint32_t>(bits);
    return told;
  }

  bool is_none() const { return bits_ == kNone; }
  int32_t layer() const { return static_cast<int32_t>(bits_ & ((uint32_t{1} << kShift) - 1)); }
  bool is_better_than(ToldLayer other) const { return bits_ >> kShift < other.bits_ >> kShift; }
  int32_t bits() const { return static_cast<int32_t>(bits_); }

 private:
  static constexpr int kShift = 29;
  static constexpr uint32_t kNone = static_cast<uint32_t>(LayerTeller::none) << kShift;
  uint32_t bits_ = kNone;
};

/// The best that is told of the layer of each node, and what is told of its place first. Internal to netlist/.
class PlacesByNode {
 public:
  explicit PlacesByNode(int64_t nodes) {
    assign_in_parallel(places_, nodes, Placement::NodePlace{0, ToldLayer().bits(), NAN, NAN});
  }
  void take_layer(NodeId node, ToldLayer layer) {
    if (layer.is_better_than(layer_of(node))) places_[node].layer = layer.bits();
  }
  void take_place(NodeId node, const WrittenPlace& place) {
    if (has_place(node)) return;
    places_[node].x_um = place.x, places_[node].y_um = place.y;
    if (place.is_in_um) in_um_.push_back(node);
  }
  /// Whether a comment told another place or layer of the node before.
  bool contradicts_place(NodeId node, const WrittenPlace& place) const {
    constexpr double kClose = 1.5e-3;  // two numbers that are rounded to three decimals
    return std::abs(places_[node].x_um - place.x) > kClose || std::abs(places_[node].y_um - place.y) > kClose;
  }
  bool contradicts_layer(NodeId node, ToldLayer layer) const {
    return !layer_of(node).is_better_than(layer) && !layer.is_better_than(layer_of(node)) &&
           layer_of(node).layer() != layer.layer();
  }
  bool has_place(NodeId node) const { return !std::isnan(places_[node].x_um); }

  /// Nodes whose places have units of their own, ascending.
  std::vector<int32_t> take_in_um() {
    std::ranges::sort(in_um_);
    return std::move(in_um_);
  }
  /// Those of which something is told. `rank`: of layers, by number.
  std::vector<Placement::NodePlace> list(const std::vector<int32_t>& rank) && {
    size_t told = 0;
    for (NodeId n = kGround + 1; n < std::ssize(places_); ++n) {
      const ToldLayer layer = layer_of(n);
      if (layer.is_none() && !has_place(n)) continue;
      places_[told] = {n, layer.is_none() ? -1 : rank[layer.layer()], places_[n].x_um, places_[n].y_um};
      ++told;
    }
    places_.resize(told);
    return std::move(places_);
  }

 private:
  ToldLayer layer_of(NodeId node) const { return ToldLayer::of_bits(places_[node].layer); }

  std::vector<Placement::NodePlace> places_;  ///< whose layers are bits of ToldLayer
  std::vector<int32_t> in_um_;
};

}  // namespace gridiron
