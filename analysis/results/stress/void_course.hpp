// SPDX-License-Identifier: Apache-2.0
#pragma once

// The course of stress with voids. At the surface of a void metal is free of stress, σ = 0, so that there φ is the
// drive, whatever it is on the other side. As no atom is lost, a void is as large as the atoms that left it take room:
// ∫ (σ_start − σ) dV / B over the tree, all voids together.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/results/stress/stress_mesh.hpp"

namespace gridiron {

/// One of the two ends of a segment of a StressGraph.
struct SegmentEnd {
  int32_t segment = -1;
  bool is_b = false;

  int32_t index() const { return 2 * segment + (is_b ? 1 : 0); }
};

/// What a course is to find.
struct VoidRules {
  double residual_pa = 0, critical_pa = 0;  ///< voids nucleate at nodes of critical stress
  double bulk_modulus_pa = 0;
  double void_um = 0;  ///< a segment with so long a void fails
};

/// A segment that fails as its void reaches the length.
struct SegmentFailure {
  double time = 0;  ///< κ t, µm²
  SegmentEnd end;
  double rise_pa = 0;    ///< per µm² of κ t, of the stress as its void nucleated
  double growth_um = 0;  ///< per µm² of κ t, of the void
};

/// Times, κ t, µm², that steps and cells are to be fine enough for.
struct VoidScales {
  double nucleation = 0;  ///< before it no void nucleates, or not long before
  double growth = 0;      ///< in about so long a time voids grow to the length of failure
};

/// How segments are cut into finite volumes: as StressMesh does.
struct VoidCells {
  double finest_um = 0;  ///< at first; as diffusion reaches further, cells get larger with the length that it reaches
  bool is_coarse = false;
  double growth = StressMesh::kUsualGrowth;
};

/// Time is counted as κ t, µm². Segments fail once; those that cannot, as they are no resistance, are told beforehand.
class VoidCourse {
 public:
  /// From the residual stress. Steps are about so long as `share` of the time in which stress changes. Voids that
  /// nucleate long before one may be long enough do so at the end of a step.
  VoidCourse(const StressGraph& graph, const VoidCells& cells, const VoidRules& rules, const VoidScales& scales,
             double share);

  double time() const { return now_.time; }
  double stress_pa(int32_t node) const { return now_.potential[node] - drive_pa_[node]; }
  int32_t points() const { return static_cast<int32_t>(drive_pa_.size()); }
  bool is_void(int32_t node) const { return now_.is_void[node] != 0; }
  /// ∫ σ dV over all metal, Pa µm³.
  double stress_volume() const;
  /// Of all voids, µm³.
  double void_um3() const;
  /// Of the void at this end, by the atoms that went into the segment. What flows into a void from other segments is
  /// taken from these in proportion.
  double void_um(SegmentEnd end) const;

  /// Until then, or until a segment fails.
  std::optional<SegmentFailure> follow(double until) { return advance(until, true); }
  /// Until then, whether or not segments fail.
  void go_on(double until) { advance(until, false); }

  /// Other currents from now on: stress stays what it is. Drives of nodes, in their order. There is no way back to
  /// before.
  void set_drives(std::span<const double> of_nodes);
  /// From the next set_drives() on, this share of what drives atoms along the segment, of its voltage, is left.
  void fail(SegmentEnd end, double share_left);
  void never_fails(int32_t segment) { may_fail_[segment] = 0; }

  /// Keeps what is now, and what was kept last.
  void keep();
  /// To what was kept, unless that is later than `time`, or else what was kept before. Not where time has not come yet.
  void go_back(double time);

 private:
  struct State {
    double time = 0, step = 0;
    std::shared_ptr<const StressMesh> mesh;
    double mesh_time = 0;           ///< that its cells are for
    std::vector<double> potential;  ///< φ of all points
    std::vector<uint8_t> is_void;   ///< per node
    std::vector<int32_t> voids;     ///< the nodes that are, as they became it
    std::vector<double> drained;    ///< per end of a segment: what its void gave, Pa µm³
    std::vector<double> rise_pa;    ///< per node: as its void nucleated
  };
  struct Stage {
    std::vector<double> potential;
    std::vector<double> flux;  ///< into voids, per end of a segment at each
  };
  struct EndEdge {
    int32_t edge, next;  ///< the edge there, and the point that it leads to
  };

  std::optional<SegmentFailure> advance(double until, bool ends_at_failure);
  std::shared_ptr<const StressMesh> mesh_for(double time) const;
  void use_mesh();
  void enlarge_cells();
  void keep_atoms(int32_t segment, double lost);
  EndEdge edge_at(SegmentEnd end) const;
  double end_drive(SegmentEnd end) const;
  double next_potential(SegmentEnd end, const EndEdge& edge, std::span<const double> potential) const;
  bool can_fail(SegmentEnd end) const { return may_fail_[end.segment] && !has_failed_[end.segment]; }
  void prepare(double length);
  void stage(double length, std::span<const double> from, Stage& stage) const;
  double allowed() const;
  double worst_node(double factor) const;
  void damp(double length);
  double step(double length);
  double stress_excess() const;
  double length_excess() const;
  double first_critical() const;
  void locate(double (VoidCourse::*excess)() const, double first, double near, double close);
  void nucleate(double near);
  std::optional<SegmentFailure> failed() const;

  const StressGraph* graph_;
  VoidCells cells_;
  VoidRules rules_;
  VoidScales scales_;
  double share_;
  std::vector<double> drive_pa_;             ///< per point of the mesh
  std::vector<double> drive_left_;           ///< per end: what is left of the voltage of its segment along metal
  std::vector<uint8_t> has_failed_;          ///< per segment
  std::vector<uint8_t> may_fail_;            ///< per segment
  std::vector<std::vector<SegmentEnd>> at_;  ///< per node
  State now_, kept_, kept_earlier_;
  State before_, found_;                  ///< a step ago; at what ends a step
  std::vector<double> surplus_, weight_;  ///< of the matrix
  std::vector<double> fixed_;             ///< per point: what voids beside it add
  Stage first_, second_;                  ///< of a step
  std::vector<double> middle_;            ///< what the second one starts from
  std::optional<GraphFactor> factor_;
  std::shared_ptr<const StressMesh> factor_of_;
};

}  // namespace gridiron
