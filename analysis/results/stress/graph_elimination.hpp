// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gridiron {

/// An order in which nodes of a graph are eliminated, by minimum degree: without fill where the graph has no loops.
class GraphElimination {
 public:
  struct Edge {
    int32_t a, b;  ///< two nodes
  };
  GraphElimination(int32_t nodes, std::span<const Edge> edges);

 private:
  friend class GraphFactor;

  std::vector<int32_t> order_;                 ///< nodes as they are eliminated
  std::vector<int64_t> first_spoke_{0};        ///< per step, its neighbours then:
  std::vector<int32_t> neighbour_;             ///< the nodes,
  std::vector<int64_t> spoke_;                 ///< and their edges
  std::vector<int64_t> first_pair_{0}, pair_;  ///< per step, the edges between two of its neighbours
  std::vector<int64_t> edge_;                  ///< those that were given
  int64_t edges_ = 0;                          ///< with fill
};

/// The factors of a matrix that is the Laplacian of a graph and a positive surplus on its diagonal. Nothing is
/// subtracted, so that all of its numbers are accurate to their last digits, however small the surplus is.
class GraphFactor {
 public:
  GraphFactor(const GraphElimination& elimination, std::span<const double> surplus, std::span<const double> weight);

  /// The right-hand side on entry, the solution on return.
  void solve(std::span<double> x) const;

 private:
  const GraphElimination* elimination_;
  std::vector<double> share_;    ///< per spoke: of its node what goes to the neighbour
  std::vector<double> inverse_;  ///< per step: of the pivot
};

}  // namespace gridiron
