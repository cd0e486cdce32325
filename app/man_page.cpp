// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/session/help.hpp"
#include "app/session/option_name.hpp"

namespace gridiron {
namespace {

/// Text in which troff sees no request, escape or typographic hyphen.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string as_typed(std::string_view text) { return fmt::format(".nf\n{}\n.fi\n", roff(text)); }

std::string command_section(const Command& command) {
  std::string out = fmt::format(".SS \"{}\"\n{}.\n", roff(command.name), roff(command.help));
  if (!command.description.empty()) out += fmt::format(".PP\n{}\n", roff(command.description));
  for (const Argument& argument : command.arguments)
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(usage_of(argument, option_name)),
                       roff(full_help(argument, option_name)));
  if (!command.example.empty()) out += ".PP\nExample:\n" + as_typed("  " + command.example);
  if (!command.notes.empty()) out += ".PP\n" + as_typed(command.notes);
  return out;
}

}  // namespace

std::string man_page(const std::vector<ToolCommand>& commands) {
  std::string out = fmt::format(
      ".TH GRIDIRON 1 \"\" \"gridiron {}\" \"User commands\"\n.SH NAME\ngridiron \\- IR drop of on\\-chip power grids, "
      "with "
      "a certificate of accuracy\n.SH SYNOPSIS\n\\fBgridiron\\fR COMMAND [ARGUMENTS]\n.SH COMMANDS\n",
      roff(GRIDIRON_VERSION));
  for (const ToolCommand& command : commands)
    if (!command.is_internal) out += command_section(command);
  return out + fmt::format(".SH EXIT STATUS\n{}\n", roff(kExitCodes));
}

}  // namespace gridiron
