// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/results/stress/tree_graphs.hpp"
#include "analysis/results/stress/void_course.hpp"

namespace gridiron {

/// A metal tree with its voids, whose currents change now and then. Nothing is followed before it is asked for. Times
/// are κ t, µm².
class VoidTree {
 public:
  struct Failed {
    SegmentEnd end;
    double share_left = 0;  ///< see VoidCourse::fail()
  };

  VoidTree(TreeGraph tree, const VoidRules& rules, const VoidScales& scales);

  const TreeGraph& tree() const { return tree_; }
  double volume_um3() const { return volume_um3_; }
  void never_fails(int32_t segment) { never_fails_.push_back(segment); }

  /// The drives that now hold, per node.
  std::span<const double> drives() const { return changes_.empty() ? tree_.graph.drive_pa : changes_.back().drives; }

  /// The next segment that fails, until then at the latest, by large cells and steps. `is_settled`: no other tree's
  /// segment fails, and so nothing changes, before what was foreseen until.
  std::optional<SegmentFailure> foresee(double until, bool is_settled);
  /// The same by cells and steps of half the length.
  std::optional<SegmentFailure> follow(double until);
  /// Estimated, of the time of what follow() found: the difference between both.
  double error_of(const SegmentFailure& failure);

  /// Other drives from then on.
  void change(double time, std::vector<double> drives, const std::optional<Failed>& failed);

 private:
  struct Change {
    double time;
    std::vector<double> drives;
    std::optional<Failed> failed;
  };
  struct Replica {
    Replica(const VoidTree& tree, bool is_coarse);
    VoidCourse course;
    size_t changes = 0;  ///< that it has seen
  };
  VoidCourse& up_to_date(std::unique_ptr<Replica>& replica, bool is_coarse);

  TreeGraph tree_;
  VoidRules rules_;
  VoidScales scales_;
  double volume_um3_ = 0;
  std::vector<int32_t> never_fails_;
  std::vector<Change> changes_;
  std::unique_ptr<Replica> fine_, coarse_;
  std::optional<SegmentFailure> foreseen_, next_;
};

}  // namespace gridiron
