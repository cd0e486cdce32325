// SPDX-License-Identifier: Apache-2.0
#include "app/tcl_command.hpp"
#include "support/error.hpp"

namespace gridiron {

int run_tcl(const TclArguments&) {
  throw InputError("this build has no Tcl: install tcl-dev and libedit-dev, and build again");
}

}  // namespace gridiron
