// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "support/parallel_arrays.hpp"

namespace gridiron {

/// The indices of the values that are not zero, ascending.
inline std::vector<int32_t> nonzeros(std::span<const double> values) {
  return parallel_list<int32_t>(std::ssize(values), [&](int64_t i, std::vector<int32_t>& list) {
    if (values[i] != 0) list.push_back(static_cast<int32_t>(i));
  });
}

}  // namespace gridiron
