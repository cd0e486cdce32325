// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/answer.hpp"

#include <cmath>

#include "support/parallel_arrays.hpp"

namespace gridiron {

bool Answer::is_finite() const {
  return holds_for_all(std::ssize(voltage_v), [&](int64_t n) { return std::isfinite(voltage_v[n]); });
}

}  // namespace gridiron
