// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gridiron {

/// Removes the first code point from `text`, which must not be empty. Bytes that are not valid UTF-8 (RFC 3629) yield
/// nothing and are removed one at a time.
std::optional<char32_t> next_code_point(std::string_view& text);

/// Names are bytes, but JSON, Tcl and Python have Unicode text. Bytes that are not UTF-8 become U+EF80 … U+EFFF,
/// private characters with the byte as their low half; so do the bytes of these characters themselves, so that nothing
/// is lost. (Lone surrogates, Python's own way, are refused by some readers of JSON and cannot be printed.)
std::string as_unicode(std::string_view bytes);
std::string from_unicode(std::string_view text);

/// The same bytes as backslash, x and two digits, for display.
std::string with_bytes_shown(std::string_view bytes);

}  // namespace gridiron
