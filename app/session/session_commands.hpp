// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/run/session.hpp"
#include "analysis/tran/tran_report.hpp"
#include "app/session/command.hpp"
#include "app/session/layout_setup.hpp"
#include "support/field.hpp"

// The commands of a session, whatever language it is held in. They know nothing of that language: arguments come as
// structs, results go as values, and text is handed to the console.

namespace gridiron {

/// What a command returns: a number, a string, a list, or a dictionary that keeps the order of its keys.
using Value = nlohmann::ordered_json;

/// A simulation, and the circuit that its report refers to.
struct Simulated {
  Circuit circuit;
  TranReport report;
};

/// A session and where it is held.
struct Console {
  Session session = {};
  LayoutSetup layout = {};                          ///< where the session's grid comes from, unless it is a deck
  std::vector<std::string> tables = {};             ///< files that were read besides netlists
  std::unique_ptr<const Simulated> simulated = {};  ///< unless an analysis came after it
  std::function<void(std::string_view text)> print = [](std::string_view) {};
  int64_t prints = 0;                                                        ///< how often it was handed text
  std::function<std::stop_token()> stop = [] { return std::stop_token(); };  ///< of the command that begins
  FieldSpelling spell = {};                                                  ///< how options are written there
};

struct SessionCommand : Command {
  std::function<Value(Console& console, const void* arguments)> run = {};
};

/// What the session has read: files of its netlist or layout, and tables.
std::vector<std::string> inputs_of(const Console& console);
/// The tables alone.
std::vector<std::string> tables_of(const Console& console);

/// Errors: InputError for what only a layout has, where the session has a deck.
void require_no_layout_request(const LayoutRequest& request);

/// check_power_grid of a layout.
struct LayoutCheck {
  std::string net, error_file;
  bool needs_terminals = true, ignore_shorts = false;
};
Value check_layout(Console& console, const LayoutCheck& what);

/// To be called before any of `outputs` (empty ones are none) is touched. Errors: InputError for one that the session
/// has read, by whatever name, and for two that are one file.
void require_outputs(const Console& console, const std::vector<std::string>& outputs);

/// All of them, in the order of the help.
const std::vector<SessionCommand>& session_commands();

/// Null if there is none.
const SessionCommand* find_session_command(std::string_view name);

/// The parts of session_commands(): reading and changing a grid; layouts; analysing it; simulating it; reports of it;
/// plans; files.
std::vector<SessionCommand> grid_commands();
std::vector<SessionCommand> layout_commands();
std::vector<SessionCommand> analysis_commands();
std::vector<SessionCommand> tran_commands();
std::vector<SessionCommand> report_commands();
std::vector<SessionCommand> stress_commands();
std::vector<SessionCommand> plan_commands();
std::vector<SessionCommand> file_commands();

template <class Args>
SessionCommand in_session(Declaration<Args> declaration, Value (*run)(Console&, const Args&)) {
  return {std::move(declaration), [run](Console& console, const void* arguments) {
            return run(console, *static_cast<const Args*>(arguments));
          }};
}

}  // namespace gridiron
