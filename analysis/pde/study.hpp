// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/pde/pde.hpp"

namespace gridiron {

/// One problem at several sizes. Quantities scale like size^order; the orders come from a least-squares line through
/// the logarithms.
struct PdeStudy {
  std::vector<PdeResult> runs;  ///< in ascending size; solutions and fields are dropped

  struct Orders {
    double l1 = 0, l2 = 0, linf = 0;
  };
  struct StokesOrders {
    double velocity_l2 = 0, pressure_l2 = 0;
  };
  std::optional<StokesOrders> stokes_orders;  ///< of Stokes problems, instead
  std::optional<Orders> error_orders;         ///< orders of convergence in the spacing, if the solution is known
  double time_order = 0;                      ///< growth of setup + solve with the number of unknowns
};

/// Errors: those of solve_pde(), and InputError for fewer than two different sizes.
PdeStudy study_pde(const PdeOptions& options, std::vector<int64_t> sizes);

/// Slope of the least-squares line through (log x, log y); NaN for fewer than two points or nonpositive values.
double fitted_order(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace gridiron
