// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/parallel.hpp"

namespace gridiron {

/// f(j) for all rows of elements, those of equal parity in parallel, so that neighbours may add to the same entries.
void for_each_element_row(int64_t rows, auto f) {
  for (const int64_t parity : {0, 1}) parallel_each((rows + 1 - parity) / 2, [&](int64_t k) { f(2 * k + parity); }, 8);
}

}  // namespace gridiron
