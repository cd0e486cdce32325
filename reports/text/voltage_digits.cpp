// SPDX-License-Identifier: Apache-2.0
#include "reports/text/voltage_digits.hpp"

#include <algorithm>
#include <cmath>

#include "reports/text/numbers.hpp"

namespace gridiron {

int voltage_digits(double largest_v, double bound_v) {
  if (!(largest_v > 0) || !(bound_v < largest_v)) return kUsualDigits;
  if (!(bound_v > 0)) return kMostDigits;
  // The number begins at 10^first; half a unit of its digit number d is 10^(first − d + 1) / 2.
  const double first = std::floor(std::log10(largest_v));
  const double digits = std::ceil(first + 1 - std::log10(0.5 * bound_v));
  return static_cast<int>(std::clamp<double>(digits, kUsualDigits, kMostDigits));
}

int voltage_digits(const IrReport& result) {
  if (!result.certificate.valid) return kUsualDigits;
  double largest = 0;
  for (const NetResult& net : result.nets) {
    const double nominal = std::abs(net.nominal_v);
    largest = std::max({largest, nominal, std::abs(net.worst_drop_v)});
    for (const LayerResult& layer : net.layers) largest = std::max(largest, nominal - layer.least_drop_v);
  }
  return voltage_digits(largest, result.certificate.max_error_v);
}

}  // namespace gridiron
