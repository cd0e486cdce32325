// SPDX-License-Identifier: Apache-2.0
#pragma once

// The course of stress in time, by Korhonen's equation ∂σ/∂t = ∂/∂x κ (∂σ/∂x + (e|Z*|/Ω) ∂V/∂x). As voltages stay what
// they are, φ = σ + (e|Z*|/Ω) V diffuses without any drive, ∂φ/∂t = ∂/∂x κ ∂φ/∂x: the potential of atoms. Time is
// counted as κ t, µm², stress in Pa.

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/results/stress/graph_elimination.hpp"

namespace gridiron {

/// A metal tree as diffusion sees it.
struct StressGraph {
  struct Segment {
    int32_t a, b;
    double length_um, area_um2;
  };
  std::vector<double> drive_pa;  ///< per node: (e|Z*|/Ω) V, from whichever voltage
  std::vector<Segment> segments;

  /// κ t in which stress would rise by so much, µm²: at a blocked end of a long wire of the steepest drive, before
  /// which it does not anywhere,
  double least_time(double rise_pa) const;
  /// and at the nodes of the tree, if none had any influence on another.
  double time_of_nodes(double rise_pa) const;
};

/// Finite volumes of a tree. Segments are cut into cells that are fine at their ends, where stress varies first, and
/// grow inwards; the steady state is exact, whatever the cells are.
class StressMesh {
 public:
  /// Cells of `finest_um` at the ends of segments, at least two of each segment, of which each inwards is larger by the
  /// factor `growth`; a coarse mesh has half as many, each of two of them.
  StressMesh(const StressGraph& graph, double finest_um, bool is_coarse, double growth = kUsualGrowth);
  static constexpr double kUsualGrowth = 1.1;

  int32_t nodes() const { return nodes_; }
  std::span<const double> drive_pa() const { return drive_pa_; }
  std::span<const double> volume_um3() const { return volume_um3_; }
  std::span<const double> weight_um() const { return weight_um_; }
  /// The edges of a segment are consecutive, from its end a to its end b, as are the points between them.
  int32_t first_edge(int32_t segment) const { return first_edge_[segment]; }
  const GraphElimination& elimination() const { return elimination_; }

 private:
  void cut(const StressGraph::Segment& segment, std::span<const double> cells,
           std::vector<GraphElimination::Edge>& edges);

  int32_t nodes_;
  std::vector<double> drive_pa_;    ///< nodes of the tree, then points within segments
  std::vector<double> volume_um3_;  ///< as above
  std::vector<double> weight_um_;   ///< of the edges: area per length
  std::vector<int32_t> first_edge_{0};
  GraphElimination elimination_;
};

}  // namespace gridiron
