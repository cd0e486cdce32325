// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "analysis/pde/model.hpp"

namespace gridiron {

/// e = computed − exact solution, over the unknowns.
struct PdeError {
  double l1_relative = 0;  ///< Σ|e| / Σ|u|: the normalized L1 error, eq. (9) of the SGML paper
  double l2 = 0;           ///< √(Σ e² · volume); with finite elements relative, √∫e² over √∫u²
  double linf = 0;         ///< max |e|
  void visit(auto& v) const { v("l1_relative", l1_relative)("l2", l2)("linf", linf); }
};
PdeError error_against_exact(const PdeModel& model, std::span<const double> solution);

/// The function minus its mean over the volumes of the unknowns.
ScalarField without_mean(const RegularGrid& grid, const ScalarField& field);

/// Total inflow and outflow of the box through sources (f, a u) and faces. For the exact solution of the discrete
/// system the two are equal.
struct FlowBalance {
  double inflow = 0, outflow = 0;
  double imbalance = 0;  ///< |inflow − outflow| / the larger of both
  void visit(auto& v) const { v("inflow", inflow)("outflow", outflow)("imbalance", imbalance); }
};
FlowBalance flow_balance(const PdeModel& model, std::span<const double> solution);

}  // namespace gridiron
