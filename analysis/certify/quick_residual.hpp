// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "device/host_device.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// What is summed up of the rows of a residual r = i − G v.
struct ResidualSums {
  double largest = 0, weighted = 0, squares = 0, injection_squares = 0, volts = 0;

  /// A row: what flows out at voltage v, of which so much is injected.
  GRIDIRON_HOST_DEVICE void add(double out, double current, double v, double weight) {
    const double r = size_of(out, current);
    raise(largest, r);
    raise(weighted, weight * r);
    squares += r * r;
    injection_squares += current * current;
    raise(volts, std::abs(v));
  }
  /// The same for n rows, several at a time.
  void add_all(int64_t n, const double* out, const double* current, const double* v, const double* weight) {
    double most = largest, most_weighted = weighted, most_volts = volts, sum = 0, sum_of_injection = 0;
#pragma omp simd reduction(max : most, most_weighted, most_volts) reduction(+ : sum, sum_of_injection)
    for (int64_t k = 0; k < n; ++k) {
      const double r = size_of(out[k], current[k]);
      most = most < r ? r : most;
      most_weighted = most_weighted < weight[k] * r ? weight[k] * r : most_weighted;
      most_volts = most_volts < std::abs(v[k]) ? std::abs(v[k]) : most_volts;
      sum += r * r;
      sum_of_injection += current[k] * current[k];
    }
    largest = most, weighted = most_weighted, volts = most_volts;
    squares += sum, injection_squares += sum_of_injection;
  }
  GRIDIRON_HOST_DEVICE void take(const ResidualSums& other) {
    raise(largest, other.largest);
    raise(weighted, other.weighted);
    squares += other.squares;
    injection_squares += other.injection_squares;
    raise(volts, other.volts);
  }

 private:
  GRIDIRON_HOST_DEVICE static double size_of(double out, double current) {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    return std::abs(current - out) * (1 + kEpsilon) + kEpsilon * std::abs(current);
  }
  /// NaN is seen by the squares.
  GRIDIRON_HOST_DEVICE static void raise(double& largest, double value) { largest = largest < value ? value : largest; }
};

/// Finds how far voltages are from solving a merged network in one pass over its rows, in doubles with a bound on their
/// rounding that is known before. ErrorBound has the extended precision that certifies to the last digit; this is for
/// the many solutions of a simulation, of which each is judged once.
class QuickResidual {
 public:
  /// `weight`: of every node's residual, not negative; −1 leaves a node out. `given`: injections that are not rounded,
  /// A, per node, or empty.
  QuickResidual(const MergedNetwork& network, std::span<const double> weight, std::span<const double> given);

  /// Bounds on the residual r = i − G v, over all nodes but those left out; infinite where it is not finite.
  struct Size {
    double largest_a = 0;         ///< max |r|
    double largest_weighted = 0;  ///< max weight · |r|
    double norm_a = 0;            ///< ‖r‖₂
    double injection_a = 0;       ///< ‖i‖₂
    double largest_v = 0;         ///< max |v|
  };
  Size measure(std::span<const double> volts, std::span<const double> injection) const;
  Size size_of(const ResidualSums& sums) const;

  /// The rows in one table, for devices: row r is that of node[r], Σ diagonal·v − Σ conductance·v(other), the latter
  /// over [first[r], first[r + 1]).
  struct Table {
    std::vector<int64_t> first;
    std::span<const int32_t> node, other;
    std::span<const double> diagonal, weight, conductance;
  };
  Table table() const;

 private:
  /// Rows of equal length, so that the loop over their entries has a fixed length.
  struct Rows {
    int64_t first, last;  ///< into node_, diagonal_ and weight_
    int64_t first_entry;  ///< into other_ and conductance_
    int32_t entries;      ///< per row
  };
  template <class Length>
  void order_rows(const std::vector<int32_t>& nodes, Length length);
  template <class Length>
  void find_rounding(Length length, std::span<const double> given);
  template <int kEntries>
  void add(const Rows& rows, const double* volts, const double* injection, ResidualSums& sums) const;

  std::vector<Rows> rows_;
  std::vector<int32_t> node_, other_;
  std::vector<double> diagonal_, weight_, conductance_;
  double rounding_ = 0, weighted_rounding_ = 0, rounding_norm_ = 0;  ///< A per V of the largest voltage
  double given_ = 0, weighted_given_ = 0, given_norm_ = 0;           ///< A: the rounding of given injections
};

}  // namespace gridiron
