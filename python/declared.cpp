// SPDX-License-Identifier: Apache-2.0
#include "python/declared.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "app/session/session_commands.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/layout.hpp"

namespace gridiron::python {
namespace {

const Command& declaration(std::string_view name) {
  if (name == layout_command().name) return layout_command();
  if (const SessionCommand* command = find_session_command(name)) return *command;
  throw std::logic_error(fmt::format("no command is called {}", name));
}

/// Help names the commands of a session, and words of a command line; these are functions and values here.
std::string in_python(std::string help) {
  for (const auto& [word, here] : {std::pair("'report_engines'", "gridiron.engines()"), {"NET=FILE", "{net: path}"}})
    if (const size_t at = help.find(word); at != help.npos) help.replace(at, std::string_view(word).size(), here);
  return help;
}

std::string line(const Argument& argument) {
  std::string text = fmt::format("{}: {}", keyword(argument.field), in_python(argument.help));
  if (!argument.choices.empty()) text += fmt::format(": {}", fmt::join(argument.choices, ", "));
  if (argument.unit.size() > 0 && argument.unit != "1") text += ", " + argument.unit;
  if (!argument.initial.empty()) text += fmt::format(" (default: {})", argument.initial);
  return text;
}

py::list arguments(const std::string& command) {
  py::list rows;
  for (const Argument& argument : declaration(command).arguments) {
    py::dict row;
    row["field"] = argument.field;
    row["keyword"] = keyword(argument.field);
    row["default"] = argument.initial;
    row["unit"] = argument.unit;
    row["help"] = argument.help;
    rows.append(row);
  }
  return rows;
}

}  // namespace

std::string described(std::string_view command, const std::vector<std::string>& fields) {
  const Command& declared = declaration(command);
  std::vector<std::string> lines;
  for (const std::string& field : fields) {
    const Argument* argument = declared.find(field);
    if (!argument) throw std::logic_error(fmt::format("{} has no argument {}", command, field));
    lines.push_back(line(*argument));
  }
  if (fields.empty()) std::ranges::transform(declared.arguments, std::back_inserter(lines), line);
  return fmt::format("{}", fmt::join(lines, "\n"));
}

void bind_declarations(py::module_& module) {
  module.def("_described", &described, "command"_a, "fields"_a);
  module.def("_keyword", &keyword, "field"_a);
  module.def("_arguments", &arguments, "command"_a);
}

}  // namespace gridiron::python
