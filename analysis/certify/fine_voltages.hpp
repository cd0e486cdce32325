// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "device/host_device.hpp"

namespace gridiron {

/// Voltages as unevaluated sums value + rest, so that rounding to one double does not limit the residual; `rest` is
/// empty where it is zero.
struct FineVoltages {
  std::span<const double> value, rest = {};

  FineVoltages(std::span<const double> v) : value(v) {}
  FineVoltages(const std::vector<double>& v) : value(v) {}
  FineVoltages(std::span<const double> v, std::span<const double> r) : value(v), rest(r) {}

  /// high + low: v[i], or v[i] − v[j], exactly where there is no rest.
  struct Difference {
    double high, low;
  };
  Difference at(size_t i) const { return {value[i], rest.empty() ? 0.0 : rest[i]}; }
  Difference difference(size_t i, size_t j) const {
    Difference exact = difference_of(value[i], value[j]);
    if (!rest.empty()) exact.low += rest[i] - rest[j];
    return exact;
  }
  GRIDIRON_HOST_DEVICE static Difference difference_of(double v, double w) {
    const double high = v - w;
    const double part = v - high;
    return {high, (v - (high + part)) + (part - w)};
  }
};

/// What a conductance may be off by, as a share of it: the resistance is rounded when it is read, scaled ("4.7k") and
/// multiplied ("m=3"), and so is its inverse.
inline constexpr double kConductanceRounding = 2 * std::numeric_limits<double>::epsilon();

/// a · b, rounded: on a GPU, whose compiler else fuses it with a sum, which would lose what two-sums stand on.
GRIDIRON_HOST_DEVICE inline double rounded_product(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

/// A current summed in double precision, with a bound on what rounding has changed of it so far (Higham, Accuracy and
/// Stability of Numerical Algorithms, 4.3): half an epsilon of every partial sum, and four of every term, for its
/// conductance, its difference of voltages and their product.
struct RoughSum {
  double sum = 0, in_half_epsilons = 0;

  static double current(double conductance, FineVoltages::Difference volts) { return conductance * volts.high; }
  void add_current(double current) {
    sum += current;
    in_half_epsilons += std::abs(sum) + 8 * std::abs(current);
  }
  double rounding() const { return 0.51 * std::numeric_limits<double>::epsilon() * in_half_epsilons; }
  double value() const { return sum; }
};

/// Unevaluated sum of two doubles, 106 bits (Dekker 1971, Knuth's two-sum), and the sum of magnitudes.
struct FineSum {
  double hi = 0, lo = 0, gross = 0;

  GRIDIRON_HOST_DEVICE void add(double x) {
    const double sum = hi + x;
    const double part = sum - hi;
    lo += (hi - (sum - part)) + (x - part);
    hi = sum;
  }
  /// high + low: a current, which has the same bits in both directions.
  struct Current {
    double high, low;
    GRIDIRON_HOST_DEVICE Current operator-() const { return {-high, -low}; }
  };
  GRIDIRON_HOST_DEVICE static Current current(double conductance, FineVoltages::Difference volts) {
    const double high = rounded_product(conductance, volts.high);
    return {high, std::fma(conductance, volts.high, -high) + rounded_product(conductance, volts.low)};
  }
  GRIDIRON_HOST_DEVICE void add_current(Current current) {
    gross += std::abs(current.high);
    add(current.high);
    lo += current.low;
  }
  GRIDIRON_HOST_DEVICE void add_current(double conductance, FineVoltages::Difference volts) {
    add_current(current(conductance, volts));
  }
  /// What the rounding of conductances leaves undecided.
  GRIDIRON_HOST_DEVICE double rounding() const { return rounded_product(kConductanceRounding, gross); }
  double value() const { return hi + lo; }

  /// The most that |injection − sum| can be, where the injection is rounded by so much.
  GRIDIRON_HOST_DEVICE double most_residual(double injection, double rounding_of_injection) const {
    return std::abs((injection - hi) - lo) + rounding() + rounding_of_injection;
  }
};

/// What the rounding of a sum of loads can change of an injection of which `given` is covered elsewhere, A.
GRIDIRON_HOST_DEVICE inline double rounding_of_loads(double injection, double given) {
  return rounded_product(std::numeric_limits<double>::epsilon(), std::abs(injection - given));
}

}  // namespace gridiron
