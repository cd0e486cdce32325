// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/void_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridiron {
namespace {

constexpr double kFinest = 0.125;  ///< of the length that diffusion reaches, as in find_nucleation()
constexpr double kGrowth = 1.25;   ///< of cells
constexpr double kShare = 0.8, kCoarseShare = 1.1;

}  // namespace

VoidTree::Replica::Replica(const VoidTree& tree, bool is_coarse)
    : course(tree.tree_.graph, {kFinest * std::sqrt(tree.scales_.nucleation), is_coarse, kGrowth}, tree.rules_,
             tree.scales_, is_coarse ? kCoarseShare : kShare) {
  for (const int32_t segment : tree.never_fails_) course.never_fails(segment);
}

VoidTree::VoidTree(TreeGraph tree, const VoidRules& rules, const VoidScales& scales)
    : tree_(std::move(tree)), rules_(rules), scales_(scales) {
  for (const StressGraph::Segment& segment : tree_.graph.segments) volume_um3_ += segment.length_um * segment.area_um2;
}

VoidCourse& VoidTree::up_to_date(std::unique_ptr<Replica>& replica, bool is_coarse) {
  if (!replica) replica = std::make_unique<Replica>(*this, is_coarse);
  VoidCourse& course = replica->course;
  for (; replica->changes < changes_.size(); ++replica->changes) {
    const Change& change = changes_[replica->changes];
    course.go_back(change.time);
    course.go_on(change.time);
    if (change.failed) course.fail(change.failed->end, change.failed->share_left);
    course.set_drives(change.drives);
  }
  return course;
}

std::optional<SegmentFailure> VoidTree::foresee(double until, bool is_settled) {
  if (foreseen_) return foreseen_;
  VoidCourse& course = up_to_date(coarse_, true);
  if (course.time() >= until) return std::nullopt;
  if (is_settled) course.keep();
  return foreseen_ = course.follow(until);
}

std::optional<SegmentFailure> VoidTree::follow(double until) {
  if (next_) return next_;
  return next_ = up_to_date(fine_, false).follow(until);
}

/// Where steps dominate, courses with steps of shares a > b differ by a²/b² − 1 = 0.89 of the finer one's error only;
/// and a void that hardly grows any more is late by more. Errors of cells and of steps may cancel each other in that
/// difference, but neither is far from the least that is told.
double VoidTree::error_of(const SegmentFailure& failure) {
  constexpr double kSafety = 5, kLeast = 1e-3;
  if (!foreseen_) return failure.time;
  return std::max(kSafety * std::abs(foreseen_->time - failure.time), kLeast * failure.time);
}

void VoidTree::change(double time, std::vector<double> drives, const std::optional<Failed>& failed) {
  changes_.push_back({time, std::move(drives), failed});
  foreseen_.reset();
  next_.reset();
}

}  // namespace gridiron
