// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "analysis/results/stress/void_tree.hpp"

namespace gridiron {

/// All metal trees of known geometry, with their voids, as currents change. Times are κ t, µm².
class VoidTrees {
 public:
  struct Rules : VoidRules {
    double horizon = 0;
    double per_second = 0;                  ///< κ
    std::function<bool(int64_t)> can_fail;  ///< of a resistor
  };
  /// `report` has stress with lifetimes.
  VoidTrees(const IrReport& report, const Metal& metal, const Rules& rules);

  struct Next {
    int64_t index = -1;  ///< of its tree here
    SegmentFailure failure;
  };
  /// The next segment of all to fail, from a time on; none until the horizon.
  std::optional<Next> next(double from);
  /// Estimated, with voltages that are certified to `bound_v`.
  double error_of(const Next& next, double bound_v);

  const VoidTree& tree(int64_t index) const { return *trees_[index].tree; }
  int32_t number(int64_t index) const { return trees_[index].number; }

  /// Other voltages of nodes from then on, as this segment has failed.
  void change(double time, std::span<const double> voltage_v, const Next& next, double share_left);

 private:
  struct Entry {
    int32_t number = -1;  ///< as of StressTree
    std::unique_ptr<VoidTree> tree;
    double nucleation = 0;  ///< before that no void nucleates,
    double growth = 0;      ///< and none is long enough for its segment to fail
    double earliest() const { return std::max(nucleation, growth); }
    double ceiling_pa = 0;   ///< no stress gets above this
    double rounding_pa = 0;  ///< but for that,
    double unseen_pa = 0;    ///< and for drives that were not worth a change
  };
  Entry entry(TreeGraph graph, const StressTree& tree, const TreeLifetime* lifetime) const;
  bool is_changed(Entry& entry, std::span<const double> drives) const;

  const StressReport& stress_;
  Rules rules_;
  double rise_pa_, window_ = 0;
  std::vector<Entry> trees_;
};

}  // namespace gridiron
