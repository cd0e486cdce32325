// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "app/commands.hpp"
#include "app/tcl_command.hpp"

namespace gridiron {

ToolCommand tcl_command() {
  Declaration<TclArguments> tcl(
      {.name = "tcl",
       .help = "a Tcl shell, or a Tcl script, with the commands of gridiron",
       .description =
           "Grids, loads and engines stay in memory from one command to the next. 'help' in the shell lists the "
           "commands; the names of OpenROAD's power grid analysis mean what they mean there. The same commands are in "
           "the package gridiron of tclsh, in namespace gridiron.",
       .example = "gridiron tcl flow.tcl chip.sp",
       .passes_words_on = true});
  tcl.add(&TclArguments::script, {.field = "script",
                                  .value = "SCRIPT",
                                  .help = "what to run; without it a shell, or a script from standard input",
                                  .path = Argument::Path::file,
                                  .is_positional = true});
  tcl.add(&TclArguments::words,
          {.field = "words", .value = "ARGUMENT", .help = "arguments of the script, in $argv", .is_positional = true});
  return std::move(tcl).run_by(run_tcl);
}

}  // namespace gridiron
