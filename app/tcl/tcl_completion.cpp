// SPDX-License-Identifier: Apache-2.0
#include "app/tcl/tcl_completion.hpp"

#include <algorithm>

#include "app/session/session_commands.hpp"
#include "app/tcl/tcl_commands.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kPrefix = "gridiron::";

/// The words of the last command of a line; the last one may be empty. Good enough for what is being typed: braces and
/// quotes only separate.
std::vector<std::string> last_words(std::string_view line) {
  std::vector<std::string> words = {""};
  for (const char c : line) {
    if (c == ';' || c == '[' || c == '\n' || c == '{')
      words = {""};
    else if (c != ' ' && c != '\t' && c != '"')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  return words;
}

/// Those of Tcl and of the user; names of a user's namespaces are not looked into.
std::vector<std::string> command_names(Tcl_Interp* interp) {
  std::vector<std::string> names;
  for (const SessionCommand& command : session_commands()) names.push_back(command.name);
  Tcl_Obj* words[] = {Tcl_NewStringObj("info", -1), Tcl_NewStringObj("commands", -1)};
  for (Tcl_Obj* word : words) Tcl_IncrRefCount(word);
  Tcl_InterpState state = Tcl_SaveInterpState(interp, TCL_OK);
  int count = 0;
  Tcl_Obj** items = nullptr;
  if (Tcl_EvalObjv(interp, 2, words, TCL_EVAL_GLOBAL) == TCL_OK &&
      Tcl_ListObjGetElements(nullptr, Tcl_GetObjResult(interp), &count, &items) == TCL_OK)
    for (int k = 0; k < count; ++k) names.emplace_back(Tcl_GetString(items[k]));
  Tcl_RestoreInterpState(interp, state);
  for (Tcl_Obj* word : words) Tcl_DecrRefCount(word);
  return names;
}

void offer(TclCompletion& to, const std::vector<std::string>& words, const std::string& begun) {
  for (const std::string& word : words)
    if (word.starts_with(begun)) to.words.push_back(word);
}

void offer_values(TclCompletion& to, const Argument& argument, const std::string& begun) {
  offer(to, argument.choices.empty() ? argument.suggestions : argument.choices, begun);
  to.files = argument.path != Argument::Path::none;
}

}  // namespace

TclCompletion complete_tcl(Tcl_Interp* interp, std::string_view line) {
  TclCompletion result;
  const std::vector<std::string> words = last_words(line);
  const std::string& begun = words.back();
  const bool is_qualified = words.front().starts_with(kPrefix);
  const std::string name = is_qualified ? words.front().substr(kPrefix.size()) : words.front();
  if (words.size() == 1) {
    offer(result, command_names(interp), name);
    if (is_qualified)
      for (std::string& word : result.words) word.insert(0, kPrefix);
  } else if (name == "help") {
    for (const SessionCommand& command : session_commands())
      if (command.name.starts_with(begun)) result.words.push_back(command.name);
  } else if (const SessionCommand* command = find_session_command(name)) {
    const std::string& before = words[words.size() - 2];
    const bool has_words = std::ranges::any_of(command->arguments, &Argument::is_positional);
    for (const Argument& argument : command->arguments) {
      const std::string option = tcl_option_name(argument.field);
      if (!argument.is_positional && !argument.is_flag() && option == before) {
        TclCompletion values;
        offer_values(values, argument, begun);
        return values;
      }
      if (argument.is_positional && !begun.starts_with('-'))
        offer_values(result, argument, begun);
      else if (!argument.is_positional && option.starts_with(begun) && !(has_words && begun.empty()))
        result.words.push_back(option);
    }
  } else {
    result.files = true;
  }
  sort_unique(result.words);
  return result;
}

}  // namespace gridiron
