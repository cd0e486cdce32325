// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gridiron {

/// min cᵀx with A x ≤ b and lower ≤ x ≤ upper, built column by column.
class LinearProgram {
 public:
  explicit LinearProgram(std::vector<double> right_hand_side) : right_hand_side_(std::move(right_hand_side)) {}

  struct Entry {
    int32_t row;
    double value;
  };
  /// Returns the number of the column.
  int32_t add_column(double cost, double lower, double upper, const std::vector<Entry>& entries);

  struct Solution {
    std::vector<double> x;
    std::vector<double> price;  ///< per row: what the cost falls by per unit of the right-hand side; 0 or above
  };
  /// By CLP's dual simplex method. Errors: SolverError where it finds no optimum.
  Solution solve() const;

 private:
  std::vector<double> right_hand_side_, cost_, lower_, upper_, value_;
  std::vector<int32_t> start_{0}, row_;
};

}  // namespace gridiron
