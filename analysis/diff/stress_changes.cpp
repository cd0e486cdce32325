// SPDX-License-Identifier: Apache-2.0
#include "analysis/diff/stress_changes.hpp"

#include <algorithm>

namespace gridiron {
namespace {

using MetalTree = RunData::MetalTree;

/// The tree of a node in a run, or null.
const MetalTree* tree_at(const RunData& run, const std::string& node) {
  const int32_t row = run.names.find(node);
  const int32_t tree = row < 0 ? -1 : run.metal->tree[row];
  return tree < 0 ? nullptr : &run.metal->trees[tree];
}

/// f(tree) for trees of a run that are mortal in it only.
void for_each_mortal_only(const RunData& run, const RunData& other, auto f) {
  for (const MetalTree& tree : run.metal->trees) {
    if (!tree.is_mortal) continue;
    const MetalTree* same = tree_at(other, tree.node);
    if (!same || !same->is_mortal) f(tree);
  }
}

/// f(tree, other) for trees of a run in which a void nucleates earlier than in the other run, beyond the errors of both
/// times; `other` is null for metal that only the first run has.
void for_each_earlier(const RunData& run, const RunData& other, auto f) {
  const double horizon = *other.metal->horizon_s;
  for (const MetalTree& tree : run.metal->trees) {
    if (tree.void_node.empty() || tree.is_open) continue;
    const MetalTree* same = tree_at(other, tree.void_node);
    if (same && same->is_open) continue;
    const bool has_time = same && !same->void_node.empty();
    const double least_s = has_time ? same->time_s - same->error_s : horizon;
    if (tree.time_s + tree.error_s < least_s) f(tree, same);
  }
}

}  // namespace

std::optional<StressChange> stress_change(const RunData& before, const RunData& after) {
  if (!before.metal || !after.metal) return std::nullopt;
  StressChange change;
  for_each_mortal_only(after, before, [&](const MetalTree& tree) { change.mortal.push_back(tree); });
  for_each_mortal_only(before, after, [&](const MetalTree&) { ++change.no_longer_mortal; });
  std::ranges::stable_sort(change.mortal, std::greater<>(), &MetalTree::stress_pa);
  change.has_times = before.metal->horizon_s && after.metal->horizon_s;
  if (!change.has_times) return change;
  for_each_earlier(after, before, [&](const MetalTree& tree, const MetalTree* same) {
    EarlierVoid& earlier = change.earlier.emplace_back();
    earlier.layer = tree.layer, earlier.node = tree.void_node;
    earlier.after_s = tree.time_s, earlier.after_error_s = tree.error_s;
    if (same && !same->void_node.empty()) earlier.before_s = same->time_s, earlier.before_error_s = same->error_s;
  });
  for_each_earlier(before, after, [&](const MetalTree&, const MetalTree*) { ++change.later; });
  std::ranges::stable_sort(change.earlier, {}, &EarlierVoid::after_s);
  return change;
}

RunData::Metal metal_of(const StressReport& stress, const IrReport& report, const RunData& run) {
  RunData::Metal metal;
  metal.tree.assign(run.net.size(), -1);
  const auto name = [&](NodeId n) { return std::string(report.circuit->node_name(n)); };
  for (const StressTree& tree : stress.trees) {
    MetalTree& made = metal.trees.emplace_back();
    made.node = name(tree.worst);
    made.layer = tree.layer < 0 ? "" : report.layer_names[tree.layer];
    made.stress_pa = tree.stress_pa, made.bound_pa = tree.bound_pa;
    made.is_mortal = tree.verdict == StressVerdict::mortal;
  }
  for (NodeId n = 0; n < std::ssize(stress.tree); ++n)
    if (stress.tree[n] >= 0)
      if (const int32_t row = run.names.find(report.circuit->node_name(n)); row >= 0) metal.tree[row] = stress.tree[n];
  if (!stress.lifetime) return metal;
  metal.horizon_s = stress.lifetime->horizon_s;
  for (const TreeLifetime& lifetime : stress.lifetime->trees) {
    MetalTree& tree = metal.trees[lifetime.tree];
    if (lifetime.node != kGround) tree.void_node = name(lifetime.node);
    tree.is_open = lifetime.is_undecided;
    tree.time_s = lifetime.time_s, tree.error_s = lifetime.error_s;
  }
  return metal;
}

}  // namespace gridiron
