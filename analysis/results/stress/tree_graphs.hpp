// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "analysis/results/stress/metal.hpp"
#include "analysis/results/stress/stress_mesh.hpp"
#include "analysis/results/stress/stress_report.hpp"

namespace gridiron {

/// A tree as diffusion sees it.
struct TreeGraph {
  StressGraph graph;
  std::vector<NodeId> nodes;       ///< of its nodes; of those that shorts of no length join, the lowest
  std::vector<int64_t> resistors;  ///< of its segments
};

/// The graphs of some metal trees, of known geometry.
class TreeGraphs {
 public:
  TreeGraphs(const IrReport& report, const Metal& metal, const StressReport& stress, std::span<const int32_t> trees);

  /// Of the tree `trees[k]`; by several threads at a time.
  TreeGraph make(int64_t k) const;

 private:
  const IrReport& report_;
  const Metal& metal_;
  const StressReport& stress_;
  std::vector<int32_t> trees_;
  std::vector<int64_t> first_;     ///< per k, of
  std::vector<int64_t> resistor_;  ///< its metal
};

}  // namespace gridiron
