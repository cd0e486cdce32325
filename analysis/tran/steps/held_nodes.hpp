// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/model/topology.hpp"
#include "linalg/block.hpp"

namespace gridiron {

/// What voltage sources that move do to the nodes that hang on them. Nothing until one moves.
class HeldNodes {
 public:
  /// Voltage source i is to hold volts[i] more, or all as much where there are none, after a step on this topology.
  void move(const Topology& step, std::span<const double> volts);
  /// Adds what held nodes drive into others, A, to the injections of merged nodes in every scenario.
  void add_driven(const Topology& step, Block<double> injection) const;
  /// The same where it is known per node, in place of move(): to be filled.
  std::span<double> moved(size_t nodes) {
    next_.resize(nodes, 0.0);
    return next_;
  }
  /// The present state is that after the step.
  void accept() { present_ = next_; }

  /// Per node: what sources move it by, V, against its group or ground, after the step and at present; empty: nothing.
  const std::vector<double>& next() const { return next_; }
  const std::vector<double>& present() const { return present_; }

 private:
  void find_edges(const Topology& step);

  std::vector<double> next_, present_;
  std::vector<int64_t> edges_;  ///< of nodes that hang on sources, whichever of these move
};

}  // namespace gridiron
