// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "analysis/solve/accuracy.hpp"
#include "analysis/tran/storage.hpp"

namespace gridiron {

/// A guaranteed bound on what the residuals of all steps so far add to the error of any voltage, given the exact
/// equations of every step and but for the rounding of histories.
///
/// With A = G + B Bᵀ the matrix of a step, a column of B per capacitor and inductor (the root of its conductance g,
/// between its nodes), and σ = s / √g the histories in that scale, a step is A v = B σ + loads, and the errors of σ go
/// on as ±(2 Bᵀ A⁻¹ B − I) σ for the trapezoidal rule (the scattering of a wave digital filter; A. Fettweis, Proc. IEEE
/// 74, 1986), which makes ‖σ‖₂ no larger as 0 ≤ Bᵀ A⁻¹ B ≤ I. Backward Euler makes it no larger either. A residual r
/// adds 2 Bᵀ A⁻¹ r or Bᵀ A⁻¹ r, at most twice or once √(rᵀ A⁻¹ r) ≤ √w ‖r‖₂, as the barrier w bounds the rows of
/// A⁻¹ ≥ 0. An error σ moves node i by at most √(A⁻¹)ᵢᵢ ‖σ‖ ≤ √w ‖σ‖. Another size of steps scales σ: exactly by
/// √(h / h') for backward Euler, at most by √max(h / h', h' / h) for the trapezoidal rule.
class ErrorGrowth {
 public:
  explicit ErrorGrowth(Method method) : method_(method) {}

  /// A step of h seconds of one scenario.
  void add(double h, const Accuracy& accuracy) {
    const Certificate& certificate = accuracy.certificate;
    const bool is_bounded = certificate.valid && certificate.delta < 1;
    const double root = is_bounded ? std::sqrt(certificate.max_w_ohm / (1 - certificate.delta)) : HUGE_VAL;
    const bool is_second = method_ == Method::trapezoidal;
    if (size_ > 0 && sigma_ > 0) sigma_ *= std::sqrt(is_second ? std::max(h / size_, size_ / h) : size_ / h);
    size_ = h;
    bound_v_ =
        std::max(bound_v_, (sigma_ > 0 ? root * sigma_ : 0.0) + (is_bounded ? certificate.max_error_v : HUGE_VAL));
    if (accuracy.residual_norm_a > 0 || !is_bounded) sigma_ += (is_second ? 2 : 1) * root * accuracy.residual_norm_a;
  }

  /// V; infinite where a step has no bound.
  double bound_v() const { return bound_v_; }

 private:
  Method method_;
  double size_ = 0, sigma_ = 0, bound_v_ = 0;  ///< sigma_: the bound on ‖σ‖, √W
};

}  // namespace gridiron
