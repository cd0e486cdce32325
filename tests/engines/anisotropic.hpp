// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// Five-point operator on n × n unknowns with ε in front of the second direction.
inline Problem anisotropic(int32_t n, double epsilon) {
  Rows rows(n * n);
  for (int32_t i = 0; i < n * n; ++i) {
    rows[i][i] = 2 + 2 * epsilon;
    if (i % n > 0) rows[i][i - 1] = rows[i - 1][i] = -1;
    if (i >= n) rows[i][i - n] = rows[i - n][i] = -epsilon;
  }
  return problem_of(rows);
}

}  // namespace gridiron::test
