// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridiron {

/// SHA-256 of a file's bytes in hexadecimal, as `sha256sum` prints it; empty if the file cannot be read.
std::string sha256_of_file(const std::string& path);

/// The same of bytes in memory.
std::string sha256_of(std::string_view bytes);

}  // namespace gridiron
