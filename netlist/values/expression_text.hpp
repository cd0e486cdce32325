// SPDX-License-Identifier: Apache-2.0
#pragma once

// The characters of expressions. Internal to netlist/values.

#include <string>
#include <string_view>

namespace gridiron::expression_text {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_decimal(char c) { return c >= '0' && c <= '9'; }
inline bool begins_name(char c) { return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }

/// The colon belongs to names, unless it may be that of a choice.
inline bool is_name_char(char c, bool has_choice) {
  return begins_name(c) || is_decimal(c) || c == '.' || (c == ':' && !has_choice);
}
inline bool has_choice(std::string_view text) { return text.find('?') != text.npos; }

/// Behind what continues the line that ends at `at`: `\\` and the newline, as in HSPICE and ngspice, or the newline and
/// the '+' of the next line that is no comment. nullptr where nothing does.
const char* behind_line_end(const char* at, const char* end);

/// Behind a blank, or what continues a line, at `at`; nullptr where there is neither.
inline const char* behind_blank(const char* at, const char* end) {
  if (at == end) return nullptr;
  return is_blank(*at) ? at + 1 : *at == '\\' || *at == '\n' ? behind_line_end(at, end) : nullptr;
}

/// Without what ends its lines: for messages.
std::string in_one_line(std::string_view text);

}  // namespace gridiron::expression_text
