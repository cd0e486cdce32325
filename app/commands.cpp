// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/nearest_names.hpp"

namespace gridiron {

const std::vector<ToolCommand>& commands() {
  static const std::vector<ToolCommand> table = [] {
    std::vector<ToolCommand> all = {
        ir_command(),      tran_command(),    fix_command(),  check_command(),      generate_command(),
        pde_command(),     compare_command(), diff_command(), papers_command(),     regularize_command(),
        extract_command(), engines_command(), tcl_command(),  completion_command(), compare_worker_command()};
    std::vector<std::string> names;
    for (const ToolCommand& command : all)
      if (!command.is_internal) names.push_back(command.name);
    all.insert(all.end() - 2, help_command(std::move(names)));
    return all;
  }();
  return table;
}

const ToolCommand* find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &ToolCommand::name);
  return found == commands().end() ? nullptr : &*found;
}

std::string unknown_command(std::string_view word) {
  std::string_view nearest;
  for (const ToolCommand& command : commands())
    if (!command.is_internal && (nearest.empty() || letters_apart(word, command.name) < letters_apart(word, nearest)))
      nearest = command.name;
  return fmt::format("no command is called '{}'; did you mean '{}'? See 'gridiron --help'", word, nearest);
}

}  // namespace gridiron
