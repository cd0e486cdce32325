// SPDX-License-Identifier: Apache-2.0
#include "analysis/insight/void_trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double spread(std::span<const double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  return most - least;
}

/// Before which no void in a tree with these drives is so long. φ diffuses, and so does its slope, which therefore is
/// never steeper than that of the drives, but for what the stress of a void adds as it vanishes; and where wires meet,
/// one may take what all others bring.
double least_growth(const StressGraph& graph, std::span<const double> drives, const VoidRules& rules) {
  std::vector<double> area(drives.size(), 0.0);
  for (const StressGraph::Segment& s : graph.segments) {
    area[s.a] += s.area_um2;
    area[s.b] += s.area_um2;
  }
  double steepest = 0, meeting = 1;
  for (const StressGraph::Segment& s : graph.segments) {
    steepest = std::max(steepest, std::abs(drives[s.a] - drives[s.b]) / s.length_um);
    meeting = std::max(meeting, std::max(area[s.a], area[s.b]) / s.area_um2 - 1);
  }
  const double slope = meeting * steepest, needed = rules.void_um * rules.bulk_modulus_pa;
  const double of_stress = meeting * std::max(rules.critical_pa, rules.residual_pa) / std::sqrt(std::numbers::pi);
  return std::pow(needed / (of_stress + std::sqrt(of_stress * of_stress + slope * needed)), 2);  // of √t a root
}

}  // namespace

VoidTrees::VoidTrees(const IrReport& report, const Metal& metal, const Rules& rules)
    : stress_(*report.stress), rules_(rules) {
  constexpr double kLeastRise = 0.01;  // of the critical stress
  rise_pa_ = std::max(rules.critical_pa - rules.residual_pa, kLeastRise * rules.critical_pa);
  std::vector<int32_t> known;
  for (const StressTree& tree : stress_.trees)
    if (tree.is_known) known.push_back(tree.number);
  std::vector<const TreeLifetime*> lifetime(stress_.trees.size(), nullptr);
  for (const TreeLifetime& tree : stress_.lifetime->trees) lifetime[tree.tree] = &tree;
  const TreeGraphs graphs(report, metal, stress_, known);
  trees_.resize(known.size());
  parallel_tasks(std::ssize(known),
                 [&](int64_t k) { trees_[k] = entry(graphs.make(k), stress_.trees[known[k]], lifetime[known[k]]); });
}

VoidTrees::Entry VoidTrees::entry(TreeGraph graph, const StressTree& tree, const TreeLifetime* lifetime) const {
  Entry entry;
  entry.number = tree.number;
  entry.ceiling_pa = tree.ceiling_pa;
  entry.rounding_pa = tree.rounding_pa;
  entry.nucleation = kNever;
  const StressGraph& of = graph.graph;
  entry.growth = least_growth(of, of.drive_pa, rules_);
  VoidScales scales{std::min(of.time_of_nodes(rise_pa_), rules_.horizon), std::min(entry.growth, rules_.horizon)};
  if (lifetime && lifetime->nucleates()) {
    entry.nucleation = std::max(0.0, lifetime->time_s - lifetime->error_s) * rules_.per_second;
    scales.nucleation = lifetime->time_s * rules_.per_second;
  } else if (lifetime && lifetime->is_undecided) {
    entry.nucleation = 0;
  }
  scales.nucleation = std::max(scales.nucleation, std::min(of.least_time(rise_pa_), rules_.horizon));
  if (rules_.residual_pa >= rules_.critical_pa) scales.nucleation = std::min(scales.nucleation, scales.growth);
  entry.tree = std::make_unique<VoidTree>(std::move(graph), rules_, scales);
  const std::vector<int64_t>& resistors = entry.tree->tree().resistors;
  for (size_t s = 0; s < resistors.size(); ++s)
    if (!rules_.can_fail(resistors[s])) entry.tree->never_fails(static_cast<int32_t>(s));
  return entry;
}

