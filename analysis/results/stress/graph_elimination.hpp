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
  /// Steps one after the other with as many neighbours.
  struct Run {
    int32_t begin, end, spokes;
  };

  std::vector<int32_t> order_;                 ///< nodes as they are eliminated
  std::vector<int32_t> first_spoke_{0};        ///< per step, its neighbours then:
  std::vector<int32_t> neighbour_;             ///< the nodes,
  std::vector<int32_t> spoke_;                 ///< and their edges
  std::vector<int32_t> first_pair_{0}, pair_;  ///< per step, the edges between two of its neighbours
  std::vector<int32_t> edge_;                  ///< those that were given
  int32_t joined_ = 0, edges_ = 0;             ///< between different nodes, at first and with fill
  std::vector<Run> runs_;                      ///< all steps
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
  using Run = GraphElimination::Run;
  template <int kSpokes>
  void eliminate(const Run& run);
  /// What solve() takes to the nodes that are left, and what it brings back from them.
  template <int kSpokes>
  void gather(const Run& run, double* x) const;
  template <int kSpokes>
  void scatter(const Run& run, double* x) const;

  const GraphElimination* elimination_;
  std::vector<double> left_, of_edge_;  ///< of the matrix while it is eliminated
  std::vector<double> share_;           ///< per spoke: of its node what goes to the neighbour
  std::vector<double> inverse_;         ///< per step: of the pivot
};

}  // namespace gridiron
