// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "analysis/certify/error_bound.hpp"
#include "analysis/certify/fine_voltages.hpp"
#include "analysis/model/certificate.hpp"
#include "analysis/model/system.hpp"

namespace gridiron {

/// Certificates for solutions of a system, using an engine set up on it.
class Certifier {
 public:
  /// Auxiliary solves take at most `max_iterations` each.
  Certifier(const System& system, int max_iterations);

  const System& system() const { return system_; }

  /// Computes the barrier from a rough solution of G w = 1 (raise_to_barrier); every later certificate uses it. Does
  /// nothing after the first attempt. An engine whose residual does not fall within `patience` iterations is given up,
  /// and may be tried again.
  void find_barrier(Engine& engine, int patience = std::numeric_limits<int>::max());
  bool has_barrier() const { return has_barrier_.value_or(false); }
  bool has_looked() const { return has_barrier_.has_value(); }

  /// Max-norm residual, A, to stop at so that `tolerance` volts are certified, with a quarter of it left to rounding;
  /// needs a barrier.
  double residual_for(double tolerance) const { return 0.75 * bound_.residual_for(tolerance); }

  /// Where parts are tied so weakly that it matters, sets their levels right in `value` + `rest`, V, to all digits.
  void settle(const FineInjection& injection, std::span<double> value, std::span<double> rest) const {
    bound_.settle(injection, value, rest);
  }
  bool has_levels() const { return bound_.has_levels(); }

  /// The certificate of `volts` (V) as the solution for `injection` (A), one entry per merged node each. Not valid
  /// without a barrier.
  Certificate certify(FineVoltages volts, const FineInjection& injection) const;

  /// The same from the residual as it was measured elsewhere, by rows of error_bound().
  Certificate certify(const FineResidual& residual) const { return certificate_of(bound_.bound(residual)); }
  const ErrorBound& error_bound() const { return bound_; }

  /// The same from ErrorBound::quick_bound(); prepare_quick() comes before.
  struct Quick {
    Certificate certificate;
    double residual_norm_a, injection_norm_a;
  };
  void prepare_quick() { bound_.prepare_quick_bounds(); }
  Quick certify_quickly(std::span<const double> volts, std::span<const double> injection) const;
  /// The same from the residual as it was measured elsewhere, by rows of quick_residual().
  Quick certify_quickly(const ResidualSums& residual) const;
  const QuickResidual& quick_residual() const { return bound_.quick_residual(); }

  /// ErrorBound::residual()
  std::vector<double> residual(FineVoltages volts, const FineInjection& injection) const {
    return bound_.residual(volts, injection);
  }

  /// With conductances many orders of magnitude apart, the bound from a single maximum is pessimistic; another
  /// low-accuracy solve with the residual as right-hand side gives a sharp one. Improves the certificate where
  /// possible.
  void sharpen(Engine& engine, FineVoltages volts, const FineInjection& injection, Certificate& certificate) const;

 private:
  struct Rough;
  using Source = std::function<std::vector<double>()>;  ///< A per merged node; made anew rather than kept
  Rough solve_roughly(Engine& engine, const Source& source, int patience);
  /// Finds a barrier with levels of weakly tied parts apart, if a rough w asks for it.
  bool find_levels(Engine& engine, std::span<const double> w);
  Certificate certificate_of(const ErrorBound::Result& bound) const;

  System system_;
  ErrorBound bound_;
  int max_iterations_;
  std::optional<bool> has_barrier_;
};

}  // namespace gridiron
