// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regularize/merge.hpp"

namespace gridiron {

/// Finds how far voltages are from solving a merged network in one pass over its rows, in doubles with a bound on their
/// rounding that is known before. ErrorBound has the extended precision that certifies to the last digit; this is for
/// the many solutions of a simulation, of which each is judged once.
class QuickResidual {
 public:
  /// `weight`: of every node's residual, not negative; −1 leaves a node out. `given`: injections that are not rounded,
  /// A, per node, or empty.
  QuickResidual(const MergedNetwork& network, std::span<const double> weight, std::span<const double> given);

  /// Bounds on the residual r = i − G v, over all nodes but those left out; infinite where it is not finite.
  struct Size {
    double largest_a = 0;         ///< max |r|
    double largest_weighted = 0;  ///< max weight · |r|
    double norm_a = 0;            ///< ‖r‖₂
    double injection_a = 0;       ///< ‖i‖₂
    double largest_v = 0;         ///< max |v|
  };
  Size measure(std::span<const double> volts, std::span<const double> injection) const;

 private:
  /// Rows of equal length, so that the loop over their entries has a fixed length.
  struct Rows {
    std::int64_t first, last;  ///< into node_, diagonal_ and weight_
    std::int64_t first_entry;  ///< into other_ and conductance_
    std::int32_t entries;      ///< per row
  };
  struct Sums {
    double largest = 0, weighted = 0, squares = 0, injection_squares = 0, volts = 0;
  };
  template <int kEntries>
  void add(const Rows& rows, const double* volts, const double* injection, Sums& sums) const;

  std::vector<Rows> rows_;
  std::vector<std::int32_t> node_, other_;
  std::vector<double> diagonal_, weight_, conductance_;
  double rounding_ = 0, weighted_rounding_ = 0, rounding_norm_ = 0;  ///< A per V of the largest voltage
  double given_ = 0, weighted_given_ = 0, given_norm_ = 0;           ///< A: the rounding of given injections
};

}  // namespace gridiron
