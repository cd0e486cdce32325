// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridiron {

// Names in a netlist are untrusted: in each format they could be interpreted as something other than text.

/// For terminals, logs and pictures: control characters, bidirectional marks and bytes that are not UTF-8 become
/// the escapes of C++ for them; the rest is unchanged. The result is valid UTF-8.
std::string printable(std::string_view text);

inline std::string name_or_dash(std::string_view name) { return name.empty() ? "-" : printable(name); }

/// One field of a CSV file (RFC 4180): quoted if it contains a comma, a quote or a line break. Spreadsheets execute a
/// field that starts with = + - @ or a tab as a formula, even a quoted one; such a field is prefixed with an
/// apostrophe, which marks it as text. The exact name is in report.json.
void append_csv_field(std::string& out, std::string_view text);

/// Text between HTML tags or inside a quoted attribute.
std::string html_text(std::string_view text);

/// A name sanitised for use as a path component: no separators, wildcards, control characters, leading or trailing dots
/// and blanks; at most 80 bytes; never empty.
std::string file_name_part(std::string_view text);

}  // namespace gridiron
