// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/command.hpp"
#include "support/field.hpp"

namespace gridiron {

inline constexpr std::string_view kToolAbout =
    "Gridiron: IR drop of on-chip power grids, with a certificate of accuracy.";
inline constexpr std::string_view kExitCodes =
    "Exit codes: 0 done, within limits; 1 a limit is exceeded; 2 wrong usage or invalid input; 3 the grid cannot be "
    "analysed; 4 the solver missed the tolerance; 5 out of memory or disk.";

/// "--limit LIMIT", "--quiet", "[DECK]..." as one writes the argument.
std::string usage_of(const Argument& argument, const FieldSpelling& spell);

/// What an argument is: help, unit, choices, default, what it excludes, whether it may be repeated.
std::string full_help(const Argument& argument, const FieldSpelling& spell);

/// Help of a command; `program` precedes its name in the usage line: "gridiron ".
std::string command_help(const Command& command, std::string_view program, const FieldSpelling& spell);

/// Help of the tool.
std::string tool_help(const std::vector<ToolCommand>& commands);

/// gridiron(1), as troff source.
std::string man_page(const std::vector<ToolCommand>& commands);

/// Two columns, the second one wrapped at 100 characters.
std::string in_columns(const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace gridiron
