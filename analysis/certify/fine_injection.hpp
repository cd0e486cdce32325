// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "analysis/certify/fine_voltages.hpp"

namespace gridiron {

/// Injections as they were rounded to doubles, A, one per node, and where it is known what was rounded off: `rest`, and
/// what is left undecided of it. Both are empty where it is not.
struct FineInjection {
  std::span<const double> value, rest = {}, undecided = {};

  FineInjection(std::span<const double> amperes) : value(amperes) {}
  FineInjection(const std::vector<double>& amperes) : value(amperes) {}
  FineInjection(std::span<const double> amperes, std::span<const double> rest_of, std::span<const double> left)
      : value(amperes), rest(rest_of), undecided(left) {}

  double rest_at(size_t i) const { return rest.empty() ? 0.0 : rest[i]; }
  /// What rounding can change of value + rest, of which `given` is covered elsewhere.
  double rounding_at(size_t i, double given) const {
    return undecided.empty() ? rounding_of_loads(value[i], given) : undecided[i];
  }
};

}  // namespace gridiron
