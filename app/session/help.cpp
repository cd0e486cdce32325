// SPDX-License-Identifier: Apache-2.0
#include "app/session/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gridiron {
namespace {

constexpr size_t kWidth = 100, kWidestFirstColumn = 26;

/// Breaks at blanks; every line but the first begins with `indent` blanks.
std::string wrapped(std::string_view text, size_t indent) {
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return out;
}

void add_section(std::string& out, std::string_view title,
                 const std::vector<std::pair<std::string, std::string>>& rows) {
  if (!rows.empty()) out += fmt::format("\n{}:\n{}", title, in_columns(rows));
}

}  // namespace

std::string in_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  size_t width = 0;
  for (const auto& [name, about] : rows)
    if (name.size() <= kWidestFirstColumn) width = std::max(width, name.size());
  std::string out;
  for (const auto& [name, about] : rows) {
    const size_t indent = width + 4;
    out += fmt::format("  {:<{}}  ", name, width);
    if (name.size() > width) out += '\n' + std::string(indent, ' ');
    out += wrapped(about, indent) + '\n';
  }
  return out;
}

std::string usage_of(const Argument& argument, const FieldSpelling& spell) {
  if (argument.is_positional) return argument.value + (argument.is_repeatable ? "..." : "");
  if (argument.is_flag()) return spell(argument.field);
  return fmt::format("{} {}{}", spell(argument.field), argument.value,
                     argument.separator != 0 ? fmt::format("{}...", argument.separator) : "");
}

std::string full_help(const Argument& argument, const FieldSpelling& spell) {
  std::string text = argument.help;
  if (!argument.choices.empty() && argument.choices.size() < 8)
    text += fmt::format(": {}", fmt::join(argument.choices, ", "));
  if (!argument.initial.empty()) text += fmt::format(" (default: {})", argument.initial);
  if (argument.is_required && !argument.is_positional) text += "; must be given";
  if (argument.is_repeatable && argument.separator == 0 && !argument.is_positional) text += "; may be repeated";
  if (!argument.excludes.empty()) text += fmt::format("; not with {}", spell(argument.excludes));
  if (argument.value == "N" && !argument.unit.empty() && argument.unit != "1")
    text += fmt::format(" [{}]", argument.unit);
  return text;
}

std::string command_help(const Command& command, std::string_view program, const FieldSpelling& spell) {
  std::string usage = fmt::format("{}{}", program, command.name);
  std::vector<std::pair<std::string, std::string>> words, options;
  for (const Argument& argument : command.arguments) {
    (argument.is_positional ? words : options).emplace_back(usage_of(argument, spell), full_help(argument, spell));
  }
  if (!options.empty()) usage += " [OPTIONS]";
  for (const Argument& argument : command.arguments)
    if (argument.is_positional)
      usage += (argument.is_required ? " " : " [") + usage_of(argument, spell) + (argument.is_required ? "" : "]");

  std::string out = fmt::format("{}\n\nUsage: {}\n", wrapped(command.help, 0), wrapped(usage, 0));
  if (!command.description.empty()) out += '\n' + wrapped(command.description, 0) + '\n';
  add_section(out, "Arguments", words);
  add_section(out, "Options", options);
  if (!command.example.empty()) out += fmt::format("\nExample:\n  {}\n", command.example);
  if (!command.notes.empty()) out += '\n' + command.notes;
  return out;
}

std::string tool_help(const std::vector<ToolCommand>& commands) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const ToolCommand& command : commands)
    if (!command.is_internal) rows.emplace_back(command.name, command.help);
  std::string out = fmt::format("{}\n\nUsage: gridiron COMMAND [ARGUMENTS]\n", kToolAbout);
  add_section(out, "Commands", rows);
  add_section(out, "Options", {{"-h, --help", "this text, or that of a command"}, {"--version", "the version"}});
  return out + '\n' + wrapped(kExitCodes, 0) + "\n'gridiron help COMMAND' gives details.\n";
}

}  // namespace gridiron
