// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "engines/direct/refinement.hpp"

namespace gridiron {

/// A⁻¹ for a matrix that differs from a factored one only in the rows and columns of s unknowns S, as after an edit of
/// one resistor: A = F + P Δ Pᵀ, both symmetric positive definite. With M = PᵀF⁻¹P, the inverse of F's Schur complement
/// onto S, and F y = b,
///
///   A⁻¹ b = y − W T⁻¹Δ y_S,   W = F⁻¹P M⁻¹,   T = M⁻¹ + Δ,
///
/// which is the formula of Sherman, Morrison and Woodbury (Hager, SIAM Review 31, 1989) written with Schur complements:
/// A is positive definite exactly if T is. Takes one block solve with s columns; n × s values are stored.
class LowRankUpdate {
 public:
  static constexpr int64_t kMostUnknowns = 16;

  /// `factored` and `now` have the same pattern, and `inverse` applies that of `factored`. None where more unknowns
  /// changed, or where the formula would lose more digits than refinement can regain, as when A is nearly singular.
  static std::optional<LowRankUpdate> find(const CsrMatrix& factored, const CsrMatrix& now,
                                           const ApplyInverse& inverse);

  /// F⁻¹B → A⁻¹B
  void apply(Block<double> x) const;

  int64_t bytes() const;

 private:
  std::vector<int32_t> unknowns_;  ///< S
  std::vector<double> extension_;  ///< W, n × s by columns
  std::vector<double> core_;       ///< T⁻¹Δ, s × s by rows
};

}  // namespace gridiron
