// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regularize/merge.hpp"

namespace gridiron {

/// A guaranteed bound on the error of node voltages (ARCHITECTURE.md). The matrix G of a merged network is an M-matrix,
/// so a barrier w ≥ 0 with (G w)ᵢ ≥ 1 − δ, δ < 1, gives |v̂ᵢ − vᵢ| ≤ wᵢ · max|r| / (1 − δ) with r = i − G v̂. Both
/// products are formed edge by edge in double-double arithmetic, so rounding of G's diagonal does not enter. Systems
/// that are not connected to each other are bounded separately.
class ErrorBound {
 public:
  /// `system[i]` in [0, systems) is the connected system of node i; −1 excludes the node (floating). `largest_volts`:
  /// the largest magnitude among given potentials and offsets, whose rounding, like that of the voltages, is included
  /// in the bound. The network must outlive the bound.
  ErrorBound(const MergedNetwork& network, std::vector<std::int32_t> system, std::int32_t systems,
             double largest_volts = 0);

  /// Sets w (V per A, one per node): any rough solution of G w = 1 will do. Returns false if it is not a barrier.
  bool set_barrier(std::span<const double> w);

  /// Largest max-norm residual, A, that still certifies `tolerance` volts everywhere.
  double residual_for(double tolerance) const;

  struct Result {
    double max_error_v;  ///< includes rounding_v
    double rounding_v;   ///< of voltages near `largest_volts`
    double max_residual_a;
  };
  /// Bounds the error of `voltage` as the solution for `injection`, A; one entry per node each.
  Result bound(std::span<const double> voltage, std::span<const double> injection) const;

  /// The sharper bound |v̂ − v| ≤ w with G w ≥ |r|: `w` is a rough solution of G w = residual_majorant(). Infinite if w
  /// is not such a barrier.
  std::vector<double> residual_majorant(std::span<const double> voltage, std::span<const double> injection) const;
  double sharp_bound(std::span<const double> w, std::span<const double> majorant,
                     std::span<const double> voltage) const;

  double max_w() const { return max_w_; }
  double delta() const { return delta_; }

 private:
  const MergedNetwork* network_;
  std::vector<std::int32_t> system_;
  std::vector<double> system_w_, system_margin_;  ///< per system: max w, min G w = 1 − δ
  double largest_volts_;
  double max_w_ = 0, delta_ = 0;
};

}  // namespace gridiron
