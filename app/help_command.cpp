// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/session/help.hpp"
#include "app/session/option_name.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

struct HelpArguments {
  std::string command;
  bool man = false;
};

int run_help(const HelpArguments& arguments) {
  if (arguments.man) {
    fmt::print("{}", man_page(commands()));
  } else if (arguments.command.empty()) {
    fmt::print("{}", tool_help(commands()));
  } else {
    const ToolCommand* command = find_command(arguments.command);
    if (!command) throw InputError(unknown_command(arguments.command));
    fmt::print("{}", command_help(*command, "gridiron ", option_name));
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace

ToolCommand help_command(std::vector<std::string> others) {
  Declaration<HelpArguments> help(
      {.name = "help", .help = "help of the tool or of a command", .example = "gridiron help ir"});
  help.add(&HelpArguments::command, {.field = "command",
                                     .value = "COMMAND",
                                     .help = "the command",
                                     .suggestions = std::move(others),
                                     .is_positional = true});
  help.add(&HelpArguments::man, {.field = "man", .help = "the whole manual page, as troff source"});
  return std::move(help).run_by(run_help);
}

}  // namespace gridiron
