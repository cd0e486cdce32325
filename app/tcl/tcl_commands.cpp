// SPDX-License-Identifier: Apache-2.0
// The commands of a session as Tcl sees them. Words become arguments as declared; results become Tcl objects; errors of
// the library become Tcl errors whose errorCode is {GRIDIRON kind field}.
#include "app/tcl/tcl_commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "app/session/help.hpp"
#include "app/session/session_commands.hpp"
#include "app/tcl/tcl_values.hpp"
#include "reports/text/utf8.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

constexpr const char* kNamespace = "gridiron";
constexpr const char* kConsoleKey = "gridiron::console";

/// By ExitCode, from invalid_input on.
constexpr std::string_view kErrorKinds[] = {"input", "grid", "solver", "resources"};

std::string_view text_of(Tcl_Obj* object) {
  int length = 0;
  const char* text = Tcl_GetStringFromObj(object, &length);
  return {text, static_cast<size_t>(length)};
}

Tcl_Obj* object_of(std::string_view text) {
  const std::string unicode = as_unicode(text);
  return Tcl_NewStringObj(unicode.data(), static_cast<int>(unicode.size()));
}

// ---- Errors

int fail(Tcl_Interp* interp, std::string_view kind, std::string_view field, const std::string& message) {
  Tcl_Obj* code[] = {object_of("GRIDIRON"), object_of(kind), object_of(field)};
  Tcl_SetObjErrorCode(interp, Tcl_NewListObj(3, code));
  Tcl_SetObjResult(interp, object_of(message));
  return TCL_ERROR;
}

/// The one place where exceptions become Tcl errors; what a command takes without an option is called as in its usage.
int fail_as_thrown(Tcl_Interp* interp, const Command* command = nullptr) {
  const auto name = [command](std::string_view field) {
    const Argument* argument = command ? command->find(field) : nullptr;
    return argument && argument->is_positional ? argument->value : tcl_option_name(field);
  };
  try {
    throw;
  } catch (const Stopped&) {
    return fail(interp, "stopped", "", "stopped");
  } catch (const Error& e) {
    return fail(interp, kErrorKinds[static_cast<int>(e.code()) - static_cast<int>(ExitCode::invalid_input)], e.field(),
                spelled(e.message(), name));
  } catch (const std::bad_alloc&) {
    return fail(interp, "resources", "", "out of memory; clear_solvers frees what engines hold");
  } catch (const std::exception& e) {
    return fail(interp, "internal", "", e.what());
  }
}

// ---- Arguments

bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && ((word[1] | 0x20) >= 'a' && (word[1] | 0x20) <= 'z');
}

/// The argument that an option word names, in full or by a beginning that no other has.
const Argument& option_called(const Command& command, std::string_view word) {
  const Argument* found = nullptr;
  std::vector<std::string> names;
  int matches = 0;
  for (const Argument& argument : command.arguments) {
    if (argument.is_positional) continue;
    const std::string name = tcl_option_name(argument.field);
    if (name == word || (!argument.former.empty() && tcl_option_name(argument.former) == word)) return argument;
    if (name.starts_with(word)) found = &argument, ++matches;
    names.push_back(name);
  }
  if (matches == 1) return *found;
  throw input_error("{}: {} option '{}'; it has {}{}", command.name, matches > 1 ? "ambiguous" : "unknown", word,
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                    matches > 1 ? "" : did_you_mean(word, names));
}

/// The next positional argument for a word: the one that may be repeated takes all.
const Argument* positional(const Command& command, size_t index) {
  for (const Argument& argument : command.arguments) {
    if (!argument.is_positional) continue;
    if (argument.is_repeatable || index == 0) return &argument;
    --index;
  }
  return nullptr;
}

/// The values given per argument of the command.
using Given = std::vector<std::vector<std::string>>;

class ArgumentWords {
 public:
  explicit ArgumentWords(const Command& command) : command_(command), given_(command.arguments.size()) {}

