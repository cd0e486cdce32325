// SPDX-License-Identifier: Apache-2.0
#include <tcl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "app/session/analysis_options.hpp"
#include "app/tcl/interrupts.hpp"
#include "app/tcl/line_editor.hpp"
#include "app/tcl/tcl_commands.hpp"
#include "app/tcl_command.hpp"
#include "reports/text/escape.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using Interpreter = std::unique_ptr<Tcl_Interp, decltype(&Tcl_DeleteInterp)>;

void set_variable(Tcl_Interp* interp, const char* name, Tcl_Obj* value) {
  Tcl_SetVar2Ex(interp, name, nullptr, value, TCL_GLOBAL_ONLY);
}

Tcl_Obj* object_of(const std::string& text) { return Tcl_NewStringObj(text.data(), static_cast<int>(text.size())); }

Interpreter make_interpreter(const TclArguments& arguments, bool is_interactive) {
  Tcl_FindExecutable("/proc/self/exe");
  Interpreter interp(Tcl_CreateInterp(), Tcl_DeleteInterp);
  if (Tcl_Init(interp.get()) != TCL_OK)
    complain(
        "Tcl's own scripts were not found (set TCL_LIBRARY to the folder of init.tcl): package, unknown and clock "
        "are missing");
  Tcl_Obj* words = Tcl_NewListObj(0, nullptr);
  for (const std::string& word : arguments.words) Tcl_ListObjAppendElement(nullptr, words, object_of(word));
  set_variable(interp.get(), "argv", words);
  set_variable(interp.get(), "argc", Tcl_NewIntObj(static_cast<int>(arguments.words.size())));
  set_variable(interp.get(), "argv0", object_of(arguments.script.empty() ? "gridiron" : arguments.script));
  set_variable(interp.get(), "tcl_interactive", Tcl_NewBooleanObj(is_interactive));
  if (add_session_commands(interp.get(), is_interactive ? new_stop_token : nullptr) != TCL_OK ||
      Tcl_Import(interp.get(), nullptr, "gridiron::*", 0) != TCL_OK)
    throw InputError(Tcl_GetStringResult(interp.get()));
  return interp;
}

/// The message, and below it where in the script.
int report_error(Tcl_Interp* interp) {
  const TclError error = error_of(interp);
  complain(error.message);
  for (const std::string& line : split(error.place, '\n'))
    if (!line.empty()) std::fprintf(stderr, "%s\n", printable(line).c_str());
  return error.exit_code;
}

int run_script(Tcl_Interp* interp, const std::string& path) {
  return Tcl_EvalFile(interp, path.c_str()) == TCL_OK ? 0 : report_error(interp);
}

int run_standard_input(Tcl_Interp* interp) {
  const std::string script((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  const int code = Tcl_EvalEx(interp, script.data(), static_cast<int>(script.size()), TCL_EVAL_GLOBAL);
  return code == TCL_OK ? 0 : report_error(interp);
}

/// Whether it is a command that needs no further line.
bool is_complete(const std::string& command) { return Tcl_CommandComplete(command.c_str()) != 0; }

void run_line(Tcl_Interp* interp, const std::string& command) {
  const int64_t prints = prints_of(interp);
  int code = TCL_OK;
  {
    const Interruptible interruptible;
    code = Tcl_EvalEx(interp, command.data(), static_cast<int>(command.size()), TCL_EVAL_GLOBAL);
  }
  const std::string result = Tcl_GetStringResult(interp);
  if (code != TCL_OK)
    complain(result);
  else if (!result.empty() && prints_of(interp) == prints)
    std::printf("%s\n", result.c_str());
  std::fflush(stdout);
}

int run_shell(Tcl_Interp* interp) {
  catch_interrupts(interp);
  LineEditor editor(interp);
  std::printf("Gridiron %s; 'help' lists the commands, 'help COMMAND' explains one, Ctrl-D ends.\n", GRIDIRON_VERSION);
  std::string command, line;
  for (;;) {
    const LineEditor::Input input = editor.read(command.empty() ? "gridiron% " : "        > ", line);
    if (input != LineEditor::Input::line) std::printf("\n");
    if (input == LineEditor::Input::end) return 0;
    if (input == LineEditor::Input::interrupted) {
      command.clear();
      continue;
    }
    command += command.empty() ? line : "\n" + line;
    if (!is_complete(command)) continue;
    editor.remember(command);
    run_line(interp, command);
    command.clear();
  }
}

}  // namespace

int run_tcl(const TclArguments& arguments) {
  const bool is_interactive = arguments.script.empty() && ::isatty(STDIN_FILENO);
  const Interpreter interp = make_interpreter(arguments, is_interactive);
  const int code = is_interactive                                        ? run_shell(interp.get())
                   : arguments.script.empty() || arguments.script == "-" ? run_standard_input(interp.get())
                                                                         : run_script(interp.get(), arguments.script);
  Tcl_Channel out = Tcl_GetStdChannel(TCL_STDOUT);
  if (out && Tcl_Flush(out) != TCL_OK && code == 0)
    throw ResourceError("cannot write to standard output; free some space or write elsewhere");
  return code;
}

}  // namespace gridiron
