// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/tree_graphs.hpp"

#include <algorithm>

#include "support/union_find.hpp"

namespace gridiron {

TreeGraphs::TreeGraphs(const IrReport& report, const Metal& metal, const StressReport& stress,
                       std::span<const int32_t> trees)
    : report_(report), metal_(metal), stress_(stress), trees_(trees.begin(), trees.end()), first_(trees.size() + 1, 0) {
  std::vector<int32_t> number(stress.trees.size(), -1);
  for (size_t k = 0; k < trees.size(); ++k) number[trees[k]] = static_cast<int32_t>(k);
  const Elements& resistors = report.circuit->resistors;
  const auto of = [&](int64_t i) {
    if (metal.kind[i] != MetalKind::metal) return -1;
    const int32_t tree = stress.tree[resistors.a[i]];
    return tree < 0 ? -1 : number[tree];
  };
  for (int64_t i = 0; i < resistors.size(); ++i)
    if (of(i) >= 0) ++first_[of(i) + 1];
  for (size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
  resistor_.resize(static_cast<size_t>(first_.back()));
  std::vector<int64_t> next(first_.begin(), first_.end() - 1);
  for (int64_t i = 0; i < resistors.size(); ++i)
    if (of(i) >= 0) resistor_[next[of(i)]++] = i;
}

TreeGraph TreeGraphs::make(int64_t k) const {
  const Elements& resistors = report_.circuit->resistors;
  const StressTree& tree = stress_.trees[trees_[k]];
  const std::span<const int64_t> metal(resistor_.data() + first_[k], static_cast<size_t>(first_[k + 1] - first_[k]));
  std::vector<NodeId> all;
  for (const int64_t i : metal) all.insert(all.end(), {resistors.a[i], resistors.b[i]});
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const auto local = [&](NodeId n) { return static_cast<int32_t>(std::ranges::lower_bound(all, n) - all.begin()); };

  UnionFind joined(static_cast<int32_t>(all.size()));
  for (const int64_t i : metal)
    if (metal_.volume_um3[i] == 0) joined.join(local(resistors.a[i]), local(resistors.b[i]));
  TreeGraph result;
  std::vector<int32_t> point(all.size());
  for (int32_t n = 0; n < std::ssize(all); ++n) {
    const int32_t root = joined.find(n);  // the least of its set
    if (root == n) {
      point[n] = static_cast<int32_t>(result.nodes.size());
      result.nodes.push_back(all[n]);
      result.graph.drive_pa.push_back(stress_.pa_per_volt() * (report_.nodes.voltage_v[all[n]] - tree.first_v));
    } else {
      point[n] = point[root];
    }
  }
  for (const int64_t i : metal) {
    if (metal_.volume_um3[i] == 0) continue;
    const double length = length_um(report_.nodes, resistors.a[i], resistors.b[i]);
    result.graph.segments.push_back(
        {point[local(resistors.a[i])], point[local(resistors.b[i])], length, metal_.volume_um3[i] / length});
    result.resistors.push_back(i);
  }
  return result;
}

}  // namespace gridiron
