// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "support/output_path.hpp"

namespace gridiron {

/// Writes an array of little-endian doubles, last axis running fastest, that numpy.load() reads: format version 1.0 of
/// the NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays". Written atomically. Errors:
/// ResourceError.
void write_npy(const OutputPath& path, std::span<const int64_t> shape, std::span<const double> values);

}  // namespace gridiron
