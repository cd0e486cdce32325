// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "support/visited.hpp"

namespace gridiron {

/// How far the voltages of a solution can be from the exact ones.
struct Certificate {
  bool valid = false;              ///< false: no w with G w ≥ 1 − δ was found; max_error_v then means nothing
  bool is_estimated = false;       ///< only where not valid: max_error_v is an estimate, as the matrix is no M-matrix
  bool is_accepted = false;        ///< limits may rely on an estimate
  double max_error_v = 0;          ///< guaranteed where valid: |v − exact| at every node is at most this
  double tolerance_v = 0;          ///< what was asked for
  double max_residual_a = 0;       ///< max |i − G v| over all merged nodes
  double max_w_ohm = 0;            ///< max of the barrier w, V per A
  double delta = 0;                ///< G w ≥ 1 − δ
  double current_imbalance_a = 0;  ///< Σ pad currents − Σ loads
  double rounding_v = 0;           ///< part of max_error_v that no engine can lower: numbers are stored as doubles

  /// Infinite without a certificate.
  double bound_v() const { return valid ? max_error_v : INFINITY; }

  /// What limits allow for.
  double error_for_limits() const { return is_estimated && is_accepted ? max_error_v : bound_v(); }
  /// What max_error_v is: "certified", "estimated" or "none".
  const char* kind() const { return valid ? "certified" : is_estimated ? "estimated" : "none"; }

  void visit(auto& v) const {
    v("kind", kind(), "certified: max_error_v is proved; estimated: there is an estimate only; or none.");
    v("valid", valid)("max_error_v", Known{max_error_v, valid})("tolerance_v", tolerance_v);
    v("estimated_error_v", Known{max_error_v, is_estimated}, "Of max_error_v, where nothing is proved.");
    v("max_residual_a", max_residual_a)("max_w_ohm", max_w_ohm)("delta", delta);
    v("current_imbalance_a", current_imbalance_a);
  }
};

}  // namespace gridiron