  Given read(int count, Tcl_Obj* const words[]) {
    size_t positionals = 0;
    bool only_words = false;
    for (int k = 1; k < count; ++k) {
      const std::string_view word = text_of(words[k]);
      if (!only_words && word == "--") {
        only_words = true;
      } else if (!only_words && looks_like_option(word)) {
        const Argument& argument = option_called(command_, word);
        if (!argument.is_flag() && k + 1 == count)
          throw input_error("{}: a value is missing: {}", field(argument.field), argument.value);
        if (argument.is_flag())
          add(argument, "1");
        else
          add_value(argument, words[++k]);
      } else {
        const Argument* argument = positional(command_, positionals++);
        if (!argument) throw input_error("{}: '{}' is one word too many; {}", command_.name, word, usage());
        add(*argument, from_unicode(word));
      }
    }
    require();
    return std::move(given_);
  }

 private:
  std::vector<std::string>& values(const Argument& argument) { return given_[&argument - command_.arguments.data()]; }

  /// Several values at once are a Tcl list, or separated as on the command line.
  void add_value(const Argument& argument, Tcl_Obj* object) {
    if (!argument.splits_values()) return add(argument, from_unicode(text_of(object)));
    int count = 0;
    Tcl_Obj** items = nullptr;
    if (Tcl_ListObjGetElements(nullptr, object, &count, &items) != TCL_OK)
      return add(argument, from_unicode(text_of(object)));
    for (int k = 0; k < count; ++k) {
      std::string_view rest = text_of(items[k]);
      while (!rest.empty()) {
        const std::string_view value = rest.substr(0, rest.find(argument.separator));
        add(argument, from_unicode(value));
        rest.remove_prefix(std::min(rest.size(), value.size() + 1));
      }
    }
  }

  void add(const Argument& argument, std::string text) {
    if (const std::string fault = argument.is_flag() ? "" : argument.fault(text); !fault.empty())
      throw input_error("{}: {}", field(argument.field), fault);
    if (!values(argument).empty() && !argument.is_repeatable && !argument.is_flag())
      throw input_error("{}: given twice; leave one of them out", field(argument.field));
    values(argument).push_back(std::move(text));
  }

  void require() {
    for (const Argument& argument : command_.arguments) {
      if (values(argument).empty()) {
        if (argument.is_required && !argument.is_positional)
          throw input_error("{}: {} {} is missing", command_.name, field(argument.field), argument.value);
        if (argument.is_required) throw input_error("{}: {} is missing; {}", command_.name, argument.value, usage());
        continue;
      }
      const Argument* other = command_.find(argument.excludes);
      if (other && !values(*other).empty())
        throw input_error("{} excludes {}; leave one of them out", field(argument.field), field(other->field));
    }
  }

  std::string usage() const {
    std::string text = "usage: " + command_.name;
    for (const Argument& argument : command_.arguments)
      if (argument.is_positional)
        text += fmt::format("{}{}{}", argument.is_required ? " " : " ?", usage_of(argument, tcl_option_name),
                            argument.is_required ? "" : "?");
    return text;
  }

  const Command& command_;
  Given given_;
};

// ---- Commands

Console& console_of(Tcl_Interp* interp) {
  return *static_cast<Console*>(Tcl_GetAssocData(interp, kConsoleKey, nullptr));
}

/// To Tcl's standard output, where `puts` writes.
void print(Tcl_Interp* interp, std::string_view text) {
  Tcl_Channel out = Tcl_GetStdChannel(TCL_STDOUT);
  if (!out) return;
  if (Tcl_WriteChars(out, text.data(), static_cast<int>(text.size())) < 0 || Tcl_Flush(out) != TCL_OK)
    throw ResourceError("cannot write to standard output; free some space or write elsewhere");
  ++console_of(interp).prints;
}

int run_command(ClientData data, Tcl_Interp* interp, int count, Tcl_Obj* const words[]) {
  const auto& command = *static_cast<const SessionCommand*>(data);
  try {
    const Given given = ArgumentWords(command).read(count, words);
    const std::shared_ptr<void> arguments = command.make();
    for (size_t k = 0; k < given.size(); ++k)
      if (!given[k].empty()) command.arguments[k].take(arguments.get(), given[k]);
    Tcl_SetObjResult(interp, tcl_value(command.run(console_of(interp), arguments.get())));
    return TCL_OK;
  } catch (...) {
    return fail_as_thrown(interp, &command);
  }
}

