// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace gridiron {

/// Removes the first code point from `text`, which must not be empty. Bytes that are not valid UTF-8 (RFC 3629) yield
/// nothing and are removed one at a time.
std::optional<char32_t> next_code_point(std::string_view& text);

}  // namespace gridiron
