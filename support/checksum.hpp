// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridiron {

/// SHA-256 of bytes in hexadecimal, as `sha256sum` prints it.
std::string sha256_of(std::string_view bytes);

}  // namespace gridiron
