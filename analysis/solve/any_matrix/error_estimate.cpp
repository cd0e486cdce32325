// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/any_matrix/error_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridiron {
namespace {

constexpr int kMostSteps = 5;

double sum_of_sizes(const std::vector<double>& y) {
  double sum = 0;
  for (const double v : y) sum += std::abs(v);
  return sum;
}

}  // namespace

double estimate_one_norm(int64_t n, const Multiply& times, const Multiply& times_transposed) {
  if (n == 0) return 0;
  std::vector<double> x(n, 1.0 / static_cast<double>(n)), signs;
  double estimate = 0;
  int64_t column = -1;
  for (int step = 0; step < kMostSteps; ++step) {
    const std::vector<double> y = times(x);
    const double sum = sum_of_sizes(y);
    if (!std::isfinite(sum)) return sum;
    if (step > 0 && sum <= estimate) break;
    estimate = sum;
    std::vector<double> now(n);
    for (int64_t i = 0; i < n; ++i) now[i] = y[i] < 0 ? -1 : 1;
    if (now == signs) break;
    signs = std::move(now);
    const std::vector<double> z = times_transposed(signs);
    const auto largest = std::ranges::max_element(z, {}, [](double v) { return std::abs(v); }) - z.begin();
    if (largest == column) break;
    column = largest;
    x.assign(n, 0.0);
    x[column] = 1;
  }
  // A vector whose signs alternate meets what cancels above.
  for (int64_t i = 0; i < n; ++i)
    x[i] = (i % 2 == 0 ? 1 : -1) * (1 + static_cast<double>(i) / static_cast<double>(std::max<int64_t>(n - 1, 1)));
  return std::max(estimate, 2 * sum_of_sizes(times(x)) / (3 * static_cast<double>(n)));
}

}  // namespace gridiron
