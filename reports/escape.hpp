// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridiron {

// Names in a netlist are untrusted: each format has its own way in which they could become something else than text.

/// For terminals, logs and pictures: control characters, marks that turn the reading direction and bytes that are not
/// UTF-8 become \x1b or \u202e; the rest stays. The result is valid UTF-8.
std::string printable(std::string_view text);

/// One field of a CSV file (RFC 4180): quoted when it holds a comma, a quote or a line break. Spreadsheets run a field
/// that starts with = + - @ or a tab as a formula, even a quoted one; such a field gets an apostrophe in front, which
/// they take as "this is text". Readers that want the exact name find it in report.json.
void append_csv_field(std::string& out, std::string_view text);

/// Text between HTML tags or inside a quoted attribute.
std::string html_text(std::string_view text);

/// A name made fit for one component of a path: no separators, wildcards, control characters, leading or trailing dots
/// and blanks; at most 80 bytes; never empty.
std::string file_name_part(std::string_view text);

}  // namespace gridiron