/// Trees are followed no further than the next failure of all may be. Where one is foreseen at about that time, it is
/// found by following the tree.
std::optional<VoidTrees::Next> VoidTrees::next(double from) {
  constexpr double kWider = 1.5, kAbout = 1.1;
  double first = kNever;
  for (const Entry& entry : trees_) first = std::min(first, entry.earliest());
  if (first > rules_.horizon) return std::nullopt;
  window_ = std::min(rules_.horizon, std::max({window_, from, kWider * first}));
  std::vector<double> time(trees_.size(), kNever);
  std::vector<uint8_t> is_found(trees_.size(), 0);
  for (bool is_settled = true;;) {
    parallel_tasks(std::ssize(trees_), [&](int64_t k) {
      if (is_found[k] || trees_[k].earliest() > window_) return;
      const std::optional<SegmentFailure> foreseen = trees_[k].tree->foresee(window_, is_settled);
      if (foreseen) time[k] = foreseen->time;
    });
    const double about = kAbout * *std::ranges::min_element(time);
    is_settled &= about > window_;
    std::vector<int64_t> chosen;
    for (size_t k = 0; k < time.size(); ++k)
      if (time[k] <= about && std::isfinite(about) && !is_found[k]) chosen.push_back(static_cast<int64_t>(k));
    parallel_tasks(std::ssize(chosen), [&](int64_t i) {
      const int64_t k = chosen[i];
      const std::optional<SegmentFailure> failure = trees_[k].tree->follow(rules_.horizon);
      time[k] = failure ? failure->time : kNever;
      is_found[k] = 1;
    });
    if (!chosen.empty()) continue;
    if (window_ >= std::min(rules_.horizon, about)) break;
    window_ = std::min({rules_.horizon, about, kWider * window_});
  }
  const int64_t soonest = std::ranges::min_element(time) - time.begin();
  if (!is_found[soonest] || time[soonest] > rules_.horizon) return std::nullopt;
  return Next{soonest, *trees_[soonest].tree->follow(rules_.horizon)};
}

/// By the maximum principle no stress is off by more than drives are, one against the other. So a void is off by the
/// atoms of that stress at most, and nucleates later or sooner by the time in which stress rises by it.
double VoidTrees::error_of(const Next& next, double bound_v) {
  Entry& entry = trees_[next.index];
  const SegmentFailure& failure = next.failure;
  const double off_pa = 2 * stress_.pa_per_volt() * bound_v + entry.rounding_pa + entry.unseen_pa;
  const double area = entry.tree->tree().graph.segments[failure.end.segment].area_um2;
  const double off_um = off_pa * entry.tree->volume_um3() / (area * rules_.bulk_modulus_pa);
  const double of_drives = off_pa / failure.rise_pa + off_um / failure.growth_um;
  const double error = entry.tree->error_of(failure) + of_drives;
  return failure.growth_um > 0 && std::isfinite(error) ? error : kNever;
}

/// Changes that are small beside what drives atoms anyway are left for a later time, when they have added up.
bool VoidTrees::is_changed(Entry& entry, std::span<const double> drives) const {
  constexpr double kSmall = 1e-3;
  const std::span<const double> before = entry.tree->drives();
  double least = kNever, most = -kNever;
  for (size_t n = 0; n < drives.size(); ++n) {
    least = std::min(least, drives[n] - before[n]);
    most = std::max(most, drives[n] - before[n]);
  }
  entry.unseen_pa = most - least;
  return entry.unseen_pa > kSmall * std::max(rise_pa_, spread(before));
}

void VoidTrees::change(double time, std::span<const double> voltage_v, const Next& next, double share_left) {
  parallel_tasks(std::ssize(trees_), [&](int64_t k) {
    Entry& entry = trees_[k];
    const StressTree& tree = stress_.trees[entry.number];
    const bool has_failed = k == next.index;
    std::vector<double> drives;
    for (const NodeId n : entry.tree->tree().nodes)
      drives.push_back(stress_.pa_per_volt() * (voltage_v[n] - tree.first_v));
    if (!is_changed(entry, drives) && !has_failed) return;
    entry.ceiling_pa += entry.unseen_pa;
    entry.unseen_pa = 0;
    std::optional<VoidTree::Failed> failed;
    if (has_failed) failed = {next.failure.end, share_left};
    entry.tree->change(time, std::move(drives), failed);
    const bool is_mortal = entry.ceiling_pa + entry.rounding_pa >= rules_.critical_pa;
    entry.nucleation = is_mortal ? std::min(entry.nucleation, time) : kNever;
    entry.growth = std::min(entry.growth, least_growth(entry.tree->tree().graph, entry.tree->drives(), rules_));
  });
}

}  // namespace gridiron
