// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tcl.h>

#include "app/session/session_commands.hpp"

namespace gridiron {

/// Dictionaries, lists, strings and numbers as Tcl objects. Names from a netlist stay what they are: no text is ever
/// parsed by Tcl. Null is the empty string.
Tcl_Obj* tcl_value(const Value& value);

}  // namespace gridiron
