// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gridiron {

/// An order in which nodes of a graph are eliminated. Those of one round are not joined, so that a processor works at
/// several at a time; each has at most two neighbours left while there are such nodes, and else the fewest. In a graph
/// without loops that is linear in its size.
class GraphElimination {
 public:
  struct Edge {
    int32_t a, b;  ///< two nodes
  };
  GraphElimination(int32_t nodes, std::span<const Edge> edges);

  int32_t nodes() const { return static_cast<int32_t>(order_.size()); }

 private:
  friend class GraphFactor;
  class Builder;

  std::vector<int32_t> order_;                 ///< nodes as they are eliminated
  std::vector<int32_t> first_spoke_{0};        ///< per step, its neighbours then:
  std::vector<int32_t> neighbour_;             ///< the nodes,
  std::vector<int32_t> spoke_;                 ///< and their edges
  std::vector<int32_t> first_pair_{0}, pair_;  ///< per step, the edges between two of its neighbours
  std::vector<int32_t> edge_;                  ///< those that were given
  int32_t edges_ = 0;                          ///< with fill
};

/// The factors of a matrix that is the Laplacian of a graph and a positive surplus on its diagonal. Nothing is
/// subtracted, so that all of its numbers are accurate to their last digits, however small the surplus is.
class GraphFactor {
 public:
  explicit GraphFactor(const GraphElimination& elimination);

  /// Of a surplus per node and a weight per edge.
  void factor(std::span<const double> surplus, std::span<const double> weight);

  /// The right-hand side on entry, the solution on return.
  void solve(std::span<double> x) const;

 private:
  const GraphElimination* elimination_;
  std::vector<double> left_, of_edge_;  ///< of the matrix while it is eliminated
  std::vector<double> share_;           ///< per spoke: of its node what goes to the neighbour
  std::vector<double> inverse_;         ///< per step: of the pivot
};

}  // namespace gridiron
