// SPDX-License-Identifier: Apache-2.0
#include "app/session/session_commands.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "analysis/run/run_facts.hpp"
#include "support/error_text.hpp"
#include "support/output_file.hpp"

namespace gridiron {

const std::vector<SessionCommand>& session_commands() {
  static const std::vector<SessionCommand> table = [] {
    std::vector<SessionCommand> all;
    for (auto part : {grid_commands, layout_commands, analysis_commands, tran_commands, report_commands,
                      stress_commands, plan_commands, file_commands})
      std::ranges::move(part(), std::back_inserter(all));
    return all;
  }();
  return table;
}

std::vector<std::string> inputs_of(const Console& console) {
  const bool is_layout = console.layout.is_input();
  std::vector<std::string> inputs = is_layout ? console.layout.files() : files_of(*console.session.design().circuit);
  std::ranges::copy(console.tables, std::back_inserter(inputs));
  return inputs;
}

std::vector<std::string> tables_of(const Console& console) {
  std::vector<std::string> tables = console.tables;
  if (console.layout.is_input()) std::ranges::copy(console.layout.tables(), std::back_inserter(tables));
  return tables;
}

void require_outputs(const Console& console, const std::vector<std::string>& outputs) {
  namespace fs = std::filesystem;
  for (const std::string& output : outputs)
    if (!output.empty()) require_file_name(output);
  const auto is_same = [](const std::string& a, const std::string& b) {
    std::error_code error;
    return fs::equivalent(a, b, error) || fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
  };
  const std::vector<std::string> inputs = inputs_of(console);
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->empty()) continue;
    std::error_code error;
    if (fs::exists(*output, error) && !fs::is_regular_file(*output, error)) continue;  // a device or a pipe
    for (const std::string& input : inputs)
      if (is_same(*output, input))
        throw input_error("{}: was read by this session, and would be replaced; name another file", *output);
    if (std::any_of(outputs.begin(), output,
                    [&](const std::string& other) { return !other.empty() && is_same(*output, other); }))
      throw input_error("{}: is to hold two reports; name a file for each", *output);
  }
}

const SessionCommand* find_session_command(std::string_view name) {
  const auto found = std::ranges::find(session_commands(), name, &SessionCommand::name);
  return found == session_commands().end() ? nullptr : &*found;
}

}  // namespace gridiron
