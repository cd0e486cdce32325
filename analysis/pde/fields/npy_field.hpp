// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace gridiron {

/// Reads an array that numpy.save() wrote: little-endian float64 or float32 in C order, last axis running fastest, of
/// exactly this shape. Errors: InputError naming the file and the difference.
std::vector<double> read_npy_field(const std::filesystem::path& path, std::span<const int64_t> shape);

}  // namespace gridiron