/// gridiron::help ?COMMAND?
int run_help(ClientData, Tcl_Interp* interp, int count, Tcl_Obj* const words[]) {
  if (count > 2) {
    Tcl_WrongNumArgs(interp, 1, words, "?COMMAND?");
    return TCL_ERROR;
  }
  try {
    if (count == 1) {
      std::vector<std::pair<std::string, std::string>> rows;
      for (const SessionCommand& command : session_commands()) rows.emplace_back(command.name, command.help);
      rows.emplace_back("help", "this text, or that of a command");
      print(interp, in_columns(rows));
      return TCL_OK;
    }
    const SessionCommand* command = find_session_command(text_of(words[1]));
    if (!command) throw input_error("no command is called '{}'; see 'help'", text_of(words[1]));
    print(interp, command_help(*command, "", tcl_option_name));
    return TCL_OK;
  } catch (...) {
    return fail_as_thrown(interp);
  }
}

void delete_console(ClientData data, Tcl_Interp*) { delete static_cast<Console*>(data); }

}  // namespace

std::string tcl_option_name(std::string_view field) { return "-" + std::string(field); }

int add_session_commands(Tcl_Interp* interp, std::function<std::stop_token()> stop) {
  auto console = std::make_unique<Console>();
  console->print = [interp](std::string_view text) { print(interp, text); };
  if (stop) console->stop = std::move(stop);
  console->spell = tcl_option_name;
  console->session.set_spelling(tcl_option_name);
  Tcl_SetAssocData(interp, kConsoleKey, delete_console, console.release());
  for (const SessionCommand& command : session_commands())
    Tcl_CreateObjCommand(interp, fmt::format("{}::{}", kNamespace, command.name).c_str(), run_command,
                         const_cast<SessionCommand*>(&command), nullptr);
  Tcl_CreateObjCommand(interp, fmt::format("{}::help", kNamespace).c_str(), run_help, nullptr, nullptr);
  Tcl_Namespace* space = Tcl_FindNamespace(interp, kNamespace, nullptr, TCL_LEAVE_ERR_MSG);
  if (!space || Tcl_Export(interp, space, "[a-z]*", 0) != TCL_OK) return TCL_ERROR;
  return Tcl_PkgProvide(interp, kNamespace, GRIDIRON_VERSION);
}

int64_t prints_of(Tcl_Interp* interp) { return console_of(interp).prints; }

TclError error_of(Tcl_Interp* interp) {
  TclError error;
  error.message = text_of(Tcl_GetObjResult(interp));
  const std::shared_ptr<Tcl_Obj> options(Tcl_GetReturnOptions(interp, TCL_ERROR),
                                         [](Tcl_Obj* o) { Tcl_DecrRefCount(o); });
  Tcl_IncrRefCount(options.get());
  const auto option = [&](std::string_view name) {
    Tcl_Obj* value = nullptr;
    const std::shared_ptr<Tcl_Obj> key(object_of(name), [](Tcl_Obj* o) { Tcl_DecrRefCount(o); });
    Tcl_IncrRefCount(key.get());
    Tcl_DictObjGet(nullptr, options.get(), key.get(), &value);
    return value;
  };
  if (Tcl_Obj* const trace = option("-errorinfo")) {
    error.place = text_of(trace);
    if (error.place.starts_with(error.message)) error.place.erase(0, error.message.size());
  }
  int count = 0;
  Tcl_Obj** words = nullptr;
  Tcl_Obj* const code = option("-errorcode");
  if (!code || Tcl_ListObjGetElements(nullptr, code, &count, &words) != TCL_OK || count != 3) return error;
  if (text_of(words[0]) == "POSIX" && (text_of(words[1]) == "ENOSPC" || text_of(words[1]) == "EDQUOT"))
    error.exit_code = static_cast<int>(ExitCode::out_of_resources);
  if (text_of(words[0]) != "GRIDIRON") return error;
  if (text_of(words[1]) == "stopped") error.exit_code = static_cast<int>(ExitCode::not_converged);
  for (size_t k = 0; k < std::size(kErrorKinds); ++k)
    if (text_of(words[1]) == kErrorKinds[k])
      error.exit_code = static_cast<int>(ExitCode::invalid_input) + static_cast<int>(k);
  return error;
}

}  // namespace gridiron
