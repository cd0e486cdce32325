// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gridiron {

/// Largest resident set of this process so far, bytes.
std::int64_t peak_memory_bytes();

/// Main memory of this machine, bytes.
std::int64_t physical_memory_bytes();

}  // namespace gridiron
