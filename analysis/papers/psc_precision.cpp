// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/psc_precision.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <type_traits>

namespace gridiron {
namespace {

using Exact = long double;
constexpr Exact kPi = std::numbers::pi_v<Exact>;

/// Nodal values at the inner nodes, by elimination.
template <class T>
std::vector<T> nodal_values(int64_t elements) {
  const T h = T(1) / static_cast<T>(elements), pi = static_cast<T>(kPi);
  std::vector<T> diagonal(elements - 1), x(elements - 1);
  // The integral of f times a hat function, f = pi² sin(pi x).
  const T weight = T(4) / h * std::pow(std::sin(pi * h / T(2)), T(2));
  for (int64_t i = 0; i + 1 < elements; ++i) {
    diagonal[i] = T(2) / h;
    x[i] = weight * std::sin(pi * h * static_cast<T>(i + 1));
  }
  const T beside = T(-1) / h;
  for (int64_t i = 1; i + 1 < elements; ++i) {
    const T factor = beside / diagonal[i - 1];
    diagonal[i] -= factor * beside;
#ifdef GRIDIRON_BROKEN  // for a test of what must notice it
    if constexpr (std::is_same_v<T, double>) diagonal[i] = static_cast<float>(diagonal[i]);
#endif
    x[i] -= factor * x[i - 1];
  }
  for (int64_t i = elements - 2; i >= 0; --i)
    x[i] = (x[i] - (i + 2 < elements ? beside * x[i + 1] : T(0))) / diagonal[i];
  return x;
}

/// By three Gauss points per element; the norm of sin(pi x) is 1 / sqrt(2).
template <class T>
double relative_error(const std::vector<T>& values, int64_t elements) {
  const Exact h = Exact(1) / elements, outer = std::sqrt(Exact(3) / 5) / 2;
  const Exact points[] = {Exact(0.5) - outer, Exact(0.5), Exact(0.5) + outer};
  const Exact weights[] = {Exact(5) / 18, Exact(8) / 18, Exact(5) / 18};
  Exact sum = 0;
  for (int64_t e = 0; e < elements; ++e) {
    const Exact left = e == 0 ? Exact(0) : Exact(values[e - 1]),
                right = e + 1 == elements ? Exact(0) : Exact(values[e]);
    for (int k = 0; k < 3; ++k) {
      const Exact error = std::sin(kPi * h * (e + points[k])) - (left + points[k] * (right - left));
      sum += weights[k] * h * error * error;
    }
  }
  return static_cast<double>(std::sqrt(2 * sum));
}

}  // namespace

template <class T>
std::vector<double> errors_in_one_dimension(int levels) {
  std::vector<double> errors;
  for (int level = 1; level <= levels; ++level) {
    const int64_t elements = int64_t{1} << level;
    errors.push_back(relative_error(nodal_values<T>(elements), elements));
  }
  return errors;
}

template std::vector<double> errors_in_one_dimension<float>(int);
template std::vector<double> errors_in_one_dimension<double>(int);
template std::vector<double> errors_in_one_dimension<long double>(int);

}  // namespace gridiron
