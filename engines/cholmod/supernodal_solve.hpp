// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engines/cholmod/supernodal_tree.hpp"
#include "engines/engine.hpp"

namespace gridiron {

/// L Lᵀ X = P B with a supernodal factor of CHOLMOD, whose own solution takes one thread: here subtrees go at the same
/// time, and supernodes above them block by block, whose rows or columns are divided. Up to sixteen right-hand sides
/// are solved at once. The same bits for any number of threads. Keeps its workspace between calls.
class SupernodalSolve {
 public:
  /// n × k blocks, which may be the same. `values` are those of the factor.
  void run(const SupernodalTree& tree, const double* values, Block<const double> b, Block<double> x);

  int64_t bytes() const;

 private:
  /// Scratch of one thread.
  struct Scratch {
    /// Row → where it is among those below the present subtree; in memory only where such rows are.
    std::unique_ptr<int32_t[]> place;
    int64_t places = 0;
    std::vector<double> rows;
  };

  template <int W>
  void solve(const SupernodalTree& tree, const double* values, Block<const double> b, Block<double> x);
  template <int W>
  void forward_subtree(const SupernodalTree& tree, const double* values, int64_t subtree, Scratch& scratch);
  template <int W>
  void backward_subtree(const SupernodalTree& tree, const double* values, int64_t subtree, Scratch& scratch);
  template <int W>
  void forward_above(const SupernodalTree& tree, const double* values, int64_t s);
  template <int W>
  void backward_above(const SupernodalTree& tree, const double* values, int64_t s);

  std::vector<double> x_;                   ///< W values for each column of the factor
  std::vector<std::vector<double>> below_;  ///< what a subtree adds to the rows below it
  std::vector<Scratch> scratch_;
};

}  // namespace gridiron
