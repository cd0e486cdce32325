// SPDX-License-Identifier: Apache-2.0
#pragma once

// The course of stress in time, by Korhonen's equation ∂σ/∂t = ∂/∂x κ (∂σ/∂x + (e|Z*|/Ω) ∂V/∂x). As voltages stay what
// they are, φ = σ + (e|Z*|/Ω) V diffuses without any drive, ∂φ/∂t = ∂/∂x κ ∂φ/∂x: the potential of atoms. Time is
// counted as κ t, µm², stress in Pa.

#include <cstdint>
#include <limits>
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

  /// The steepest drive along a segment, Pa/µm.
  double steepest() const;
};

/// Finite volumes of a tree. Segments are cut into cells that are fine at their ends, where stress varies first, and
/// grow inwards; the steady state is exact, whatever the cells are.
class StressMesh {
 public:
  /// Cells of `finest_um` at the ends of segments, at least two of each segment; a coarse mesh has half as many, each
  /// of two of them.
  StressMesh(const StressGraph& graph, double finest_um, bool is_coarse);

  std::span<const double> drive_pa() const { return drive_pa_; }
  std::span<const double> volume_um3() const { return volume_um3_; }
  const GraphElimination& elimination() const { return elimination_; }
  /// (M/τ + L) with the volumes M and a step of τ µm².
  GraphFactor factor(double step) const;

 private:
  void cut(const StressGraph::Segment& segment, std::span<const double> cells,
           std::vector<GraphElimination::Edge>& edges);

  std::vector<double> drive_pa_;    ///< nodes of the tree, then points within segments
  std::vector<double> volume_um3_;  ///< as above
  std::vector<double> weight_um_;   ///< of the edges: area per length
  GraphElimination elimination_;
};

/// The stress of a tree from the start of its currents on.
class StressCourse {
 public:
  /// From `residual_pa` everywhere.
  StressCourse(const StressMesh& mesh, double residual_pa);

  double time() const { return time_; }
  double stress_pa(int32_t node) const { return potential_[node] - mesh_->drive_pa()[node]; }
  /// Of all stresses the largest, and at which of the first `nodes` it is.
  int32_t worst_node(int32_t nodes) const;
  /// No stress gets ever above that of a node with this drive.
  double largest_potential_pa() const;

  /// One step of backward Euler's method and two of half the length, extrapolated to second order.
  void step(double length);

 private:
  void solve(const GraphFactor& factor, double length, std::vector<double>& potential) const;

  const StressMesh* mesh_;
  double time_ = 0;
  std::vector<double> potential_;  ///< φ
};

/// How finely time and space are cut.
struct StressSteps {
  double growth = 0.1;    ///< of a step to the time before it
  double first = 1e-2;    ///< step, of the least time in which a void could nucleate
  double finest = 0.125;  ///< cell, of the length that diffusion reaches in that time
  bool is_coarse_mesh = false;
};

/// When and where a tree first reaches a stress.
struct Nucleation {
  double time = std::numeric_limits<double>::infinity();  ///< µm²
  int32_t node = -1;                                      ///< −1: not until the horizon
  double slope = 0;                                       ///< of the stress there and then, Pa/µm²
};
Nucleation find_nucleation(const StressGraph& graph, double residual_pa, double critical_pa, double horizon,
                           const StressSteps& steps = {});

}  // namespace gridiron
