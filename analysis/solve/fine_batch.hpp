// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/certify/fine_voltages.hpp"
#include "analysis/model/certificate.hpp"
#include "analysis/solve/batch.hpp"
#include "analysis/solve/certifier.hpp"

namespace gridiron {

/// The solutions of a batch with what they are rounded by, and what a certifier knows of them.
class FineBatch {
 public:
  /// Voltages are those of the batch, in place. The certifier must outlive it.
  FineBatch(const Certifier& certifier, const Batch& batch);

  int64_t columns() const { return batch_.injection.columns; }
  int64_t nodes() const { return batch_.voltage.rows; }
  FineInjection injection(int64_t v) const;
  FineVoltages voltage(int64_t v) const;
  /// In all processes, if these share the system.
  bool is_finite(int64_t v) const;

  /// i − G v, A, in extended precision.
  std::vector<double> residual(int64_t v) const { return certifier_.residual(voltage(v), injection(v)); }
  double relative_residual(int64_t v) const;

  /// Sets the levels of weakly tied parts right.
  void settle(int64_t v);
  Certificate certificate(int64_t v) const { return certifier_.certify(voltage(v), injection(v)); }

  /// Gets ready for corrections, which are kept unrounded.
  void make_room_for_rest();
  /// Adds a correction, V, settles levels, and certifies what comes out; that is not valid where it is not finite.
  /// Without a valid certificate of at most `max_error_v`, V, all stays as it was.
  Certificate correct(int64_t v, std::span<const double> correction, double max_error_v);

 private:
  std::span<double> rest(int64_t v);

  const Certifier& certifier_;
  Batch batch_;
  std::vector<double> rest_;  ///< empty where there are neither corrections nor levels
};

}  // namespace gridiron
