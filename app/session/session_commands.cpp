// SPDX-License-Identifier: Apache-2.0
#include "app/session/session_commands.hpp"

#include <algorithm>
#include <iterator>

#include "app/run_facts.hpp"

namespace gridiron {

const std::vector<SessionCommand>& session_commands() {
  static const std::vector<SessionCommand> table = [] {
    std::vector<SessionCommand> all;
    for (auto part : {grid_commands, analysis_commands, tran_commands, report_commands, file_commands})
      std::ranges::move(part(), std::back_inserter(all));
    return all;
  }();
  return table;
}

std::vector<std::string> inputs_of(const Console& console) {
  std::vector<std::string> inputs = files_of(*console.session.design().circuit);
  std::ranges::copy(console.tables, std::back_inserter(inputs));
  return inputs;
}

const SessionCommand* find_session_command(std::string_view name) {
  const auto found = std::ranges::find(session_commands(), name, &SessionCommand::name);
  return found == session_commands().end() ? nullptr : &*found;
}

}  // namespace gridiron
