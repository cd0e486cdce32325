// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gridiron {

/// The memory of what has bytes(), of a pointer to it (null: 0), or of all elements of a container.
int64_t bytes_of(const auto& part) {
  if constexpr (requires { part.bytes(); }) {
    return part.bytes();
  } else if constexpr (requires { part->bytes(); }) {
    return part ? part->bytes() : 0;
  } else {
    int64_t sum = 0;
    for (const auto& element : part) sum += bytes_of(element);
    return sum;
  }
}
template <class... Parts>
requires(sizeof...(Parts) > 1) int64_t bytes_of(const Parts&... parts) { return (bytes_of(parts) + ...); }

}  // namespace gridiron
