// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tcl.h>

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace gridiron {

/// -max_iterations.
std::string tcl_option_name(std::string_view field);

/// Creates the commands of a session in namespace gridiron of the interpreter, and provides the package. The session
/// ends with the interpreter. `stop` gives the token that stops the command that begins. A Tcl result.
int add_session_commands(Tcl_Interp* interp, std::function<std::stop_token()> stop = {});

/// How often commands of the session have printed.
int64_t prints_of(Tcl_Interp* interp);

/// What an error leaves behind.
struct TclError {
  int exit_code = 2;  ///< by the errorCode
  std::string message;
  std::string place;  ///< where in which script, in lines
};
TclError error_of(Tcl_Interp* interp);

}  // namespace gridiron
