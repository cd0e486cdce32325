// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "analysis/ir/ir_report.hpp"
#include "analysis/ir/system.hpp"

namespace gridiron {

/// Certificates for answers of a system, by means of an engine set up on it.
class Certifier {
 public:
  /// Engines get `max_iterations` for each auxiliary solve.
  Certifier(const System& system, int max_iterations);

  /// Looks for the barrier by a loose solve of G w = 1; every later certificate uses it. Not again once it has been
  /// looked for.
  void find_barrier(Engine& engine);
  bool has_barrier() const { return has_barrier_.value_or(false); }
  bool has_looked() const { return has_barrier_.has_value(); }

  /// Largest max-norm residual, A, that certifies `tolerance` volts; needs a barrier.
  double residual_for(double tolerance) const { return bound_.residual_for(tolerance); }

  /// Of voltages (V) that answer `injection` (A), one entry per merged node each. Without a barrier it is not valid.
  Certificate certify(std::span<const double> volts, std::span<const double> injection) const;

  /// Conductances many orders apart make the bound by one number pessimistic; the residual itself as right-hand side of
  /// another loose solve is sharp. Betters the certificate where it can.
  void sharpen(Engine& engine, std::span<const double> volts, std::span<const double> injection,
               Certificate& certificate) const;

 private:
  System system_;
  ErrorBound bound_;
  int max_iterations_;
  std::optional<bool> has_barrier_;
};

}  // namespace gridiron
