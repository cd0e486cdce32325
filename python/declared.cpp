// SPDX-License-Identifier: Apache-2.0
#include "python/declared.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "app/session/session_commands.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"

namespace gridiron::python {
namespace {

const SessionCommand& declaration(std::string_view name) {
  if (const SessionCommand* command = find_session_command(name)) return *command;
  throw std::logic_error(fmt::format("no command is called {}", name));
}

/// Help names the commands of a session; these are functions here.
std::string in_python(std::string help) {
  constexpr std::string_view kList = "'report_engines'";
  if (const size_t at = help.find(kList); at != help.npos) help.replace(at, kList.size(), "gridiron.engines()");
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
  const SessionCommand& declared = declaration(command);
  std::string text;
  for (const std::string& field : fields) {
    const Argument* argument = declared.find(field);
    if (!argument) throw std::logic_error(fmt::format("{} has no argument {}", command, field));
    text += (text.empty() ? "" : "\n") + line(*argument);
  }
  return text;
}

void bind_declarations(py::module_& module) {
  module.def("_described", &described, "command"_a, "fields"_a);
  module.def("_keyword", &keyword, "field"_a);
  module.def("_arguments", &arguments, "command"_a);
}

}  // namespace gridiron::python
