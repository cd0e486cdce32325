// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "netlist/generator/deck_writer.hpp"

namespace gridiron::generator {

/// Parallel wires of one metal. Neighbouring layers of a mesh run at right angles.
struct MeshLayer {
  std::string prefix;  ///< of its node names: "n3_", "n1_m4_"
  bool horizontal;
  std::vector<int64_t> tracks;  ///< y of horizontal wires, x of vertical ones; ascending, distinct
  std::vector<int64_t> extra;   ///< positions where every wire has a node without a via; ascending, distinct
  std::function<bool(Point)> present = {};  ///< whether there is metal; empty: everywhere along the tracks
};

/// Stacked layers of parallel wires with vias where neighbouring layers cross. Only the track positions are stored:
/// nodes, wires and vias are enumerated, always in the same order.
class Mesh {
 public:
  /// `layers`: from the lowest metal upwards.
  explicit Mesh(std::vector<MeshLayer> layers);

  int layer_count() const { return static_cast<int>(layers_.size()); }
  const MeshLayer& layer(int l) const { return layers_[l]; }

  /// Calls node(Point) for each node of layer l and wire(Point, Point) for each piece between neighbours.
  template <class NodeVisitor, class WireVisitor>
  void walk(int l, NodeVisitor&& node, WireVisitor&& wire) const {
    for (const int64_t track : layer(l).tracks) {
      bool connected = false;
      Point previous{};
      for (const Crossing& crossing : crossings_[l]) {
        const Point at = place(l, track, crossing.along);
        if (!has_metal(l, at)) {
          connected = false;
        } else if (lands(l, crossing, at)) {
          node(at);
          if (connected) wire(previous, at);
          connected = true;
          previous = at;
        }
      }
    }
  }

  /// Calls via(Point, lower track, upper track) for each crossing of layers l and l + 1 where both have metal.
  template <class ViaVisitor>
  void vias(int l, ViaVisitor&& via) const {
    const auto& lower = layer(l).tracks;
    const auto& upper = layer(l + 1).tracks;
    for (size_t i = 0; i < lower.size(); ++i) {
      for (size_t j = 0; j < upper.size(); ++j) {
        const Point at = place(l, lower[i], upper[j]);
        if (has_metal(l, at) && has_metal(l + 1, at)) via(at, i, j);
      }
    }
  }

  /// About `count` nodes of the top layer, spread evenly over it.
  std::vector<Point> spread_over_top(int64_t count) const;

 private:
  std::vector<Point> nodes_of_track(int l, int64_t track) const;

  /// A position where wires of a layer may have a node.
  struct Crossing {
    int64_t along;
    bool below, above, extra;  ///< track of the layer below, of the layer above, entry of MeshLayer::extra
  };

  static std::vector<Crossing> merge(const std::vector<int64_t>& below, const std::vector<int64_t>& above,
                                     const std::vector<int64_t>& extra);

  Point place(int l, int64_t track, int64_t along) const {
    return layer(l).horizontal ? Point{along, track} : Point{track, along};
  }
  bool has_metal(int l, Point at) const { return !layer(l).present || layer(l).present(at); }
  bool lands(int l, const Crossing& crossing, Point at) const {
    return crossing.extra || (crossing.below && has_metal(l - 1, at)) || (crossing.above && has_metal(l + 1, at));
  }

  std::vector<MeshLayer> layers_;
  std::vector<std::vector<Crossing>> crossings_;
};

/// Nodes of the whole mesh, and wires of its lowest layer.
struct MeshSize {
  int64_t nodes = 0, lowest_wires = 0;
};
MeshSize measure(const Mesh& mesh);

}  // namespace gridiron::generator
