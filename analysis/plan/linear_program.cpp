// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/linear_program.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <limits>

#include "support/error_text.hpp"

namespace gridiron {

int32_t LinearProgram::add_column(double cost, double lower, double upper, const std::vector<Entry>& entries) {
  cost_.push_back(cost);
  lower_.push_back(lower);
  upper_.push_back(upper);
  for (const auto& [row, value] : entries) {
    if (value == 0) continue;
    row_.push_back(row);
    value_.push_back(value);
  }
  start_.push_back(static_cast<int32_t>(row_.size()));
  return static_cast<int32_t>(cost_.size()) - 1;
}

LinearProgram::Solution LinearProgram::solve() const {
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  const std::vector<double> no_lower(right_hand_side_.size(), -std::numeric_limits<double>::infinity());
  simplex.loadProblem(static_cast<int>(cost_.size()), static_cast<int>(right_hand_side_.size()), start_.data(),
                      row_.data(), value_.data(), lower_.data(), upper_.data(), cost_.data(), no_lower.data(),
                      right_hand_side_.data());
  simplex.dual();
  if (!simplex.isProvenOptimal()) simplex.primal();
  if (!simplex.isProvenOptimal())
    throw solver_error("CLP finds no optimum of a linear program of {} columns and {} rows (status {})", cost_.size(),
                       right_hand_side_.size(), simplex.status());
  Solution solution;
  solution.x.assign(simplex.primalColumnSolution(), simplex.primalColumnSolution() + cost_.size());
  for (size_t i = 0; i < right_hand_side_.size(); ++i)
    solution.price.push_back(std::max(0.0, -simplex.dualRowSolution()[i]));
  return solution;
}

}  // namespace gridiron
