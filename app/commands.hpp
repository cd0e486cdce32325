// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/session/command.hpp"

namespace gridiron {

/// All commands of the tool, in the order of the help. The declarations of ir, check, … are beside their code.
const std::vector<ToolCommand>& commands();

/// Null if there is none.
const ToolCommand* find_command(std::string_view name);

/// What to say to a word that is no command, such as "ri".
std::string unknown_command(std::string_view word);

ToolCommand ir_command();
ToolCommand tran_command();
ToolCommand fix_command();
ToolCommand check_command();
ToolCommand generate_command();
ToolCommand pde_command();
ToolCommand compare_command();
ToolCommand diff_command();
ToolCommand papers_command();
ToolCommand regularize_command();
ToolCommand engines_command();
ToolCommand extract_command();
ToolCommand tcl_command();
ToolCommand help_command(std::vector<std::string> others);  ///< names of the other commands
ToolCommand completion_command();

/// The process that measures one engine for `compare`.
ToolCommand compare_worker_command();

}  // namespace gridiron
